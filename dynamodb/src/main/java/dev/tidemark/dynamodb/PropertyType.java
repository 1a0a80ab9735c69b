package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Evaluator;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
 */
record PropertyType(
    @Nullable Class<?> type,
    List<EnhancedType<?>> parameters,
    @Nullable TableSchema<?> schema,
    @Nullable AttributeValueType stored,
    Function<Object, AttributeValue> convert) {

  /** The highest value of each class of whole numbers that has one. */
  private static final Map<Class<?>, Long> HIGHEST =
      Map.of(
          Long.class, Long.MAX_VALUE,
          Integer.class, (long) Integer.MAX_VALUE,
          Short.class, (long) Short.MAX_VALUE,
          Byte.class, (long) Byte.MAX_VALUE);

  /** What a schema has under a name; null if it has nothing there. */
  static @Nullable PropertyType of(TableSchema<?> schema, String name) {
    AttributeConverter<?> converter = schema.converterForAttribute(name);
    if (converter == null) {
      return null;
    }
    @SuppressWarnings("unchecked")
    AttributeConverter<Object> any = (AttributeConverter<Object>) converter;
    return of(converter.type(), converter.attributeValueType(), any::transformFrom);
  }

  private static PropertyType of(
      EnhancedType<?> type,
      @Nullable AttributeValueType stored,
      Function<Object, AttributeValue> convert) {
    return type.isWildcard()
        ? new PropertyType(null, List.of(), null, stored, convert)
        : new PropertyType(
            MethodType.methodType(type.rawClass()).wrap().returnType(),
            type.rawClassParameters(),
            type.tableSchema().orElse(null),
            stored,
            convert);
  }

  /** What stands under a name inside it; null where the schema does not know. */
  @Nullable PropertyType member(String name) {
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
            value -> Objects.requireNonNull(convert.apply(Map.of(name, value)).m().get(name)))
        : null;
  }

  /** What the elements of the list or set are; null where the schema does not know. */
  @Nullable PropertyType element() {
    return parameters.size() == 1
        ? of(
            parameters.get(0),
            null,
            value ->
                Values.elements(convert.apply(isSet() ? Set.of(value) : List.of(value))).get(0))
        : null;
  }

  AttributeValue value(Object value) {
    if (value instanceof AttributeValue ready) {
      return ready;
    }
    if (isNumber() && value instanceof Number number) {
      return number(number);
    }
    if (stored == AttributeValueType.B && value instanceof ByteBuffer) {
      return Values.toNative(value);
    }
    boolean set = isSet() && value instanceof Set<?>;
    if (set && isOfNumbers((Set<?>) value)) {
      return Values.toNative(value);
    }
    if (!set && (type == null || !type.isInstance(value))) {
      throw wrongType(value);
    }
    try {
      return convert.apply(value);
    } catch (ClassCastException e) {
      throw wrongType(value);
    }
  }

  /** Whether a set is one that needs no conversion; its numbers have to be such as fit. */
  private boolean isOfNumbers(Set<?> set) {
    PropertyType element = element();
    boolean numbers = element != null && element.isNumber();
    if (element != null && numbers) {
      set.forEach(element::value);
    }
    return numbers || set.isEmpty();
  }

  /** Numbers of any class do, as long as the attribute's own class can hold them. */
  private AttributeValue number(Number number) {
    Long highest = highest();
    if (highest == null && type != BigInteger.class) {
      return Values.toNative(number);
    }
    BigDecimal exact = Evaluator.exact(number);
    boolean fits =
        highest == null
            || (exact.compareTo(BigDecimal.valueOf(highest)) <= 0
                && exact.compareTo(BigDecimal.valueOf(-highest - 1)) >= 0);
    if (exact.stripTrailingZeros().scale() > 0 || !fits) {
      throw new IllegalArgumentException("is " + name() + ", which cannot hold the value");
    }
    return AttributeValue.fromN(exact.toBigInteger().toString());
  }

  /** The highest of the whole numbers that it holds; null for other numbers. */
  @Nullable Long highest() {
    return type == null ? null : HIGHEST.get(type);
  }

  boolean isNumber() {
    return is(Number.class) && (stored == null || stored == AttributeValueType.N);
  }

  boolean isList() {
    return stored == null ? is(List.class) : stored == AttributeValueType.L;
  }

  boolean isSet() {
    return stored == AttributeValueType.SS
        || stored == AttributeValueType.NS
        || stored == AttributeValueType.BS
        || (stored == null && is(Set.class));
  }

  private boolean is(Class<?> kind) {
    return type != null && kind.isAssignableFrom(type);
  }

  String name() {
    return type == null ? "an unknown type" : type.getSimpleName();
  }

  /** What to say of a place that is not what an operation needs. */
  IllegalArgumentException wrong(String needed) {
    return new IllegalArgumentException("is " + name() + ", not " + needed);
  }

  private IllegalArgumentException wrongType(Object value) {
    return new IllegalArgumentException(
        "is " + name() + ", the value is " + value.getClass().getSimpleName());
  }
}
