package dev.tidemark.example.orderhistory.local;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A thread that takes one step after another until closed, or until a step throws. */
final class Loop implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 60_000;

  private final Thread thread;
  private final AtomicReference<@Nullable RuntimeException> fault = new AtomicReference<>();
  private volatile boolean closed;

  Loop(String name, Runnable step) {
    thread =
        new Thread(
            () -> {
              try {
                while (!closed) {
                  step.run();
                }
              } catch (RuntimeException e) {
                fault.set(e);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits for the step that is being taken. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    RuntimeException thrown = fault.get();
    if (thrown != null) {
      throw new IllegalStateException(thread.getName() + " failed", thrown);
    }
    if (thread.isAlive()) {
      throw new IllegalStateException(thread.getName() + " does not end");
    }
  }
}
