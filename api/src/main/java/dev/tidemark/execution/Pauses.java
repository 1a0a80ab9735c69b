package dev.tidemark.execution;

import java.time.Duration;

/** How a thread waits; a test's does not. */
@FunctionalInterface
interface Pauses {
  /** Waits; ends early where the thread is interrupted, which stays so. */
  void pause(Duration time);
}
