package dev.tidemark.tck;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a hand moves it. Safe for use by many threads. */
public final class MovableClock extends Clock {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** What expires by this clock is not collected by a store that goes by its own. */
  private static final Instant LATER = Instant.parse("2126-01-01T00:00:00Z");

  private final AtomicReference<Instant> now;

  /** A clock that shows the first of January 2026. */
  public MovableClock() {
    this(START);
  }

  private MovableClock(Instant start) {
    this.now = new AtomicReference<>(start);
  }

  /**
   * A clock for records that a store collects by its own time.
   *
   * @return one that shows the first of January 2126
   */
  public static MovableClock later() {
    return new MovableClock(LATER);
  }

  /**
   * Moves the clock.
   *
   * @param by how far, may be negative
   */
  public void move(Duration by) {
    now.updateAndGet(time -> time.plus(by));
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  /**
   * The same clock: it shows UTC alone.
   *
   * @param zone not used
   * @return this clock
   */
  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
