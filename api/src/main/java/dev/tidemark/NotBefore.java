package dev.tidemark;

import java.time.Duration;

/**
 * What a read has to have seen, and how long it may wait for it.
 *
 * @param message the message
 * @param timeout how long to wait, zero for a single look
 */
public record NotBefore(Message message, Duration timeout) {
  /**
   * Checks the timeout.
   *
   * @param message the message
   * @param timeout how long to wait, zero for a single look, at most a minute
   * @throws IllegalArgumentException if it is out of that range
   */
  public NotBefore {
    if (timeout.isNegative() || timeout.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException("timeout must be PT0S to PT1M, was " + timeout);
    }
  }

  /**
   * A look without waiting.
   *
   * @param message the message that has to have been seen
   * @return the requirement
   */
  public static NotBefore notBefore(Message message) {
    return new NotBefore(message, Duration.ZERO);
  }

  /**
   * The same, waiting until the message is seen or the time is over: on the calling thread, which
   * an interrupt frees, or on none where the store is asynchronous. A few reads after short pauses
   * come first on every store; then DynamoDB is read after pauses that grow to half a second, and
   * MongoDB tells of a change of the entity by a change stream, one for each call that waits so
   * long. Where there is no change stream the pauses grow to a quarter of a second.
   *
   * @param timeout the longest wait, at most a minute
   * @return the requirement
   */
  public NotBefore within(Duration timeout) {
    return new NotBefore(message, timeout);
  }
}
