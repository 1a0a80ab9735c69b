package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A long-running consumer of an SQS queue, standard or FIFO. It deletes a message once it is done,
 * or kept among the dead letters; any other comes again after a pause that grows, and in a FIFO
 * queue the rest of its group with it. No fault ends {@link #run}: it logs, waits and goes on. One
 * thread runs it; for more, make more carriers.
 *
 * <pre>{@code
 * Thread consumer = new Thread(carrier);
 * Runtime.getRuntime().addShutdownHook(new Thread(() -> { // SIGTERM
 *   carrier.stop();
 *   consumer.join(); // for at most a long poll and the batch in hand
 * }));
 * consumer.start();
 * }</pre>
 */
public final class SqsCarrier implements Carrier {
  private static final Logger LOG = LoggerFactory.getLogger(SqsCarrier.class);

  private final SqsQueue queue;
  private final SqsOptions options;
  private final OrderedBatches<Message> batches;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private int faults;

  /**
   * A consumer of one queue. Calls nothing yet.
   *
   * @param sqs stays the caller's
   * @param queueUrl of events as JSON; a FIFO queue if it ends in {@code .fifo}
   * @param deadLetterQueueUrl where poison goes
   * @param handler the views
   * @param options how it receives
   */
  public SqsCarrier(
      SqsClient sqs,
      String queueUrl,
      String deadLetterQueueUrl,
      Function<List<Delivery>, BatchOutcome<?>> handler,
      SqsOptions options) {
    this.queue = new SqsQueue(sqs, queueUrl);
    this.options = options;
    DeadLetterQueue dead = new DeadLetterQueue(sqs, deadLetterQueueUrl);
    this.batches =
        new OrderedBatches<>(
            m -> m.body().getBytes(StandardCharsets.UTF_8),
            this::group,
            handler,
            (m, reason) -> dead.send(m, group(m), reason));
  }

  private Optional<String> group(Message message) {
    return queue.isFifo() // a standard queue's groups share it fairly, and have no order
        ? Optional.ofNullable(message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID))
        : Optional.empty();
  }

  @Override
  public void stop() {
    stopped.countDown();
  }

  @Override
  public void run() {
    while (stopped.getCount() > 0) {
      try (Heartbeat heartbeat = new Heartbeat(queue, visibility())) {
        while (stopped.getCount() > 0) {
          List<Message> messages = queue.receive(options);
          handle(messages, heartbeat);
          faults = 0;
        }
      } catch (RuntimeException e) {
        LOG.warn("SQS fails, trying again: {}", Poison.reason(e));
        pause();
      }
    }
  }

  @Override
  public long deadLetters() {
    return batches.deadLetters();
  }

  private void handle(List<Message> messages, Heartbeat heartbeat) {
    List<Message> undone = messages;
    try (Heartbeat.Work work = heartbeat.over(options.heartbeat() ? messages : List.of())) {
      undone = batches.undone(messages);
    } catch (RuntimeException e) {
      LOG.warn("the views fail, {} messages come again: {}", messages.size(), Poison.reason(e));
    }
    Set<Message> again = Collections.newSetFromMap(new IdentityHashMap<>());
    again.addAll(undone);
    try {
      queue.delete(messages.stream().filter(message -> !again.contains(message)).toList());
    } finally {
      queue.giveBack(undone);
    }
  }

  private Duration visibility() {
    return options.visibility() != null ? options.visibility() : queue.visibility();
  }

  private void pause() {
    faults++;
    try {
      var unused = stopped.await(Backoff.after(faults).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
    }
  }
}
