package dev.tidemark.outbox;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.kernel.Uninterrupted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Sends messages at the same time, and waits for the slow ones only so long. What is on its way
 * then counts as not sent, and is not sent again while it is: the next try waits for it. What so
 * many tries have waited for is given up, since its callback may be lost.
 */
final class ConcurrentSender implements Sender {
  private static final int MOST = 10_000;

  /** So many tries wait for a message that is on its way. */
  static final int WAITS = 10;

  private final Function<OutboxMessage, ? extends CompletionStage<?>> function;
  private final Duration patience;

  /** What was not done when it was waited for; guarded by itself. */
  private final Map<Which, Begun> slow = new LinkedHashMap<>();

  /**
   * Tells a message from others, as it is read again for each try. Its ID alone does not: tables of
   * one name give one ID to what they publish for one message, and may share a sender.
   *
   * @param content a hash of all that a table publishes beside
   */
  private record Which(String id, Instant storedAt, String origin, String topic, int content) {
    static Which of(OutboxMessage message) {
      OutgoingMessage sent = message.message();
      int payload = Arrays.hashCode(sent.bytes());
      int content = Objects.hash(payload, sent.key(), sent.type(), sent.headers());
      return new Which(message.id(), message.storedAt(), message.origin(), sent.topic(), content);
    }
  }

  /** A message on its way, for which so many tries have waited in vain. */
  private record Begun(CompletableFuture<?> future, int waits) {}

  ConcurrentSender(
      Function<OutboxMessage, ? extends CompletionStage<?>> function, Duration patience) {
    this.function = function;
    this.patience = patience;
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    List<Begun> all = new ArrayList<>(messages.size());
    messages.forEach(message -> all.add(begun(message)));
    try {
      CompletableFuture.allOf(all.stream().map(Begun::future).toArray(CompletableFuture[]::new))
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Each of them tells by itself.
    } catch (InterruptedException e) {
      for (int i = 0; i < all.size(); i++) {
        keep(Which.of(messages.get(i)), all.get(i));
      }
      throw Uninterrupted.told("interrupted while messages were on their way", e);
    }
    List<Sent> answers = new ArrayList<>(messages.size());
    for (int i = 0; i < all.size(); i++) {
      answers.add(answer(Which.of(messages.get(i)), all.get(i)));
    }
    return answers;
  }

  private Begun begun(OutboxMessage message) {
    Begun before;
    synchronized (slow) {
      before = slow.remove(Which.of(message));
    }
    if (before != null && !before.future().isCompletedExceptionally()) {
      return before;
    }
    try {
      return new Begun(function.apply(message).toCompletableFuture(), 0);
    } catch (Throwable e) { // the other messages can be sent
      return new Begun(CompletableFuture.failedFuture(e), 0);
    }
  }

  private void keep(Which which, Begun begun) {
    synchronized (slow) {
      slow.put(which, begun);
      if (slow.size() > MOST) {
        slow.remove(slow.keySet().iterator().next());
      }
    }
  }

  private Sent answer(Which which, Begun begun) {
    if (!begun.future().isDone()) {
      return waiting(which, new Begun(begun.future(), begun.waits() + 1));
    }
    try {
      begun.future().join();
      return Sent.taken();
    } catch (CompletionException e) {
      return Sent.failed(e.getCause() == null ? e : e.getCause());
    } catch (RuntimeException e) { // it was cancelled
      return Sent.failed(e);
    }
  }

  private Sent waiting(Which which, Begun begun) {
    if (begun.waits() < WAITS) {
      keep(which, begun);
      return Sent.deferred(
          new TimeoutException("the message is still on its way after " + patience));
    }
    return Sent.failed(
        new TimeoutException(
            "nobody has told what became of the message in %d tries that waited %s each: the next"
                    .formatted(WAITS, patience)
                + " try sends it again"));
  }
}
