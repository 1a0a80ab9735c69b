package dev.tidemark.example.orderhistory;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which orders of a consumer.
 *
 * @param sinceOrNull only those placed at this time or later
 * @param statusOrNull only those that have this status now, if it is not empty
 * @param keywordsOrNull only those whose restaurant and lines have all of these words, in any order
 *     and case
 */
public record OrderFilter(
    @Nullable Instant sinceOrNull, @Nullable String statusOrNull, @Nullable String keywordsOrNull) {
  /** All orders. */
  public static final OrderFilter ALL = new OrderFilter(null, null, null);

  /**
   * The earliest time, as {@link OrderView#createdAt} has it.
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
    return Optional.ofNullable(statusOrNull).filter(status -> !status.isEmpty());
  }

  /**
   * The words, as {@link OrderView#keywords} has them.
   *
   * @return each once; none for all orders
   */
  public List<String> keywords() {
    return keywordsOrNull == null ? List.of() : OrderView.words(keywordsOrNull);
  }
}
