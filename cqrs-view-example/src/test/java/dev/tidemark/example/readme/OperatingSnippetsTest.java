package dev.tidemark.example.readme;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.micrometer.TidemarkMetrics;
import dev.tidemark.outbox.ClusteredRecords;
import dev.tidemark.outbox.Clusters;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.ParkedMessages;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayBuilder;
import dev.tidemark.outbox.Sender;
import dev.tidemark.store.RecordStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.Select;

@DisplayName("The snippets about operating relays")
class OperatingSnippetsTest {
  private final AmazonDynamoDBLocal server = DynamoDBEmbedded.create();
  private final DynamoDbClient client = server.dynamoDbClient();
  private final DynamoDbOutbox outbox = DynamoDbOutbox.of(client, "orders");
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<String> sent = new ArrayList<>();
  private boolean refusesPoison = true;

  @BeforeEach
  void createTable() {
    OrdersTable.create(client);
  }

  @AfterEach
  void end() {
    client.close();
    server.shutdownNow();
  }

  private void produce(OutboxMessage message) {
    String payload = message.message().text().orElseThrow();
    if (refusesPoison && payload.equals("poison")) {
      throw new IllegalArgumentException("poison");
    }
    sent.add(payload);
  }

  private void publish(String order, String payload) {
    DynamoDbEntityStore<OrderView> orders =
        DynamoDbEntityStore.of(client, "orders", TableSchema.fromBean(OrderView.class));
    SourceEvent placed = SourceEvent.of("Order", order, 1);
    assertTrue(
        orders
            .update(placed, key(order), change().createIfMissing().publish("orders", payload))
            .isApplied());
  }

  private Relay relay() {
    Sender sender = Sender.each(this::produce);
    // snippet: operating-meters
    TidemarkMetrics metrics = new TidemarkMetrics(registry).watch(outbox);
    RelayBuilder relay = Relay.builder(outbox, sender).listener(metrics);
    // end
    return relay.parkAfter(1).build();
  }

  @Test
  @DisplayName("tell which cluster does not send")
  void clusters() {
    DynamoDbRecordStore.createTable(client, "marks");
    RecordStore marks = DynamoDbRecordStore.of(client, "marks");
    AtomicLong nanos = new AtomicLong();
    // snippet: operating-clusters
    TidemarkMetrics metrics = new TidemarkMetrics(registry);
    Clusters clusters =
        Clusters.of("eu", Set.of("eu", "us", "ap"), Duration.ofMinutes(1)).listener(metrics);
    OutboxRecords records = ClusteredRecords.of(outbox, marks, clusters);
    metrics.watch(records).watchClusters(records, Set.of("us", "ap"));
    // end
    OutboxRecords timed = ClusteredRecords.of(outbox, marks, clusters.elapsedBy(nanos::get));
    DynamoDbEntityStore<OrderView> elsewhere =
        DynamoDbEntityStore.builder(client, "orders", TableSchema.fromBean(OrderView.class))
            .tracking(Tracking.of(OrderView.class).cluster("us"))
            .build();
    assertTrue(
        elsewhere
            .update(
                SourceEvent.of("Order", "4713", 1),
                key("4713"),
                change().createIfMissing().publish("orders", "theirs"))
            .isApplied());
    Relay relay = Relay.builder(timed, Sender.each(this::produce)).listener(metrics).build();
    assertEquals(0, relay.sweep().sent());
    assertEquals(0, takeovers("us"));
    int taken = 0;
    for (int pass = 0; pass < 12 && taken == 0; pass++) { // more than one in each delay
      nanos.addAndGet(Duration.ofSeconds(20).toNanos());
      taken = relay.sweep().sent();
    }
    assertEquals(1, taken);
    assertEquals(1, takeovers("us"));
    assertEquals(0, takeovers("ap"));
  }

  private double takeovers(String origin) {
    return registry
        .get("tidemark.outbox.cluster.takeovers")
        .tags("records", "orders@eu", "origin", origin)
        .counter()
        .count();
  }

  private void park() {
    publish("4711", "poison");
    publish("4712", "fine");
    assertEquals(1, relay().sweep().parked());
    assertEquals(List.of("fine"), sent);
    assertEquals(1, registry.get("tidemark.outbox.parked").counter().count());
  }

  @Test
  @DisplayName("find what is parked, and release it")
  void release() {
    park();
    refusesPoison = false;
    // snippet: operating-release
    ParkedMessages parked = ParkedMessages.of(outbox);
    for (int shard = 0; shard < outbox.shards(); shard++) {
      for (OutboxRecord record : parked.list(shard, 100)) {
        Set<String> ids =
            record.parked().stream().map(OutboxMessage::id).collect(Collectors.toSet());
        parked.release(record.key(), ids); // or drop: nobody sends them
      }
    }
    // end
    assertEquals(1, relay().sweep().sent());
    assertEquals(List.of("fine", "poison"), sent);
  }

  @Test
  @DisplayName("drop one message of an entity, by its key")
  void drop() {
    park();
    // snippet: operating-drop
    Object order = outbox.key(Map.of("id", AttributeValue.fromS("4711")));
    OutboxRecord record = outbox.read(order).orElseThrow();
    String poison = record.parked().get(0).id();
    int dropped = ParkedMessages.of(outbox).drop(order, Set.of(poison));
    // end
    assertEquals(1, dropped);
    assertTrue(outbox.read(order).isEmpty());
  }

  @Test
  @DisplayName("count what waits, by the index")
  void count() {
    assertEquals(0, waiting());
    for (int order = 0; order < 40; order++) { // of which some are in the first of four shards
      publish("order-" + order, "fine");
    }
    assertTrue(waiting() > 0 && waiting() < 40);
    assertEquals(40, relay().sweep().sent());
    assertEquals(0, waiting());
  }

  private int waiting() {
    // snippet: operating-count
    int records =
        client
            .query(
                query ->
                    query
                        .tableName("orders")
                        .indexName("outbox")
                        .select(Select.COUNT)
                        .keyConditionExpression("#shard = :shard")
                        .expressionAttributeNames(Map.of("#shard", "_outbox#shard"))
                        .expressionAttributeValues(Map.of(":shard", AttributeValue.fromN("0"))))
            .count();
    // end
    return records;
  }

  @Test
  @DisplayName("ask for an index that is there, and whether it is active")
  void index() {
    // snippet: operating-index
    DynamoDbOutbox.createIndex(client, "orders", AttributeNames.defaults()); // returns at once
    // end
    // snippet: operating-index-active
    boolean active =
        client.describeTable(r -> r.tableName("orders")).table().globalSecondaryIndexes().stream()
            .anyMatch(i -> i.indexName().equals("outbox") && i.indexStatus() == IndexStatus.ACTIVE);
    // end
    assertTrue(active);
  }

  @Test
  @DisplayName("stop a relay")
  void stop() throws InterruptedException {
    publish("4711", "fine");
    Relay relay = relay();
    Thread thread = new Thread(relay::run, "relay");
    thread.start();
    while (registry.get("tidemark.outbox.sent").counter().count() < 1) {
      Thread.onSpinWait();
    }
    // snippet: operating-stop
    relay.stop(); // from any thread, such as a hook of the JVM's shutdown
    thread.join(); // what is in hand is sent and taken off, and leases are given back
    // end
    assertFalse(thread.isAlive());
    assertEquals(List.of("fine"), sent);
  }
}
