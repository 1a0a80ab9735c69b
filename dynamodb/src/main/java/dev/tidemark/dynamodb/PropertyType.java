package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Evaluator;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
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
 * @param type what the class has there
 * @param stored what DynamoDB has there; null where that is not known
 * @param convert the schema's own conversion; throws ClassCastException for another type
 */
record PropertyType(
    EnhancedType<?> type,
    @Nullable AttributeValueType stored,
    Function<Object, AttributeValue> convert) {

  static PropertyType of(AttributeConverter<?> converter) {
    @SuppressWarnings("unchecked")
    AttributeConverter<Object> any = (AttributeConverter<Object>) converter;
    return new PropertyType(converter.type(), converter.attributeValueType(), any::transformFrom);
  }

  /** The schema of what is nested there; null where there is none. */
  @Nullable TableSchema<?> schema() {
    return type.isWildcard() ? null : type.tableSchema().orElse(null);
  }

  /** What stands under a name inside it; null where the schema does not know. */
  @Nullable PropertyType member(String name) {
    TableSchema<?> schema = schema();
    if (schema != null) {
      AttributeConverter<?> converter = schema.converterForAttribute(name);
      return converter == null ? null : of(converter);
    }
    List<EnhancedType<?>> parameters = type.isWildcard() ? List.of() : type.rawClassParameters();
    boolean byName =
        is(Map.class) && parameters.size() == 2 && rawClass(parameters.get(0)) == String.class;
    if (byName) {
      return new PropertyType(
          parameters.get(1),
          null,
          value -> Objects.requireNonNull(convert.apply(Map.of(name, value)).m().get(name)));
    }
    return null;
  }

  /** What the elements of the list or set are; null where the schema does not know. */
  @Nullable PropertyType element() {
    List<EnhancedType<?>> parameters = type.isWildcard() ? List.of() : type.rawClassParameters();
    return parameters.size() == 1
        ? new PropertyType(
            parameters.get(0),
            null,
            value -> Values.only(convert.apply(isSet() ? Set.of(value) : List.of(value))))
        : null;
  }

  AttributeValue value(Object value) {
    if (value instanceof AttributeValue ready) {
      return ready;
    }
    if (isNumber() && value instanceof Number number) {
      return number(number);
    }
    if (stored == AttributeValueType.B && value instanceof java.nio.ByteBuffer) {
      return Values.toNative(value);
    }
    if (isSet() && value instanceof Set<?> set) {
      return set(set);
    }
    Class<?> raw = rawClass(type);
    if (raw == null || !raw.isInstance(value)) {
      throw wrongType(value);
    }
    try {
      return convert.apply(value);
    } catch (ClassCastException e) {
      throw wrongType(value);
    }
  }

  private AttributeValue set(Set<?> set) {
    PropertyType element = element();
    boolean numbers = element != null && element.isNumber();
    if (element != null && numbers) {
      set.forEach(element::value);
    }
    try {
      return numbers || set.isEmpty() ? Values.toNative(set) : convert.apply(set);
    } catch (ClassCastException e) {
      throw wrongType(set);
    }
  }

  /** Numbers of any class do, as long as the attribute's own class can hold them. */
  private AttributeValue number(Number number) {
    Class<?> raw = rawClass(type);
    BigDecimal exact = Evaluator.exact(number);
    int bits = raw == Long.class ? 64 : raw == Integer.class ? 32 : raw == Short.class ? 16 : 8;
    boolean whole = raw == Long.class || raw == Integer.class || raw == Short.class;
    if (whole || raw == Byte.class || raw == BigInteger.class) {
      boolean fraction = exact.stripTrailingZeros().scale() > 0;
      if (fraction || (raw != BigInteger.class && exact.toBigInteger().bitLength() >= bits)) {
        throw new IllegalArgumentException("is " + name() + ", which cannot hold the value");
      }
      return AttributeValue.fromN(exact.toBigInteger().toString());
    }
    return Values.toNative(number);
  }

  /** The bounds of the whole numbers that it holds; null for other numbers. */
  @Nullable Long highest() {
    Class<?> raw = rawClass(type);
    return raw == Long.class
        ? (Long) Long.MAX_VALUE
        : raw == Integer.class
            ? (Long) (long) Integer.MAX_VALUE
            : raw == Short.class
                ? (Long) (long) Short.MAX_VALUE
                : raw == Byte.class ? (Long) (long) Byte.MAX_VALUE : null;
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
    Class<?> raw = rawClass(type);
    return raw != null && kind.isAssignableFrom(raw);
  }

  private static @Nullable Class<?> rawClass(EnhancedType<?> type) {
    return type.isWildcard() ? null : MethodType.methodType(type.rawClass()).wrap().returnType();
  }

  String name() {
    Class<?> raw = rawClass(type);
    return raw == null ? "an unknown type" : raw.getSimpleName();
  }

  private IllegalArgumentException wrongType(Object value) {
    return new IllegalArgumentException(
        "is " + name() + ", the value is " + value.getClass().getSimpleName());
  }
}
