package dev.tidemark.outbox;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to a broker, or wherever they go. A relay calls it, on its own thread. A message
 * may be sent more than once, always with the same {@link OutboxMessage#id}: senders pass that on,
 * so that consumers can drop twins.
 */
@FunctionalInterface
public interface Sender {
  /**
   * Sends messages, at most one of them of each entity that keeps an order, so they may all be on
   * their way at the same time. Returns once each of them is taken, or could not be sent.
   *
   * @param messages at least one
   * @return for each of them in order, null if the broker has taken it for good, else why not
   * @throws InterruptedException if the thread is to stop; all of them count as not sent
   */
  List<@Nullable Exception> send(List<OutboxMessage> messages) throws InterruptedException;

  /**
   * Sends one message after the other by a function.
   *
   * @param function returns once the message is taken; throws if it could not be sent
   * @return a sender
   */
  static Sender each(One function) {
    return messages -> {
      List<@Nullable Exception> errors = new ArrayList<>(messages.size());
      for (OutboxMessage message : messages) {
        try {
          function.send(message);
          errors.add(null);
        } catch (InterruptedException e) {
          throw e;
        } catch (Exception e) {
          errors.add(e);
        }
      }
      return errors;
    };
  }

  /** Sends one message. */
  @FunctionalInterface
  interface One {
    /**
     * Sends a message.
     *
     * @param message what to send
     * @throws Exception if it could not be sent
     */
    void send(OutboxMessage message) throws Exception;
  }
}
