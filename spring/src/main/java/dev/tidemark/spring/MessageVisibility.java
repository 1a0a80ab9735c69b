package dev.tidemark.spring;

import static java.util.stream.Collectors.groupingBy;

import io.awspring.cloud.sqs.listener.BatchVisibility;
import io.awspring.cloud.sqs.listener.QueueAttributes;
import io.awspring.cloud.sqs.listener.QueueMessageVisibility;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Keeps a batch of messages hidden from other consumers until it is closed: asks for the queue's
 * whole visibility timeout again each time a third of it has passed. It knows the timeout where the
 * container's options have that queue attribute, and else does nothing.
 */
final class MessageVisibility implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(MessageVisibility.class);
  private static final int LONGEST_PAUSE_SECONDS = 60;
  private static final long CALL_SECONDS = 10;

  /** One for all listeners, whose own threads are busy when a beat is due. */
  static final ScheduledThreadPoolExecutor TIMER =
      new ScheduledThreadPoolExecutor(1, MessageVisibility::daemon);

  static {
    TIMER.setRemoveOnCancelPolicy(true); // else a batch is kept until its next beat would be due
  }

  private final @Nullable BatchVisibility visibility;
  private final int seconds;
  private @Nullable ScheduledFuture<?> beats;
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
  private boolean closed;

  private MessageVisibility(@Nullable BatchVisibility visibility, int seconds) {
    this.visibility = visibility;
    this.seconds = seconds;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "tidemark-sqs-heartbeat");
    thread.setDaemon(true);
    return thread;
  }

  static MessageVisibility keep(List<? extends Message<?>> messages) {
    int seconds = messages.isEmpty() ? 0 : timeout(messages.get(0));
    BatchVisibility visibility = seconds == 0 ? null : of(messages);
    MessageVisibility kept = new MessageVisibility(visibility, seconds);
    if (visibility != null) {
      kept.start();
    }
    return kept;
  }

  private synchronized void start() {
    long third = TimeUnit.SECONDS.toMillis(seconds) / 3;
    beats = TIMER.scheduleAtFixedRate(this::beat, third, third, TimeUnit.MILLISECONDS);
  }

  private synchronized void beat() {
    if (!closed && last.isDone() && visibility != null) {
      last = changed(visibility, seconds);
    }
  }

  /** Returns once there is no beat any more, not even one that is under way. */
  @Override
  public void close() {
    CompletableFuture<?> underWay;
    synchronized (this) {
      closed = true;
      if (beats != null) {
        beats.cancel(false);
      }
      underWay = last;
    }
    underWay.join();
  }

  /**
   * Lets messages come again after 2, 4, 8 seconds and so on up to a minute, by their receive
   * counts, so that what is not done neither spins nor waits for a long visibility timeout.
   */
  static void giveBack(List<? extends Message<?>> messages) {
    messages.stream()
        .collect(groupingBy(MessageVisibility::pause))
        .forEach(
            (pause, some) -> {
              BatchVisibility visibility = of(some);
              if (visibility != null) {
                changed(visibility, pause).join();
              }
            });
  }

  private static int pause(Message<?> message) {
    Object count =
        message.getHeaders().get(SqsHeaders.MessageSystemAttributes.SQS_APPROXIMATE_RECEIVE_COUNT);
    int received = count == null ? 1 : Integer.parseInt(count.toString());
    return (int) Math.min(1L << Math.min(received, 30), LONGEST_PAUSE_SECONDS);
  }

  private static int timeout(Message<?> message) {
    Object attributes = message.getHeaders().get(SqsHeaders.SQS_QUEUE_ATTRIBUTES_HEADER);
    String timeout =
        attributes instanceof QueueAttributes queue
            ? queue.getQueueAttribute(QueueAttributeName.VISIBILITY_TIMEOUT)
            : null;
    return timeout == null ? 0 : Integer.parseInt(timeout);
  }

  /** Empty for messages that no container has received. */
  private static @Nullable BatchVisibility of(List<? extends Message<?>> messages) {
    Object first = messages.get(0).getHeaders().get(SqsHeaders.SQS_VISIBILITY_TIMEOUT_HEADER);
    return first instanceof QueueMessageVisibility queue
        ? queue.toBatchVisibility(List.copyOf(messages))
        : null;
  }

  /** Never fails: the messages then come again earlier, or later, than was asked for. */
  private static CompletableFuture<?> changed(BatchVisibility visibility, int seconds) {
    return visibility
        .changeToAsync(seconds)
        .orTimeout(CALL_SECONDS, TimeUnit.SECONDS)
        .handle(
            (done, fault) -> {
              if (fault != null) {
                LOGGER.warn("SQS changed no visibility: {}", fault.getClass().getSimpleName());
              }
              return seconds;
            });
  }
}
