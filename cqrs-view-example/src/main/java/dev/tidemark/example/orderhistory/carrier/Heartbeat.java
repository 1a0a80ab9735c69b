package dev.tidemark.example.orderhistory.carrier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Keeps messages invisible to other consumers while work on them goes on: asks for the whole
 * visibility timeout again each time a third of it has passed. One daemon thread.
 */
final class Heartbeat implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  private final SqsQueue queue;
  private final Duration timeout;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "sqs-heartbeat");
            thread.setDaemon(true);
            return thread;
          });

  Heartbeat(SqsQueue queue, Duration timeout) {
    this.queue = queue;
    this.timeout = timeout;
  }

  /** Beats for these messages until closed; there is no beat after that. */
  Work over(List<Message> messages) {
    return new Work(messages);
  }

  final class Work implements Runnable, AutoCloseable {
    private final List<Message> messages;
    private final Future<?> beats;
    private boolean closed;

    private Work(List<Message> messages) {
      this.messages = new ArrayList<>(messages);
      long third = timeout.toMillis() / 3;
      this.beats = timer.scheduleAtFixedRate(this, third, third, TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized void run() {
      if (closed || messages.isEmpty()) {
        return;
      }
      try {
        ChangeMessageVisibilityBatchResponse answer =
            queue.hide(messages, message -> timeout, timeout.dividedBy(3));
        List<Message> lost = new ArrayList<>();
        for (BatchResultErrorEntry failed : answer.failed()) {
          Message message = messages.get(Integer.parseInt(failed.id()));
          LOG.warn("no heartbeat for message {}: {}", message.messageId(), failed.code());
          if (Boolean.TRUE.equals(failed.senderFault())) {
            lost.add(message); // it is no longer ours
          }
        }
        messages.removeAll(lost);
      } catch (RuntimeException e) {
        LOG.warn("no heartbeat for {} messages: {}", messages.size(), Poison.reason(e));
      }
    }

    @Override
    public synchronized void close() {
      closed = true;
      var unused = beats.cancel(false);
    }
  }

  @Override
  public void close() {
    var unused = timer.shutdownNow();
  }
}
