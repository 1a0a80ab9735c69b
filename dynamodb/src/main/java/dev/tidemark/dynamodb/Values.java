package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.UnfitChangeException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Neutral values to DynamoDB's and back: what is stored where no mapper has a say. */
final class Values {
  private static final int MOST_LONG_DIGITS = 18;
  private static final int MOST_DIGITS = 38;
  private static final int LEAST = -130;
  private static final int MOST = 125;

  private Values() {}

  static AttributeValue toNative(@Nullable Object value) {
    if (value == null) {
      return AttributeValue.fromNul(true);
    }
    if (value instanceof AttributeValue ready) {
      return ready;
    }
    if (value instanceof Long || value instanceof Integer) {
      return AttributeValue.fromN(value.toString());
    }
    if (value instanceof Number number) {
      return AttributeValue.fromN(storable(Evaluator.exact(number)).toString());
    }
    if (value instanceof Boolean truth) {
      return AttributeValue.fromBool(truth);
    }
    if (value instanceof Set<?> set) {
      return set(set);
    }
    if (value instanceof Collection<?> list) {
      return AttributeValue.fromL(list.stream().map(Values::toNative).toList());
    }
    if (value instanceof Map<?, ?> map) {
      return AttributeValue.fromM(toNative(map));
    }
    SdkBytes bytes = bytes(value);
    return bytes != null ? AttributeValue.fromB(bytes) : AttributeValue.fromS(text(value));
  }

  static Map<String, AttributeValue> toNative(Map<?, ?> map) {
    Map<String, AttributeValue> members = new LinkedHashMap<>();
    map.forEach((name, member) -> members.put(String.valueOf(name), toNative(member)));
    return members;
  }

  /** A number that DynamoDB holds. */
  private static BigDecimal storable(BigDecimal number) {
    BigDecimal plain = number.stripTrailingZeros();
    int exponent = plain.precision() - plain.scale() - 1;
    boolean fits = plain.precision() <= MOST_DIGITS && exponent >= LEAST && exponent <= MOST;
    if (plain.signum() != 0 && !fits) {
      throw new UnfitChangeException(
          "is a number that DynamoDB does not hold: at most 38 digits, from 1E-130 to 9.9E+125");
    }
    return plain.signum() == 0 ? BigDecimal.ZERO : number;
  }

  private static String text(Object value) {
    if (value instanceof String || value instanceof UUID || value instanceof TemporalAccessor) {
      return value.toString();
    }
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    throw new UnfitChangeException(
        ("is given a %s, of which DynamoDB has no form; give a string, number, boolean, bytes, list,"
                + " set or map")
            .formatted(value.getClass().getName()));
  }

  private static @Nullable SdkBytes bytes(Object value) {
    if (value instanceof ByteBuffer buffer) {
      return SdkBytes.fromByteBuffer(buffer);
    }
    if (value instanceof byte[] array) {
      return SdkBytes.fromByteArray(array);
    }
    return value instanceof SdkBytes ready ? ready : null;
  }

  private static AttributeValue set(Set<?> set) {
    if (set.isEmpty()) {
      throw new UnfitChangeException(
          "is given an empty set, which DynamoDB does not have; remove() it");
    }
    List<AttributeValue> elements = set.stream().map(Values::toNative).toList();
    AttributeValue.Type type = elements.get(0).type();
    if (elements.stream().anyMatch(element -> element.type() != type)) {
      throw new UnfitChangeException(
          "is given a set of several kinds; all elements have to be strings, numbers or bytes");
    }
    return switch (type) {
      case S -> AttributeValue.fromSs(elements.stream().map(AttributeValue::s).toList());
      case N -> AttributeValue.fromNs(elements.stream().map(AttributeValue::n).toList());
      case B -> AttributeValue.fromBs(elements.stream().map(AttributeValue::b).toList());
      default ->
          throw new UnfitChangeException(
              "is given a set of %s; all elements have to be strings, numbers or bytes"
                  .formatted(type));
    };
  }

  /** The elements of a list or set. */
  static List<AttributeValue> elements(AttributeValue collection) {
    return switch (collection.type()) {
      case L -> collection.l();
      case SS -> collection.ss().stream().map(AttributeValue::fromS).toList();
      case NS -> collection.ns().stream().map(AttributeValue::fromN).toList();
      case BS -> collection.bs().stream().map(AttributeValue::fromB).toList();
      default -> throw new IllegalArgumentException("neither a list nor a set");
    };
  }

  static @Nullable Object toNeutral(AttributeValue value) {
    return switch (value.type()) {
      case S -> value.s();
      case N -> number(value.n());
      case B -> value.b().asByteBuffer();
      case BOOL -> value.bool();
      case SS, NS, BS -> addTo(new LinkedHashSet<>(), value);
      case L -> addTo(new ArrayList<>(), value);
      case M -> toNeutral(value.m());
      default -> null;
    };
  }

  private static Collection<@Nullable Object> addTo(
      Collection<@Nullable Object> neutral, AttributeValue collection) {
    elements(collection).forEach(element -> neutral.add(toNeutral(element)));
    return neutral;
  }

  /** Members that are NULL count as missing. */
  static Map<String, Object> toNeutral(Map<String, AttributeValue> item) {
    return toNeutral(item, name -> true);
  }

  static Map<String, Object> toNeutral(Map<String, AttributeValue> item, Predicate<String> which) {
    Map<String, Object> neutral = new LinkedHashMap<>();
    item.forEach(
        (name, value) -> {
          if (which.test(name) && value.type() != AttributeValue.Type.NUL) {
            neutral.put(name, Objects.requireNonNull(toNeutral(value)));
          }
        });
    return neutral;
  }

  /** Whether two values are one to DynamoDB: sets have no order, and numbers no spelling. */
  static boolean isSame(AttributeValue one, AttributeValue other) {
    if (one.equals(other) || one.type() != other.type()) {
      return one.equals(other);
    }
    return switch (one.type()) {
      case N, SS, NS, BS -> isEqual(one, other);
      case L ->
          one.l().size() == other.l().size()
              && IntStream.range(0, one.l().size())
                  .allMatch(place -> isSame(one.l().get(place), other.l().get(place)));
      case M ->
          one.m().keySet().equals(other.m().keySet())
              && one.m().entrySet().stream()
                  .allMatch(
                      member ->
                          isSame(
                              member.getValue(),
                              Objects.requireNonNull(other.m().get(member.getKey()))));
      default -> false;
    };
  }

  private static boolean isEqual(AttributeValue one, AttributeValue other) {
    try {
      return Objects.equals(toNeutral(one), toNeutral(other));
    } catch (NumberFormatException e) { // which the server refuses
      return false;
    }
  }

  /** Whether an attribute is there and not NULL. */
  static boolean has(Map<String, AttributeValue> item, String attribute) {
    AttributeValue value = item.get(attribute);
    return value != null && value.type() != AttributeValue.Type.NUL;
  }

  /** How many bytes a text takes. */
  static int utf8Length(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return text.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return text.length();
  }

  private static Number number(String digits) {
    boolean small = !digits.isEmpty() && digits.length() <= MOST_LONG_DIGITS;
    if (small && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Long.parseLong(digits);
    }
    BigDecimal exact = new BigDecimal(digits);
    BigDecimal plain = exact.signum() == 0 ? BigDecimal.ZERO : exact.stripTrailingZeros();
    boolean whole = plain.scale() <= 0 && (long) plain.precision() - plain.scale() < 20;
    boolean fits = whole && plain.toBigIntegerExact().bitLength() < Long.SIZE;
    return fits ? (Number) plain.longValueExact() : plain;
  }

  /**
   * A property's value as a list of names and values in turn: the Enhanced Client takes maps apart
   * where it ignores nulls by scalars. The last element is what no server stores: a set with an
   * element twice, and a number that is none, which the errors quote. So DynamoDB refuses a write
   * that the extension did not take the property out of.
   */
  static AttributeValue packed(Map<String, AttributeValue> map, Class<?> property) {
    List<AttributeValue> list = new ArrayList<>();
    map.forEach(
        (name, value) -> {
          list.add(AttributeValue.fromS(name));
          list.add(value);
        });
    String reason =
        "a property of type %s cannot be stored: this client needs TidemarkExtension, the class @Tracked"
            .formatted(property.getSimpleName());
    AttributeValue twice = AttributeValue.fromSs(List.of(reason, reason));
    list.add(AttributeValue.fromL(List.of(twice, AttributeValue.fromN(reason))));
    return AttributeValue.fromL(list);
  }

  /** The map that was {@link #packed}. */
  static Map<String, AttributeValue> unpacked(AttributeValue list) {
    Map<String, AttributeValue> map = new LinkedHashMap<>();
    for (int i = 0; i + 1 < list.l().size(); i += 2) {
      map.put(list.l().get(i).s(), list.l().get(i + 1));
    }
    return map;
  }
}
