package dev.tidemark.kernel;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.TidemarkException;
import dev.tidemark.TooLargeException;

/** Faults that whoever raised them could not name an entity for. */
public final class Faults {
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
}
