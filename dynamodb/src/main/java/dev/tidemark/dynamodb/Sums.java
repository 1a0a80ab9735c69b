package dev.tidemark.dynamodb;

import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Increase;
import dev.tidemark.Path;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Keeps whole numbers whole and within their class: DynamoDB adds with 38 digits, an entity reads
 * 19 or fewer.
 *
 * @param bounds what has to be true of the stored numbers for the sums to fit
 */
record Sums(List<Bound> bounds) {
  static final Sums NONE = new Sums(List.of());

  /** The highest number that can be added to; the lowest if the amount is negative. */
  record Bound(Path path, long most, boolean upper) {
    static Bound of(Increase increase, long highest) {
      long amount = increase.amount().longValue();
      boolean upper = amount >= 0;
      return new Bound(increase.path(), upper ? highest - amount : -highest - 1 - amount, upper);
    }

    Condition condition() {
      Attribute stored = Condition.attribute(path);
      return stored.isMissing().or(upper ? stored.atMost(most) : stored.atLeast(most));
    }

    private boolean fits(String number) {
      int order = new BigDecimal(number).compareTo(BigDecimal.valueOf(most));
      return upper ? order <= 0 : order >= 0;
    }

    /** What an item has there; null if nothing. */
    private @Nullable AttributeValue in(Map<String, AttributeValue> item) {
      AttributeValue value = AttributeValue.fromM(item);
      for (String segment : path.segments()) {
        value = value != null && value.hasM() ? value.m().get(segment) : null;
      }
      return value;
    }
  }

  static Sums of(List<Operation> operations, Properties properties) {
    List<Bound> bounds = new ArrayList<>();
    for (Operation operation : operations) {
      if (operation instanceof Increase increase && isWhole(increase.amount())) {
        Long highest = properties.highest(increase.path());
        if (highest != null) {
          bounds.add(Bound.of(increase, highest));
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

  /** Whether a write over an item passes the bounds; a stored NULL is there, and no number. */
  boolean accept(Map<String, AttributeValue> item) {
    return bounds.stream()
        .allMatch(
            bound -> {
              AttributeValue stored = bound.in(item);
              return stored == null || (stored.n() != null && bound.fits(stored.n()));
            });
  }

  /** Whether a stored whole number would leave its class; others are DynamoDB's to judge. */
  boolean overflow(Map<String, AttributeValue> item) {
    return bounds.stream()
        .anyMatch(
            bound -> {
              AttributeValue stored = bound.in(item);
              return stored != null
                  && stored.n() != null
                  && Values.toNeutral(stored) instanceof Long
                  && !bound.fits(stored.n());
            });
  }
}
