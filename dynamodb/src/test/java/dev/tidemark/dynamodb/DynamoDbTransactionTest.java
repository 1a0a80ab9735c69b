package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

@DisplayName("A transaction of tracked writes on DynamoDB")
final class DynamoDbTransactionTest {
  private static final DynamoDbFaults FAULTS = DynamoDbTables.faults();

  private static DynamoDbClient client;
  private static String table;
  private static DynamoDbEntityStore<View> views;

  private final String name = UUID.randomUUID().toString();
  private final EntityKey from = key("from-" + name);
  private final EntityKey to = key("to-" + name);
  private final Map<String, AttributeValue> note = Map.of("id", AttributeValue.fromS("n" + name));

  private final MessageId message = MessageId.of(UUID.randomUUID());

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client(FAULTS, new DynamoDbTables.Capacity(), 3);
    table = DynamoDbTables.create(client, DynamoDbBackend.schema(false));
    views = DynamoDbEntityStore.of(client, table, DynamoDbBackend.schema(false));
  }

  @AfterAll
  static void close() {
    client.close();
    FAULTS.close();
  }

  private static Change add(int amount) {
    return change().add("total", amount).createIfMissing();
  }

  private static Write<View> add(Message message, EntityKey key, int amount) {
    return Write.update(message, key, add(amount));
  }

  private DynamoDbTransaction transfer(Message message) {
    return DynamoDbTransaction.on(client)
        .write(views, add(message, from, -5))
        .write(views, add(message, to, 5));
  }

  private static long total(EntityKey key) {
    return views.find(key).map(View::getTotal).orElse(0L);
  }

  private static View seven(View view) {
    view.setTotal(7L);
    return view;
  }

  private void put(TransactionWrites writes) {
    writes.put(
        put -> put.tableName(table).item(note).conditionExpression("attribute_not_exists(id)"));
  }

  private static String words(Committed committed) {
    List<String> words = new ArrayList<>();
    committed
        .outcomes()
        .forEach(one -> words.add(one.map(o -> o.getClass().getSimpleName()).orElse("-")));
    return String.join(" ", words) + (committed.isCommitted() ? " committed" : "");
  }

  @Test
  @DisplayName("makes all writes in one request, and none for the same message again")
  void once() {
    int reads = FAULTS.reads();
    int writes = FAULTS.writes();
    Committed first = transfer(message).add(this::put).commit();
    assertEquals("Applied Applied committed", words(first));
    assertEquals(1, FAULTS.writes() - writes);
    Committed again = transfer(message).add(this::put).commit();
    assertEquals("Duplicate Duplicate", words(again));
    assertTrue(again.isDone());
    assertEquals(2, FAULTS.writes() - writes);
    assertEquals(0, FAULTS.reads() - reads);
    assertEquals(-5, total(from));
    assertEquals(5, total(to));
  }

  @Test
  @DisplayName("makes none where one is refused, and says which")
  void refused() {
    assertTrue(transfer(message).commit().isDone());
    MessageId next = MessageId.of(UUID.randomUUID());
    Committed committed =
        DynamoDbTransaction.on(client)
            .write(views, add(next, from, -5))
            .write(
                views,
                Write.update(next, to, change().add("total", 5).onlyIf(attribute("total").is(99))))
            .commit();
    assertEquals("- Refused", words(committed));
    assertFalse(committed.isDone());
    assertEquals(-5, total(from));
  }

  @Test
  @DisplayName("makes none where one message is known to one entity alone")
  void half() {
    assertTrue(views.update(message, from, change().add("total", 1).createIfMissing()).isDone());
    Committed committed = transfer(message).commit();
    assertEquals("Duplicate -", words(committed));
    assertFalse(committed.isDone());
    assertEquals(0, total(to));
  }

  @Test
  @DisplayName("says which of the caller's own writes was refused, and records no message then")
  void own() {
    client.putItem(r -> r.tableName(table).item(note));
    Committed committed = transfer(message).add(this::put).commit();
    assertEquals("- -", words(committed));
    assertEquals(List.of(0), committed.refused());
    assertFalse(committed.isDone());
    client.deleteItem(r -> r.tableName(table).key(note));
    assertEquals("Applied Applied committed", words(transfer(message).add(this::put).commit()));
  }

  @Test
  @DisplayName("leaves a refusal of the caller's own undecided beside marks that are in conflict")
  void refusedBesideConflict() {
    assertTrue(transfer(message).add(this::put).commit().isCommitted());
    DynamoDbClient inConflict = Cancellations.edited(client, DynamoDbTransactionTest::inConflict);
    Committed again =
        DynamoDbTransaction.on(inConflict)
            .write(views, add(message, from, -5))
            .write(views, add(message, to, 5))
            .add(this::put)
            .commit();
    assertEquals("Duplicate Duplicate", words(again));
    assertEquals(List.of(), again.refused());
  }

  /** As reasons are where another transaction of the message has written the note alone so far. */
  private static CancellationReason inConflict(int item, CancellationReason reason) {
    return item == 2 ? reason : busy();
  }

  private static CancellationReason busy() {
    return CancellationReason.builder().code("TransactionConflict").build();
  }

  @Test
  @DisplayName("knows its own writes when replies are lost, and adds once")
  void lostReplies() {
    for (int count = 1; count <= 5; count++) {
      FAULTS.loseReplies(0, count, () -> {});
      Committed committed = transfer(MessageId.of(UUID.randomUUID())).commit();
      FAULTS.heal();
      assertEquals("Applied Applied committed", words(committed), "lost " + count);
      assertEquals(count * 5L, total(to));
      assertEquals(count * -5L, total(from));
    }
  }

  @Test
  @DisplayName("knows its own writes where the client's time is over, and so does a single write")
  void timedOut() {
    int reads = FAULTS.reads();
    Committed committed =
        DynamoDbTransaction.on(impatient(true))
            .write(views, add(message, from, -5))
            .write(views, add(message, to, 5))
            .commit();
    assertEquals("Applied Applied committed", words(committed));
    assertEquals(2, FAULTS.reads() - reads);
    DynamoDbEntityStore<View> store =
        DynamoDbEntityStore.of(impatient(true), table, DynamoDbBackend.schema(false));
    assertTrue(store.write(add(MessageId.of(UUID.randomUUID()), to, 5)).isApplied());
    assertEquals(10, total(to));
    DynamoDbTransaction lost =
        DynamoDbTransaction.on(impatient(false))
            .write(views, add(MessageId.of(UUID.randomUUID()), from, -5));
    assertThrows(OutcomeUnknownException.class, lost::commit);
    assertEquals(-5, total(from));
  }

  /** A client whose time is over at each write, made or not. */
  private static DynamoDbClient impatient(boolean makes) {
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(),
            new Class<?>[] {DynamoDbClient.class},
            (proxy, method, arguments) -> {
              boolean read = arguments[0] instanceof GetItemRequest;
              Object reply = read || makes ? method.invoke(client, arguments) : null;
              if (read) {
                return reply;
              }
              throw ApiCallTimeoutException.create(10);
            });
  }

  /** A withdrawal that is refused for good where the account is short. */
  private DynamoDbTransaction withdrawal(DynamoDbClient client, Message message) {
    Change paid = add(-5).onlyIf(attribute("total").atLeast(5)).otherwiseSkip();
    return DynamoDbTransaction.on(client)
        .write(views, Write.update(message, from, paid))
        .write(views, add(message, to, 5))
        .add(this::put);
  }

  @Test
  @DisplayName("records a refusal on each entity and makes nothing else, whatever replies are lost")
  void recordedRefusal() {
    assertTrue(transfer(message).commit().isCommitted());
    for (int[] lost : new int[][] {{0, 1}, {0, 8}, {1, 1}, {1, 8}}) {
      MessageId next = MessageId.of(UUID.randomUUID());
      FAULTS.loseReplies(lost[0], lost[1], () -> {});
      Committed committed = withdrawal(client, next).commit();
      FAULTS.heal();
      assertEquals("Refused Recorded", words(committed), "lost " + Arrays.toString(lost));
      assertTrue(committed.isRecorded() && committed.isDone());
      assertEquals("Duplicate Duplicate", words(withdrawal(client, next).commit()));
    }
    assertEquals(5, total(to));
    assertFalse(client.getItem(get -> get.tableName(table).key(note)).hasItem());
  }

  @Test
  @DisplayName("records no refusal where another write that was in conflict is refused as well")
  void refusedBehindConflict() {
    assertTrue(transfer(message).commit().isCommitted());
    Cancellations.Edit conflict = (item, reason) -> item == 1 ? busy() : reason;
    MessageId next = MessageId.of(UUID.randomUUID());
    Change later = add(5).onlyIf(attribute("total").is(99));
    Committed committed =
        DynamoDbTransaction.on(Cancellations.edited(client, conflict))
            .write(
                views,
                Write.update(next, from, add(-5).onlyIf(attribute("total").is(99)).otherwiseSkip()))
            .write(views, Write.update(next, to, later))
            .commit();
    assertTrue(words(committed).endsWith(" Refused"));
    assertFalse(committed.isDone() || committed.isRecorded());
    assertEquals("Applied Applied committed", words(transfer(next).commit()));
  }

  @Test
  @DisplayName(
      "makes all writes after all where a condition is true before its refusal is recorded")
  void trueAgain() {
    assertTrue(transfer(message).commit().isCommitted());
    Cancellations.Edit deposits =
        (item, reason) -> {
          if (item == 0) {
            assertTrue(views.write(add(MessageId.of(UUID.randomUUID()), from, 100)).isApplied());
          }
          return reason;
        };
    MessageId next = MessageId.of(UUID.randomUUID());
    Committed committed = withdrawal(Cancellations.edited(client, deposits), next).commit();
    assertEquals("Applied Applied committed", words(committed));
    assertEquals(90, total(from));
    assertEquals(10, total(to));
  }

  @Test
  @DisplayName(
      "says of no write that its condition was false where only another one was in the way")
  void untoldBesideDone() {
    views.write(add(message, to, 1));
    views.delete(MessageId.of(UUID.randomUUID()), to);
    Change made =
        change()
            .set("address.city", "E")
            .createParents()
            .onlyIf(attribute("total").atLeast(3).not())
            .createIfMissing();
    MessageId next = MessageId.of(UUID.randomUUID());
    Committed committed =
        DynamoDbTransaction.on(client)
            .write(views, Write.update(next, from, made))
            .write(views, Write.update(next, to, change().add("total", 1)))
            .commit();
    assertEquals("- Deleted", words(committed));
    assertFalse(committed.isDone());
    assertTrue(views.find(from).isEmpty());
    // of a row that tracking has not written, each request is over what was read
    Map<String, AttributeValue> row =
        Map.of("id", AttributeValue.fromS("from-" + name), "total", AttributeValue.fromN("1"));
    client.putItem(put -> put.tableName(table).item(row));
    Committed again =
        DynamoDbTransaction.on(client)
            .write(views, Write.update(next, from, made))
            .write(views, Write.update(next, to, change().add("total", 1)))
            .commit();
    assertEquals("- Deleted", words(again));
    assertEquals(1, total(from));
  }

  @Test
  @DisplayName("tries again where others are in the way, and never takes that for a duplicate")
  void contention() {
    FAULTS.conflict(4);
    Committed conflict = transfer(message).commit();
    FAULTS.throttle(4);
    Committed throttled = transfer(MessageId.of(UUID.randomUUID())).commit();
    FAULTS.heal();
    assertEquals("Applied Applied committed", words(conflict));
    assertEquals("Applied Applied committed", words(throttled));
    assertEquals(10, total(to));
  }

  @Test
  @DisplayName("of the caller's own writes alone is tried again too, and its lost reply is unknown")
  void ownAlone() {
    FAULTS.throttle(4);
    Committed throttled = DynamoDbTransaction.on(client).add(this::put).commit();
    FAULTS.heal();
    assertTrue(throttled.isCommitted());
    FAULTS.loseReplies(0, 100, () -> {});
    DynamoDbTransaction lost =
        DynamoDbTransaction.on(client)
            .add(writes -> writes.put(put -> put.tableName(table).item(note)));
    assertThrows(OutcomeUnknownException.class, lost::commit);
    FAULTS.heal();
  }

  @Test
  @DisplayName("of many threads over the same entities applies each message once")
  void parallel() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    int applied = 0;
    try {
      List<Callable<Committed>> calls = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        MessageId one = MessageId.of("parallel", name, "" + i % 8);
        calls.add(() -> transfer(one).commit());
      }
      for (Future<Committed> call : threads.invokeAll(calls)) {
        assertTrue(call.get().isDone());
        applied += call.get().isCommitted() ? 1 : 0;
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(8, applied);
    assertEquals(40, total(to));
    assertEquals(-40, total(from));
  }

  @Test
  @DisplayName(
      "is done where a function reads that the message is known, and the others know it too")
  void doneByParts() {
    for (boolean functionFirst : new boolean[] {true, false}) {
      MessageId one = MessageId.of(UUID.randomUUID());
      assertTrue(mixed(one, functionFirst).commit().isCommitted());
      Committed again = mixed(one, functionFirst).commit();
      assertEquals("Duplicate Duplicate", words(again));
      assertTrue(again.isDone());
    }
    MessageId half = MessageId.of(UUID.randomUUID());
    assertTrue(views.apply(half, from, View::new, DynamoDbTransactionTest::seven).isDone());
    Committed committed = mixed(half, true).commit();
    assertEquals("Duplicate -", words(committed));
    assertFalse(committed.isDone());
  }

  private DynamoDbTransaction mixed(Message message, boolean functionFirst) {
    Write<View> function = Write.apply(message, from, View::new, DynamoDbTransactionTest::seven);
    DynamoDbTransaction transaction = DynamoDbTransaction.on(client);
    return functionFirst
        ? transaction.write(views, function).write(views, add(message, to, 5))
        : transaction.write(views, add(message, to, 5)).write(views, function);
  }

  @Test
  @DisplayName("takes functions and deletions, which read first")
  void functions() {
    assertTrue(transfer(message).commit().isCommitted());
    SourceEvent event = SourceEvent.of("Order", name, 1);
    Committed committed =
        DynamoDbTransaction.on(client)
            .write(views, Write.apply(event, from, View::new, DynamoDbTransactionTest::seven))
            .write(views, Write.delete(event, to))
            .commit();
    assertEquals("Applied Applied committed", words(committed));
    assertEquals(7, total(from));
    View left = (View) committed.outcomes().get(0).orElseThrow().entity().orElseThrow();
    assertEquals(7, left.getTotal());
    assertEquals(Optional.empty(), views.find(to));
    assertInstanceOf(Outcome.Duplicate.class, views.delete(event, to));
  }

  @Test
  @DisplayName("tells that an empty change has created, as a call alone does")
  void createsEmpty() {
    Change empty = change().createIfMissing();
    Write<View> write = Write.update(message, from, empty);
    assertEquals(
        "Applied committed", words(DynamoDbTransaction.on(client).write(views, write).commit()));
    assertTrue(views.update(message, to, empty).isApplied());
    Write<View> next = Write.update(MessageId.of(UUID.randomUUID()), from, empty);
    assertEquals(
        "Recorded committed", words(DynamoDbTransaction.on(client).write(views, next).commit()));
  }

  @Test
  @DisplayName("names limits before anything is sent")
  void limits() {
    int writes = FAULTS.writes();
    DynamoDbTransaction none = DynamoDbTransaction.on(client);
    assertThrows(IllegalArgumentException.class, none::commit);
    DynamoDbTransaction twice = transfer(message).write(views, add(message, from, 1));
    IllegalArgumentException fault = assertThrows(IllegalArgumentException.class, twice::commit);
    assertTrue(String.valueOf(fault.getMessage()).contains(table), fault::toString);
    assertFalse(String.valueOf(fault.getMessage()).contains(name), fault::toString);
    DynamoDbTransaction put = transfer(message).add(this::put);
    assertThrows(
        IllegalArgumentException.class,
        () -> put.add(own -> own.delete(delete -> delete.tableName(table).key(note))));
    DynamoDbTransaction tracked = put.write(views, add(message, key("n" + name), 1));
    assertThrows(IllegalArgumentException.class, tracked::commit);
    DynamoDbTransaction many = DynamoDbTransaction.on(client);
    for (int i = 0; i < 101; i++) {
      many.write(views, add(message, key(name + i), 1));
    }
    assertThrows(IllegalArgumentException.class, many::commit);
    assertEquals(writes, FAULTS.writes());
  }
}
