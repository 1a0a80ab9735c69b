package dev.tidemark.outbox;

import java.util.Objects;

/** The answer of a {@link Sender} for one message: taken, or failed with a reason. */
public sealed interface Sent {
  /** The broker has taken it for good. */
  record Taken() implements Sent {
    private static final Taken ALWAYS = new Taken();
  }

  /**
   * It could not be sent, or nobody knows whether it was.
   *
   * @param error why
   */
  record Failed(Exception error) implements Sent {
    /**
     * Requires the reason.
     *
     * @param error why
     */
    public Failed {
      Objects.requireNonNull(error, "error");
    }
  }

  /**
   * The broker has taken the message for good.
   *
   * @return the answer that says so
   */
  static Sent taken() {
    return Taken.ALWAYS;
  }

  /**
   * The message could not be sent, or nobody knows whether it was.
   *
   * @param error why
   * @return the answer that says so
   */
  static Sent failed(Exception error) {
    return new Failed(error);
  }
}
