package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.UnfitChangeException;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

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
record PropertyType(
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
          AtomicLong.class, Long.MAX_VALUE,
          Integer.class, (long) Integer.MAX_VALUE,
          AtomicInteger.class, (long) Integer.MAX_VALUE,
          Short.class, (long) Short.MAX_VALUE,
          Byte.class, (long) Byte.MAX_VALUE);

  /** The entity itself. */
  static PropertyType of(TableSchema<?> schema) {
    return new PropertyType(null, List.of(), schema, null, Values::toNative, false);
  }

  /** What a schema has under a name; null if it has nothing there. */
  static @Nullable PropertyType of(TableSchema<?> schema, String name) {
    AttributeConverter<?> converter = schema.converterForAttribute(name);
    if (converter == null) {
      return null;
    }
    @SuppressWarnings("unchecked")
    AttributeConverter<Object> any = (AttributeConverter<Object>) converter;
    boolean custom = !converter.getClass().getName().startsWith(SDK);
    return of(converter.type(), converter.attributeValueType(), any::transformFrom, custom);
  }

  private static PropertyType of(
      EnhancedType<?> type,
      @Nullable AttributeValueType stored,
      Function<Object, AttributeValue> convert,
      boolean isCustom) {
    return type.isWildcard()
        ? new PropertyType(null, List.of(), null, stored, convert, isCustom)
        : new PropertyType(
            MethodType.methodType(type.rawClass()).wrap().returnType(),
            type.rawClassParameters(),
            type.tableSchema().orElse(null),
            stored,
            convert,
            isCustom);
  }

  /** What stands under a name inside it; null where the schema does not know. */
  @Nullable PropertyType member(String name) {
    if (schema != null) {
      return of(schema, name);
    }
    EnhancedType<?> keys = keys();
    Object key = keys == null ? null : MapKeys.read(keys, name);
    return key == null
        ? null
        : of(
            parameters.get(1),
            null,
            value -> convert.apply(Map.of(key, value)).m().values().iterator().next(),
            isCustom);
  }

  /** What the keys of the map are; null where it is none, or the schema does not know. */
  @Nullable EnhancedType<?> keys() {
    boolean known = is(Map.class) && parameters.size() == 2 && !parameters.get(0).isWildcard();
    return known ? parameters.get(0) : null;
  }

  /** What the elements of the list or set are; null where the schema does not know. */
  private @Nullable PropertyType elementType() {
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
    if (type == AtomicLong.class) {
      return new AtomicLong(value);
    }
    if (type == AtomicInteger.class) {
      return new AtomicInteger((int) value);
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

  AttributeValue amount(Number amount) {
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

  AttributeValue elements(Collection<?> elements) {
    boolean list = elements instanceof List<?>;
    if (list ? !isList() : !isSet()) {
      throw wrong(list ? "a list to append to" : "a set");
    }
    PropertyType element = list ? elementType() : null;
    return element == null
        ? value(elements)
        : AttributeValue.fromL(elements.stream().map(element::value).toList());
  }

  AttributeValue element(Object value) {
    if (!isList() && !isSet()) {
      throw new UnfitChangeException("is " + name() + ", neither a list nor a set");
    }
    PropertyType element = elementType();
    return element == null ? Values.toNative(value) : element.value(value);
  }

  /** Whether a set is one that needs no conversion; its elements have to be such as fit. */
  private boolean isPlain(Set<?> set) {
    PropertyType element = elementType();
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
  @Nullable Long highest() {
    return type == null || isCustom ? null : HIGHEST.get(type);
  }

  /** The SDK's converter of {@code AtomicInteger} stores a number, and calls it a string. */
  private boolean isNumber() {
    return is(Number.class)
        && (stored == null || stored == AttributeValueType.N || highest() != null);
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
