package dev.tidemark.dynamodb;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.TooLargeException;
import dev.tidemark.dynamodb.Order.Status;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.VersionedRecordExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

@DisplayName("The extension's writes in transactions")
final class ExtensionTransactionTest {
  private static final TableSchema<Order> SCHEMA = TableSchema.fromBean(Order.class);
  private static final MovableClock CLOCK = new MovableClock();
  private static DynamoDbClient client;
  private static DynamoDbEnhancedClient enhanced;
  private static DynamoDbTable<Order> table;
  private static DynamoDbEntityStore<Order> store;

  private final String first = UUID.randomUUID().toString();
  private final String second = UUID.randomUUID().toString();

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    enhanced =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(VersionedRecordExtension.builder().build(), TidemarkExtension.create(CLOCK))
            .build();
    table = enhanced.table(DynamoDbTables.create(client, SCHEMA), SCHEMA);
    store = DynamoDbEntityStore.builder(client, table).clock(CLOCK).build();
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Order read(String id) {
    Order order = table.getItem(Order.of(id, Status.PLACED, 0));
    return order == null ? Order.of(id, Status.PLACED, 0) : order;
  }

  private static void update(Order... orders) {
    enhanced.transactWriteItems(
        transaction -> {
          for (Order order : orders) {
            transaction.addUpdateItem(table, order);
          }
        });
  }

  @Test
  @DisplayName("each write of a cancelled transaction has an outcome of its own")
  void outcomes() {
    MessageId message = message();
    update(read(first).paid(1).processing(message));
    Order again = read(first).paid(10).processing(message);
    Order other = read(second).paid(20).processing(message);
    TransactionCanceledException cancelled =
        assertThrows(TransactionCanceledException.class, () -> update(again, other));
    List<StoreCall> calls = new ArrayList<>();
    DynamoDbEntityStore<Order> observed =
        DynamoDbEntityStore.builder(client, table).clock(CLOCK).listener(calls::add).build();
    Outcome<Order> outcome = observed.outcomeOf(cancelled, 0, again).orElseThrow();
    assertInstanceOf(Outcome.Duplicate.class, outcome);
    assertEquals(Map.of("Duplicate", 1), calls.get(0).outcomes());
    assertEquals(Optional.empty(), store.outcomeOf(cancelled, 1, other));
    assertThrows(IllegalArgumentException.class, () -> store.outcomeOf(cancelled, 2, other));
    assertThrows(IllegalArgumentException.class, () -> store.outcomeOf(cancelled, -1, other));
    assertEquals(1, read(first).getTotal());
    assertNull(table.getItem(other));
    update(other.processing(message));
    assertEquals(20, read(second).getTotal());
  }

  @Test
  @DisplayName("a put too; what came since the read is contention, and nothing is written")
  void stale() {
    update(read(first).paid(1).processing(message()));
    Order stale = read(first);
    update(read(first).paid(1).processing(message()));
    stale.setVersion(read(first).getVersion());
    stale.paid(100).processing(message());
    TransactionCanceledException updated =
        assertThrows(TransactionCanceledException.class, () -> update(stale));
    assertThrows(ContentionException.class, () -> store.outcomeOf(updated, 0, stale));
    TransactionCanceledException put =
        assertThrows(
            TransactionCanceledException.class,
            () -> enhanced.transactWriteItems(t -> t.addPutItem(table, stale)));
    assertThrows(ContentionException.class, () -> store.outcomeOf(put, 0, stale));
    assertEquals(2, read(first).getTotal());
  }

  @Test
  @DisplayName("a stale version is Refused, a deleted entity Deleted")
  void rules() {
    update(read(first).paid(1).processing(message()));
    Order stale = read(first);
    update(read(first).paid(1).processing(message()));
    stale.processing(message());
    TransactionCanceledException refused =
        assertThrows(TransactionCanceledException.class, () -> update(stale));
    assertInstanceOf(Outcome.Refused.class, store.outcomeOf(refused, 0, stale).orElseThrow());
    Order deleted = read(first).processing(message());
    assertTrue(store.delete(message(), key(first)).isApplied());
    TransactionCanceledException missing =
        assertThrows(TransactionCanceledException.class, () -> update(deleted));
    assertEquals(new Outcome.Deleted<>(), store.outcomeOf(missing, 0, deleted).orElseThrow());
  }

  @Test
  @DisplayName("conflicts and throttling are contention; another reason keeps its fault")
  void faults() {
    Order order = read(first).processing(message());
    update(order);
    for (String code :
        List.of("TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded")) {
      TransactionCanceledException cancelled = cancelled(code);
      ContentionException contention =
          assertThrows(ContentionException.class, () -> store.outcomeOf(cancelled, 0, order), code);
      assertEquals(Optional.of(key(first)), contention.key());
    }
    assertThrows(
        TooLargeException.class,
        () -> store.outcomeOf(cancelled("ItemCollectionSizeLimitExceeded"), 0, order));
    assertThrows(
        InvalidChangeException.class,
        () -> store.outcomeOf(cancelled("ValidationError"), 0, order));
    TransactionCanceledException odd = cancelled("AnotherReason");
    assertEquals(
        odd,
        assertThrows(TransactionCanceledException.class, () -> store.outcomeOf(odd, 0, order)));
  }

  private static TransactionCanceledException cancelled(String code) {
    return TransactionCanceledException.builder()
        .cancellationReasons(CancellationReason.builder().code(code).build())
        .message("cancelled")
        .build();
  }

  @Test
  @DisplayName("marks are pruned in the transaction itself")
  void pruned() {
    for (int i = 1; i <= 100; i++) {
      CLOCK.move(Duration.ofMinutes(2));
      update(read(first).paid(1).processing(message()));
    }
    assertEquals(100, read(first).getTotal());
    assertTrue(Objects.requireNonNull(read(first).getMarks()).isWhole());
  }
}
