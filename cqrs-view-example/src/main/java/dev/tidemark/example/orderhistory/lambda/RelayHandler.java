package dev.tidemark.example.orderhistory.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.DynamodbEventTransformer;
import dev.tidemark.aws.CloudWatchLines;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbOutboxStream;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.relay.StatusSender;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayBuilder;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Sends what rows have published: the relay as a function, which the streams of the tables and a
 * timer call. It answers how many messages were sent.
 *
 * <ul>
 *   <li><b>A stream</b> tells which rows have something to send. Their messages are sent and no
 *       others, so invocations for several shards of a stream need no leases.
 *   <li><b>The timer</b>, whose event has no records, has all sent that has been due for longer
 *       than a stream takes to tell of it: what was put off after a failure, what no stream told
 *       of, a backlog. It shares the work with other relays by leases, and gives them back.
 * </ul>
 *
 * <p>An error is thrown, where it is counted. The mapping of a stream may give a batch up after a
 * few tries: the timer sends what it told of. Messages go to SQS alone, since a function has no
 * Kafka client.
 */
public final class RelayHandler implements RequestHandler<DynamodbEvent, Integer> {
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** Kept back for the end of an invocation: a pass, and giving leases back. */
  private static final Duration END = Duration.ofSeconds(15);

  private final Supplier<Generations> generations;
  private final Sender sender;
  private final CloudWatchLines metrics;
  private final Duration grace;

  /** Called by Lambda once per container; settings come from the environment. */
  public RelayHandler() {
    this(Settings.of(System.getenv()));
  }

  private RelayHandler(Settings settings) {
    this.sender = sender(settings); // before clients are made, so that what is missing is told
    this.generations = new OpenedGenerations(settings);
    String namespace = settings.relayMetrics();
    this.metrics =
        CloudWatchLines.of(namespace.isEmpty() ? "order-history" : namespace, System.out::println);
    this.grace = GRACE;
  }

  /**
   * A handler with views and a sender of the caller's.
   *
   * @param generations where rows publish
   * @param sender takes the messages
   * @param metrics told of every pass
   * @param grace for how long a message is left to the stream that tells of it
   */
  public RelayHandler(
      Supplier<Generations> generations, Sender sender, CloudWatchLines metrics, Duration grace) {
    this.generations = generations;
    this.sender = sender;
    this.metrics = metrics;
    this.grace = grace;
  }

  static Sender sender(Settings settings) {
    if (!settings.relayTo().equals("sqs")) {
      throw new IllegalArgumentException(
          "RELAY_TO of a function must be sqs, was '" + settings.relayTo() + "'");
    }
    return new StatusSender(
        settings, () -> SqsClient.builder().httpClientBuilder(OpenedGenerations.http()));
  }

  /** Sends, and throws if a pass met an error: what could be sent was sent all the same. */
  @Override
  public Integer handleRequest(DynamodbEvent event, Context context) {
    Duration time = Duration.ofMillis(context.getRemainingTimeInMillis()).minus(END);
    var records = event.getRecords();
    try {
      return sent(records == null || records.isEmpty() ? sweep(time) : follow(event, time));
    } finally {
      metrics.flush();
    }
  }

  private List<RelayPass> sweep(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    Generations all = generations.get();
    List<OutboxRecords> outboxes = all.outboxes();
    List<RelayPass> passes = new ArrayList<>();
    for (OutboxRecords records : outboxes) {
      Relay relay =
          relay(records).grace(grace).sharedBy(all.executions()).lease(StatusSender.LEASE).build();
      int left = outboxes.size() - passes.size(); // share the time that is left
      passes.add(relay.drain(Duration.ofNanos((end - System.nanoTime()) / left)));
    }
    return passes;
  }

  private List<RelayPass> follow(DynamodbEvent event, Duration time) {
    String stream = String.valueOf(event.getRecords().get(0).getEventSourceARN());
    List<RelayPass> passes = new ArrayList<>();
    for (OutboxRecords records : generations.get().outboxes()) {
      if (records instanceof DynamoDbOutbox outbox
          && stream.contains(":table/" + outbox.name() + "/stream/")) {
        Relay relay = relay(outbox).hintsOnly().build();
        var changes = DynamodbEventTransformer.toRecordsV2(event);
        if (DynamoDbOutboxStream.hint(changes, outbox, relay::hint) > 0) {
          passes.add(relay.drain(time));
        }
      }
    }
    return passes;
  }

  private RelayBuilder relay(OutboxRecords records) {
    return Relay.builder(records, sender).listener(metrics);
  }

  private static int sent(List<RelayPass> passes) {
    int sent = passes.stream().mapToInt(RelayPass::sent).sum();
    for (RelayPass pass : passes) {
      if (pass.error() != null) { // its text may quote values
        throw new IllegalStateException(
            "%s: %s; %d messages were sent"
                .formatted(pass.records(), pass.error().getClass().getName(), sent));
      }
    }
    return sent;
  }
}
