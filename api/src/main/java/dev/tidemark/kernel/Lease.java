package dev.tidemark.kernel;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A lease as its owner may count on it: from before the request that writes it is sent. How long
 * the request and its reply are on their way is not known, the tries of a store's client included,
 * and others may count from when it was stored. What has passed is told by the elapsed time of this
 * process and by its clock, whichever tells more, since elapsed time may stand still while a
 * machine is suspended.
 */
public final class Lease {
  private final LongSupplier nanos;
  private final LongSupplier millis;
  private final long begunNanos;
  private final long begunMillis;
  private final Duration length;

  private Lease(LongSupplier nanos, LongSupplier millis, Duration length) {
    this.nanos = nanos;
    this.millis = millis;
    this.begunNanos = nanos.getAsLong();
    this.begunMillis = millis.getAsLong();
    this.length = length;
  }

  /**
   * A lease that is about to be asked for.
   *
   * @param nanos elapsed time, as of {@link System#nanoTime}
   * @param millis the clock that tells others when the lease ends
   * @param length how long it lasts
   * @return the lease, if it is granted
   */
  public static Lease asked(LongSupplier nanos, LongSupplier millis, Duration length) {
    return new Lease(nanos, millis, length);
  }

  /**
   * For how long it is surely still its owner's.
   *
   * @return zero if others may have taken it over
   */
  public Duration left() {
    Duration elapsed = Duration.ofNanos(nanos.getAsLong() - begunNanos);
    Duration told = Duration.ofMillis(millis.getAsLong() - begunMillis);
    Duration left = length.minus(elapsed.compareTo(told) < 0 ? told : elapsed);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /**
   * Whether it is surely still its owner's.
   *
   * @return false if others may have taken it over
   */
  public boolean isMine() {
    return !left().isZero();
  }

  /**
   * Whether so much is left that something may begin which takes less than half of it.
   *
   * @return true if half is left
   */
  public boolean isHalfLeft() {
    return isMine() && left().multipliedBy(2).compareTo(length) >= 0;
  }
}
