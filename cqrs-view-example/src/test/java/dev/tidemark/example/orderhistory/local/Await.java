package dev.tidemark.example.orderhistory.local;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what servers and other threads do. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Await() {}

  /** Returns once it is so; fails after a minute. */
  public static void until(String what, BooleanSupplier isSo) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }
}
