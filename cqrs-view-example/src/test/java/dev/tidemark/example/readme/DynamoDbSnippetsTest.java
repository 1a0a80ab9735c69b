package dev.tidemark.example.readme;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbNativeUpdate;
import dev.tidemark.example.readme.OrderView.OrderPaid;
import dev.tidemark.example.readme.OrderView.OrderPlaced;
import dev.tidemark.example.readme.OrderView.OrderViewed;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.metrics.SizeGuard;
import dev.tidemark.micrometer.TidemarkMetrics;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("The snippets of README, docs/dynamodb.md, docs/projectors.md and docs/operations.md")
class DynamoDbSnippetsTest {
  @SuppressWarnings("NullAway.Init")
  private static AmazonDynamoDBLocal server;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbClient client;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbTable<OrderView> table;

  private final String orderId = UUID.randomUUID().toString();
  private int acknowledged;

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    client = server.dynamoDbClient();
    DynamoDbEnhancedClient enhanced =
        DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
    table = enhanced.table("orders", TableSchema.fromBean(OrderView.class));
    table.createTable();
  }

  @AfterAll
  static void stop() {
    server.shutdown();
  }

  private void acknowledge() {
    acknowledged++;
  }

  @Test
  @DisplayName("the first screen: a redelivered event is acknowledged and changes nothing")
  void firstScreen() {
    place();
    assertTrue(pay().isDone());
    assertTrue(pay().isDone());
    OrderView view = orders().find(key(orderId)).orElseThrow();
    assertEquals(125, view.getTotal());
    assertEquals(2, acknowledged);
  }

  @Test
  @DisplayName("the README's table: delivered, and delivered again")
  void redelivery() {
    place();
    assertInstanceOf(Outcome.Applied.class, pay());
    assertInstanceOf(Outcome.Duplicate.class, pay());
    assertEquals(125, orders().find(key(orderId)).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("the README's table: delivered late")
  void late() {
    place();
    SourceEvent shipped = SourceEvent.of("Order", orderId, 18);
    assertTrue(
        orders().update(shipped, key(orderId), change().set("status", "SHIPPED")).isApplied());
    assertInstanceOf(Outcome.Stale.class, pay());
    assertEquals(100, orders().find(key(orderId)).orElseThrow().getTotal());
  }

  private Outcome<OrderView> pay() {
    DynamoDbEntityStore<OrderView> orders = orders();
    // snippet: first-screen
    Outcome<OrderView> outcome =
        orders.update(
            SourceEvent.of("Order", orderId, 17),
            key(orderId),
            change()
                .set("status", "PAID")
                .add("total", 25)
                .onlyIf(attribute("status").is("PLACED")));

    if (outcome.isDone()) { // Applied, Recorded, Duplicate, Stale, Deleted
      acknowledge();
    } // else Gap, Refused, Missing, BeyondHorizon: deliver again, or decide
    // end
    return outcome;
  }

  private static DynamoDbEntityStore<OrderView> orders() {
    // snippet: dynamodb-store
    DynamoDbEntityStore<OrderView> orders = DynamoDbEntityStore.of(client, table);
    // end
    return orders;
  }

  private void place() {
    DynamoDbEntityStore<OrderView> orders = orders();
    // snippet: dynamodb-create
    Outcome<OrderView> placed =
        orders.update(
            SourceEvent.of("Order", orderId, 16),
            key(orderId),
            change().createIfMissing().set("status", "PLACED").set("total", 100));
    // end
    assertTrue(placed.isApplied());
  }

  @Test
  @DisplayName("a pure function over the mapped entity")
  void apply() {
    place();
    DynamoDbEntityStore<OrderView> orders = orders();
    String messageId = UUID.randomUUID().toString();
    OrderPaid event = new OrderPaid(orderId, 5);
    // snippet: dynamodb-apply
    Outcome<OrderView> paid =
        orders.apply(MessageId.sqs(messageId), key(orderId), view -> view.paid(event));
    // end
    assertEquals(105, paid.entity().orElseThrow().getTotal());
  }

  @Test
  @DisplayName("a deleted entity stays deleted, until a change revives it")
  void delete() {
    place();
    DynamoDbEntityStore<OrderView> orders = orders();
    // snippet: dynamodb-delete
    Outcome<OrderView> deleted = orders.delete(SourceEvent.of("Order", orderId, 18), key(orderId));

    Outcome<OrderView> revived =
        orders.update(
            SourceEvent.of("Order", orderId, 19),
            key(orderId),
            change().recreate().set("status", "PLACED").set("total", 40));
    // end
    assertTrue(deleted.isApplied());
    assertTrue(revived.isApplied());
    assertEquals(40, orders.find(key(orderId)).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("an update in DynamoDB's own words")
  void ownWords() {
    place();
    DynamoDbEntityStore<OrderView> orders = orders();
    SourceEvent event = SourceEvent.of("Order", orderId, 17);
    // snippet: dynamodb-native
    Outcome<OrderView> outcome =
        orders.update(
            event,
            key(orderId),
            DynamoDbNativeUpdate.of("SET #s = :paid ADD #t :fee")
                .name("#s", "status")
                .name("#t", "total")
                .value(":paid", "PAID")
                .value(":fee", 25)
                .onlyIf("#t < :limit")
                .value(":limit", 1_000));
    // end
    assertTrue(outcome.isApplied());
    assertEquals(125, orders.find(key(orderId)).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("metrics, and a warning before an entity is too large")
  void metrics() {
    place();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    // snippet: metrics
    DynamoDbEntityStore<OrderView> orders =
        DynamoDbEntityStore.builder(client, table)
            .listener(new TidemarkMetrics(registry).and(SizeGuard.of(Clock.systemUTC())))
            .build();
    // end
    assertTrue(
        orders.skip(SourceEvent.of("Order", orderId, 17), key(orderId))
            instanceof Outcome.Recorded);
    assertTrue(orders.skip(SourceEvent.of("Order", orderId, 17), key(orderId)).isDone());
    RequiredSearch messages = registry.get("tidemark.messages").tag("store", "orders");
    assertEquals(1, messages.tag("outcome", "Duplicate").counter().count());
    assertEquals(2, registry.get("tidemark.requests").tag("kind", "write").counter().count());
    assertEquals(2, registry.get("tidemark.mark.bytes").summary().count());
  }

  @Test
  @DisplayName("a projector, and a read that waits for its event")
  void projector() {
    DynamoDbEntityStore<OrderView> orders = orders();
    // snippet: projector
    Projector<OrderView> orderHistory =
        Projector.into(orders)
            .on(OrderPlaced.class, e -> key(e.orderId()), OrderView::new, OrderView::placed)
            .on(OrderPaid.class, e -> key(e.orderId()), OrderView::paid)
            .ignoring(OrderViewed.class)
            .build();

    Delivery delivery =
        Delivery.of(SourceEvent.of("Order", orderId, 1), new OrderPlaced(orderId, 100));
    if (orderHistory.handle(delivery).isDone()) {
      acknowledge();
    }
    // end
    assertEquals(1, acknowledged);
    // snippet: freshness
    Freshness<OrderView> read =
        orders.find(
            key(orderId),
            notBefore(SourceEvent.of("Order", orderId, 1)).within(Duration.ofSeconds(2)));
    // end
    assertInstanceOf(Freshness.Fresh.class, read);
  }

  /** What a consumer of Kafka gives, as far as the snippet needs it. */
  private record Polled(String topic, int partition, long offset, OrderPlaced value) {}

  @Test
  @DisplayName("a batch, and what to commit after it")
  void batch() {
    Projector<OrderView> orderHistory =
        Projector.into(orders())
            .on(OrderPlaced.class, e -> key(e.orderId()), OrderView::new, OrderView::placed)
            .build();
    List<Polled> records =
        List.of(
            new Polled("orders", 3, 41, new OrderPlaced(orderId, 100)),
            new Polled("orders", 3, 42, new OrderPlaced(orderId + "-b", 50)));
    // snippet: batch
    List<Delivery> deliveries = new ArrayList<>();
    for (Polled record : records) {
      String lane = record.topic() + "-" + record.partition();
      deliveries.add(
          Delivery.of(
                  SourceEvent.kafka("", record.topic(), record.partition(), record.offset()),
                  record.value())
              .lane(lane, record.offset()));
    }
    BatchOutcome<OrderView> outcome = orderHistory.handle(deliveries);
    Map<String, Long> offsets = outcome.toCommit(); // orders-3: the first that is not done
    // end
    assertTrue(outcome.isDone());
    assertEquals(Map.of("orders-3", 43L), offsets);
  }

  @Test
  @DisplayName("a cache of marks")
  void markCache() {
    // snippet: mark-cache
    ConcurrentMap<EntityKey, Object> recent =
        Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(Duration.ofMinutes(10))
            .<EntityKey, Object>build()
            .asMap();
    DynamoDbEntityStore<OrderView> orders =
        DynamoDbEntityStore.builder(client, table).markCache(MarkCache.in(recent)).build();
    // end
    SourceEvent event = SourceEvent.of("Order", orderId, 1);
    assertTrue(orders.apply(event, key(orderId), OrderView::new, view -> view).isApplied());
    assertInstanceOf(
        Outcome.Duplicate.class, orders.apply(event, key(orderId), OrderView::new, view -> view));
  }
}
