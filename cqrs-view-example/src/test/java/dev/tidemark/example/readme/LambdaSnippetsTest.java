package dev.tidemark.example.readme;

import static dev.tidemark.EntityKey.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import com.amazonaws.services.lambda.runtime.events.KinesisEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.MessageAttribute;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.tidemark.MessageId;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.readme.OrderView.OrderPaid;
import dev.tidemark.example.readme.OrderView.OrderPlaced;
import dev.tidemark.lambda.DynamoDbStreamBatch;
import dev.tidemark.lambda.KafkaBatch;
import dev.tidemark.lambda.KafkaBatchResponse;
import dev.tidemark.lambda.KinesisBatch;
import dev.tidemark.lambda.SqsBatch;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.crac.Core;
import org.crac.Resource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

@DisplayName("The snippets about Lambda of docs/carriers.md")
class LambdaSnippetsTest {
  private static final String NONE = "{\"batchItemFailures\":[]}";

  @SuppressWarnings("NullAway.Init")
  private static AmazonDynamoDBLocal server;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbEntityStore<OrderView> store;

  private final String orderId = UUID.randomUUID().toString();
  private final Projector<OrderView> projector =
      Projector.into(store)
          .on(OrderPlaced.class, e -> key(e.orderId()), OrderView::new, OrderView::placed)
          .on(OrderPaid.class, e -> key(e.orderId()), OrderView::paid)
          .ignoring(NoEvent.class)
          .build();

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    DynamoDbClient client = server.dynamoDbClient();
    DynamoDbTable<OrderView> table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .build()
            .table("orders", TableSchema.fromBean(OrderView.class));
    table.createTable();
    store = DynamoDbEntityStore.of(client, table);
  }

  @AfterAll
  static void stop() {
    server.shutdown();
  }

  /** What a stream has beside the inserts of a table of events. */
  private record NoEvent() {}

  private static Object event(String text) {
    String[] parts = text.split(" ", -1);
    return switch (parts[0]) {
      case "placed" -> new OrderPlaced(parts[1], 100);
      case "paid" -> new OrderPaid(parts[1], 25);
      default -> throw new IllegalArgumentException("not an event");
    };
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private long total() {
    return store.find(key(orderId)).orElseThrow().getTotal();
  }

  // snippet: lambda-sqs
  static final class OrdersFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
    private final SqsBatch batch;

    OrdersFunction(Projector<OrderView> orders, SqsDeadLetters letters) {
      batch =
          SqsBatch.of(
              message -> Delivery.of(SqsBatch.identity(message), event(message.getBody())),
              orders::handle,
              intake ->
                  intake
                      .deadLetters((message, reason) -> letters.keep(copy(message), reason))
                      .parkAfter(3));
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
      return batch.handle(event);
    }
  }

  // end

  // snippet: lambda-letter
  private static Message copy(SQSMessage message) { // of Lambda's, as the SDK has it
    return Message.builder()
        .messageId(message.getMessageId())
        .body(message.getBody())
        .attributesWithStrings(message.getAttributes())
        .messageAttributes(
            message.getMessageAttributes().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> copy(e.getValue()))))
        .build();
  }

  private static MessageAttributeValue copy(MessageAttribute value) {
    MessageAttributeValue.Builder copy =
        MessageAttributeValue.builder()
            .dataType(value.getDataType())
            .stringValue(value.getStringValue());
    return value.getBinaryValue() == null
        ? copy.build()
        : copy.binaryValue(SdkBytes.fromByteBuffer(value.getBinaryValue())).build();
  }

  // end

  private String message(String id, String body) {
    return """
    {"messageId": "%s", "receiptHandle": "r", "body": "%s", "eventSource": "aws:sqs",
     "eventSourceARN": "arn:aws:sqs:us-east-2:123456789012:orders.fifo",
     "attributes": {"MessageGroupId": "%s", "SequenceNumber": "1"},
     "messageAttributes": {
       "kind": {"dataType": "String", "stringValue": "order"},
       "bytes": {"dataType": "Binary", "binaryValue": "AQI="}}}
    """
        .formatted(id, body, orderId);
  }

  @Test
  @DisplayName("a function behind a FIFO queue, whose dead letters go to another one")
  void sqs() {
    LocalQueue queue = LocalQueue.fresh(".fifo", Duration.ofMinutes(1));
    SqsClient sqs = queue.client();
    var function =
        new LambdaRuntime<>(
            new OrdersFunction(projector, SqsDeadLetters.of(sqs, queue.url())),
            SQSEvent.class,
            SQSBatchResponse.class);
    String poison = UUID.randomUUID().toString();
    String event =
        "{\"Records\": [%s, %s, %s]}"
            .formatted(
                message(UUID.randomUUID().toString(), "placed " + orderId),
                message(poison, "no event"),
                message(UUID.randomUUID().toString(), "paid " + orderId));
    assertEquals(NONE, function.apply(event));
    assertEquals(NONE, function.apply(event));
    assertEquals(125, total());
    List<Message> letters = queue.drain();
    assertEquals(List.of("no event"), letters.stream().map(Message::body).toList());
    assertEquals("order", LocalQueue.attribute(letters.get(0), "kind"));
    String first = LocalQueue.attribute(letters.get(0), SqsDeadLetters.ID);
    assertEquals(poison, first.substring(0, poison.length()));
  }

  @Test
  @DisplayName("functions behind streams")
  @SuppressWarnings("NullAway") // a snippet reads attributes as its reader would
  void streams() {
    // snippet: lambda-streams
    KinesisBatch kinesis =
        KinesisBatch.of(
            record -> Delivery.of(record.place(), event(new String(record.bytes(), UTF_8))),
            projector::handle);
    DynamoDbStreamBatch dynamoDb =
        DynamoDbStreamBatch.of(
            record ->
                Delivery.of(
                    MessageId.of(record.getEventID()),
                    record.getEventName().equals("INSERT")
                        ? event(record.getDynamodb().getNewImage().get("event").getS())
                        : new NoEvent()), // a change, a delete, the TTL's too
            projector::handle);
    // end
    var fromTable =
        new LambdaRuntime<DynamodbEvent, StreamsEventResponse>(
            (event, context) -> dynamoDb.handle(event),
            DynamodbEvent.class,
            StreamsEventResponse.class);
    assertEquals(
        NONE,
        fromTable.apply(
            """
            {"Records": [{"eventID": "c4ca4238", "eventName": "INSERT",
              "eventSourceARN": "arn:aws:dynamodb:us-east-1:1:table/events/stream/2015-06-27",
              "dynamodb": {"SequenceNumber": "1", "NewImage": {"event": {"S": "placed %s"}}}}]}
            """
                .formatted(orderId)));
    assertEquals(
        NONE,
        fromTable.apply(
            """
            {"Records": [{"eventID": "c81e728d", "eventName": "MODIFY",
              "eventSourceARN": "arn:aws:dynamodb:us-east-1:1:table/events/stream/2015-06-27",
              "dynamodb": {"SequenceNumber": "2", "Keys": {"id": {"S": "1"}},
                "NewImage": {"event": {"S": "placed another"}}}},
             {"eventID": "eccbc87e", "eventName": "REMOVE",
              "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
              "eventSourceARN": "arn:aws:dynamodb:us-east-1:1:table/events/stream/2015-06-27",
              "dynamodb": {"SequenceNumber": "3", "Keys": {"id": {"S": "1"}}}}]}
            """));
    var fromStream =
        new LambdaRuntime<KinesisEvent, StreamsEventResponse>(
            (event, context) -> kinesis.handle(event),
            KinesisEvent.class,
            StreamsEventResponse.class);
    String paid =
        """
        {"Records": [{"eventID": "shardId-000000000006:2",
          "eventSourceARN": "arn:aws:kinesis:us-east-2:1:stream/orders",
          "kinesis": {"sequenceNumber": "2", "partitionKey": "k", "data": "%s"}}]}
        """
            .formatted(base64("paid " + orderId));
    assertEquals(NONE, fromStream.apply(paid));
    assertEquals(NONE, fromStream.apply(paid));
    assertEquals(125, total());
  }

  // snippet: lambda-kafka
  /** Behind a mapping in provisioned mode that reports batch item failures. */
  record ReportingFunction(KafkaBatch batch)
      implements RequestHandler<KafkaEvent, KafkaBatchResponse> {
    @Override
    public KafkaBatchResponse handleRequest(KafkaEvent event, Context context) {
      return batch.handle(event);
    }
  }

  /** Behind any other mapping: an exception is what it knows of failures. */
  record ThrowingFunction(KafkaBatch batch) implements RequestHandler<KafkaEvent, String> {
    @Override
    public String handleRequest(KafkaEvent event, Context context) {
      batch.handleOrThrow(event);
      return "";
    }
  }

  // end

  @Test
  @DisplayName("functions behind Kafka's topics, whose mapping reads the answer or not")
  void kafka() {
    // snippet: lambda-kafka-batch
    KafkaBatch batch =
        KafkaBatch.of(
            record ->
                Delivery.of(
                    KafkaBatch.identity(record),
                    KafkaBatch.value(record)
                        .map(value -> event(new String(value, UTF_8)))
                        .orElseThrow(() -> new IllegalArgumentException("a tombstone"))),
            projector::handle);
    // end
    var reporting =
        new LambdaRuntime<>(
            new ReportingFunction(batch), KafkaEvent.class, KafkaBatchResponse.class);
    var throwing = new LambdaRuntime<>(new ThrowingFunction(batch), KafkaEvent.class, String.class);
    String form =
        """
        {"eventSource": "SelfManagedKafka", "records": {"orders-0": [
          {"topic": "orders", "partition": 0, "offset": 1, "value": "%s"}]}}
        """;
    String paid = form.formatted(base64("paid " + orderId));
    assertEquals(
        "{\"batchItemFailures\":[{\"itemIdentifier\":{\"partition\":\"orders-0\",\"offset\":1}}]}",
        reporting.apply(paid));
    assertThrows(IllegalStateException.class, () -> throwing.apply(paid));
    assertEquals("\"\"", throwing.apply(form.formatted(base64("placed " + orderId))));
    assertEquals(100, total());
  }

  // snippet: lambda-prime
  /** Makes the first read before the snapshot is taken, so that no invocation waits for it. */
  record Primed(DynamoDbEntityStore<OrderView> orders) implements Resource {
    Primed {
      Core.getGlobalContext().register(this); // which keeps no hold of it: have it in a field
    }

    @Override
    public void beforeCheckpoint(org.crac.Context<? extends Resource> context) {
      orders.find(key("no order")); // classes, credentials, TLS
    }

    @Override
    public void afterRestore(org.crac.Context<? extends Resource> context) {}
  }

  // end

  @Test
  @DisplayName("a snapshot that is primed by a read")
  void primed() {
    Primed primed = new Primed(store);
    primed.beforeCheckpoint(Core.getGlobalContext());
    primed.afterRestore(Core.getGlobalContext());
    assertTrue(store.find(key("no order")).isEmpty());
  }
}
