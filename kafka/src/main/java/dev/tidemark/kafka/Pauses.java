package dev.tidemark.kafka;

import java.time.Duration;

/** How long to wait before another attempt: twice as long each time, up to a limit. */
record Pauses(Duration first, Duration longest) {
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int MOST_DOUBLINGS = 30;

  Pauses {
    if (first.toMillis() < 1 || longest.compareTo(first) < 0 || longest.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "pauses must be 1 ms to 1 day, and the longest not shorter than the first, were "
              + first
              + " and "
              + longest);
    }
  }

  /** The pause after so many attempts without success, at least 1. */
  Duration after(int attempts) {
    long doubled = first.toMillis() << Math.min(attempts - 1, MOST_DOUBLINGS);
    return Duration.ofMillis(Math.min(doubled, longest.toMillis()));
  }
}
