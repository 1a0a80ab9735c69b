package dev.tidemark.dynamodb;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("A stored NULL is a missing attribute to a change")
final class NullsTest {
  private static final DynamoDbClient CLIENT = DynamoDbTables.client();
  private static final String TABLE = DynamoDbTables.create(CLIENT, Row.SCHEMA);
  private static final AttributeValue NULL = AttributeValue.fromNul(true);

  /** What comes of changes, of the same form at the top and inside a map. */
  private static final Map<String, AttributeValue> CHANGED =
      Map.of(
          "count", AttributeValue.fromN("3"),
          "share", AttributeValue.fromN("0.5"),
          "lines", AttributeValue.fromL(List.of(AttributeValue.fromS("x"))),
          "tags", AttributeValue.fromSs(List.of("y")),
          "city", AttributeValue.fromS("B"));

  private final DynamoDbEntityStore<Row> store =
      DynamoDbEntityStore.builder(CLIENT, TABLE, Row.SCHEMA).unmappedAttributes().build();
  private final String id = UUID.randomUUID().toString();
  private final EntityKey key = EntityKey.key(id);

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Change change(String at) {
    return Change.change()
        .add(at + "count", 3)
        .add(at + "share", 0.5)
        .append(at + "lines", "x")
        .addToSet(at + "tags", "y")
        .removeFromSet(at + "gone", "z")
        .setIfAbsent(at + "city", "B");
  }

  /** By another tool, at the top and inside. */
  private void nulls() {
    Map<String, AttributeValue> nulls = new HashMap<>();
    CHANGED.keySet().forEach(name -> nulls.put(name, NULL));
    nulls.put("gone", NULL);
    Map<String, AttributeValue> item = new HashMap<>(nulls);
    item.put("inner", AttributeValue.fromM(nulls));
    item.put("id", AttributeValue.fromS(id));
    CLIENT.putItem(put -> put.tableName(TABLE).item(item));
  }

  private Map<String, AttributeValue> item() {
    return CLIENT
        .getItem(get -> get.tableName(TABLE).key(Map.of("id", AttributeValue.fromS(id))))
        .item();
  }

  private void assertChanged(Map<String, AttributeValue> at) {
    CHANGED.forEach((name, value) -> assertEquals(value, at.get(name), name));
    assertTrue(!at.containsKey("gone"));
  }

  @Test
  @DisplayName(
      "at the top and inside, one change at a time and in a batch, before tracking and after")
  void changes() {
    for (boolean tracked : List.of(false, true)) {
      for (String at : List.of("", "inner.")) {
        nulls();
        if (tracked) {
          store.skip(message(), key);
        }
        assertTrue(store.update(message(), key, change(at)).isApplied());
        assertChanged(at.isEmpty() ? item() : Objects.requireNonNull(item().get("inner")).m());
        nulls();
        List<Result<Row>> results =
            store.writeAll(
                List.of(
                    Write.update(message(), key, Change.change().setIfAbsent(at + "city", "B")),
                    Write.update(message(), key, change(at))));
        results.forEach(result -> assertTrue(result.isDone(), result::toString));
        assertChanged(at.isEmpty() ? item() : Objects.requireNonNull(item().get("inner")).m());
      }
    }
  }

  @Test
  @DisplayName("to each kind of change by itself")
  void each() {
    for (String at : List.of("", "inner.")) {
      Map<String, Change> changes =
          Map.of(
              "count", Change.change().add(at + "count", 3),
              "share", Change.change().add(at + "share", 0.5),
              "lines", Change.change().append(at + "lines", "x"),
              "tags", Change.change().addToSet(at + "tags", "y"),
              "city", Change.change().setIfAbsent(at + "city", "B"));
      changes.forEach(
          (name, change) -> {
            nulls();
            store.skip(message(), key); // so that the next write does not read
            assertTrue(store.update(message(), key, change).isApplied());
            Map<String, AttributeValue> map =
                at.isEmpty() ? item() : Objects.requireNonNull(item().get("inner")).m();
            assertEquals(CHANGED.get(name), map.get(name));
          });
    }
  }

  @Test
  @DisplayName("also those that apply stores of a nested bean")
  void applied() {
    store.apply(message(), key, Row::new, row -> row.inner(new Row.Inner().city("A")));
    Change change = Change.change().add("inner.count", 1).append("inner.lines", "x");
    assertTrue(store.update(message(), key, change).isApplied());
    assertTrue(store.update(message(), key, change).isApplied());
    Row.Inner inner = Objects.requireNonNull(store.find(key).orElseThrow().getInner());
    assertEquals(2, inner.getCount());
    assertEquals(List.of("x", "x"), inner.getLines());
    assertEquals("A", inner.getCity());
  }

  @Test
  @DisplayName("to conditions, too")
  void conditions() {
    nulls();
    for (String path : List.of("city", "inner.city", "nowhere")) {
      asked(attribute(path).isMissing(), true);
      asked(attribute(path).exists(), false);
      asked(attribute(path).exists().not().and(attribute("inner").exists()), true);
      asked(attribute(path).is("B").or(attribute(path).isMissing()), true);
      asked(attribute(path).isNot("B"), true);
    }
    asked(attribute("inner").isMissing(), false);
  }

  private void asked(Condition rule, boolean holds) {
    Outcome<Row> outcome =
        store.update(message(), key, Change.change().set("status", "X").onlyIf(rule));
    assertEquals(holds, outcome.isApplied(), outcome + " " + rule);
    Outcome<Row> adding = store.update(message(), key, change("inner.").onlyIf(rule));
    assertEquals(holds, adding.isApplied(), adding + " " + rule);
    nulls();
  }
}
