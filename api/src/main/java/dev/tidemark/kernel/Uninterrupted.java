package dev.tidemark.kernel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Does what has to be done by a thread that is interrupted too. The clients of stores send nothing
 * by such a thread, and break off what they wait for. No other class clears a thread's interrupt.
 *
 * <p>Who owns a thread decides what an {@link InterruptedException} of a decoder, a handler or a
 * sender means, since nobody can tell whether somebody interrupted the thread:
 *
 * <ul>
 *   <li>In a loop of Tidemark's, such as {@code KafkaIntakeLoop} or {@code Relay.run}, it ends the
 *       loop, and the thread stays interrupted.
 *   <li>On the thread of a container or of a function's runtime, which neither interrupts its
 *       threads nor clears an interrupt, it ends the present call, and the thread is left as it was
 *       found: {@link #asFound}.
 *   <li>In a single call of a relay it ends that call, which tells of it by its result in place of
 *       the thread's interrupt, unless it is {@link #isTold told} of this thread.
 * </ul>
 */
public final class Uninterrupted {
  /** How often what interrupts break off is done again. */
  private static final int MOST = 10;

  private Uninterrupted() {}

  /** An interrupt of the very thread that gets this exception. */
  private static final class Told extends InterruptedException {
    private static final long serialVersionUID = 1L;

    Told(String message) {
      super(message);
    }
  }

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
    InterruptedException told = new Told(message);
    if (cause != null) {
      told.initCause(cause);
    }
    return told;
  }

  /**
   * Whether an exception stands for an interrupt of this thread for certain.
   *
   * @param thrown on this thread
   * @return whether it is of {@link #told}; others may be of another thread, such as one whose task
   *     was cancelled
   */
  public static boolean isTold(InterruptedException thrown) {
    return thrown instanceof Told;
  }

  /**
   * Does something on a thread that a container or a runtime owns. The thread is interrupted
   * afterwards if it was before, and only then: an interrupt that a message's own code leaves would
   * fail each later call of that thread.
   *
   * @param action what to do
   * @param <R> what it gives
   * @return what it gave
   */
  public static <R> R asFound(Supplier<R> action) {
    boolean interrupted = Thread.currentThread().isInterrupted();
    try {
      return action.get();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      } else {
        boolean unused = Thread.interrupted();
      }
    }
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
