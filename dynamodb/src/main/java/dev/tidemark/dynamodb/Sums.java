package dev.tidemark.dynamodb;

import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Increase;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Keeps whole numbers whole and within their class: DynamoDB adds with 38 digits, an entity reads
 * 19 or fewer.
 *
 * @param bounds what has to be true of the stored numbers for the sums to fit
 */
record Sums(List<Condition> bounds) {
  static final Sums NONE = new Sums(List.of());

  static Sums of(List<Operation> operations, Properties properties) {
    List<Condition> bounds = new ArrayList<>();
    for (Operation operation : operations) {
      if (operation instanceof Increase increase && isWhole(increase.amount())) {
        Long highest = properties.highest(increase.path());
        if (highest != null) {
          bounds.add(bound(increase, highest));
        }
      }
    }
    return bounds.isEmpty() ? NONE : new Sums(bounds);
  }

  private static boolean isWhole(Number amount) {
    return amount instanceof Long
        || amount instanceof Integer
        || amount instanceof Short
        || amount instanceof Byte;
  }

  private static Condition bound(Increase increase, long highest) {
    long amount = increase.amount().longValue();
    Attribute stored = Condition.attribute(increase.path());
    Condition fits =
        amount >= 0 ? stored.atMost(highest - amount) : stored.atLeast(-highest - 1 - amount);
    return stored.isMissing().or(fits);
  }

  /** Whether a write over an item passes the bounds; a stored NULL is there, and no number. */
  boolean accept(Map<String, AttributeValue> item) {
    Map<String, Object> neutral = bounds.isEmpty() ? Map.of() : Values.toNeutral(item);
    return bounds.stream()
        .allMatch(bound -> !isNull(item, path(bound)) && Evaluator.test(bound, neutral));
  }

  private static boolean isNull(Map<String, AttributeValue> item, Path path) {
    AttributeValue value = AttributeValue.fromM(item);
    for (String segment : path.segments()) {
      value = value != null && value.hasM() ? value.m().get(segment) : null;
    }
    return value != null && Boolean.TRUE.equals(value.nul());
  }

  private static Path path(Condition bound) {
    Condition.Not missing = (Condition.Not) ((Condition.Or) bound).any().get(0);
    return ((Condition.Exists) missing.condition()).path();
  }

  /** Whether a stored whole number would leave its class; others are DynamoDB's to judge. */
  boolean overflow(Map<String, AttributeValue> item) {
    Map<String, Object> neutral = bounds.isEmpty() ? Map.of() : Values.toNeutral(item);
    return bounds.stream()
        .filter(bound -> !Evaluator.test(bound, neutral))
        .anyMatch(bound -> isWhole(bound, neutral));
  }

  private static boolean isWhole(Condition bound, Map<String, Object> neutral) {
    Object value = neutral;
    for (String segment : path(bound).segments()) {
      value = value instanceof Map<?, ?> map ? map.get(segment) : null;
    }
    return value instanceof Long;
  }
}
