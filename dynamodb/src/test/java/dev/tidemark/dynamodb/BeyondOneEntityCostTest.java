package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Holds the tables of requests in the pages of inboxes and transactions, for DynamoDB. */
@DisplayName("On DynamoDB, what one entity cannot hold")
final class BeyondOneEntityCostTest {
  private static final DynamoDbFaults FAULTS = DynamoDbTables.faults();
  private static final Duration LEASE = Duration.ofMinutes(1);

  private static DynamoDbClient client;
  private static String records;
  private static String table;
  private static DynamoDbEntityStore<View> views;

  private final MovableClock clock = MovableClock.later();
  private final String name = UUID.randomUUID().toString();
  private final EntityKey from = key("from-" + name);
  private final EntityKey to = key("to-" + name);
  private final MessageId message = MessageId.of(UUID.randomUUID());

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client(FAULTS, new DynamoDbTables.Capacity(), 3);
    records = "inbox-" + UUID.randomUUID();
    DynamoDbInbox.createTable(client, records);
    table = DynamoDbTables.create(client, DynamoDbBackend.schema(false));
    views = DynamoDbEntityStore.of(client, table, DynamoDbBackend.schema(false));
  }

  @AfterAll
  static void close() {
    client.close();
    FAULTS.close();
  }

  /** Counts the requests of one call, of which the answer is known. */
  private static void costs(String row, int reads, int writes, String answer, Supplier<?> call) {
    int readsBefore = FAULTS.reads();
    int writesBefore = FAULTS.writes();
    Object given = call.get();
    Backend.Cost cost =
        new Backend.Cost(FAULTS.reads() - readsBefore, FAULTS.writes() - writesBefore, Double.NaN);
    System.out.printf(
        "cost: store=dynamodb what=\"%s\" reads=%d writes=%d%n", row, cost.reads(), cost.writes());
    assertEquals(answer, given.getClass().getSimpleName() + word(given), row);
    assertEquals(reads, cost.reads(), row + ", reads");
    assertEquals(writes, cost.writes(), row + ", writes");
  }

  private static String word(Object given) {
    return given instanceof Committed committed
        ? " "
            + (committed.isCommitted()
                ? "now"
                : committed.isRecorded() ? "recorded" : committed.isDone() ? "before" : "not")
        : "";
  }

  private String add(TransactionWrites writes) {
    writes.update(
        update ->
            update
                .tableName(table)
                .key(Map.of("id", AttributeValue.fromS("free-" + name)))
                .updateExpression("ADD amount :one")
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
    return "added";
  }

  private String refuse(TransactionWrites writes) {
    writes.update(
        update ->
            update
                .tableName(table)
                .key(Map.of("id", AttributeValue.fromS("free-" + name)))
                .updateExpression("REMOVE amount")
                .conditionExpression("attribute_exists(another)"));
    return "refused";
  }

  private DynamoDbInbox plain() {
    return DynamoDbInbox.builder(client, records, "a").clock(clock).build();
  }

  private DynamoDbInbox claims() {
    return DynamoDbInbox.builder(client, records, "a").clock(clock).claimingFor(LEASE).build();
  }

  @Test
  @DisplayName("by an inbox takes one request, whatever came of it")
  void inbox() {
    costs("inbox: Refused", 0, 1, "Refused", () -> plain().handle(message, this::refuse));
    costs("inbox: Applied", 0, 1, "Applied", () -> plain().handle(message, this::add));
    costs("inbox: Duplicate", 0, 1, "Duplicate", () -> plain().handle(message, this::add));
  }

  @Test
  @DisplayName("by an inbox that claims takes one request more for what is new")
  void claiming() {
    MessageId other = MessageId.of(UUID.randomUUID());
    Handled<String> first =
        claims()
            .handle(
                other,
                writes -> {
                  costs("inbox that claims: InFlight", 0, 1, "InFlight", () -> claim(other));
                  costs("inbox, met a claim: InFlight", 0, 1, "InFlight", () -> handle(other));
                  return add(writes);
                });
    assertTrue(first.isDone());
    costs("inbox that claims: Applied", 0, 2, "Applied", () -> claim(message));
    costs("inbox that claims: Duplicate", 0, 1, "Duplicate", () -> claim(message));
  }

  private Object claim(MessageId message) {
    return claims().handle(message, this::add);
  }

  private Object handle(MessageId message) {
    return plain().handle(message, this::add);
  }

  private Write<View> add(EntityKey key, int amount) {
    return Write.update(message, key, change().add("total", amount).createIfMissing());
  }

  private Object transfer() {
    return DynamoDbTransaction.on(client)
        .write(views, add(from, -5))
        .write(views, add(to, 5))
        .commit();
  }

  private Object function() {
    return DynamoDbTransaction.on(client)
        .write(views, Write.apply(message, from, View::new, view -> view))
        .write(views, add(to, 5))
        .commit();
  }

  @Test
  @DisplayName("in a transaction takes one request, and one more for each function")
  void transaction() {
    costs("transaction: 2 updates committed", 0, 1, "Committed now", this::transfer);
    costs("transaction: 2 updates Duplicate", 0, 1, "Committed before", this::transfer);
  }

  @Test
  @DisplayName("in a transaction takes one request more for a new source that has to be counted")
  void sources() {
    Tracking few = Tracking.defaults().maxSources(3);
    TableSchema<View> schema = DynamoDbBackend.schema(false);
    var counted = DynamoDbEntityStore.builder(client, table, schema).tracking(few).build();
    for (int source = 1; source <= 3; source++) {
      String id = "" + source;
      int requests = source == 1 ? 1 : 2; // who creates has counted
      String row = "transaction: 2 updates by source " + source;
      costs(row, 0, requests, "Committed now", () -> transfer(counted, id, 1));
      String known = row + ", known";
      requests = source == 3 ? 2 : 1; // an entity that is full is always counted
      costs(known, 0, requests, "Committed now", () -> transfer(counted, id, 2));
    }
    assertThrows(TooLargeException.class, () -> transfer(counted, "4", 1));
  }

  private Committed transfer(DynamoDbEntityStore<View> store, String source, long version) {
    SourceEvent event = SourceEvent.of("Transfer", source, version);
    return DynamoDbTransaction.on(client)
        .write(store, Write.update(event, from, change().add("total", -5).createIfMissing()))
        .write(store, Write.update(event, to, change().add("total", 5).createIfMissing()))
        .commit();
  }

  @Test
  @DisplayName("in a transaction with a function reads first")
  void functions() {
    costs("transaction: function and update committed", 1, 1, "Committed now", this::function);
    costs("transaction: function and update Duplicate", 2, 0, "Committed before", this::function);
  }

  @Test
  @DisplayName("in a transaction that records a refusal takes one request more")
  void refusal() {
    for (EntityKey key : List.of(from, to)) {
      assertTrue(views.update(MessageId.of("m0"), key, change().createIfMissing()).isDone());
    }
    Change never = change().add("total", 1).onlyIf(attribute("total").is(99)).otherwiseSkip();
    costs(
        "transaction: one of 2 updates refused, and recorded",
        0,
        2,
        "Committed recorded",
        () ->
            DynamoDbTransaction.on(client)
                .write(views, Write.update(message, from, never))
                .write(views, add(to, 5))
                .commit());
    MessageId next = MessageId.of(UUID.randomUUID());
    costs(
        "transaction: function skips beside an update, recorded",
        1,
        2,
        "Committed recorded",
        () ->
            DynamoDbTransaction.on(client)
                .write(views, Write.decide(next, from, view -> Decision.skip()))
                .write(views, Write.update(next, to, change().add("total", 5)))
                .commit());
  }

  @Test
  @DisplayName("in a transaction that drops a late event takes one request more")
  void late() {
    SourceEvent third = SourceEvent.of("Order", "1", 3);
    assertTrue(views.update(third, from, change().createIfMissing()).isDone());
    SourceEvent first = SourceEvent.of("Order", "1", 1); // a new source would be counted at times
    assertTrue(views.update(first, to, change().createIfMissing()).isDone());
    SourceEvent second = SourceEvent.of("Order", "1", 2);
    costs(
        "transaction: one of 2 updates Stale, and recorded",
        0,
        2,
        "Committed recorded",
        () ->
            DynamoDbTransaction.on(client)
                .write(views, Write.update(second, from, change().add("total", -5)))
                .write(views, Write.update(second, to, change().add("total", 5)))
                .commit());
    assertInstanceOf(Outcome.Duplicate.class, views.update(second, to, change().add("total", 5)));
    assertNull(views.find(to).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("in a transaction of which one write is known takes a read more")
  void half() {
    assertTrue(views.update(message, from, change().add("total", 1).createIfMissing()).isApplied());
    costs("transaction: one of 2 updates Duplicate", 1, 1, "Committed not", this::transfer);
  }
}
