package dev.tidemark.example.orderhistory.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.DynamodbEventTransformer;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbOutboxStream;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.relay.MetricLines;
import dev.tidemark.example.orderhistory.relay.StatusRelay;
import dev.tidemark.example.orderhistory.relay.StatusSender;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Sends what rows have published: the relay as a function, which the streams of the tables and a
 * timer call. It answers how many messages were sent.
 *
 * <ul>
 *   <li><b>A stream</b> tells which rows have something to send. Their messages are sent, and those
 *       of no other row, so invocations for several shards of a stream neither wait for each other
 *       nor do each other's work, and need no leases.
 *   <li><b>The timer</b>, whose event has no records, has all sent that has been due for longer
 *       than a stream takes to tell of it: what was put off after a failure, what no stream told
 *       of, a backlog. It shares the work with other relays by leases, and gives them back at the
 *       end of each invocation. What an invocation has that is killed is taken over by the next.
 * </ul>
 *
 * <p>The index is the truth, and a stream is a hint. So an error is thrown, where it is counted,
 * and the mapping of a stream may give a batch up after a few tries: the timer sends what it told
 * of. Messages go to SQS alone, since a function has no Kafka client.
 */
public final class RelayHandler implements RequestHandler<DynamodbEvent, Integer> {
  /** For so long a message is left to the stream that tells of it. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** Kept back for the end of an invocation: a pass, and giving leases back. */
  private static final Duration END = Duration.ofSeconds(15);

  private final Supplier<Generations> generations;
  private final Sender sender;
  private final MetricLines metrics;
  private final Duration grace;

  /** Called by Lambda once per container; settings come from the environment. */
  public RelayHandler() {
    this(new Settings(System.getenv()));
  }

  private RelayHandler(Settings settings) {
    this(sender(settings), settings);
  }

  /**
   * The sender is made first, so that a setting that is missing is told before clients are made.
   */
  private RelayHandler(Sender sender, Settings settings) {
    this(new OpenedGenerations(settings), sender, MetricLines.of(settings), GRACE);
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
      Supplier<Generations> generations, Sender sender, MetricLines metrics, Duration grace) {
    this.generations = generations;
    this.sender = sender;
    this.metrics = metrics;
    this.grace = grace;
  }

  static Sender sender(Settings settings) {
    String target = settings.get(Setting.RELAY_TO);
    if (!target.equals("sqs")) {
      throw new IllegalArgumentException("RELAY_TO of a function must be sqs, was " + target);
    }
    return StatusSender.of(
        settings, () -> SqsClient.builder().httpClientBuilder(OpenedGenerations.http()));
  }

  /**
   * Sends.
   *
   * @throws IllegalStateException if a pass met an error; what could be sent was sent all the same
   */
  @Override
  public Integer handleRequest(DynamodbEvent event, Context context) {
    List<DynamodbStreamRecord> records = event.getRecords();
    Passes passes = new Passes(Duration.ofMillis(context.getRemainingTimeInMillis()).minus(END));
    try {
      if (records == null || records.isEmpty()) {
        sweep(passes);
      } else {
        follow(event, passes);
      }
    } finally {
      metrics.flush();
    }
    return passes.sent();
  }

  private void sweep(Passes passes) {
    Generations all = generations.get();
    List<OutboxRecords> outboxes = all.outboxes();
    int left = outboxes.size();
    for (OutboxRecords records : outboxes) {
      OutboxRecords late = SomeRecords.dueFor(grace, records);
      passes.run(StatusRelay.over(late, all, sender, metrics.and(passes)), records, left--);
    }
  }

  private void follow(DynamodbEvent event, Passes passes) {
    String stream = String.valueOf(event.getRecords().get(0).getEventSourceARN());
    for (OutboxRecords records : generations.get().outboxes()) {
      if (records instanceof DynamoDbOutbox outbox
          && stream.contains(":table/" + outbox.name() + "/stream/")) {
        follow(event, outbox, passes);
      }
    }
  }

  private void follow(DynamodbEvent event, DynamoDbOutbox outbox, Passes passes) {
    Relay relay =
        Relay.builder(SomeRecords.hinted(outbox), sender).listener(metrics.and(passes)).build();
    int told =
        DynamoDbOutboxStream.hint(DynamodbEventTransformer.toRecordsV2(event), outbox, relay::hint);
    if (told > 0) {
      passes.run(relay, outbox, 1);
    }
  }
}
