package dev.tidemark.kernel;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.TidemarkException;
import dev.tidemark.TooLargeException;
import org.jspecify.annotations.Nullable;

/** Faults that whoever raised them could not name an entity for. */
public final class Faults {
  private static final int MOST_CAUSES = 8;

  private Faults() {}

  /**
   * The same error, and if it is a fault of this library, with the entity's key.
   *
   * @param error any error
   * @param key the entity of the call
   * @param <E> what kind of error
   * @return the error itself unless it is a fault without a key
   */
  @SuppressWarnings("unchecked")
  public static <E extends Throwable> E withKey(E error, Key key) {
    if (!(error instanceof TidemarkException fault) || fault.key().isPresent()) {
      return error;
    }
    String message = String.valueOf(fault.getMessage());
    TidemarkException same =
        fault instanceof CorruptRecordException
            ? new CorruptRecordException(message, key, fault.getCause())
            : fault instanceof TooLargeException
                ? new TooLargeException(message, key, fault.getCause())
                : fault instanceof InvalidChangeException
                    ? new InvalidChangeException(message, key, fault.getCause())
                    : fault instanceof ContentionException
                        ? new ContentionException(message, key, fault.getCause())
                        : fault;
    same.setStackTrace(fault.getStackTrace());
    return (E) same;
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
