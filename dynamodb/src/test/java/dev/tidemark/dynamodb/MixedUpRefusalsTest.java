package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.dynamodb.Order.Status;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.inbox.Handled;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.VersionedRecordExtension;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

@DisplayName("A server that tells another key's item with a refusal: one consistent read tells")
final class MixedUpRefusalsTest {
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);
  private static final TableSchema<Order> ORDERS = TableSchema.fromBean(Order.class);
  private static final Change EXISTING = change().add("total", 1);
  private static final Change COUNTED = EXISTING.createIfMissing();
  private static final SourceEvent EVENT = SourceEvent.of("Order", "1", 5);

  /** Of another entity, which no message has reached. */
  private static final Map<String, AttributeValue> UNTOUCHED =
      Map.of("id", AttributeValue.fromS("untouched"), "total", AttributeValue.fromN("7"));

  private final MixedUpRefusals refusals = new MixedUpRefusals();
  private final DynamoDbFaults counted = DynamoDbTables.faults();
  private final DynamoDbClient client = DynamoDbTables.client(counted, refusals, 3);
  private final DynamoDbAsyncClient asyncClient =
      DynamoDbTables.asyncClient(new AsyncFaults(counted), refusals, 3);
  private final MovableClock clock = MovableClock.later();
  private final List<StoreCall> calls = new ArrayList<>();
  private final String own = "own-" + UUID.randomUUID();
  private final String other = "other-" + UUID.randomUUID();
  private String table = "mixed-up-" + UUID.randomUUID();

  @AfterEach
  void close() {
    asyncClient.close();
    client.close();
  }

  private void tellItem(String in, String attribute, String key) {
    Map<String, AttributeValue> id = Map.of(attribute, AttributeValue.fromS(key));
    Map<String, AttributeValue> item =
        client.getItem(r -> r.tableName(in).key(id).consistentRead(true)).item();
    assertTrue(item.size() > 1, "nothing to mix up with");
    refusals.tell(item);
  }

  /** A call that meets one refusal with the other item, and reads once for it. */
  private void reading(Runnable call) {
    int reads = counted.reads();
    int mixed = refusals.count();
    call.run();
    assertEquals(mixed + 1, refusals.count(), "mixed up");
    assertEquals(reads + 1, counted.reads(), "reads");
  }

  @Test
  @DisplayName("an idempotency key has its own result replayed, and its own request compared")
  void executions() {
    DynamoDbRecordStore.createTable(client, table);
    Executions executions = Executions.of("orders", DynamoDbRecordStore.of(client, table));
    executions.run(own, "request", String.class, steps -> "own");
    for (String request : List.of("request", "another request")) {
      String key = request + other;
      executions.run(key, request, String.class, steps -> "other");
      tellItem(table, "key", MessageId.of("orders", key).value());
      reading(
          () ->
              assertEquals(
                  new Execution.Replayed<>("own"),
                  executions.run(own, "request", String.class, steps -> "again")));
    }
    reading(
        () ->
            assertEquals(
                new Execution.KeyReused<>(),
                executions.run(own, "another request", String.class, steps -> "again")));
  }

  private DynamoDbInbox.Builder inbox() {
    return DynamoDbInbox.builder(client, table, "billing").clock(clock);
  }

  private DynamoDbInbox claiming() {
    return inbox().claimingFor(Duration.ofSeconds(60)).build();
  }

  private void tellOtherMessage() {
    tellItem(table, "key", MessageId.of("billing", other).value());
  }

  private void handledAgain(Handled<String> expected) {
    DynamoDbInbox inbox = inbox().build();
    reading(() -> assertEquals(expected, inbox.handle(MessageId.of(own), writes -> "twice")));
  }

  @Test
  @DisplayName("a claimed message is in flight, though the other one is handled")
  void claimed() {
    DynamoDbInbox.createTable(client, table);
    inbox().build().handle(MessageId.of(other), writes -> "handled");
    tellOtherMessage();
    claiming()
        .handle(
            MessageId.of(own),
            writes -> {
              handledAgain(new Handled.InFlight<>(Duration.ofMillis(60_001)));
              return "once";
            });
  }

  @Test
  @DisplayName("a handled message is a duplicate, though the other one is in flight")
  void handled() {
    DynamoDbInbox.createTable(client, table);
    inbox().build().handle(MessageId.of(own), writes -> "once");
    claiming()
        .handle(
            MessageId.of(other),
            writes -> {
              tellOtherMessage();
              return "at last";
            });
    handledAgain(new Handled.Duplicate<>());
  }

  private DynamoDbEntityStore<View> views() {
    return DynamoDbEntityStore.builder(client, table, VIEWS).listener(calls::add).build();
  }

  @Test
  @DisplayName("a tracked write is judged by its own entity, whose size alone a listener is told")
  void tracked() {
    table = DynamoDbTables.create(client, VIEWS);
    judged(views());
    assertEquals(0, calls.get(1).sizes().size(), "of an entity that is missing");
    assertEquals(1, calls.get(3).sizes().size());
  }

  @Test
  @DisplayName("so it is on an asynchronous client")
  void trackedAsync() {
    table = DynamoDbTables.create(client, VIEWS);
    judged(new JoinedStore<>(DynamoDbAsyncEntityStore.builder(asyncClient, table, VIEWS).build()));
  }

  /** One event for two entities, of which the other has had it, and then has not. */
  private void judged(EntityStore<View> store) {
    store.update(EVENT, key(other), COUNTED);
    tellItem(table, "id", other);
    reading(() -> assertInstanceOf(Outcome.Missing.class, store.update(EVENT, key(own), EXISTING)));
    assertInstanceOf(Outcome.Applied.class, store.update(EVENT, key(own), COUNTED));
    refusals.tell(UNTOUCHED);
    reading(
        () -> assertInstanceOf(Outcome.Duplicate.class, store.update(EVENT, key(own), COUNTED)));
  }

  @Test
  @DisplayName("so it is in a transaction")
  void transaction() {
    table = DynamoDbTables.create(client, VIEWS);
    views().update(EVENT, key(other), COUNTED);
    tellItem(table, "id", other);
    reading(() -> assertInstanceOf(Outcome.Missing.class, outcome(EXISTING)));
    assertInstanceOf(Outcome.Applied.class, outcome(COUNTED));
    refusals.tell(UNTOUCHED);
    reading(() -> assertInstanceOf(Outcome.Duplicate.class, outcome(COUNTED)));
  }

  private Outcome<?> outcome(Change change) {
    return DynamoDbTransaction.on(client)
        .write(views(), Write.update(EVENT, key(own), change))
        .commit()
        .outcomes()
        .get(0)
        .orElseThrow();
  }

  @Test
  @DisplayName("so is a write of the Enhanced Client, by itself and in a transaction")
  void extension() {
    table = DynamoDbTables.create(client, ORDERS);
    DynamoDbEnhancedClient enhanced =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(VersionedRecordExtension.builder().build(), TidemarkExtension.create())
            .build();
    DynamoDbTable<Order> orders = enhanced.table(table, ORDERS);
    DynamoDbEntityStore<Order> store = DynamoDbEntityStore.of(client, orders);
    orders.updateItem(Order.of(own, Status.PLACED, 1).processing(EVENT));
    orders.updateItem(Order.of(other, Status.PLACED, 1).processing(MessageId.of(other)));
    tellItem(table, "id", other);
    Order again = orders.getItem(Order.of(own, Status.PLACED, 1)).paid(1).processing(EVENT);
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> orders.updateItem(again));
    assertEquals(1, refusals.count());
    Outcome<Order> outcome =
        store.outcomeOf(
            refused, UpdateItemEnhancedRequest.builder(Order.class).item(again).build());
    assertInstanceOf(Outcome.Duplicate.class, outcome);
    TransactionCanceledException cancelled =
        assertThrows(
            TransactionCanceledException.class,
            () -> enhanced.transactWriteItems(all -> all.addUpdateItem(orders, again)));
    assertEquals(2, refusals.count());
    assertInstanceOf(Outcome.Duplicate.class, store.outcomeOf(cancelled, 0, again).orElseThrow());
  }
}
