package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.context.support.GenericApplicationContext;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A queue with dead letters, and consumers of it that run until closed. */
final class SqsRun implements AutoCloseable {
  final SqsClient client;
  final LocalQueue queue;
  final LocalQueue deadLetters;
  private final LocalSqs sqs;
  private final Deque<Listeners> consumers = new ArrayDeque<>();

  SqsRun(LocalSqs sqs, String kind, Duration visibilityTimeout) {
    String name = "events-" + UUID.randomUUID();
    this.sqs = sqs;
    this.client = sqs.client();
    queue = new LocalQueue(client, sqs.queue(name + kind, visibilityTimeout));
    deadLetters = new LocalQueue(client, sqs.queue(name + "-dead" + kind, visibilityTimeout));
  }

  Listeners consume(Function<List<Delivery>, BatchOutcome<?>> handler) {
    return consume(handler, deadLetters.url(), beans -> {});
  }

  Listeners consume(
      Function<List<Delivery>, BatchOutcome<?>> handler,
      String deadLetterUrl,
      Consumer<GenericApplicationContext> more) {
    Map<String, String> settings =
        Map.of("CARRIER", "sqs", "QUEUE_URL", queue.url(), "DEAD_LETTER_QUEUE_URL", deadLetterUrl);
    Listeners consumer =
        Listeners.open(handler, settings, Listeners.sqsAt(sqs.uri()).andThen(more));
    consumers.add(consumer);
    return consumer.start();
  }

  @Override
  public void close() {
    consumers.parallelStream().forEach(Listeners::close);
    client.close();
  }
}
