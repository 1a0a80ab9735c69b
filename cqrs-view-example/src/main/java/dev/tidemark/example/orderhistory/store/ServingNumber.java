package dev.tidemark.example.orderhistory.store;

import dev.tidemark.example.orderhistory.Generations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntSupplier;

/** Remembers for a moment which generation serves. For any number of threads. */
final class ServingNumber {
  private static final Duration MOMENT = Duration.ofSeconds(Generations.SWITCH_SECONDS);

  private final IntSupplier stored;
  private final Clock clock;
  private volatile Seen seen = new Seen(0, Instant.MIN);

  ServingNumber(IntSupplier stored, Clock clock) {
    this.stored = stored;
    this.clock = clock;
  }

  private record Seen(int number, Instant until) {}

  int get() {
    Seen last = seen;
    Instant now = clock.instant();
    if (now.isBefore(last.until())) {
      return last.number();
    }
    Seen fresh = new Seen(stored.getAsInt(), now.plus(MOMENT));
    seen = fresh;
    return fresh.number();
  }

  void forget() {
    seen = new Seen(0, Instant.MIN);
  }
}
