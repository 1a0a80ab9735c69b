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

  private final AtomicReference<Instant> now = new AtomicReference<>(START);

  /** A clock that shows the first of January 2026. */
  public MovableClock() {}

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
