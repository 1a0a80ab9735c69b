package dev.tidemark.example.orderhistory.local;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads and servers do, but not for ever. */
public final class Await {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Await() {}

  /** Returns once the condition holds. */
  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("after " + DEADLINE + " still not: " + what);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
