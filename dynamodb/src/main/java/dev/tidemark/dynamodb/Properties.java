package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import java.beans.Introspector;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
  static final Properties OF_MARKS = new Properties(null, true, name -> false);

  private final @Nullable TableSchema<?> schema;
  private final boolean unmappedToo;
  private final Predicate<String> unchangeable;

  /**
   * What a schema knows.
   *
   * @param schema null if it maps whatever is there, as the one of documents does
   * @param unmappedToo whether changes may name what it does not map
   */
  Properties(@Nullable TableSchema<?> schema, boolean unmappedToo, Predicate<String> unchangeable) {
    this.schema = schema;
    this.unmappedToo = unmappedToo;
    this.unchangeable = unchangeable;
  }

  /** Whether conditions ask tracking's attributes, which have the types that tracking gave them. */
  @SuppressWarnings("ReferenceEquality")
  boolean isOfMarks() {
    return this == OF_MARKS;
  }

  /** Refuses a change or a condition that names an attribute which the class does not map. */
  void checkMapped(Path path) {
    String name = path.segments().get(0);
    if (schema == null || unmappedToo || unchangeable.test(name)) {
      return;
    }
    TableSchema<?> inner = schema;
    PropertyType type = null;
    for (String segment : path.segments()) {
      if (inner != null && !inner.attributeNames().contains(segment)) {
        throw unmapped(path, inner);
      }
      type =
          inner != null
              ? PropertyType.of(inner, segment)
              : type == null ? null : type.member(segment);
      inner = type == null ? null : type.schema();
    }
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
    return new IllegalArgumentException(
        "attribute '%s' is not mapped by %s".formatted(path, type.getSimpleName()) + hint);
  }

  private static boolean isOf(String property, String method) {
    boolean is = method.startsWith("is");
    boolean prefixed = is || method.startsWith("get") || method.startsWith("set");
    return method.equals(property)
        || (prefixed && Introspector.decapitalize(method.substring(is ? 2 : 3)).equals(property));
  }

  /** Refuses an attribute that no change may touch. */
  void checkChange(Path path) {
    if (unchangeable.test(path.segments().get(0))) {
      throw new IllegalArgumentException(
          "attribute '%s' is the key, tracking's, or written by the store; a change cannot touch it"
              .formatted(path));
    }
  }

  /** The value to set, or to compare with. */
  AttributeValue value(Path path, Object value) {
    return with(path, type -> type == null ? Values.toNative(value) : type.value(value));
  }

  /** An amount to add to a number. */
  AttributeValue number(Path path, Number amount) {
    return with(
        path,
        type -> {
          if (type != null && !type.isNumber()) {
            throw type.wrong("a number to add to");
          }
          return type == null ? Values.toNative(amount) : type.value(amount);
        });
  }

  /** Elements of the list, given as a {@link List}, or of the set, given as a {@link Set}. */
  AttributeValue elements(Path path, Collection<?> elements) {
    return with(
        path,
        type -> {
          if (type == null) {
            return Values.toNative(elements);
          }
          boolean list = elements instanceof List<?>;
          if (list ? !type.isList() : !type.isSet()) {
            throw type.wrong(list ? "a list to append to" : "a set");
          }
          PropertyType element = list ? type.element() : null;
          return element == null
              ? type.value(elements)
              : AttributeValue.fromL(elements.stream().map(element::value).toList());
        });
  }

  /** One element to look for in the list or set. */
  AttributeValue element(Path path, Object value) {
    return with(
        path,
        type -> {
          if (type != null && !type.isList() && !type.isSet()) {
            throw new IllegalArgumentException("is " + type.name() + ", neither a list nor a set");
          }
          PropertyType element = type == null ? null : type.element();
          return element == null ? Values.toNative(value) : element.value(value);
        });
  }

  /** The highest whole number that can stand there; null if others can too. */
  @Nullable Long highest(Path path) {
    PropertyType type = type(path.segments());
    return type == null ? (Long) Long.MAX_VALUE : type.highest();
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
      return converter == null
          || value.type() == AttributeValue.Type.NUL
          || converter.transformTo(value) != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Finds what the schema knows of a path; null beyond what it knows. */
  private <R> R with(Path path, Function<@Nullable PropertyType, R> use) {
    try {
      return use.apply(type(path.segments()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("attribute '" + path + "' " + e.getMessage(), e);
    }
  }

  private @Nullable PropertyType type(List<String> segments) {
    PropertyType type = schema == null ? null : PropertyType.of(schema, segments.get(0));
    for (int i = 1; type != null && i < segments.size(); i++) {
      type = type.member(segments.get(i));
    }
    return type;
  }
}
