package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("What a class fills in where the stored item has no value")
final class FilledInTest {
  private static final TableSchema<Part> PART =
      TableSchema.builder(Part.class)
          .newItemSupplier(Part::new)
          .addAttribute(
              String.class, a -> a.name("name").getter(p -> p.name).setter((p, v) -> p.name = v))
          .addAttribute(
              String.class, a -> a.name("code").getter(p -> p.code).setter((p, v) -> p.code = v))
          .build();
  private static final TableSchema<Row> SCHEMA =
      TableSchema.builder(Row.class)
          .newItemSupplier(Row::new)
          .addAttribute(
              String.class,
              a ->
                  a.name("id")
                      .getter(r -> r.id)
                      .setter((r, v) -> r.id = v)
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              Long.class, a -> a.name("total").getter(r -> r.total).setter((r, v) -> r.total = v))
          .addAttribute(
              String.class, a -> a.name("label").getter(r -> r.label).setter((r, v) -> r.label = v))
          .addAttribute(
              String.class, a -> a.name("state").getter(r -> r.state).setter((r, v) -> r.state = v))
          .addAttribute(
              Long.class, a -> a.name("seen").getter(r -> r.seen).setter((r, v) -> r.seen = v))
          .addAttribute(
              EnhancedType.listOf(String.class),
              a -> a.name("tags").getter(r -> r.tags).setter((r, v) -> r.tags = v))
          .addAttribute(
              EnhancedType.documentOf(Part.class, PART),
              a -> a.name("part").getter(r -> r.part).setter((r, v) -> r.part = v))
          .build();
  private static DynamoDbClient client;
  private static String table;

  private final EntityKey key = key("row-" + UUID.randomUUID());
  private DynamoDbEntityStore<Row> store;

  /** A part with a generated value. */
  static final class Part {
    @Nullable String name;
    String code = UUID.randomUUID().toString();
  }

  /** A class with a generated value, and with values that are the same each time. */
  static final class Row {
    @Nullable String id;
    long total;
    String label = UUID.randomUUID().toString();
    long seen = System.currentTimeMillis();
    List<String> tags = new ArrayList<>();
    @Nullable String state = "OPEN";
    @Nullable Part part;

    String text() {
      return total + label + seen + tags + (part == null ? "" : part.name + part.code);
    }
  }

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    table = DynamoDbTables.create(client, SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  @BeforeEach
  void make() {
    store = DynamoDbEntityStore.builder(client, table, SCHEMA).build();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Row applied(Outcome<Row> outcome) {
    assertInstanceOf(Outcome.Applied.class, outcome);
    return outcome.entity().orElseGet(Row::new);
  }

  private static Row raised(Row row) {
    row.total++;
    return row;
  }

  private static Row without(Row row) {
    row.part = null;
    return row;
  }

  private Row find() {
    return store.find(key).orElseThrow();
  }

  @Test
  @DisplayName("is stored with what a function leaves, so that a read finds what the outcome shows")
  void stored() {
    applied(store.update(message(), key, change().set("total", 1).createIfMissing()));
    Row shown = applied(store.apply(message(), key, FilledInTest::raised));
    assertEquals(2, shown.total);
    assertEquals(shown.text(), find().text());
  }

  @Test
  @DisplayName("is stored by a function that changes nothing, once")
  void storedAlone() {
    applied(store.update(message(), key, change().set("total", 1).createIfMissing()));
    Row shown = applied(store.apply(message(), key, row -> row));
    assertEquals(shown.text(), find().text());
    assertInstanceOf(Outcome.Recorded.class, store.apply(message(), key, row -> row));
    assertEquals(shown.text(), find().text());
  }

  @Test
  @DisplayName("is stored where it is the time, which two readings may share")
  void times() {
    for (int i = 0; i < 20; i++) {
      EntityKey other = key("timed-" + UUID.randomUUID());
      applied(store.update(message(), other, change().set("total", 1).createIfMissing()));
      Row row = applied(store.apply(message(), other, FilledInTest::raised));
      Map<String, AttributeValue> id = Map.of("id", AttributeValue.fromS("" + row.id));
      Map<String, AttributeValue> item = client.getItem(get -> get.tableName(table).key(id)).item();
      assertEquals(AttributeValue.fromN("" + row.seen), item.get("seen"));
    }
  }

  @Test
  @DisplayName("is stored inside a part that is there, and goes with a part that a function drops")
  void inParts() {
    Change part = change().set("part.name", "a").createParents().createIfMissing();
    applied(store.update(message(), key, part));
    Row shown = applied(store.apply(message(), key, FilledInTest::raised));
    assertEquals(shown.text(), find().text());
    EntityKey other = key("other-" + UUID.randomUUID());
    applied(store.update(message(), other, part));
    applied(store.apply(message(), other, FilledInTest::without));
    assertNull(store.find(other).orElseThrow().part);
  }

  @Test
  @DisplayName("stays unstored in a part that has more than the class maps, which is kept")
  void besideOthers() {
    Map<String, AttributeValue> part =
        Map.of("name", AttributeValue.fromS("a"), "codeOfNewer", AttributeValue.fromS("USD"));
    for (Map<String, AttributeValue> stored :
        List.of(part, Map.of("newer", AttributeValue.fromM(part)))) {
      String name = "other-" + UUID.randomUUID();
      Map<String, AttributeValue> id = Map.of("id", AttributeValue.fromS(name));
      Map<String, AttributeValue> item = new HashMap<>(id);
      item.put("part", AttributeValue.fromM(stored));
      client.putItem(put -> put.tableName(table).item(item));
      applied(store.apply(message(), key(name), FilledInTest::raised));
      Map<String, AttributeValue> row = client.getItem(get -> get.tableName(table).key(id)).item();
      assertEquals(AttributeValue.fromM(stored), row.get("part"));
    }
  }

  @Test
  @DisplayName("stays unstored where it is the same at each read, as what a function has cleared")
  void cleared() {
    applied(store.update(message(), key, change().set("total", 1).createIfMissing()));
    applied(store.apply(message(), key, FilledInTest::raised));
    applied(store.apply(message(), key, FilledInTest::closed));
    assertInstanceOf(Outcome.Recorded.class, store.apply(message(), key, row -> row));
    assertInstanceOf(
        Outcome.Refused.class,
        store.update(message(), key, change().add("total", 1).onlyIf(attribute("state").exists())));
  }

  private static Row closed(Row row) {
    row.state = null;
    return row;
  }

  @Test
  @DisplayName("is the same for all functions of a batch")
  void batch() {
    applied(store.update(message(), key, change().set("total", 1).createIfMissing()));
    List<Row> shown =
        store
            .writeAll(
                List.of(
                    Write.apply(message(), key, row -> row),
                    Write.apply(message(), key, FilledInTest::raised)))
            .stream()
            .map(result -> result.outcomeIfJudged().orElseThrow().entity().orElseThrow())
            .toList();
    assertEquals(List.of(1L, 2L), shown.stream().map(row -> row.total).toList());
    assertEquals(shown.get(0).label, shown.get(1).label);
    assertEquals(shown.get(1).text(), find().text());
  }
}
