package dev.tidemark.kernel;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.TidemarkException;
import dev.tidemark.TooLargeException;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Gives faults the key of their entity, and keeps values out of their texts and causes. */
public final class Faults {
  private static final int MOST_CAUSES = 8;

  /** No chain of causes that means anything is longer, and one may be a circle. */
  private static final int LONGEST_CHAIN = 50;

  private static final String CLOSED_POOL = "Connection pool shut down";

  private static final Map<Class<?>, String> TYPES =
      Map.of(
          String.class, "a string",
          Number.class, "a number",
          Boolean.class, "a boolean",
          ByteBuffer.class, "binary",
          Map.class, "a map",
          Collection.class, "a list or a set");

  private Faults() {}

  /**
   * The fault of an attribute of tracking's that has a type which tracking never gives it.
   *
   * @param name the attribute
   * @param stored what is there, which the message does not show
   * @param expected what tracking keeps there, such as {@code a number of seconds}
   * @return the fault to throw
   */
  static CorruptRecordException ofType(String name, Object stored, String expected) {
    return new CorruptRecordException(
        "'"
            + name
            + "' is "
            + type(stored)
            + " where tracking keeps "
            + expected
            + "; remove it, or give tracking other AttributeNames",
        null,
        null);
  }

  private static String type(Object stored) {
    return TYPES.entrySet().stream()
        .filter(type -> type.getKey().isInstance(stored))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("a " + stored.getClass().getSimpleName());
  }

  /**
   * The same error, and if it is a fault of this library, with the entity's key.
   *
   * @param error any error
   * @param key the entity of the call
   * @param <E> what kind of error
   * @return the error itself unless it is a fault without a key
   */
  public static <E extends Throwable> E withKey(E error, EntityKey key) {
    return error instanceof TidemarkException fault && fault.key().isPresent()
        ? error
        : ofKey(error, key);
  }

  /**
   * The same error, and if it is a fault of this library, with a key in the place of its own.
   *
   * @param error any error
   * @param key what the call was for
   * @param <E> what kind of error
   * @return the error itself unless it is a fault; its cause is the fault if that has a key
   */
  @SuppressWarnings("unchecked")
  public static <E extends Throwable> E ofKey(E error, EntityKey key) {
    if (!(error instanceof TidemarkException fault)) {
      return error;
    }
    String message = String.valueOf(fault.getMessage());
    Throwable cause = fault.key().isPresent() ? fault : fault.getCause();
    TidemarkException same =
        fault instanceof CorruptRecordException
            ? new CorruptRecordException(message, key, cause)
            : fault instanceof TooLargeException
                ? new TooLargeException(message, key, cause)
                : fault instanceof InvalidChangeException
                    ? new InvalidChangeException(message, key, cause)
                    : fault instanceof ContentionException
                        ? new ContentionException(message, key, cause)
                        : new OutcomeUnknownException(message, key, cause);
    same.setStackTrace(fault.getStackTrace());
    for (Throwable suppressed : fault.getSuppressed()) {
      same.addSuppressed(suppressed);
    }
    return (E) same;
  }

  /**
   * What a function of the caller's threw, as the failure of one message, whatever it is. The
   * failure of the JVM itself passes: a {@link VirtualMachineError} such as {@link
   * OutOfMemoryError}, unless it is a {@link StackOverflowError}, which the message may have
   * caused. An {@link InterruptedException} that was not declared leaves the thread interrupted.
   *
   * @param thrown what was thrown
   * @return the same, or what has it as its cause if it is no {@link RuntimeException}
   */
  public static RuntimeException unchecked(Throwable thrown) {
    return survived(thrown) instanceof RuntimeException fault
        ? fault
        : new UndeclaredThrowableException(
            thrown, "a function threw " + thrown.getClass().getName());
  }

  /**
   * What code of the caller's threw, which is judged and not passed on. The failure of the JVM
   * itself passes, and a thread stays interrupted, as of {@link #unchecked}.
   *
   * @param thrown what was thrown
   * @return the same
   */
  public static Throwable survived(Throwable thrown) {
    if (thrown instanceof VirtualMachineError failure && !(failure instanceof StackOverflowError)) {
      throw failure;
    }
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return thrown;
  }

  /**
   * Keeps what was thrown behind the error that a caller gets, unless both are the same.
   *
   * @param thrown behind it
   * @param error what the caller gets
   */
  public static void suppress(Throwable thrown, Throwable error) {
    if (thrown != error) {
      error.addSuppressed(thrown);
    }
  }

  /**
   * Which of an error and its causes decides what the error means: the first that is of a kind, as
   * where a framework has translated it, or that is a fault of this library, which has judged its
   * own cause. What is suppressed decides nothing.
   *
   * @param error any error
   * @param kind such as the exceptions of a driver
   * @return null if there is none
   */
  public static @Nullable Throwable decisive(Throwable error, Class<? extends Throwable> kind) {
    return decisive(error, kind::isInstance);
  }

  private static @Nullable Throwable decisive(Throwable error, Predicate<Throwable> kind) {
    Throwable at = error;
    for (int i = 0; i < LONGEST_CHAIN && at != null; i++) {
      if (kind.test(at) || at instanceof TidemarkException) {
        return at;
      }
      at = at.getCause();
    }
    return null;
  }

  /**
   * Whether a failure is of the process in which a message was handled, and of no message: an
   * executor took no work, since it is full or shut down, a thread was interrupted, or a client of
   * HTTP was closed. Causes count as in {@link #decisive}.
   *
   * @param error any error
   * @return false for all others
   */
  public static boolean isOfProcess(Throwable error) {
    return decisive(error, RejectedExecutionException.class) instanceof RejectedExecutionException
        || isInterrupt(decisive(error, at -> isInterrupt(at)))
        || isOfClosedPool(error);
  }

  /**
   * Whether an error by itself says that a thread was interrupted: as the JDK says it, a channel
   * that it closed, or what else fails with an {@link IOException} on a thread that is interrupted.
   * That a time is over says nothing of that.
   *
   * @param error any error
   * @return false for all others
   */
  public static boolean isInterrupt(@Nullable Throwable error) {
    return error instanceof InterruptedException
        || error instanceof ClosedByInterruptException
        || (error instanceof IOException && Thread.currentThread().isInterrupted());
  }

  /** As Apache's clients say, which the AWS SDK's do not wrap. */
  private static boolean isOfClosedPool(Throwable error) {
    Throwable last = last(error);
    return last instanceof IllegalStateException
        && CLOSED_POOL.equals(last.getMessage())
        && decisive(error, TidemarkException.class) == null;
  }

  /**
   * What an error goes back to.
   *
   * @param error any error
   * @return the last of its causes; itself if it has none
   */
  public static Throwable last(Throwable error) {
    Throwable last = error;
    for (int i = 0; i < LONGEST_CHAIN && last.getCause() != null; i++) {
      last = last.getCause();
    }
    return last;
  }

  /**
   * The name of an error, or of an outcome, which shows none of its values.
   *
   * @param named any object
   * @return the simple name of its class, or of the class that an anonymous one extends
   */
  public static String name(Object named) {
    Class<?> type = named.getClass();
    while (type.isAnonymousClass()) {
      type = type.getSuperclass();
    }
    return type.getSimpleName();
  }

  /**
   * What stands as a cause in place of an error whose text may carry values or keys, such as a
   * mapper's or a driver's: its class and its stack trace, and those of its causes, without their
   * texts.
   *
   * @param error any error
   * @return another one, to be a cause
   */
  public static Throwable silent(Throwable error) {
    return silent(error, MOST_CAUSES);
  }

  private static Throwable silent(Throwable error, int causes) {
    Throwable cause = error.getCause();
    Throwable inner = cause == null || causes == 0 ? null : silent(cause, causes - 1);
    Throwable silent =
        new SilentException(
            error.getClass().getName() + ", whose text is left out, since it may carry values",
            inner);
    silent.setStackTrace(error.getStackTrace());
    return silent;
  }

  /** An error without its text. */
  private static final class SilentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SilentException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
