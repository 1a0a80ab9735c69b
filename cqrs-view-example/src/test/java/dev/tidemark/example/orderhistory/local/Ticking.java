package dev.tidemark.example.orderhistory.local;

import dev.tidemark.tck.MovableClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** A clock that shows a second later each time. */
public final class Ticking extends Clock {
  private final MovableClock clock = new MovableClock();

  @Override
  public Instant instant() {
    clock.move(Duration.ofSeconds(1));
    return clock.instant();
  }

  @Override
  public ZoneId getZone() {
    return clock.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
