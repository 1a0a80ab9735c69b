package dev.tidemark.mongodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.Condition;
import dev.tidemark.kernel.Evaluator;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A portable rule over a document that was read, true where {@link Conditions} are true on the
 * server: of values that no other store has too, such as dates and numbers that are not finite.
 */
final class ReadRule {
  private static final BigDecimal BEHIND_ALL = new BigDecimal("1E+10000");
  private static final BigDecimal BEFORE_ALL = new BigDecimal("-1E+10001");

  private final BsonDocument document;
  private final PropertyValues values;

  /**
   * A document to be asked.
   *
   * @param document the fields; empty for an entity that is not there
   */
  ReadRule(BsonDocument document, PropertyValues values) {
    this.document = document;
    this.values = values;
  }

  boolean isTrue(Condition condition) {
    if (condition instanceof Condition.Test test) {
      return isTrue(test, Values.at(document, test.path()));
    }
    Condition.Joined joined = (Condition.Joined) condition;
    return switch (joined.join()) {
      case AND -> joined.parts().stream().allMatch(this::isTrue);
      case OR -> joined.parts().stream().anyMatch(this::isTrue);
      case NOT -> !isTrue(joined.part());
    };
  }

  private boolean isTrue(Condition.Test test, @Nullable BsonValue stored) {
    return switch (test.operator()) {
      case EQUAL, IN -> equalsOne(stored, values.compared(test));
      case LESS -> compares(stored, test, order -> order < 0);
      case AT_MOST -> compares(stored, test, order -> order <= 0);
      case GREATER -> compares(stored, test, order -> order > 0);
      case AT_LEAST -> compares(stored, test, order -> order >= 0);
      case EXISTS -> stored != null;
      case CONTAINS -> contains(stored, one -> equalsOne(one, values.compared(test)));
      case SIZE_BELOW -> size(stored) < test.size();
      case OF_KIND -> isOfKind(stored, test.kind());
    };
  }

  private static boolean contains(@Nullable BsonValue stored, Predicate<BsonValue> element) {
    return stored instanceof BsonArray elements && elements.stream().anyMatch(element);
  }

  private static boolean equalsOne(@Nullable BsonValue stored, List<BsonValue> forms) {
    return stored != null && forms.stream().anyMatch(form -> equal(stored, form));
  }

  /** Whether two values are equal to a server, which compares numbers of all types exactly. */
  static boolean equal(BsonValue one, BsonValue other) {
    if (one.isNumber() && other.isNumber()) {
      return order(one, other) == 0;
    }
    if (one instanceof BsonArray all && other instanceof BsonArray others) {
      return all.size() == others.size()
          && IntStream.range(0, all.size()).allMatch(i -> equal(all.get(i), others.get(i)));
    }
    if (one instanceof BsonDocument document && other instanceof BsonDocument second) {
      return List.copyOf(document.keySet()).equals(List.copyOf(second.keySet()))
          && document.keySet().stream()
              .allMatch(
                  name -> equal(document.getOrDefault(name, one), second.getOrDefault(name, one)));
    }
    return one.equals(other);
  }

  /** Equal for two keys exactly if a server takes them for one. */
  static Object identity(BsonValue value) {
    if (value.isNumber()) {
      return exact(value).stripTrailingZeros();
    }
    if (value instanceof BsonDocument document) {
      return document.entrySet().stream()
          .map(member -> List.of(member.getKey(), identity(member.getValue())))
          .toList();
    }
    if (value instanceof BsonArray elements) {
      return List.of(BsonType.ARRAY, elements.stream().map(ReadRule::identity).toList());
    }
    Object neutral = Values.decode(value);
    return value.isBinary()
        ? List.of(value.asBinary().getType(), neutral)
        : List.of(value.getBsonType(), neutral);
  }

  private boolean compares(@Nullable BsonValue stored, Condition.Test bound, IntPredicate order) {
    BsonValue operand = values.compared(bound).get(0);
    return stored != null && isOfOneKind(stored, operand) && order.test(order(stored, operand));
  }

  private static boolean isOfOneKind(BsonValue one, BsonValue other) {
    return other.isNumber() ? one.isNumber() : one.getBsonType() == other.getBsonType();
  }

  private static int order(BsonValue one, BsonValue other) {
    if (one.isString()) {
      byte[] bytes = one.asString().getValue().getBytes(UTF_8);
      return Arrays.compareUnsigned(bytes, other.asString().getValue().getBytes(UTF_8));
    }
    if (one.isObjectId()) {
      return one.asObjectId().compareTo(other.asObjectId());
    }
    if (one.isDateTime()) {
      return Long.compare(one.asDateTime().getValue(), other.asDateTime().getValue());
    }
    return exact(one).compareTo(exact(other));
  }

  /**
   * What a server compares: of a double all its digits, not the shortest that mean it. Numbers that
   * are not finite stand around those that are, with what is no number first.
   */
  static BigDecimal exact(BsonValue number) {
    if (Values.decode(number) instanceof Number finite) {
      return number.isDouble()
          ? new BigDecimal(number.asDouble().getValue())
          : Evaluator.exact(finite);
    }
    double other = number.asNumber().doubleValue();
    return Double.isNaN(other) ? BEFORE_ALL : other < 0 ? BEHIND_ALL.negate() : BEHIND_ALL;
  }

  private static int size(@Nullable BsonValue stored) {
    if (stored instanceof BsonArray elements) {
      return elements.size();
    }
    if (!(stored instanceof BsonString text)) {
      return Integer.MAX_VALUE;
    }
    return text.getValue().codePointCount(0, text.getValue().length());
  }

  private static boolean isOfKind(@Nullable BsonValue stored, Condition.Kind kind) {
    return Conditions.isSet(kind)
        ? stored instanceof BsonArray && !contains(stored, one -> !isOneOfKind(one, kind))
        : stored != null && isOneOfKind(stored, kind);
  }

  private static boolean isOneOfKind(BsonValue value, Condition.Kind kind) {
    return switch (kind) {
      case STRING, STRING_SET -> value.isString();
      case NUMBER, NUMBER_SET -> value.isNumber();
      case BINARY, BINARY_SET -> value.isBinary();
      case NULL -> value.isNull();
      case LIST -> value.isArray();
    };
  }
}
