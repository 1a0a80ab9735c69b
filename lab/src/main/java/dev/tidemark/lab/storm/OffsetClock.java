package dev.tidemark.lab.storm;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Supplier;

/** A clock that is ahead of another. As safe for use by many threads as that. */
final class OffsetClock extends Clock {
  private final Clock clock;
  private final Supplier<Duration> ahead;

  /**
   * A clock that can be moved.
   *
   * @param ahead by how much, asked at each look
   */
  OffsetClock(Clock clock, Supplier<Duration> ahead) {
    this.clock = clock;
    this.ahead = ahead;
  }

  @Override
  public ZoneId getZone() {
    return clock.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return new OffsetClock(clock.withZone(zone), ahead);
  }

  @Override
  public Instant instant() {
    return clock.instant().plus(ahead.get());
  }
}
