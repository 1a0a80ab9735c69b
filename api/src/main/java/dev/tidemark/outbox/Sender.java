package dev.tidemark.outbox;

import dev.tidemark.kernel.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

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
   * <p>A call that throws, or does not answer for each message, says nothing of any of them: the
   * relay calls again with one message at a time, and a message that fails alone has failed. What
   * such a call did deliver is sent once more.
   *
   * @param messages at least one
   * @return for each of them in order, whether the broker has taken it for good, or why not
   * @throws InterruptedException if the thread is to stop; all of them count as not sent, and it
   *     ends {@link Relay#run}, or the present {@link Relay#drain} or {@link Relay#sweep}
   */
  List<Sent> send(List<OutboxMessage> messages) throws InterruptedException;

  /**
   * Sends one message after the other by a function.
   *
   * @param function returns once the message is taken; throws if it could not be sent
   * @return a sender
   */
  static Sender each(One function) {
    return messages -> {
      List<Sent> answers = new ArrayList<>(messages.size());
      for (OutboxMessage message : messages) {
        try {
          function.send(message);
          answers.add(Sent.taken());
        } catch (InterruptedException e) {
          throw e;
        } catch (Throwable e) { // the other messages can be sent
          answers.add(Sent.failed(e));
        }
      }
      return answers;
    };
  }

  /**
   * Sends messages at the same time by a function that does not wait, as asynchronous clients have
   * it. A slow message holds back the others for as long as is said here, and then its own entity
   * alone: it counts as not sent, and the next try waits for it instead of sending it again. Ten
   * tries do so, none of which counts against the message; then what the function gave is taken for
   * lost, which counts as one try, and the next one sends the message again. Relays may share the
   * sender: messages of one ID are told apart by topic, origin, the time they were stored at, and a
   * hash of 32 bits of their content.
   *
   * @param function begins to send a message; what it gives is done once the message is taken, or
   *     could not be sent
   * @param patience how long to wait for those that are on their way at the same time; shorter than
   *     a lease of the relay, where there is one
   * @return a sender, safe for use by many threads
   * @throws IllegalArgumentException if the patience is not more than 0, or above 36,525 days
   */
  static Sender concurrent(
      Function<OutboxMessage, ? extends CompletionStage<?>> function, Duration patience) {
    Duration most = Times.within("patience", Duration.ofNanos(1), patience);
    return new ConcurrentSender(Objects.requireNonNull(function, "function"), most);
  }

  /**
   * Sends each message by several senders, one after the other. It counts as sent once all of them
   * have it; if one could not send it, the next try sends it by all of them again, under the same
   * ID.
   *
   * @param senders at least one; each gets all messages, whatever became of them before
   * @return a sender, as safe for use by many threads as these are
   * @throws IllegalArgumentException if there are none
   */
  static Sender all(Collection<? extends Sender> senders) {
    return new SeveralSenders(List.copyOf(senders));
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
