package dev.tidemark;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The base class of all faults, which a call throws when it has no {@link Outcome}. Each subclass
 * tells what a caller can do. Other errors of the store are thrown unchanged.
 */
public abstract sealed class TidemarkException extends RuntimeException
    permits ContentionException,
        OutcomeUnknownException,
        CorruptRecordException,
        TooLargeException,
        InvalidChangeException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable EntityKey key;

  TidemarkException(String message, @Nullable EntityKey key, @Nullable Throwable cause) {
    super(message, cause);
    this.key = key;
  }

  /**
   * Whether the same delivery again, later, can have another end: true for {@link
   * ContentionException} and {@link OutcomeUnknownException}. Any other fault stays until somebody
   * corrects the data or the code, so its delivery belongs in a dead-letter queue.
   *
   * @return whether to deliver again
   */
  public boolean isRetryable() {
    return this instanceof ContentionException || this instanceof OutcomeUnknownException;
  }

  /**
   * The entity that the call was for. It is not part of the exception's message, since keys may be
   * personal data.
   *
   * @return empty after serialization, or where no single entity was concerned
   */
  public Optional<EntityKey> key() {
    return Optional.ofNullable(key);
  }
}
