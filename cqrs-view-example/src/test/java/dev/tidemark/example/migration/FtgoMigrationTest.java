package dev.tidemark.example.migration;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.Outcome;
import dev.tidemark.Path;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

@DisplayName("A migration of FTGO's order history")
class FtgoMigrationTest {
  private static final String TABLE = "ftgo-order-history";
  private static final String ORDER = "net.chrisrichardson.ftgo.orderservice.domain.Order";
  private static final String DELIVERY = "net.chrisrichardson.ftgo.deliveryservice.domain.Delivery";

  /** Event IDs of Eventuate, as their generator makes them one after the other. */
  private static final String[] EVENTS = {
    "0000016877f2a1c6-0242ac1400070000",
    "0000016877f2a1c6-0242ac1400070001",
    "0000016877f2b3f0-0242ac1400070000",
    "00000168780103ab-0242ac1400070000"
  };

  @SuppressWarnings("NullAway.Init")
  private static AmazonDynamoDBLocal server;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbClient client;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbTable<EnhancedDocument> table;

  private static final AtomicLong NEXT = new AtomicLong(4710);
  private static final AttributeNames NAMES =
      new AttributeNames("messageIDs", "marks", "_rev", "_born", "deletedUntil", "_outbox");

  private final String orderId = Long.toString(NEXT.incrementAndGet());
  private final DynamoDbEntityStore<EnhancedDocument> orders =
      DynamoDbEntityStore.of(client, TABLE, Tables.documents("orderId"));

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    client = server.dynamoDbClient();
    Tables.create(client, TABLE, "orderId");
    table = Tables.table(client, TABLE, "orderId");
  }

  @AfterAll
  static void stop() {
    server.shutdown();
  }

  /** What FTGO's data access sends for an event that sets one attribute. */
  private boolean ftgo(String type, String id, String eventId, String attribute, String value) {
    try {
      client.updateItem(
          update ->
              update
                  .tableName(TABLE)
                  .key(Map.of("orderId", AttributeValue.fromS(orderId)))
                  .updateExpression("SET #changed = :value , #duplicateDetection = :eventId")
                  .conditionExpression(
                      "attribute_not_exists(#duplicateDetection)"
                          + " OR #duplicateDetection < :eventId")
                  .expressionAttributeNames(
                      Map.of("#changed", attribute, "#duplicateDetection", "events." + type + id))
                  .expressionAttributeValues(
                      Map.of(
                          ":value", AttributeValue.fromS(value),
                          ":eventId", AttributeValue.fromS(eventId))));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  /** An order that was created, approved and cancelled, and whose delivery was picked up. */
  private void history() {
    assertTrue(ftgo(ORDER, orderId, EVENTS[0], "orderStatus", "APPROVAL_PENDING"));
    assertTrue(ftgo(ORDER, orderId, EVENTS[1], "orderStatus", "APPROVED"));
    assertTrue(ftgo(DELIVERY, "7" + orderId, EVENTS[1], "deliveryStatus", "PICKED_UP"));
    assertTrue(ftgo(ORDER, orderId, EVENTS[2], "orderStatus", "CANCELLED"));
    assertFalse(ftgo(ORDER, orderId, EVENTS[1], "orderStatus", "APPROVED"));
  }

  private SourceEvent event(int event) {
    return SourceEvent.of(Source.of("Order", orderId), Position.ofText(EVENTS[event]));
  }

  private Outcome<EnhancedDocument> next(int event, String status) {
    return orders.update(event(event), key(orderId), change().set("orderStatus", status));
  }

  private EnhancedDocument row() {
    return Tables.row(table, orderId);
  }

  // snippet: migration-ftgo-convert
  private static final Pattern FTGO = // of the types that the view reads
      Pattern.compile("events\\.net\\.chrisrichardson\\.ftgo\\.\\w+\\.domain\\.(\\D+)(\\d+)");

  private void convert(EnhancedDocument row) {
    for (String name : row.toMap().keySet()) {
      Matcher mark = FTGO.matcher(name);
      if (mark.matches()) {
        Source source = Source.of(mark.group(1), mark.group(2)); // Order, 4711
        Position last = Position.ofText(row.getString(name)); // the event ID as it is
        String order = row.getString("orderId");
        if (orders.skip(SourceEvent.of(source, last), key(order)).isDone()) {
          remove(order, name);
        }
      }
    }
  }

  // end

  private static void remove(String order, String attribute) {
    client.updateItem(
        update ->
            update
                .tableName(TABLE)
                .key(Map.of("orderId", AttributeValue.fromS(order)))
                .updateExpression("REMOVE #old")
                .expressionAttributeNames(Map.of("#old", attribute)));
  }

  @Test
  @DisplayName("keeps what each event ID said, and leaves no attribute of the old names")
  void converts() {
    history();
    convert(row());
    convert(row()); // once more, as after a crash
    List<String> marks =
        row().toMap().keySet().stream()
            .filter(name -> name.startsWith("events."))
            .sorted()
            .toList();
    assertEquals(List.of("events.Delivery.7" + orderId, "events.Order." + orderId), marks);
    assertEquals(EVENTS[2], row().getString("events.Order." + orderId));

    assertInstanceOf(Outcome.Stale.class, next(0, "APPROVAL_PENDING"));
    assertInstanceOf(Outcome.Stale.class, next(1, "APPROVED"));
    assertInstanceOf(Outcome.Duplicate.class, next(2, "CANCELLED"));
    assertEquals("CANCELLED", row().getString("orderStatus"));
    assertInstanceOf(Outcome.Applied.class, next(3, "REVISED"));
    assertEquals("PICKED_UP", row().getString("deliveryStatus"));
  }

  @Test
  @DisplayName("goes back by the same values under the old names")
  void back() {
    history();
    convert(row());
    assertInstanceOf(Outcome.Applied.class, next(3, "REVISED"));
    String mark = "events.Order." + orderId;
    String old = "events." + ORDER + orderId;
    client.updateItem(
        update ->
            update
                .tableName("ftgo-order-history")
                .key(Map.of("orderId", AttributeValue.fromS(orderId)))
                .updateExpression("SET #old = #mark REMOVE #mark")
                .expressionAttributeNames(Map.of("#old", old, "#mark", mark)));
    assertFalse(ftgo(ORDER, orderId, EVENTS[3], "orderStatus", "REVISED"));
    assertFalse(ftgo(ORDER, orderId, EVENTS[1], "orderStatus", "APPROVED"));
    assertEquals("REVISED", row().getString("orderStatus"));
    convert(row()); // and forth again
    assertInstanceOf(Outcome.Duplicate.class, next(3, "REVISED"));
  }

  @Test
  @DisplayName("takes an old event for a new one where the row was not converted")
  void unconverted() {
    history();
    assertInstanceOf(Outcome.Applied.class, next(1, "APPROVED"));
    assertEquals("APPROVED", row().getString("orderStatus")); // of an order that is cancelled
  }

  @Test
  @DisplayName("cannot tell two sources whose type and id run into each other; Tidemark can")
  void collision() {
    assertTrue(ftgo("A", "11", EVENTS[2], "orderStatus", "CREATED"));
    assertFalse(ftgo("A1", "1", EVENTS[1], "orderStatus", "LOST"));
    Position later = Position.ofText(EVENTS[2]);
    Position earlier = Position.ofText(EVENTS[1]);
    SourceEvent first = SourceEvent.of(Source.of("A", "11"), later);
    SourceEvent second = SourceEvent.of(Source.of("A1", "1"), earlier);
    assertTrue(
        orders.update(first, key(orderId), change().set("orderStatus", "CREATED")).isApplied());
    assertTrue(
        orders.update(second, key(orderId), change().set("orderStatus", "KEPT")).isApplied());
  }

  @Test
  @DisplayName(
      "needs no pause where marks have a name of their own: by the old guard as a condition")
  void both() {
    history();
    DynamoDbEntityStore<EnhancedDocument> named =
        DynamoDbEntityStore.builder(client, TABLE, Tables.documents("orderId"))
            .tracking(Tracking.defaults().names(NAMES))
            .build();
    for (int i = 0; i < 2; i++) {
      assertTrue(both(named, 1, "APPROVED").isDone());
      assertTrue(both(named, 2, "CANCELLED").isDone());
    }
    assertEquals("CANCELLED", row().getString("orderStatus"));
    assertInstanceOf(Outcome.Applied.class, both(named, 3, "REVISED"));
    assertFalse(ftgo(ORDER, orderId, EVENTS[3], "orderStatus", "LATE"));
    Outcome<EnhancedDocument> next =
        named.update(event(2), key(orderId), change().set("orderStatus", "CANCELLED"));
    assertInstanceOf(Outcome.Stale.class, next);
    assertEquals("REVISED", row().getString("orderStatus"));
  }

  private Outcome<EnhancedDocument> both(
      DynamoDbEntityStore<EnhancedDocument> named, int event, String status) {
    Path old = Path.of("events." + ORDER + orderId);
    return named.update(
        event(event),
        key(orderId),
        change()
            .set("orderStatus", status)
            .set(old, EVENTS[event])
            .onlyIf(attribute(old).isMissing().or(attribute(old).lessThan(EVENTS[event])))
            .otherwiseSkip());
  }
}
