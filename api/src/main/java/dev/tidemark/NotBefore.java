package dev.tidemark;

import java.time.Duration;

/**
 * The message that an entity must have seen when it is read, and how long the read may wait for the
 * message.
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
   * Requires the same message, but waits until the entity has seen it or the timeout is over. A
   * synchronous store waits on the calling thread, and an interrupt ends the wait; an asynchronous
   * store blocks no thread. Every store first reads a few times after short pauses. After that,
   * DynamoDB is read after pauses that grow to half a second. On MongoDB, each call that waits so
   * long opens a change stream, which tells of changes of the entity. Without a change stream,
   * MongoDB is read after pauses that grow to a quarter of a second.
   *
   * @param timeout the longest wait, at most a minute
   * @return the requirement
   */
  public NotBefore within(Duration timeout) {
    return new NotBefore(message, timeout);
  }
}
