package dev.tidemark;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long an entity remembers message IDs. The writes that record new IDs also prune old ones; at
 * most one write in twenty needs a second request for the pruning. All policies share one storage
 * format, so an entity written under one is read under another.
 *
 * @param keptForOrNull the horizon, for which ids are kept; null unless they are for a duration
 * @param last how many of the last ids are kept; 0 unless the last ids are
 * @param maxSkew how far the clocks of writers may differ; five minutes by default
 * @param isCompact whether ids are stored as bytes
 */
public record IdPolicy(
    @Nullable Duration keptForOrNull, int last, Duration maxSkew, boolean isCompact) {
  /** How far the clocks of writers may differ, unless told otherwise: five minutes. */
  public static final Duration DEFAULT_MAX_SKEW = Duration.ofMinutes(5);

  /**
   * Checks that the settings are within their bounds.
   *
   * @param keptForOrNull the horizon, for which ids are kept; null unless they are for a duration
   * @param last how many of the last ids are kept; 0 unless the last ids are
   * @param maxSkew how far the clocks of writers may differ; five minutes by default
   * @param isCompact whether ids are stored as bytes
   * @throws IllegalArgumentException if one is out of its range, or two contradict each other
   */
  public IdPolicy {
    boolean inRange =
        keptForOrNull == null
            || (keptForOrNull.compareTo(Duration.ofSeconds(1)) >= 0
                && keptForOrNull.compareTo(Duration.ofDays(3660)) <= 0);
    if (!inRange) {
      throw new IllegalArgumentException(
          "message IDs must be kept for PT1S to P3660D, was " + keptForOrNull);
    }
    if (last < 0 || last > 10_000 || (last > 0 && keptForOrNull != null)) {
      throw new IllegalArgumentException("message IDs kept must be 1 to 10000, was " + last);
    }
    if (maxSkew.isNegative() || maxSkew.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("maxSkew must be PT0S to P1D, was " + maxSkew);
    }
  }

  /**
   * Ids are never forgotten. The entity grows with every message: on DynamoDB each write bills the
   * whole item, which is full at about 11,000 UUID strings.
   *
   * @return the policy
   */
  public static IdPolicy forEver() {
    return new IdPolicy(null, 0, DEFAULT_MAX_SKEW, false);
  }

  /**
   * Ids are remembered for at least a duration after they were recorded, for writers whose clocks
   * differ by at most {@link #maxSkew(Duration)}. They are stored in three slots, each of which
   * takes the ids of half the horizon, or 20 if those are fewer.
   *
   * @param horizon from a second to 10 years; the longest time after which a message may be
   *     delivered again: retention of queue and dead-letter queue, and a margin
   * @return the policy
   * @throws IllegalArgumentException if the duration is out of that range
   */
  public static IdPolicy keptFor(Duration horizon) {
    return new IdPolicy(horizon, 0, DEFAULT_MAX_SKEW, false);
  }

  /**
   * At least the last {@code count} ids are remembered. At most half as many more are stored, or 40
   * more if 40 is the larger number.
   *
   * @param count 1 to 10,000
   * @return the policy
   * @throws IllegalArgumentException if the count is out of that range
   */
  public static IdPolicy last(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("message IDs kept must be 1 to 10000, was " + count);
    }
    return new IdPolicy(null, count, DEFAULT_MAX_SKEW, false);
  }

  /**
   * How far the clocks of writers may differ; kept on top of the duration.
   *
   * @param maxSkew zero to a day
   * @return this policy for such clocks
   * @throws IllegalArgumentException if it is out of that range
   */
  public IdPolicy maxSkew(Duration maxSkew) {
    return new IdPolicy(keptForOrNull, last, maxSkew, isCompact);
  }

  /**
   * Stores ids as bytes: a UUID takes 16 instead of 36. Ids are recognised in either form; the
   * first write that records one in another form than those before it rewrites all, which takes a
   * second request.
   *
   * @return this policy with compact ids
   */
  public IdPolicy compact() {
    return new IdPolicy(keptForOrNull, last, maxSkew, true);
  }

  /**
   * The horizon, for which ids are kept.
   *
   * @return empty unless ids are kept for a duration
   */
  public Optional<Duration> keptFor() {
    return Optional.ofNullable(keptForOrNull);
  }

  @Override
  public String toString() {
    String kept =
        keptForOrNull != null
            ? "kept for " + keptForOrNull
            : last > 0 ? "last " + last : "for ever";
    return "message IDs " + kept + (isCompact ? ", compact" : "");
  }
}
