package dev.tidemark.example.readme;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Decision;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.outbox.ClusteredRecords;
import dev.tidemark.outbox.Clusters;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import dev.tidemark.servers.MongoProcess;
import dev.tidemark.store.RecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("The snippets about outgoing messages")
class OutboxSnippetsTest {
  private static final SourceEvent PAID = SourceEvent.of("Order", "4711", 2);

  private final List<OutboxMessage> sent = new ArrayList<>();

  /** What the page leaves to the reader: a broker. */
  private void produce(OutboxMessage message) {
    sent.add(message);
  }

  private static Outcome<OrderView> paid(EntityStore<OrderView> orders, String json) {
    // snippet: outbox-publish
    Outcome<OrderView> outcome =
        orders.update(
            PAID, key("4711"), change().set("status", "PAID").publish("order-events", json));
    // end
    return outcome;
  }

  private static Outcome<OrderView> decided(EntityStore<OrderView> orders, String json) {
    SourceEvent event = SourceEvent.of("Order", "4711", 3);
    // snippet: outbox-decide
    Outcome<OrderView> outcome =
        orders.decide(
            event,
            key("4711"),
            order ->
                Decision.to(
                    order.paid(new OrderView.OrderPaid("4711", 25)),
                    OutgoingMessage.to("order-events", json)
                        .key("4711") // by which the broker picks a partition
                        .type("OrderPaid")
                        .header("trace", "a1")));
    // end
    return outcome;
  }

  private Relay relay(DynamoDbClient client) {
    // snippet: outbox-relay
    RecordStore leases = DynamoDbRecordStore.of(client, "executions");
    Relay relay =
        Relay.builder(DynamoDbOutbox.of(client, "orders"), Sender.each(this::produce))
            .sharedBy(leases) // with other instances
            .build();
    // end
    return relay;
  }

  private static Relay clustered(
      DynamoDbClient client, RecordStore leases, Sender sender, AtomicInteger takeovers) {
    // snippet: outbox-clusters
    // writers: which cluster they are in
    Tracking tracking = Tracking.of(OrderView.class).cluster("eu");
    DynamoDbEntityStore<OrderView> orders =
        DynamoDbEntityStore.builder(client, "orders", TableSchema.fromBean(OrderView.class))
            .tracking(tracking)
            .build();

    // relays
    Clusters clusters =
        Clusters.of("eu", Set.of("eu", "us", "ap"), Duration.ofMinutes(1))
            .listener((records, origin, messages) -> takeovers.addAndGet(messages));
    OutboxRecords records =
        ClusteredRecords.of(
            DynamoDbOutbox.of(client, "orders"),
            DynamoDbRecordStore.of(client, "marks"), // replicated, too
            clusters);
    Relay relay = Relay.builder(records, sender).sharedBy(leases).build();
    // end
    SourceEvent event = SourceEvent.of("Order", "4712", 1);
    assertTrue(
        orders
            .update(event, key("4712"), change().createIfMissing().publish("order-events", "eu"))
            .isApplied());
    return relay;
  }

  @Test
  @DisplayName("on DynamoDB")
  void dynamoDb() {
    AmazonDynamoDBLocal server = DynamoDBEmbedded.create();
    try (DynamoDbClient client = server.dynamoDbClient()) {
      OrdersTable.create(client);
      DynamoDbRecordStore.createTable(client, "executions");
      DynamoDbEntityStore<OrderView> orders =
          DynamoDbEntityStore.of(client, "orders", TableSchema.fromBean(OrderView.class));
      SourceEvent placed = SourceEvent.of("Order", "4711", 1);
      assertTrue(
          orders
              .update(placed, key("4711"), change().set("total", 5).createIfMissing())
              .isApplied());
      assertTrue(paid(orders, "one").isApplied());
      assertEquals("Duplicate", paid(orders, "one").getClass().getSimpleName());
      assertTrue(decided(orders, "two").isApplied());
      Relay relay = relay(client);
      assertEquals(2, relay.sweep().sent());
      assertEquals(0, relay.sweep().sent());
      relay.stop();
      assertEquals(List.of("one", "two"), sent.stream().map(OutboxSnippetsTest::text).toList());
      clustered(client);
      OutboxMessage message = sent.get(0);
      // snippet: outbox-twin
      MessageId twin = MessageId.of(message.id()); // from the header that the sender gave it
      // end
      assertEquals(message.id(), twin.value());
    } finally {
      server.shutdownNow();
    }
  }

  private void clustered(DynamoDbClient client) {
    DynamoDbRecordStore.createTable(client, "marks");
    AtomicInteger takeovers = new AtomicInteger();
    RecordStore leases = DynamoDbRecordStore.of(client, "executions");
    Relay relay = clustered(client, leases, Sender.each(this::produce), takeovers);
    assertEquals(1, relay.sweep().sent());
    relay.stop();
    assertEquals("eu", sent.remove(2).origin());
    assertEquals(0, takeovers.get());
  }

  private static String text(OutboxMessage message) {
    return message.message().text().orElseThrow();
  }

  @Test
  @DisplayName("on MongoDB")
  void mongoDb() {
    MongoProcess server = LocalStore.mongo();
    try (MongoClient client = MongoClients.create(server.uri())) {
      MongoCollection<Document> collection =
          client.getDatabase("outbox-snippets").getCollection("orders");
      // snippet: outbox-mongodb
      MongoOutbox outbox = MongoOutbox.of(collection);
      outbox.createIndex(); // once; does nothing where it is there
      // end
      MongoEntityStore<Document> orders = MongoEntityStore.of(collection);
      assertTrue(
          orders
              .update(PAID, key("4711"), change().createIfMissing().publish("order-events", "one"))
              .isApplied());
      assertEquals(1, Relay.builder(outbox, Sender.each(this::produce)).build().sweep().sent());
      assertEquals(List.of("one"), sent.stream().map(OutboxSnippetsTest::text).toList());
    }
  }
}
