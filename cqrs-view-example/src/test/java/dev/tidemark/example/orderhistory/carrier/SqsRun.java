package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A queue with dead letters, and consumers of it that run until closed. */
final class SqsRun implements AutoCloseable {
  /** Receives that end soon, so that consumers do. */
  static final SqsOptions OPTIONS = new SqsOptions(Duration.ofSeconds(1), null, true);

  final SqsClient client;
  final LocalQueue queue;
  final LocalQueue deadLetters;
  private final Deque<Consumer> consumers = new ArrayDeque<>();

  record Consumer(SqsCarrier carrier, Thread thread) {
    void finish() throws InterruptedException {
      carrier.stop();
      thread.join(60_000);
      if (thread.isAlive()) {
        throw new AssertionError("the consumer did not stop");
      }
    }
  }

  SqsRun(LocalSqs sqs, String kind, Duration visibilityTimeout) {
    this(sqs, sqs.client(), kind, visibilityTimeout);
  }

  SqsRun(LocalSqs sqs, SqsClient client, String kind, Duration visibilityTimeout) {
    String name = "events-" + UUID.randomUUID();
    this.client = client;
    queue = new LocalQueue(client, sqs.queue(name + kind, visibilityTimeout));
    deadLetters = new LocalQueue(client, sqs.queue(name + "-dead" + kind, visibilityTimeout));
  }

  Consumer consume(Function<List<Delivery>, BatchOutcome<?>> handler, SqsOptions options) {
    return consume(handler, options, deadLetters.url());
  }

  Consumer consume(
      Function<List<Delivery>, BatchOutcome<?>> handler, SqsOptions options, String deadLetterUrl) {
    SqsCarrier carrier = new SqsCarrier(client, queue.url(), deadLetterUrl, handler, options);
    Consumer consumer = new Consumer(carrier, new Thread(carrier, "consumer"));
    consumer.thread().start();
    consumers.add(consumer);
    return consumer;
  }

  @Override
  public void close() throws InterruptedException {
    for (Consumer consumer : consumers) {
      consumer.carrier().stop();
    }
    for (Consumer consumer : consumers) {
      consumer.finish();
    }
    client.close();
  }
}
