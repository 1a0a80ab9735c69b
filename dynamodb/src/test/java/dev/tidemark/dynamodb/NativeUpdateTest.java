package dev.tidemark.dynamodb;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

@DisplayName("A user's own update is joined with guard and mark in one request")
final class NativeUpdateTest {
  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);
  private static final DynamoDbFaults HTTP = DynamoDbTables.faults();
  private static DynamoDbClient client;
  private static String table;
  private static DynamoDbEntityStore<View> views;

  private final String id = UUID.randomUUID().toString();
  private final EntityKey key = key(id);
  private final SourceEvent event = SourceEvent.of("Order", id, 1);

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client(HTTP, new DynamoDbTables.Capacity(), 3);
    table = DynamoDbTables.create(client, SCHEMA);
    views = DynamoDbEntityStore.of(client, table, SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static DynamoDbNativeUpdate all() {
    return DynamoDbNativeUpdate.of(
            "SET #t0 = :t0, #t1 = list_append(if_not_exists(#t1, :none), :line)"
                + " REMOVE note ADD #n :t1, tags :tag")
        .name("#t0", "status")
        .name("#t1", "lines")
        .name("#n", "total")
        .name("#unused", "sort")
        .value(":t0", "PAID")
        .value(":t1", 25)
        .value(":none", List.of())
        .value(":line", List.of("a"))
        .value(":tag", Set.of("x"))
        .value(":unused", 1);
  }

  @Test
  @DisplayName("all clauses, colliding placeholders, unused ones; once, in one request each")
  void clauses() {
    int before = HTTP.writes();
    Outcome<View> first = views.update(event, key, all().createIfMissing().returning());
    Outcome<View> again = views.update(event, key, all().createIfMissing().returning());
    assertEquals(2, HTTP.writes() - before);
    assertTrue(first instanceof Outcome.Applied<View> applied && applied.created());
    assertInstanceOf(Outcome.Duplicate.class, again);
    View view = first.entity().orElseThrow();
    assertEquals("PAID", view.getStatus());
    assertEquals(List.of("a"), view.getLines());
    assertEquals(25L, again.entity().orElseThrow().getTotal());
  }

  @Test
  @DisplayName("a message ID adds to a set while the update adds to another")
  void messageId() {
    assertInstanceOf(Outcome.Missing.class, views.update(message(), key, all()));
    MessageId id = message();
    assertTrue(views.update(id, key, all().createIfMissing()).isApplied());
    assertInstanceOf(Outcome.Duplicate.class, views.update(id, key, all().createIfMissing()));
    Outcome<View> delete = views.delete(message(), key);
    assertTrue(delete.isApplied());
    assertInstanceOf(Outcome.Deleted.class, views.update(message(), key, all()));
    assertTrue(views.update(message(), key, all().recreate()).isApplied());
  }

  @Test
  @DisplayName("the caller's condition that is false is Refused; on a duplicate it does not matter")
  void condition() {
    DynamoDbNativeUpdate once =
        all().onlyIf("(attribute_not_exists(#t0) OR #t0 = :t0 AND #n > :t1)").createIfMissing();
    assertTrue(views.update(event, key, once).isApplied());
    assertInstanceOf(Outcome.Duplicate.class, views.update(event, key, once));
    SourceEvent next = SourceEvent.of("Order", id, 2);
    Outcome<View> refused = views.update(next, key, once.returning());
    assertEquals(new Outcome.Refused<>(refused.entity().orElseThrow(), false), refused);
    Outcome<View> recorded = views.update(next, key, once.otherwiseSkip());
    assertTrue(recorded.isDone());
    assertInstanceOf(Outcome.Duplicate.class, views.update(next, key, once));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET #own = :x",
        "SET #own.a = :x",
        "REMOVE #own",
        "ADD #own :x",
        "SET note = :x ADD#own :x",
        "SET id = :x",
        "REMOVE id",
        "SET status = :missing",
        "SET #missing = :x",
        "SET status",
        "status = :x",
        "SET status = (:x",
        "SET status = :x)",
        "SET status = :x,",
      })
  @DisplayName("what overlaps tracking or the key, or is broken, is refused before the call")
  void refusedUpdate(String expression) {
    for (String own : List.of("events.Order.1", "_rev", "messageIDs", "deletedUntil")) {
      DynamoDbNativeUpdate update =
          DynamoDbNativeUpdate.of(expression).name("#own", own).value(":x", 1).createIfMissing();
      int before = HTTP.writes();
      assertThrows(IllegalArgumentException.class, () -> views.update(message(), key, update));
      assertEquals(before, HTTP.writes());
    }
  }

  @Test
  @DisplayName(
      "an expression that was taken before is refused with other names, or without a value")
  void sameExpression() {
    DynamoDbNativeUpdate given = DynamoDbNativeUpdate.of("SET #t0 = :t0").createIfMissing();
    DynamoDbNativeUpdate taken = given.name("#t0", "status").value(":t0", "PAID");
    assertTrue(views.update(message(), key, taken).isApplied());
    for (String own : List.of("events.Order.1", "_rev", "messageIDs", "deletedUntil", "id")) {
      DynamoDbNativeUpdate other = given.name("#t0", own).value(":t0", "PAID");
      assertThrows(IllegalArgumentException.class, () -> views.update(message(), key, other));
    }
    DynamoDbNativeUpdate unnamed = given.value(":t0", "PAID");
    assertThrows(IllegalArgumentException.class, () -> views.update(message(), key, unnamed));
    DynamoDbNativeUpdate missing = given.name("#t0", "status");
    assertThrows(IllegalArgumentException.class, () -> views.update(message(), key, missing));
    DynamoDbNativeUpdate anew = given.name("#t0", "note").value(":t0", "SHIPPED");
    View after = views.update(message(), key, anew.returning()).entity().orElseThrow();
    assertEquals("PAID", after.getStatus());
  }

  @ParameterizedTest
  @ValueSource(strings = {"status = :t0) OR (status <> :t0", "(status = :t0", "status = :nope"})
  @DisplayName("a condition cannot leave its parentheses and so get around the guard")
  void refusedCondition(String condition) {
    assertThrows(
        IllegalArgumentException.class,
        () -> views.update(message(), key, all().onlyIf(condition).createIfMissing()));
  }

  @Test
  @DisplayName("an update without a clause is refused, and so is what is null")
  void nothing() {
    UpdateItemRequest none = UpdateItemRequest.builder().tableName(table).build();
    for (Executable use :
        List.<Executable>of(
            () -> DynamoDbNativeUpdate.of(NativeUpdateTest.<String>nothingAtAll()),
            () -> DynamoDbNativeUpdate.of(" "),
            () -> DynamoDbNativeUpdate.of(none),
            () -> all().onlyIf(nothingAtAll()),
            () -> all().onlyIf(" "),
            () -> all().name("#t0", nothingAtAll()),
            () -> all().value(":t0", nothingAtAll()))) {
      assertThrows(IllegalArgumentException.class, use);
    }
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothingAtAll() {
    @Nullable T nothing = null;
    return nothing;
  }

  @Test
  @DisplayName("a request of the SDK, whose table and key have to be the store's")
  void request() {
    assertTrue(views.update(event, key, all().createIfMissing()).isApplied());
    UpdateItemRequest request =
        UpdateItemRequest.builder()
            .tableName(table)
            .key(Map.of("id", AttributeValue.fromS(id)))
            .updateExpression("SET #s = :s")
            .expressionAttributeNames(Map.of("#s", "status"))
            .expressionAttributeValues(Map.of(":s", AttributeValue.fromS("SHIPPED")))
            .returnValues(ReturnValue.ALL_NEW)
            .build();
    MessageId message = message();
    Outcome<View> outcome = views.update(message, request);
    assertEquals("SHIPPED", outcome.entity().orElseThrow().getStatus());
    assertInstanceOf(Outcome.Duplicate.class, views.update(message, request));
    assertThrows(
        IllegalArgumentException.class,
        () -> views.update(message(), request.toBuilder().tableName("other").build()));
    assertThrows(
        IllegalArgumentException.class,
        () -> views.update(message(), key("other"), DynamoDbNativeUpdate.of(request)));
  }

  private View view(String status) {
    View view = new View();
    view.setId(id);
    view.setStatus(status);
    return view;
  }

  @Test
  @DisplayName("a request of the Enhanced Client, with its nulls and its condition")
  void enhanced() {
    assertTrue(views.update(event, key, all().createIfMissing()).isApplied());
    UpdateItemEnhancedRequest<View> merging =
        UpdateItemEnhancedRequest.builder(View.class)
            .item(view("SHIPPED"))
            .ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY)
            .conditionExpression(
                Expression.builder()
                    .expression("#s = :s")
                    .putExpressionName("#s", "status")
                    .putExpressionValue(":s", AttributeValue.fromS("PAID"))
                    .build())
            .build();
    View shipped = views.update(message(), merging).entity().orElseThrow();
    assertEquals(List.of("SHIPPED", 25L), List.of(shipped.getStatus(), shipped.getTotal()));
    assertInstanceOf(Outcome.Refused.class, views.update(message(), merging));
    UpdateItemEnhancedRequest<View> replacing =
        UpdateItemEnhancedRequest.builder(View.class).item(view("DONE")).build();
    assertEquals(view("DONE"), views.update(message(), replacing).entity().orElseThrow());
    assertEquals(view("DONE"), views.find(key).orElseThrow());
  }

  @Test
  @DisplayName("an update that finds another type raises InvalidChangeException, recording nothing")
  void invalid() {
    assertTrue(views.update(event, key, all().createIfMissing()).isApplied());
    MessageId id = message();
    DynamoDbNativeUpdate wrong = DynamoDbNativeUpdate.of("ADD tags :x").value(":x", 1);
    assertThrows(dev.tidemark.InvalidChangeException.class, () -> views.update(id, key, wrong));
    assertTrue(views.update(id, key, all()).isApplied());
  }

  @Test
  @DisplayName(
      "over NULL where tracking keeps something: once; the filter of live entities takes it")
  void nulls() {
    for (String nulls : List.of("deletedUntil", "_rev", "messageIDs", "events.Order." + id)) {
      Map<String, AttributeValue> item =
          Map.of("id", AttributeValue.fromS(nulls + id), nulls, AttributeValue.fromNul(true));
      client.putItem(r -> r.tableName(table).item(item));
      DynamoDbNativeUpdate count =
          DynamoDbNativeUpdate.of("ADD #total :one").name("#total", "total").value(":one", 1);
      Message message = nulls.startsWith("events") ? event : message();
      assertTrue(views.update(message, key(nulls + id), count).isApplied(), nulls);
      assertInstanceOf(
          Outcome.Duplicate.class, views.update(message, key(nulls + id), count), nulls);
      assertEquals(1L, views.find(key(nulls + id)).orElseThrow().getTotal(), nulls);
      client.putItem(r -> r.tableName(table).item(item));
      Expression live = views.live();
      assertEquals(
          1,
          client
              .query(
                  r ->
                      r.tableName(table)
                          .keyConditionExpression("id = :id")
                          .filterExpression(live.expression())
                          .expressionAttributeNames(live.expressionNames())
                          .expressionAttributeValues(
                              Map.of(
                                  ":id",
                                  AttributeValue.fromS(nulls + id),
                                  ":tidemarkNull",
                                  AttributeValue.fromNul(true))))
              .count(),
          nulls);
    }
  }

  @Test
  @DisplayName("the filter of live entities joins with filters of one's own")
  void liveAndOwn() {
    for (String part : List.of("kept", "gone")) {
      assertTrue(views.update(message(), key(part + id), all().createIfMissing()).isApplied());
    }
    assertTrue(views.delete(message(), key("gone" + id)).isApplied());
    Expression live = views.live();
    Expression own =
        Expression.builder()
            .expression("contains(id, :own) OR id = :own")
            .putExpressionValue(":own", AttributeValue.fromS(id))
            .build();
    Expression joined = live.and(own);
    Expression appended =
        Expression.builder()
            .expression(live.expression() + " AND contains(id, :own)")
            .expressionNames(joined.expressionNames())
            .expressionValues(joined.expressionValues())
            .build();
    DynamoDbTable<View> all =
        DynamoDbEnhancedClient.builder().dynamoDbClient(client).build().table(table, SCHEMA);
    for (Expression filter : List.of(joined, Expression.join(own, live, " AND "), appended)) {
      assertEquals(
          List.of("kept" + id),
          all.scan(r -> r.filterExpression(filter)).items().stream().map(View::getId).toList(),
          filter::expression);
    }
  }

  @Test
  @DisplayName("what meets a tombstone records the event of a dense source there, in two requests")
  void tombstones() {
    DynamoDbEntityStore<View> dense =
        DynamoDbEntityStore.builder(client, table, SCHEMA)
            .tracking(Tracking.defaults().events(EventPolicy.contiguous()))
            .build();
    assertTrue(dense.update(event, key, all().createIfMissing()).isApplied());
    assertTrue(dense.delete(SourceEvent.of("Order", id, 2), key).isApplied());
    for (int version = 3; version <= 5; version++) {
      SourceEvent next = SourceEvent.of("Order", id, version);
      int before = HTTP.writes();
      assertEquals(new Outcome.Deleted<>(), dense.update(next, key, all().createIfMissing()));
      assertEquals(2, HTTP.writes() - before);
      assertInstanceOf(Outcome.Duplicate.class, dense.update(next, key, all()));
    }
  }
}
