package dev.tidemark.example.orderhistory.carrier;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link SqsCarrier} receives.
 *
 * @param longPoll how long a receive waits for messages, 0 to 20 s; no stop is faster
 * @param visibility how long a message that was received stays with this consumer unless it says
 *     more; null for what the queue says
 * @param heartbeat whether it says so while work goes on; without, work that takes longer is done
 *     again by others, and found to be a duplicate
 */
public record SqsOptions(Duration longPoll, @Nullable Duration visibility, boolean heartbeat) {
  /** Long polls of 20 s, the queue's own visibility timeout, and a heartbeat. */
  public static final SqsOptions DEFAULT = new SqsOptions(Duration.ofSeconds(20), null, true);

  /**
   * Checks the durations.
   *
   * @param longPoll how long a receive waits for messages, 0 to 20 s; no stop is faster
   * @param visibility how long a message that was received stays with this consumer unless it says
   *     more; null for what the queue says
   * @param heartbeat whether it says so while work goes on; without, work that takes longer is done
   *     again by others, and found to be a duplicate
   */
  public SqsOptions {
    if (longPoll.isNegative() || longPoll.compareTo(Duration.ofSeconds(20)) > 0) {
      throw new IllegalArgumentException("longPoll must be 0 to 20 s, was " + longPoll);
    }
    if (visibility != null && visibility.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("visibility must be at least 1 s, was " + visibility);
    }
  }
}
