package dev.tidemark.example.orderhistory.infra;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.store.DynamoDbGenerations;
import dev.tidemark.example.orderhistory.store.DynamoDbTables;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.springframework.context.support.GenericApplicationContext;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Tables and queues of one process, and clients for it whose calls are written down. */
final class Watched implements AutoCloseable {
  private static final Contract CONTRACT = Contract.read();

  final LocalQueue queue;
  final LocalQueue deadLetters;
  final LocalQueue statuses;
  final LocalQueue statusLetters;
  final SqsClient sqs;
  final Generations generations;
  private final LocalDynamoDb dynamoDb;
  private final LocalSqs server;
  private final String prefix = UUID.randomUUID() + "-";
  private final Calls calls = new Calls(this::resource, Watched::index);
  private final LostReplies replies = new LostReplies();
  private final SqsClient producer;
  private final Generations unwatched;

  Watched(LocalDynamoDb dynamoDb, LocalSqs server, String kind) {
    this(dynamoDb, server, kind, false);
  }

  /** The same, whose rows publish changes of their statuses or do not. */
  Watched(LocalDynamoDb dynamoDb, LocalSqs server, String kind, boolean announces) {
    this.dynamoDb = dynamoDb;
    this.server = server;
    try (DynamoDbClient maker = dynamoDb.client()) {
      new DynamoDbTables(maker, prefix).create(1);
      new DynamoDbTables(maker, prefix).create(2);
      new DynamoDbTables(maker, prefix).createBoard();
    }
    unwatched = new DynamoDbGenerations(dynamoDb.client(), prefix, null, Clock.systemUTC(), false);
    unwatched.prepareExecutions();
    producer = server.client();
    queue = queue(server, "e" + kind);
    deadLetters = queue(server, "d" + kind);
    statuses = queue(server, "s" + kind);
    statusLetters = queue(server, "sd" + kind);
    sqs = watched(SqsClient.builder(), server.uri()).build();
    DynamoDbClient client = watched(DynamoDbClient.builder(), dynamoDb.uri()).build();
    generations = new DynamoDbGenerations(client, prefix, null, Clock.systemUTC(), announces);
  }

  /** Clients for a consumer, whose calls are written down. */
  void sqs(GenericApplicationContext beans) {
    beans.registerBean(SqsClient.class, () -> watched(SqsClient.builder(), server.uri()).build());
    beans.registerBean(
        SqsAsyncClient.class, () -> watched(SqsAsyncClient.builder(), server.uri()).build());
  }

  private LocalQueue queue(LocalSqs server, String name) {
    return new LocalQueue(producer, server.queue(prefix + name, Duration.ofSeconds(60)));
  }

  /** A client of streams whose calls are written down, too; the caller's to close. */
  DynamoDbStreamsClient streams() {
    return watched(DynamoDbStreamsClient.builder(), dynamoDb.uri()).build();
  }

  /** Switches on the stream of rows that publish. */
  void stream() {
    try (DynamoDbClient client = dynamoDb.client()) {
      var unused =
          client.updateTable(
              update ->
                  update
                      .tableName(prefix + CONTRACT.table("orderHistory").name() + 1)
                      .streamSpecification(
                          s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE)));
    }
  }

  private <B extends AwsClientBuilder<B, ?>> B watched(B builder, URI uri) {
    return builder
        .endpointOverride(uri)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(LocalDynamoDb.CREDENTIALS)
        .overrideConfiguration(
            c ->
                c.addExecutionInterceptor(calls)
                    .addExecutionInterceptor(replies)
                    .retryStrategy(AwsRetryStrategy.doNotRetry()));
  }

  /** What rights call an index, behind its table. */
  private static String index(String name) {
    return name.equals("outbox") ? "Outbox" : "Index";
  }

  /** What rights call the table or queue. */
  private String resource(String name) {
    if (name.contains("://")) {
      return Map.of(
              queue.url(),
              Contract.QUEUE,
              statuses.url(),
              Contract.STATUS_QUEUE,
              statusLetters.url(),
              Contract.STATUS_DEAD_LETTERS)
          .getOrDefault(name, Contract.DEAD_LETTERS);
    }
    if (name.equals(prefix + "executions")) {
      return "executions";
    }
    return CONTRACT.tables().entrySet().stream()
        .filter(table -> name.startsWith(prefix + table.getValue().name()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(name);
  }

  /** A row that somebody else writes, and that publishes. */
  void publish(String order) {
    assertTrue(
        unwatched
            .current()
            .orders()
            .update(MessageId.of(order), key(order), change().createIfMissing().publish("t", order))
            .isApplied());
  }

  /** Deletes a row for good. */
  void delete(String order) {
    try (DynamoDbClient client = dynamoDb.client()) {
      var unused =
          client.deleteItem(
              delete ->
                  delete
                      .tableName(prefix + CONTRACT.table("orderHistory").name() + 1)
                      .key(Map.of("orderId", AttributeValue.fromS(order))));
    }
  }

  Map<String, Set<String>> made() {
    return calls.made();
  }

  /**
   * Everything that events can ask of the views: many rows at once and one alone, again, in any
   * order, with replies that are lost.
   */
  void project(Function<List<Delivery>, BatchOutcome<?>> views) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      events.addAll(Samples.delivered(prefix + i, "consumer-" + i % 7));
      events.add(Samples.cancelled(prefix + "c" + i, "consumer-" + i % 7, i));
    }
    for (int i = 0; i < 4; i++) { // older than what sums remember
      events.add(Samples.created(prefix + "o" + i, "consumer-" + i % 7, i - 50 * 24 * 60));
    }
    handleAll(views, events.stream().map(event -> Delivery.of(event.place(), event)).toList());
  }

  /** The same of the board: each change of a status comes with others and alone. */
  void count(Function<List<Delivery>, BatchOutcome<?>> board) {
    handleAll(
        board,
        IntStream.range(0, 10)
            .mapToObj(i -> changed(prefix + i))
            .map(OrderStatusChanged::delivery)
            .toList());
  }

  /** The first change of an order's status. */
  static OrderStatusChanged changed(String order) {
    return new OrderStatusChanged(order, order, "The Spoon", null, "CREATED", Samples.START);
  }

  private void handleAll(
      Function<List<Delivery>, BatchOutcome<?>> views, List<Delivery> deliveries) {
    handle(views, deliveries);
    handle(views, deliveries);
    replies.lose(true);
    deliveries.forEach(delivery -> handle(views, List.of(delivery)));
    replies.lose(false);
  }

  private static void handle(
      Function<List<Delivery>, BatchOutcome<?>> views, List<Delivery> deliveries) {
    for (int i = 0; !done(views, deliveries); i++) {
      if (i == 100) {
        throw new AssertionError("not done after 100 deliveries");
      }
    }
  }

  private static boolean done(
      Function<List<Delivery>, BatchOutcome<?>> views, List<Delivery> deliveries) {
    try {
      return views.apply(deliveries).isDone();
    } catch (SdkException e) {
      return false; // the reply about the generation that serves was lost
    }
  }

  @Override
  public void close() {
    generations.close();
    unwatched.close();
    sqs.close();
    producer.close();
  }
}
