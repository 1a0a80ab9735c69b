package dev.tidemark.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Does what has to be done by a thread that is interrupted too. The clients of stores send nothing
 * by such a thread, and break off what they wait for. No other class clears a thread's interrupt.
 */
public final class Uninterrupted {
  /** How often what interrupts break off is done again. */
  private static final int MOST = 10;

  private Uninterrupted() {}

  /**
   * What may be done again: it finds out what an earlier try has left.
   *
   * @param <R> what it gives
   * @param <X> what it may throw
   */
  @FunctionalInterface
  public interface Action<R, X extends Exception> {
    /**
     * Does it.
     *
     * @return what it gives
     * @throws X as it likes
     */
    R run() throws X;
  }

  /**
   * Does something, and again where an interrupt came meanwhile and it threw. The thread is
   * interrupted afterwards if it was before, or was meanwhile.
   *
   * @param action what to do
   * @param <R> what it gives
   * @param <X> what it may throw
   * @return what it gave
   * @throws X what it threw
   */
  public static <R, X extends Exception> R call(Action<R, X> action) throws X {
    boolean interrupted = Thread.interrupted();
    try {
      for (int tries = 1; ; tries++) {
        try {
          return action.run();
        } catch (RuntimeException e) {
          boolean again = Thread.interrupted();
          interrupted |= again;
          if (!again || tries == MOST) {
            throw e;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Tells an interrupt by an exception in place of the thread's flag, which it clears.
   *
   * @param message what was broken off
   * @param cause how a client told of it; null if none did
   * @return what to throw
   */
  public static InterruptedException told(String message, @Nullable Throwable cause) {
    boolean unused = Thread.interrupted();
    InterruptedException told = new InterruptedException(message);
    if (cause != null) {
      told.initCause(cause);
    }
    return told;
  }

  /**
   * Does something that gives nothing.
   *
   * @param action as of {@link #call}
   */
  public static void run(Runnable action) {
    boolean unused =
        call(
            () -> {
              action.run();
              return true;
            });
  }
}
