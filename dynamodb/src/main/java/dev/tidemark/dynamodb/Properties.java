package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.UnfitChangeException;
import java.beans.Introspector;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
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
  private final @Nullable Type entity;
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
    this.entity = schema == null ? null : Type.of(schema);
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
    if (unmappedToo || unchangeable.test(path.segments().get(0))) {
      return;
    }
    Type type = entity;
    for (String segment : path.segments()) {
      TableSchema<?> inner = type == null ? null : type.schema();
      if (inner != null && !inner.attributeNames().contains(segment)) {
        throw unmapped(path, inner);
      }
      type = type == null ? null : type.member(segment);
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

  /** The value to set, or to compare with. */
  AttributeValue value(Path path, Object value) {
    return convert(path, value, Type::value);
  }

  /**
   * The value to compare with by order.
   *
   * @throws IllegalArgumentException if what is stored does not sort as the values do
   */
  AttributeValue ordered(Path path, Object value) {
    AttributeValue stored = value(path, value);
    Type type = type(path);
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
    return convert(path, amount, Type::amount);
  }

  /** Elements of the list, given as a {@link List}, or of the set, given as a {@link Set}. */
  AttributeValue elements(Path path, Collection<?> elements) {
    return convert(path, elements, Type::elements);
  }

  /** One element to look for in the list or set. */
  AttributeValue element(Path path, Object value) {
    return convert(path, value, Type::element);
  }

  private <V> AttributeValue convert(
      Path path, V value, BiFunction<Type, V, AttributeValue> conversion) {
    try {
      Type type = type(path);
      return type == null ? Values.toNative(value) : conversion.apply(type, value);
    } catch (UnfitChangeException e) {
      throw new UnfitChangeException("attribute '" + path + "' " + e.getMessage(), e);
    } catch (IllegalArgumentException e) { // a converter's, whose text may show the value
      throw new IllegalArgumentException("attribute '" + path + "' " + e.getMessage(), e);
    }
  }

  /** What the schema knows of a path; null beyond what it knows. */
  private @Nullable Type type(Path path) {
    Type type = entity;
    for (int i = 0; type != null && i < path.segments().size(); i++) {
      type = type.member(path.segments().get(i));
    }
    return type;
  }

  /** The highest whole number that can stand there; null if others can too. */
  @Nullable Long highest(Path path) {
    Type type = type(path);
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
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  /**
   * What a schema knows of one place in an entity: its type, and how its values are converted.
   *
   * @param type what the class has there; null for a type with a wildcard
   * @param parameters the types of the elements, or of the keys and values
   * @param schema of what is nested there; null where there is none
   * @param stored what DynamoDB has there; null where that is not known
   * @param convert the schema's own conversion; throws ClassCastException for another type
   * @param isCustom whether that is not one of the SDK's, so that values of other classes, and
   *     numbers added, have to go through it
   */
  record Type(
      @Nullable Class<?> type,
      List<EnhancedType<?>> parameters,
      @Nullable TableSchema<?> schema,
      @Nullable AttributeValueType stored,
      Function<Object, AttributeValue> convert,
      boolean isCustom) {

    private static final String SDK = "software.amazon.awssdk.";

    /** The highest value of each class of whole numbers that has one. */
    private static final Map<Class<?>, Long> HIGHEST =
        Map.of(
            Long.class, Long.MAX_VALUE,
            Integer.class, (long) Integer.MAX_VALUE,
            Short.class, (long) Short.MAX_VALUE,
            Byte.class, (long) Byte.MAX_VALUE);

    /** The entity itself. */
    static Type of(TableSchema<?> schema) {
      return new Type(null, List.of(), schema, null, Values::toNative, false);
    }

    /** What a schema has under a name; null if it has nothing there. */
    static @Nullable Type of(TableSchema<?> schema, String name) {
      AttributeConverter<?> converter = schema.converterForAttribute(name);
      if (converter == null) {
        return null;
      }
      @SuppressWarnings("unchecked")
      AttributeConverter<Object> any = (AttributeConverter<Object>) converter;
      boolean custom = !converter.getClass().getName().startsWith(SDK);
      return of(converter.type(), converter.attributeValueType(), any::transformFrom, custom);
    }

    private static Type of(
        EnhancedType<?> type,
        @Nullable AttributeValueType stored,
        Function<Object, AttributeValue> convert,
        boolean isCustom) {
      return type.isWildcard()
          ? new Type(null, List.of(), null, stored, convert, isCustom)
          : new Type(
              MethodType.methodType(type.rawClass()).wrap().returnType(),
              type.rawClassParameters(),
              type.tableSchema().orElse(null),
              stored,
              convert,
              isCustom);
    }

    /** What stands under a name inside it; null where the schema does not know. */
    private @Nullable Type member(String name) {
      if (schema != null) {
        return of(schema, name);
      }
      boolean byName =
          is(Map.class)
              && parameters.size() == 2
              && !parameters.get(0).isWildcard()
              && parameters.get(0).rawClass() == String.class;
      return byName
          ? of(
              parameters.get(1),
              null,
              value -> Objects.requireNonNull(convert.apply(Map.of(name, value)).m().get(name)),
              isCustom)
          : null;
    }

    /** What the elements of the list or set are; null where the schema does not know. */
    private @Nullable Type elementType() {
      return parameters.size() == 1
          ? of(
              parameters.get(0),
              null,
              value ->
                  Values.elements(convert.apply(isSet() ? Set.of(value) : List.of(value))).get(0),
              isCustom)
          : null;
    }

    AttributeValue value(Object value) {
      if (value instanceof AttributeValue ready) {
        return ready;
      }
      if (isCustom) {
        return converted(ofItsClass(value));
      }
      if (isNumber() && value instanceof Number number) {
        return number(number);
      }
      boolean bytes = stored == AttributeValueType.B || hasClassOf(AttributeValueType.B);
      if (bytes && value instanceof ByteBuffer) {
        return Values.toNative(value);
      }
      return isSet() && value instanceof Set<?> set && isPlain(set)
          ? Values.toNative(value)
          : converted(value);
    }

    private AttributeValue converted(Object value) {
      boolean set = isSet() && value instanceof Set<?>;
      if (!set && (type == null || !type.isInstance(value))) {
        throw wrongType(value);
      }
      try {
        return convert.apply(value);
      } catch (ClassCastException e) {
        throw wrongType(value);
      }
    }

    /** Bytes and numbers as the class has them, which a change may give in other classes. */
    private Object ofItsClass(Object value) {
      if (value instanceof ByteBuffer buffer) {
        SdkBytes bytes = SdkBytes.fromByteBuffer(buffer.duplicate());
        return type == byte[].class ? bytes.asByteArray() : type == SdkBytes.class ? bytes : value;
      }
      if (!(value instanceof Number number) || type == null || type.isInstance(value)) {
        return value;
      }
      BigDecimal exact = Evaluator.exact(number);
      Long highest = HIGHEST.get(type);
      return highest != null && isWhole(exact, highest)
          ? whole(exact.longValueExact())
          : type == BigDecimal.class ? exact : value;
    }

    private Object whole(long value) {
      if (type == Long.class) {
        return value;
      }
      return type == Integer.class
          ? (Object) (int) value
          : type == Short.class ? (Object) (short) value : (Object) (byte) value;
    }

    private static boolean isWhole(BigDecimal exact, long highest) {
      return exact.stripTrailingZeros().scale() <= 0
          && exact.compareTo(BigDecimal.valueOf(highest)) <= 0
          && exact.compareTo(BigDecimal.valueOf(-highest - 1)) >= 0;
    }

    private AttributeValue amount(Number amount) {
      if (!isNumber()) {
        throw wrong("a number to add to");
      }
      AttributeValue value = value(amount);
      if (isCustom && !isLinear(amount, value)) {
        throw new UnfitChangeException(
            "is " + name() + ", whose converter does not store sums as the sum; use apply()");
      }
      return value;
    }

    /** Whether a sum is stored as the sum of what is stored, as far as one amount tells. */
    private boolean isLinear(Number amount, AttributeValue stored) {
      AttributeValue nothing = value(0L);
      AttributeValue twice = value(Evaluator.exact(amount).multiply(BigDecimal.valueOf(2)));
      return stored.n() != null
          && nothing.n() != null
          && twice.n() != null
          && new BigDecimal(nothing.n()).signum() == 0
          && new BigDecimal(stored.n())
                  .multiply(BigDecimal.valueOf(2))
                  .compareTo(new BigDecimal(twice.n()))
              == 0;
    }

    private AttributeValue elements(Collection<?> elements) {
      boolean list = elements instanceof List<?>;
      if (list ? !isList() : !isSet()) {
        throw wrong(list ? "a list to append to" : "a set");
      }
      Type element = list ? elementType() : null;
      return element == null
          ? value(elements)
          : AttributeValue.fromL(elements.stream().map(element::value).toList());
    }

    private AttributeValue element(Object value) {
      if (!isList() && !isSet()) {
        throw new UnfitChangeException("is " + name() + ", neither a list nor a set");
      }
      Type element = elementType();
      return element == null ? Values.toNative(value) : element.value(value);
    }

    /** Whether a set is one that needs no conversion; its elements have to be such as fit. */
    private boolean isPlain(Set<?> set) {
      Type element = elementType();
      boolean plain =
          element != null && (element.isNumber() || element.hasClassOf(AttributeValueType.B));
      if (element != null && plain) {
        set.forEach(element::value);
      }
      return plain || set.isEmpty();
    }

    /** Numbers of any class do, as long as the attribute's own class can hold them. */
    private AttributeValue number(Number number) {
      Long highest = highest();
      if (highest == null && type != BigInteger.class) {
        return Values.toNative(number);
      }
      BigDecimal exact = Evaluator.exact(number);
      boolean fits =
          highest == null ? exact.stripTrailingZeros().scale() <= 0 : isWhole(exact, highest);
      if (!fits) {
        throw new UnfitChangeException("is " + name() + ", which cannot hold the value");
      }
      return AttributeValue.fromN(exact.toBigInteger().toString());
    }

    /** The highest of the whole numbers that it holds; null for other numbers. */
    private @Nullable Long highest() {
      return type == null || isCustom
          ? null
          : HIGHEST.get(type == AtomicLong.class ? Long.class : type);
    }

    private boolean isNumber() {
      return is(Number.class) && (stored == null || stored == AttributeValueType.N);
    }

    private boolean isList() {
      return stored == null ? is(List.class) : stored == AttributeValueType.L;
    }

    private boolean isSet() {
      return stored == AttributeValueType.SS
          || stored == AttributeValueType.NS
          || stored == AttributeValueType.BS
          || (stored == null && is(Set.class));
    }

    private boolean is(Class<?> kind) {
      return type != null && kind.isAssignableFrom(type);
    }

    /** Whether values of the class may be taken for what is stored: one is as good as the other. */
    boolean hasClassOf(AttributeValueType other) {
      return switch (other) {
        case S -> type == String.class;
        case N -> isNumber();
        case B -> type == byte[].class || type == SdkBytes.class || type == ByteBuffer.class;
        default -> false;
      };
    }

    String name() {
      return type == null ? "an unknown type" : type.getSimpleName();
    }

    /** What to say of a place that is not what an operation needs. */
    private IllegalArgumentException wrong(String needed) {
      return new UnfitChangeException("is " + name() + ", not " + needed);
    }

    private IllegalArgumentException wrongType(Object value) {
      return new UnfitChangeException(
          "is " + name() + ", the value is " + value.getClass().getSimpleName());
    }
  }
}
