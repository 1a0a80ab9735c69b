package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

@DisplayName("A store makes a request of the Enhanced Client as that client makes it")
final class EnhancedRequestsTest {
  private static final DynamoDbFaults HTTP = DynamoDbTables.faults();
  private static final DynamoDbClient CLIENT =
      DynamoDbTables.client(HTTP, new DynamoDbTables.Capacity(), 3);
  private static final String NAME = DynamoDbTables.create(CLIENT, Row.SCHEMA);

  private final MovableClock clock = new MovableClock();
  private final DynamoDbEnhancedClient enhanced =
      DynamoDbEnhancedClient.builder()
          .dynamoDbClient(CLIENT)
          .extensions(TidemarkExtension.create(clock))
          .build();
  private final DynamoDbTable<Row> plain =
      DynamoDbEnhancedClient.builder().dynamoDbClient(CLIENT).build().table(NAME, Row.SCHEMA);
  private final DynamoDbTable<Row> table = enhanced.table(NAME, Row.SCHEMA);
  private final DynamoDbEntityStore<Row> store =
      DynamoDbEntityStore.builder(CLIENT, table).clock(clock).build();
  private final String id = UUID.randomUUID().toString();
  private final EntityKey key = EntityKey.key(id);

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private Row stored() {
    return store.find(key).orElseThrow();
  }

  private Row row(@Nullable String status) {
    return Row.of(id).status(status).processing(Processing.of(message()));
  }

  /** Empty where it was not refused. */
  private @Nullable Outcome<Row> refusal(UpdateItemEnhancedRequest<Row> request) {
    try {
      table.updateItem(request);
      return null;
    } catch (ConditionalCheckFailedException refused) {
      return store.outcomeOf(refused, request);
    }
  }

  private static UpdateItemEnhancedRequest.Builder<Row> request(Row row) {
    return UpdateItemEnhancedRequest.builder(Row.class)
        .item(row)
        .ignoreNullsMode(IgnoreNullsMode.MAPS_ONLY);
  }

  @Test
  @DisplayName("one that was refused for old marks alone keeps its treatment of nulls")
  void nulls() {
    store.update(message(), key, change().createIfMissing().set("total", 100));
    int pruned = 0;
    for (int day = 0; day < 70; day++) {
      clock.move(Duration.ofDays(1));
      Outcome<Row> outcome = refusal(request(row("S" + day)).build());
      assertTrue(outcome == null || outcome.isApplied());
      pruned += outcome == null ? 0 : 1;
      assertEquals("S" + day, stored().getStatus());
      assertEquals(100, stored().getTotal());
    }
    assertTrue(pruned > 0);
  }

  @Test
  @DisplayName("one that the SDK makes again after a throttled try is a Duplicate")
  void throttled() {
    Row row = row("S");
    assertNull(refusal(request(row).build()));
    HTTP.throttle(1);
    assertInstanceOf(Outcome.Duplicate.class, refusal(request(row).build()));
  }

  @Test
  @DisplayName("one of a cancelled transaction of which no reason is told has no outcome")
  void silent() {
    TransactionCanceledException cancelled =
        TransactionCanceledException.builder()
            .cancellationReasons(CancellationReason.builder().build())
            .build();
    assertEquals(Optional.empty(), store.outcomeOf(cancelled, 0, row("S")));
  }

  private void transact(Row row) {
    enhanced.transactWriteItems(transaction -> transaction.addUpdateItem(table, row));
  }

  @Test
  @DisplayName("one of a transaction goes on once outcomeOf has pruned the marks")
  void transactions() {
    store.update(message(), key, change().createIfMissing().set("total", 100));
    List<MessageId> written = new ArrayList<>();
    int pruned = 0;
    for (int day = 0; day < 70; day++) {
      clock.move(Duration.ofDays(1));
      written.add(message());
      Row row = Row.of(id).status("S" + day).processing(Processing.of(written.get(day)));
      try {
        transact(row);
      } catch (TransactionCanceledException cancelled) {
        ContentionException fault =
            assertThrows(ContentionException.class, () -> store.outcomeOf(cancelled, 0, row));
        assertNull(fault.getCause(), fault::toString);
        pruned++;
        transact(row);
      }
      assertEquals("S" + day, stored().getStatus());
    }
    assertTrue(pruned > 0 && pruned < 10, pruned + " times");
    for (MessageId known : written.subList(41, 70)) {
      Row again = Row.of(id).status("AGAIN").processing(Processing.of(known));
      TransactionCanceledException cancelled =
          assertThrows(TransactionCanceledException.class, () -> transact(again));
      assertInstanceOf(Outcome.Duplicate.class, store.outcomeOf(cancelled, 0, again).orElseThrow());
    }
  }

  @Test
  @DisplayName("one of a transaction that only who has read the marks can make says what to do")
  void generations() {
    Source source = Source.of("Order", "1");
    store.update(
        SourceEvent.of(source, Position.of(1)), key, change().createIfMissing().set("total", 100));
    SourceEvent again = SourceEvent.of(source.generation(1), Position.of(1));
    Row row = Row.of(id).status("S").processing(Processing.of(again));
    TransactionCanceledException cancelled =
        assertThrows(TransactionCanceledException.class, () -> transact(row));
    InvalidChangeException fault =
        assertThrows(InvalidChangeException.class, () -> store.outcomeOf(cancelled, 0, row));
    assertTrue(String.valueOf(fault.getMessage()).contains("type Marks"));
  }

  private static SourceEvent event(int source, int position) {
    return SourceEvent.of("S", "" + source, position);
  }

  /** Marks of so many sources, the last of which a writer with this bound has counted. */
  private void seed(int sources, int most) {
    store.update(event(1, 1), key, change().createIfMissing().set("total", 100));
    Map<String, AttributeValue> item = new HashMap<>(item());
    for (int source = 2; source < sources; source++) {
      item.put("events.S." + source, AttributeValue.fromN("1"));
    }
    CLIENT.putItem(put -> put.tableName(NAME).item(item));
    DynamoDbEntityStore.builder(CLIENT, table)
        .clock(clock)
        .tracking(Tracking.of(Row.class).maxSources(most))
        .build()
        .apply(event(sources, 1), key, row -> row);
    assertNotNull(Objects.requireNonNull(item().get("_rev")).s(), "counted");
  }

  private Map<String, AttributeValue> item() {
    Map<String, AttributeValue> id = Map.of("id", AttributeValue.fromS(this.id));
    return CLIENT.getItem(get -> get.tableName(NAME).key(id).consistentRead(true)).item();
  }

  @Test
  @DisplayName("one of a transaction over marks of too many sources says what to do")
  void manySources() {
    seed(989, 1_000);
    for (Message fresh : List.of(message(), event(1, 2), event(990, 1))) {
      Row row = Row.of(id).status("S").processing(Processing.of(fresh));
      TransactionCanceledException cancelled =
          assertThrows(TransactionCanceledException.class, () -> transact(row));
      InvalidChangeException fault =
          assertThrows(InvalidChangeException.class, () -> store.outcomeOf(cancelled, 0, row));
      assertTrue(String.valueOf(fault.getMessage()).contains("many sources"), fault::toString);
    }
    store.update(message(), key, change().retire(Source.of("S", "2")).set("total", 1));
    transact(Row.of(id).status("S").processing(Processing.of(message())));
    assertEquals("S", stored().getStatus());
  }

  @Test
  @DisplayName("one of a transaction goes on once outcomeOf has counted sources under a new bound")
  void raisedBound() {
    for (Message fresh : List.of(message(), event(1, 2), event(4, 1))) {
      seed(3, 3);
      Row row = Row.of(id).status("" + fresh).processing(Processing.of(fresh));
      TransactionCanceledException cancelled =
          assertThrows(TransactionCanceledException.class, () -> transact(row));
      ContentionException fault =
          assertThrows(ContentionException.class, () -> store.outcomeOf(cancelled, 0, row));
      assertNull(fault.getCause(), fault::toString);
      transact(row);
      assertEquals("" + fresh, stored().getStatus());
      CLIENT.deleteItem(
          delete -> delete.tableName(NAME).key(Map.of("id", AttributeValue.fromS(id))));
    }
  }

  @Test
  @DisplayName("one whose condition is false is Refused, and makes nothing")
  void condition() {
    store.update(message(), key, change().createIfMissing().set("status", "SHIPPED"));
    Expression placed =
        Expression.builder()
            .expression("#s = :p")
            .expressionNames(Map.of("#s", "status"))
            .expressionValues(Map.of(":p", AttributeValue.fromS("PLACED")))
            .build();
    for (int day = 0; day < 70; day++) {
      clock.move(Duration.ofDays(1));
      store.skip(message(), key); // so that marks have to be pruned now and then
      assertInstanceOf(
          Outcome.Refused.class,
          refusal(request(row("CANCELLED")).conditionExpression(placed).build()));
    }
    assertEquals("SHIPPED", stored().getStatus());
  }

  @Test
  @DisplayName("one that ignores nulls by scalars writes no map that is empty inside another one")
  void emptyMaps() {
    Row.Inner empty = new Row.Inner().city("new").sums(Map.of());
    UpdateItemEnhancedRequest.Builder<Row> request =
        request(row("NEW").inner(empty)).ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY);
    store.apply(
        message(),
        key,
        Row::new,
        row -> row.inner(new Row.Inner().city("old").sums(Map.of("paid", 100L))));
    assertTrue(store.update(message(), request.build()).isApplied());
    Row.Inner inner = Objects.requireNonNull(stored().getInner());
    assertEquals("new", inner.getCity());
    assertEquals(Map.of("paid", 100L), inner.getSums());
    store.update(message(), key, change().set("status", "OLD"));
    assertTrue(refusal(request.build()) == null);
    assertEquals(Map.of("paid", 100L), Objects.requireNonNull(stored().getInner()).getSums());
  }

  /** What one request writes of a bean; whether it could. */
  private boolean written(
      boolean byStore, String id, Row.@Nullable Inner inner, IgnoreNullsMode mode) {
    Row row = Row.of(id).status("NEW");
    row.setInner(inner);
    UpdateItemEnhancedRequest<Row> request =
        UpdateItemEnhancedRequest.builder(Row.class).item(row).ignoreNullsMode(mode).build();
    try {
      if (byStore) {
        return store.updateOrCreate(message(), request).isApplied();
      }
      plain.updateItem(request);
      return true;
    } catch (RuntimeException refused) {
      return false;
    }
  }

  private static Map<String, AttributeValue> item(String id) {
    Map<String, AttributeValue> item =
        new HashMap<>(
            CLIENT
                .getItem(get -> get.tableName(NAME).key(Map.of("id", AttributeValue.fromS(id))))
                .item());
    item.keySet().retainAll(List.of("status", "inner"));
    return item;
  }

  @Test
  @DisplayName("one writes of a bean, be there anything in it or not, what that client writes")
  void emptyBeans() {
    List<Row.Inner> inners =
        List.of(
            new Row.Inner(),
            new Row.Inner().sums(Map.of()),
            new Row.Inner().city("Rome"),
            new Row.Inner().city("Oslo").sums(Map.of("paid", 5L)));
    for (IgnoreNullsMode mode : IgnoreNullsMode.values()) {
      for (Row.Inner first : inners) {
        for (Row.Inner second : inners) {
          String one = UUID.randomUUID().toString();
          String other = UUID.randomUUID().toString();
          for (Row.Inner inner : List.of(first, second)) {
            String at = mode + " " + inners.indexOf(first) + " " + inners.indexOf(second);
            assertEquals(written(false, one, inner, mode), written(true, other, inner, mode), at);
            assertEquals(item(one), item(other), at);
          }
        }
      }
    }
  }

  @Test
  @DisplayName("the caller's condition on the key finds no tombstone, be it expired or revived")
  void keyConditions() {
    for (String state : List.of("absent", "expired", "deleted")) {
      for (boolean exists : List.of(true, false)) {
        String asked = exists ? "attribute_exists" : "attribute_not_exists";
        Condition rule = exists ? attribute("id").exists() : attribute("id").isMissing();
        keyCondition(state, exists, change().set("status", "NEW").onlyIf(rule));
        for (String name : List.of("id", "#id")) {
          DynamoDbNativeUpdate own =
              DynamoDbNativeUpdate.of("SET #s = :n")
                  .name("#s", "status")
                  .name("#id", "id")
                  .value(":n", "NEW")
                  .onlyIf(asked + "(" + name + ")");
          keyCondition(state, exists, own);
        }
      }
    }
  }

  private void keyCondition(String state, boolean exists, EntityUpdate update) {
    EntityKey each = EntityKey.key(UUID.randomUUID().toString());
    if (!state.equals("absent")) {
      store.update(message(), each, change().createIfMissing().set("status", "OLD"));
      store.delete(message(), each);
    }
    if (state.equals("expired")) {
      clock.move(Duration.ofDays(31));
    }
    EntityUpdate creating =
        update instanceof Change portable
            ? state.equals("deleted") ? portable.recreate() : portable.createIfMissing()
            : state.equals("deleted")
                ? ((DynamoDbNativeUpdate) update).recreate()
                : ((DynamoDbNativeUpdate) update).createIfMissing();
    Outcome<Row> outcome = store.update(message(), each, creating);
    String at = state + ", " + update + ": " + outcome;
    assertEquals(!exists, outcome.isApplied(), at);
    assertEquals(exists, outcome instanceof Outcome.Refused, at);
    assertEquals(exists ? 0 : 1, store.find(each).stream().count(), at);
  }

  @Test
  @DisplayName("so does that of a request which was refused")
  void keyConditionOfRequest() {
    for (String asked : List.of("attribute_exists(id)", "attribute_not_exists(id)")) {
      store.update(message(), key, change().createIfMissing().recreate().set("status", "OLD"));
      store.delete(message(), key);
      clock.move(Duration.ofDays(31));
      Expression rule = Expression.builder().expression(asked).build();
      Outcome<Row> outcome = refusal(request(row("NEW")).conditionExpression(rule).build());
      assertEquals(asked.contains("not"), Objects.requireNonNull(outcome).isApplied());
    }
  }
}
