package dev.tidemark.lab.orders;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Says now and then how far a run has come. For one thread. */
final class Progress {
  private static final Duration EVERY = Duration.ofSeconds(3);

  private final PrintStream out;
  private final Clock clock;
  private Instant next;
  private long deliveries;

  Progress(PrintStream out, Clock clock) {
    this.out = out;
    this.clock = clock;
    this.next = clock.instant().plus(EVERY);
  }

  void deliveries(long count) {
    deliveries = count;
    if (!clock.instant().isBefore(next)) {
      say("");
    }
  }

  void event(String text) {
    say(text);
  }

  private void say(String text) {
    out.println(String.format("  %,7d deliveries  %s", deliveries, text).stripTrailing());
    next = clock.instant().plus(EVERY);
  }
}
