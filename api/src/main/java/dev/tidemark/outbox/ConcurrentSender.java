package dev.tidemark.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Sends messages at the same time, and waits for the slow ones only so long. What is on its way
 * then counts as not sent, and is not sent again while it is: the next try waits for it.
 */
final class ConcurrentSender implements Sender {
  private static final int MOST = 10_000;

  private final Function<OutboxMessage, ? extends CompletionStage<?>> function;
  private final Duration patience;

  /** What was not done when it was waited for, by the message's ID; guarded by itself. */
  private final Map<String, CompletableFuture<?>> slow = new LinkedHashMap<>();

  ConcurrentSender(
      Function<OutboxMessage, ? extends CompletionStage<?>> function, Duration patience) {
    this.function = function;
    this.patience = patience;
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    List<CompletableFuture<?>> all = new ArrayList<>(messages.size());
    messages.forEach(message -> all.add(begun(message)));
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Each of them tells by itself.
    } catch (InterruptedException e) {
      for (int i = 0; i < all.size(); i++) {
        keep(messages.get(i).id(), all.get(i));
      }
      throw e;
    }
    List<Sent> answers = new ArrayList<>(messages.size());
    for (int i = 0; i < all.size(); i++) {
      answers.add(answer(messages.get(i).id(), all.get(i)));
    }
    return answers;
  }

  private CompletableFuture<?> begun(OutboxMessage message) {
    CompletableFuture<?> before;
    synchronized (slow) {
      before = slow.remove(message.id());
    }
    if (before != null && !before.isCompletedExceptionally()) {
      return before;
    }
    try {
      return function.apply(message).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void keep(String id, CompletableFuture<?> future) {
    synchronized (slow) {
      slow.put(id, future);
      if (slow.size() > MOST) {
        slow.remove(slow.keySet().iterator().next());
      }
    }
  }

  private Sent answer(String id, CompletableFuture<?> future) {
    if (!future.isDone()) {
      keep(id, future);
      return Sent.failed(new TimeoutException("the message is still on its way after " + patience));
    }
    try {
      future.join();
      return Sent.taken();
    } catch (CompletionException e) {
      return Sent.failed(e.getCause() instanceof Exception cause ? cause : e);
    } catch (RuntimeException e) { // it was cancelled
      return Sent.failed(e);
    }
  }
}
