package dev.tidemark.mongodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.Condition;
import dev.tidemark.kernel.Evaluator;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A portable rule over a document that was read, true where {@link Conditions} are true on the
 * server: of values that no other store has too, such as dates and numbers that are not finite.
 */
final class ReadRule {
  private static final BigDecimal BEHIND_ALL = new BigDecimal("1E+10000");
  private static final BigDecimal BEFORE_ALL = new BigDecimal("-1E+10001");

  private final BsonDocument document;
  private final CodecRegistry registry;
  private final Condition.Tests<Boolean> tests =
      new Condition.Tests<>(
          this::compares,
          exists -> stored(exists) != null,
          in -> equalsOne(stored(in), in.values()),
          contains -> contains(contains, one -> equalsOne(one, List.of(contains.value()))),
          below -> size(stored(below)) < below.size(),
          this::isOfKind);
  private final Condition.Cases<Boolean> cases =
      new Condition.Cases<>(
          and -> and.all().stream().allMatch(this::isTrue),
          or -> or.any().stream().anyMatch(this::isTrue),
          not -> !isTrue(not.condition()),
          test -> test.match(tests));

  /**
   * A document to be asked.
   *
   * @param document the fields; empty for an entity that is not there
   */
  ReadRule(BsonDocument document, CodecRegistry registry) {
    this.document = document;
    this.registry = registry;
  }

  boolean isTrue(Condition condition) {
    return condition.match(cases);
  }

  private @Nullable BsonValue stored(Condition.Test test) {
    return Values.at(document, test.path());
  }

  private boolean contains(Condition.Test test, Predicate<BsonValue> element) {
    return stored(test) instanceof BsonArray elements && elements.stream().anyMatch(element);
  }

  private boolean equalsOne(@Nullable BsonValue stored, List<Object> values) {
    return stored != null
        && values.stream()
            .flatMap(value -> Values.equals(Values.encode(value, registry)).stream())
            .anyMatch(
                form ->
                    (stored.isNumber() && form.isNumber())
                        ? order(stored, form) == 0
                        : stored.equals(form));
  }

  private boolean compares(Condition.Compare test) {
    BsonValue stored = stored(test);
    if (test.operator() == Condition.Operator.EQUAL) {
      return equalsOne(stored, List.of(test.value()));
    }
    BsonValue operand = Values.encode(test.value(), registry);
    if (stored == null || !Conditions.isOrdered(operand) || !isOfOneKind(stored, operand)) {
      return false;
    }
    int order = order(stored, operand);
    return switch (test.operator()) {
      case EQUAL -> order == 0;
      case LESS -> order < 0;
      case AT_MOST -> order <= 0;
      case GREATER -> order > 0;
      case AT_LEAST -> order >= 0;
    };
  }

  private static boolean isOfOneKind(BsonValue one, BsonValue other) {
    return other.isNumber() ? one.isNumber() : one.getBsonType() == other.getBsonType();
  }

  private static int order(BsonValue one, BsonValue other) {
    if (one.isString()) {
      byte[] bytes = one.asString().getValue().getBytes(UTF_8);
      return Arrays.compareUnsigned(bytes, other.asString().getValue().getBytes(UTF_8));
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
  private static BigDecimal exact(BsonValue number) {
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

  private boolean isOfKind(Condition.OfKind test) {
    BsonValue stored = stored(test);
    return Conditions.isSet(test.kind())
        ? stored instanceof BsonArray && !contains(test, one -> !isOfKind(one, test.kind()))
        : stored != null && isOfKind(stored, test.kind());
  }

  private static boolean isOfKind(BsonValue value, Condition.Kind kind) {
    return switch (kind) {
      case STRING, STRING_SET -> value.isString();
      case NUMBER, NUMBER_SET -> value.isNumber();
      case BINARY, BINARY_SET -> value.isBinary();
      case NULL -> value.isNull();
    };
  }
}
