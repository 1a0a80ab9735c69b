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
   * @param timeout how long to wait, zero for a single look
   * @throws IllegalArgumentException if it is negative
   */
  public NotBefore {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative, was " + timeout);
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
   * The same, waiting on the calling thread with growing pauses between reads.
   *
   * @param timeout the longest wait
   * @return the requirement
   */
  public NotBefore within(Duration timeout) {
    return new NotBefore(message, timeout);
  }
}
