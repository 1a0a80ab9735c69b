package dev.tidemark.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Whether values are stored in a form that sorts as they do: DynamoDB compares texts, numbers and
 * bytes, and knows no class.
 */
final class StoredOrder {
  /** Sorts behind the sign of a year above 9999, and before all other years. */
  static final AttributeValue BEHIND_LONG_YEARS = AttributeValue.fromS(",");

  private static final List<Class<?>> DATED =
      List.of(Instant.class, LocalDate.class, LocalDateTime.class);

  /** Stored by the SDK as texts that sort as they do. */
  private static final List<Class<?>> PLAIN =
      List.of(
          CharSequence.class,
          Character.class,
          char[].class,
          UUID.class,
          LocalTime.class,
          MonthDay.class);

  /** The ends of an instant's text that has no fraction, or one of three or six digits. */
  private static final List<Integer> FRACTIONS = List.of(0, 4, 7);

  private static final int SECONDS = "2026-01-01T00:00:00".length();

  private StoredOrder() {}

  /** Why what is stored does not sort as the values do; null if it does. */
  static @Nullable String wrong(Object value, AttributeValue stored, boolean byOwnConverter) {
    if (stored.s() == null && stored.n() == null && stored.b() == null) {
      return "stored as " + stored.type() + ", which has no order";
    }
    if (value instanceof AttributeValue) {
      return null;
    }
    if (byOwnConverter) {
      boolean same =
          stored.s() != null
              ? stored.s().equals(value)
              : stored.b() == null || stored.b().asByteBuffer().equals(value);
      return same ? null : "stored as what its own converter makes, which may not sort as it does";
    }
    if (stored.s() == null) {
      return value instanceof Duration duration && duration.isNegative()
          ? "stored as a number that sorts the wrong way round below zero"
          : null;
    }
    if (isDated(value)) {
      return Character.isDigit(stored.s().charAt(0))
          ? null
          : "stored as a text that sorts by time from the year 0 to 9999 alone";
    }
    return PLAIN.stream().anyMatch(type -> type.isInstance(value))
        ? null
        : "stored as a text that does not sort as its values do";
  }

  /** Whether a value has a year, whose text may start with a sign. */
  static boolean isDated(Object value) {
    return DATED.stream().anyMatch(type -> type.isInstance(value));
  }

  /** Below which all texts of earlier times sort, but {@link #earlier} ones. */
  static String bound(String time) {
    return isInstant(time) ? time.substring(0, time.length() - 1) : time;
  }

  /**
   * The texts of earlier instants that sort behind the bound, since they end where it goes on: "Z"
   * sorts behind the point and the digits of a fraction.
   */
  static List<String> earlier(String time) {
    return FRACTIONS.stream()
        .map(digits -> SECONDS + digits)
        .filter(length -> isInstant(time) && length < time.length() - 1)
        .map(length -> time.substring(0, length) + "Z")
        .toList();
  }

  private static boolean isInstant(String time) {
    return time.endsWith("Z");
  }
}
