package dev.tidemark.example.orderhistory;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which orders of a consumer.
 *
 * @param sinceOrNull only those placed at this time or later
 * @param statusOrNull only those that have this status now
 * @param keywordOrNull only those whose restaurant or lines have this word, in any case
 */
public record OrderFilter(
    @Nullable Instant sinceOrNull, @Nullable String statusOrNull, @Nullable String keywordOrNull) {
  /** All orders. */
  public static final OrderFilter ALL = new OrderFilter(null, null, null);

  /**
   * The earliest time, as {@link OrderView#getCreatedAt} has it.
   *
   * @return empty for all times
   */
  public Optional<String> since() {
    return Optional.ofNullable(sinceOrNull).map(OrderView::time);
  }

  /**
   * The status.
   *
   * @return empty for all
   */
  public Optional<String> status() {
    return Optional.ofNullable(statusOrNull);
  }

  /**
   * The word, as {@link OrderView#getKeywords} has it.
   *
   * @return empty for all
   */
  public Optional<String> keyword() {
    return Optional.ofNullable(keywordOrNull).map(word -> word.toLowerCase(Locale.ROOT));
  }
}
