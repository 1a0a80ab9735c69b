package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.dynamodb.Order.Status;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.VersionedRecordExtension;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

@DisplayName("Existing code on the Enhanced Client becomes idempotent")
final class TidemarkExtensionTest {
  private static final TableSchema<Order> SCHEMA = TableSchema.fromBean(Order.class);
  private static final DynamoDbFaults HTTP = DynamoDbTables.faults();
  private static final MovableClock CLOCK = new MovableClock();
  private static DynamoDbClient client;
  private static DynamoDbTable<Order> table;
  private static DynamoDbEntityStore<Order> store;

  private final String id = UUID.randomUUID().toString();

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client(HTTP, new DynamoDbTables.Capacity(), 3);
    table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(VersionedRecordExtension.builder().build(), TidemarkExtension.create(CLOCK))
            .build()
            .table(DynamoDbTables.create(client, SCHEMA), SCHEMA);
    store = DynamoDbEntityStore.builder(client, table).clock(CLOCK).build();
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private Order order(Status status, int total) {
    return Order.of(id, status, total);
  }

  private Order stored() {
    return Objects.requireNonNull(
        table.getItem(r -> r.key(Key.builder().partitionValue(id).build()).consistentRead(true)));
  }

  private static UpdateItemEnhancedRequest<Order> request(Order order) {
    return UpdateItemEnhancedRequest.builder(Order.class).item(order).build();
  }

  /** As a handler would do it. */
  private Outcome<Order> write(Order order) {
    try {
      return new Outcome.Applied<>(table.updateItem(order), false, null);
    } catch (ConditionalCheckFailedException refused) {
      return store.outcomeOf(refused, request(order));
    }
  }

  private Outcome<Order> put(Order order) {
    PutItemEnhancedRequest<Order> request =
        PutItemEnhancedRequest.builder(Order.class).item(order).build();
    try {
      table.putItem(request);
      return new Outcome.Applied<>(order, false, null);
    } catch (ConditionalCheckFailedException refused) {
      return store.outcomeOf(refused, request);
    }
  }

  @Test
  @DisplayName("updateItem applies a message once, by id and by position")
  void once() {
    for (Message message :
        new Message[] {message(), MessageId.of("a", "b/%", ""), SourceEvent.of("Order", id, 3)}) {
      Order order = table.getItem(order(Status.PLACED, 1));
      Order next = order == null ? order(Status.PLACED, 1) : order.paid(1);
      assertTrue(write(next.processing(message)).isApplied());
      Order again = stored().paid(100).processing(message);
      Outcome<Order> outcome = write(again);
      assertInstanceOf(Outcome.Duplicate.class, outcome);
    }
    assertEquals(3, stored().getTotal());
    assertEquals(3, stored().version());
    Order late = stored().processing(SourceEvent.of("Order", id, 2));
    assertInstanceOf(Outcome.Stale.class, write(late));
    assertInstanceOf(
        Outcome.Recorded.class, store.update(SourceEvent.of("Order", id, 4), key(id), change()));
  }

  @Test
  @DisplayName("the refused write tells at no further request if it asked for the old item")
  void free() {
    SourceEvent event = SourceEvent.of("Order", id, 1);
    assertTrue(write(order(Status.PLACED, 1).processing(event)).isApplied());
    UpdateItemEnhancedRequest<Order> request =
        UpdateItemEnhancedRequest.builder(Order.class)
            .item(stored().processing(event))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> table.updateItem(request));
    int requests = HTTP.reads() + HTTP.writes();
    assertInstanceOf(Outcome.Duplicate.class, store.outcomeOf(refused, request));
    assertEquals(requests, HTTP.reads() + HTTP.writes());
  }

  @Test
  @DisplayName("a listener is told what the refused write meant, and what it took to know")
  void observed() {
    List<StoreCall> calls = new ArrayList<>();
    DynamoDbEntityStore<Order> observed =
        DynamoDbEntityStore.builder(client, table).clock(CLOCK).listener(calls::add).build();
    SourceEvent event = SourceEvent.of("Order", id, 1);
    assertTrue(write(order(Status.PLACED, 1).processing(event)).isApplied());
    Order again = stored().processing(event);
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> table.updateItem(again));
    assertInstanceOf(Outcome.Duplicate.class, observed.outcomeOf(refused, request(again)));
    assertEquals(1, calls.size());
    assertEquals(StoreCall.Method.OUTCOME_OF, calls.get(0).method());
    assertEquals(Map.of("Duplicate", 1), calls.get(0).outcomes());
    assertEquals(1, calls.get(0).requests().reads());
    assertEquals(0, calls.get(0).requests().writes());
  }

  @Test
  @DisplayName("a throttled read of what refused a write is made again, at last in vain")
  void throttled() {
    Order order = order(Status.PLACED, 1).processing(message());
    assertTrue(write(order).isApplied());
    Order stale = stored().paid(7).processing(message());
    assertTrue(write(stored().paid(1).processing(message())).isApplied());
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> table.updateItem(order));
    ConditionalCheckFailedException staleRefused =
        assertThrows(ConditionalCheckFailedException.class, () -> table.updateItem(stale));
    HTTP.throttleReads(3);
    assertInstanceOf(Outcome.Duplicate.class, store.outcomeOf(refused, request(order)));
    HTTP.throttleReads(3);
    assertInstanceOf(Outcome.Refused.class, store.outcomeOf(staleRefused, request(stale)));
    HTTP.throttleReads(1_000);
    ContentionException busy =
        assertThrows(ContentionException.class, () -> store.outcomeOf(refused, request(order)));
    HTTP.heal();
    assertEquals(key(id), busy.key().orElseThrow());
  }

  @Test
  @DisplayName("a put that the SDK makes again after a throttled try is a Duplicate")
  void throttledPut() {
    Order order = order(Status.PLACED, 1).processing(message());
    assertTrue(put(order).isApplied());
    HTTP.throttle(1);
    assertInstanceOf(Outcome.Duplicate.class, put(order));
  }

  @Test
  @DisplayName("a stale version is Refused, and a lost reply Applied")
  void versionAndReply() {
    assertTrue(write(order(Status.PLACED, 1).processing(message())).isApplied());
    Order stale = stored();
    assertTrue(write(stored().paid(1).processing(message())).isApplied());
    assertInstanceOf(Outcome.Refused.class, write(stale.paid(7).processing(message())));
    HTTP.loseReplies(1, () -> {});
    assertTrue(write(stored().paid(1).processing(message())).isApplied());
    assertEquals(3, stored().getTotal());
    HTTP.loseReplies(
        1, () -> assertTrue(store.skip(message(), key(id)) instanceof Outcome.Recorded));
    Order other = stored().paid(1).processing(message());
    assertThrows(dev.tidemark.OutcomeUnknownException.class, () -> write(other));
    assertEquals(4, stored().getTotal());
  }

  @Test
  @DisplayName("marks are pruned on the way: hundreds of messages over days")
  void pruned() {
    MessageId first = message();
    assertTrue(write(order(Status.PLACED, 0).processing(first)).isApplied());
    for (int i = 0; i < 300; i++) {
      CLOCK.move(Duration.ofMinutes(2));
      assertTrue(write(stored().paid(1).processing(message())).isApplied());
    }
    assertEquals(300, stored().getTotal());
    int kept = Objects.requireNonNull(stored().getMarks()).toString().length();
    assertTrue(kept < 100);
    assertTrue(write(stored().paid(1).processing(first)).isApplied());
  }

  @Test
  @DisplayName("a deleted entity stays deleted")
  void deleted() {
    assertTrue(write(order(Status.PLACED, 0).processing(message())).isApplied());
    assertTrue(store.delete(message(), key(id)).isApplied());
    Outcome<Order> outcome = write(order(Status.PLACED, 0).processing(message()));
    assertEquals(new Outcome.Deleted<>(), outcome);
  }

  @Test
  @DisplayName("putItem keeps the marks that were read, and is refused after another write")
  void put() {
    MessageId first = message();
    table.putItem(order(Status.PLACED, 5).processing(first));
    assertInstanceOf(Outcome.Duplicate.class, store.skip(first, key(id)));
    Order read = stored();
    table.putItem(read.paid(1));
    assertInstanceOf(Outcome.Duplicate.class, store.skip(first, key(id)));
    assertTrue(store.apply(message(), key(id), o -> o.paid(10)).isApplied());
    assertThrows(ConditionalCheckFailedException.class, () -> table.putItem(read.paid(1)));
    assertInstanceOf(Outcome.Duplicate.class, put(stored().processing(first)));
    Order overtaken = read.paid(1).processing(message());
    assertThrows(ContentionException.class, () -> put(overtaken));
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> table.putItem(overtaken));
    assertInstanceOf(
        Outcome.Refused.class, store.outcomeOf(refused, request(overtaken))); // by version
    HTTP.loseReplies(1, () -> {});
    assertTrue(put(stored().processing(message())).isApplied());
    assertThrows(
        ConditionalCheckFailedException.class, () -> table.putItem(order(Status.PLACED, 0)));
    assertEquals(16, stored().getTotal());
  }

  @Test
  @DisplayName("a put of an entity that was read as deleted brings nothing back")
  void putDeleted() {
    assertTrue(write(order(Status.PLACED, 1).processing(message())).isApplied());
    assertTrue(store.delete(message(), key(id)).isApplied());
    Order tombstone = stored().paid(5).processing(message());
    assertEquals(new Outcome.Deleted<>(), put(tombstone));
    assertTrue(store.find(key(id)).isEmpty());
  }

  @Test
  @DisplayName("an entity that was never read does not overwrite one that is there")
  void unread() {
    assertTrue(write(order(Status.PLACED, 1).processing(message())).isApplied());
    Order other = order(Status.PLACED, 7).processing(message());
    assertInstanceOf(Outcome.Refused.class, write(other));
    assertEquals(1, stored().getTotal());
  }

  @Test
  @DisplayName("a request that ignores nulls by scalars carries its message too")
  void scalars() {
    MessageId message = message();
    for (int i = 0; i < 2; i++) {
      Order read = table.getItem(order(Status.PLACED, 0));
      Order order = (read == null ? order(Status.PLACED, 0) : read).paid(3).processing(message);
      UpdateItemEnhancedRequest<Order> request =
          UpdateItemEnhancedRequest.builder(Order.class)
              .item(order)
              .ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY)
              .build();
      try {
        table.updateItem(request);
      } catch (ConditionalCheckFailedException refused) {
        assertInstanceOf(Outcome.Duplicate.class, store.outcomeOf(refused, request));
      }
    }
    assertEquals(3, stored().getTotal());
  }

  @Test
  @DisplayName("writes that would lose marks are refused before the call")
  void refused() {
    assertThrows(IllegalArgumentException.class, () -> table.updateItem(order(Status.PLACED, 1)));
    TableSchema<Ticket> schema = TableSchema.fromBean(Ticket.class);
    DynamoDbTable<Ticket> tickets =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(TidemarkExtension.create())
            .build()
            .table("none", schema);
    assertThrows(IllegalArgumentException.class, () -> tickets.putItem(new Ticket()));
  }
}
