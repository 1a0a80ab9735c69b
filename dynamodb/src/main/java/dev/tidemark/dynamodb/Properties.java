package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import dev.tidemark.kernel.SameValue;
import dev.tidemark.kernel.UnfitChangeException;
import java.beans.Introspector;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbAttribute;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The attributes of an entity class, as its schema maps them: which a change may name, and how the
 * values of conditions and operations are stored.
 */
final class Properties {
  /** Tracking's own attributes, and values that are DynamoDB's already. */
  static final Properties OF_MARKS =
      new Properties(null, true, name -> false, name -> false, List.of());

  private final @Nullable TableSchema<?> schema;
  private final @Nullable PropertyType entity;
  private final boolean unmappedToo;
  private final Predicate<String> owned;
  private final Predicate<String> unchangeable;
  private final List<String> unstored;

  /**
   * What a schema knows.
   *
   * @param schema null if it maps whatever is there, as the one of documents does
   * @param unmappedToo whether changes may name what it does not map
   * @param owned tracking's attributes
   * @param unchangeable those that no change may touch
   * @param unstored the attributes that are never stored
   */
  Properties(
      @Nullable TableSchema<?> schema,
      boolean unmappedToo,
      Predicate<String> owned,
      Predicate<String> unchangeable,
      List<String> unstored) {
    this.schema = schema;
    this.entity = schema == null ? null : PropertyType.of(schema);
    this.unmappedToo = unmappedToo;
    this.owned = owned;
    this.unchangeable = unchangeable;
    this.unstored = unstored;
  }

  /** Whether conditions ask tracking's attributes, which have the types that tracking gave them. */
  @SuppressWarnings("ReferenceEquality")
  boolean isOfMarks() {
    return this == OF_MARKS;
  }

  /** Refuses a condition on what the class does not map, or is never stored, or on tracking's. */
  void checkAsked(Path path) {
    String attribute = path.segments().get(0);
    if (owned.test(attribute)) {
      throw new UnfitChangeException(
          "attribute '%s' is owned by tracking, so that no condition asks for it"
              .formatted(attribute));
    }
    if (unstored.contains(attribute)) {
      throw new UnfitChangeException(
          "attribute '%s' of %s is never stored, so that no condition asks for it"
              .formatted(attribute, entityName()));
    }
    checkMapped(path);
  }

  /** Refuses a change or a condition that names an attribute which the class does not map. */
  void checkMapped(Path path) {
    if (unmappedToo || unchangeable.test(path.segments().get(0))) {
      return;
    }
    PropertyType type = entity;
    for (String segment : path.segments()) {
      if (type == null) {
        return; // beyond what the class tells
      }
      requireMember(type, segment, path);
      type = type.member(segment);
    }
  }

  private void requireMember(PropertyType type, String name, Path path) {
    TableSchema<?> inner = type.schema();
    if (inner != null && !inner.attributeNames().contains(name)) {
      throw unmapped(path, inner);
    }
    String wrong =
        type.isCustom() && type.keys() == null
            ? "which a converter of its own stores, so that no change leads inside; set it as a"
                + " whole, or build the store with unmappedAttributes()"
            : type.keys() != null && !MapKeys.are(type.keys(), name)
                ? "whose keys are of type %s, of which '%s' is no stored form"
                    .formatted(type.keys().rawClass().getSimpleName(), name)
                : null;
    if (wrong != null) {
      throw new UnfitChangeException(
          "attribute '%s' of %s leads into what is %s, %s"
              .formatted(path, entityName(), type.name(), wrong));
    }
  }

  private String entityName() {
    return schema == null ? "the entity" : schema.itemType().rawClass().getSimpleName();
  }

  /** Names the path and what the class maps; the stored name, where the property's was given. */
  private static IllegalArgumentException unmapped(Path path, TableSchema<?> schema) {
    Class<?> type = schema.itemType().rawClass();
    String last = path.segments().get(path.segments().size() - 1);
    String hint =
        Arrays.stream(type.getMethods())
            .filter(method -> isOf(last, method.getName()))
            .map(method -> method.getAnnotation(DynamoDbAttribute.class))
            .filter(Objects::nonNull)
            .map(
                stored -> ", whose property '%s' is stored as '%s'".formatted(last, stored.value()))
            .findFirst()
            .orElseGet(
                () ->
                    ", which maps %s; correct the name, or build the store with unmappedAttributes()"
                        .formatted(new TreeSet<>(schema.attributeNames())));
    return new UnfitChangeException(
        "attribute '%s' is not mapped by %s".formatted(path, type.getSimpleName()) + hint);
  }

  private static boolean isOf(String property, String method) {
    boolean is = method.startsWith("is");
    boolean prefixed = is || method.startsWith("get") || method.startsWith("set");
    return method.equals(property)
        || (prefixed && Introspector.decapitalize(method.substring(is ? 2 : 3)).equals(property));
  }

  /** Refuses an attribute that no change may touch. */
  void checkChange(String attribute) {
    if (unchangeable.test(attribute)) {
      throw new IllegalArgumentException(
          "attribute '%s' is the key, tracking's, or written by the store; a change cannot touch it"
              .formatted(attribute));
    }
  }

  /** The value to set. */
  AttributeValue value(Path path, Object value) {
    return convert(path, value, PropertyType::value);
  }

  /**
   * The value to compare with.
   *
   * @throws IllegalArgumentException if what is stored is never equal to it
   */
  AttributeValue compared(Path path, Object value) {
    return compared(path, value, PropertyType::value);
  }

  private AttributeValue compared(
      Path path, Object value, BiFunction<PropertyType, Object, AttributeValue> conversion) {
    AttributeValue stored = convert(path, value, conversion);
    if (type(path) != null && !stored.equals(convert(path, value, conversion))) {
      throw new UnfitChangeException(
          ("attribute '%s' of %s is stored by a converter that writes another form of the same value"
                  + " each time, as one that encrypts, so that a condition on it is never true;"
                  + " decide in a function, or compare a keyed hash that is stored beside it")
              .formatted(path, entityName()));
    }
    return stored;
  }

  /**
   * The value to compare with by order.
   *
   * @throws IllegalArgumentException if what is stored does not sort as the values do
   */
  AttributeValue ordered(Path path, Object value) {
    AttributeValue stored = compared(path, value);
    PropertyType type = type(path);
    String wrong = StoredOrder.wrong(value, stored, type != null && type.isCustom());
    if (wrong != null) {
      throw new UnfitChangeException(
          ("attribute '%s' is %s, %s; store it as a number by a converter of your own, or compare"
                  + " it in the condition of a native update")
              .formatted(
                  path, type == null ? value.getClass().getSimpleName() : type.name(), wrong));
    }
    return stored;
  }

  /** An amount to add to a number. */
  AttributeValue number(Path path, Number amount) {
    return convert(path, amount, PropertyType::amount);
  }

  /** Elements of the list, given as a {@link List}, or of the set, given as a {@link Set}. */
  AttributeValue elements(Path path, Collection<?> elements) {
    return convert(path, elements, PropertyType::elements);
  }

  /** One element to look for in the list or set. */
  AttributeValue element(Path path, Object value) {
    return compared(path, value, PropertyType::element);
  }

  private <V> AttributeValue convert(
      Path path, V value, BiFunction<PropertyType, V, AttributeValue> conversion) {
    try {
      PropertyType type = type(path);
      return type == null ? Values.toNative(value) : conversion.apply(type, value);
    } catch (UnfitChangeException e) {
      throw new UnfitChangeException("attribute '" + path + "' " + e.getMessage(), e);
    } catch (IllegalArgumentException e) { // a converter's, whose text may show the value
      throw new IllegalArgumentException("attribute '" + path + "' " + e.getMessage(), e);
    }
  }

  /** What the schema knows of a path; null beyond what it knows. */
  private @Nullable PropertyType type(Path path) {
    PropertyType type = entity;
    for (int i = 0; type != null && i < path.segments().size(); i++) {
      type = type.member(path.segments().get(i));
    }
    return type;
  }

  /**
   * The highest whole number that can stand there once an amount is added; null if others can too.
   * Where the class does not tell, whole amounts of Java's classes keep the sum within 64 bits.
   */
  @Nullable Long highest(Path path, Number amount) {
    PropertyType type = type(path);
    return type != null ? type.highest() : isWhole(amount) ? (Long) Long.MAX_VALUE : null;
  }

  private static boolean isWhole(Number amount) {
    return amount instanceof Long
        || amount instanceof Integer
        || amount instanceof Short
        || amount instanceof Byte;
  }

  /**
   * What is stored of a value that a function gave back: the form before it, where that is the same
   * to DynamoDB, or where the converter writes another one each time, as one that encrypts, and the
   * value is the same.
   */
  AttributeValue unlessSame(String name, @Nullable AttributeValue before, AttributeValue after) {
    return before != null && (Values.isSame(before, after) || isSame(name, before, after))
        ? before
        : after;
  }

  @SuppressWarnings("unchecked")
  private boolean isSame(String name, AttributeValue before, AttributeValue after) {
    var converter =
        schema == null ? null : (AttributeConverter<Object>) schema.converterForAttribute(name);
    if (converter == null || isNull(before) || isNull(after)) {
      return false;
    }
    Object value = converter.transformTo(after);
    return !converter.transformFrom(value).equals(after)
        && SameValue.isSame(value, converter.transformTo(before));
  }

  private static boolean isNull(AttributeValue value) {
    return value.type() == AttributeValue.Type.NUL;
  }

  /** The first attribute of an item that the class cannot hold: its name and its stored type. */
  Optional<String> unreadable(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .filter(attribute -> !isReadable(attribute.getKey(), attribute.getValue()))
        .findFirst()
        .map(
            attribute ->
                ": attribute '%s' does not fit, which is stored as %s"
                    .formatted(attribute.getKey(), attribute.getValue().type()));
  }

  private boolean isReadable(String name, AttributeValue value) {
    AttributeConverter<?> converter = schema == null ? null : schema.converterForAttribute(name);
    try {
      return converter == null || isNull(value) || converter.transformTo(value) != null;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }
}
