package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("Entities are mapped by the Enhanced Client's schema")
final class MappingTest {
  private static final TableSchema<Order> SCHEMA = TableSchema.fromBean(Order.class);
  private static DynamoDbClient client;
  private static String table;
  private static DynamoDbEntityStore<Order> orders;

  private final String id = UUID.randomUUID().toString();
  private final EntityKey key = key(id);

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    table = DynamoDbTables.create(client, SCHEMA);
    orders = DynamoDbEntityStore.of(client, table, SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private Outcome<Order> place() {
    return orders.update(
        message(),
        key,
        change().set("status", Order.Status.PLACED).add("total", 10).createIfMissing());
  }

  private Map<String, AttributeValue> item() {
    return client
        .getItem(r -> r.tableName(table).key(Map.of("id", AttributeValue.fromS(id))))
        .item();
  }

  @Test
  @DisplayName("enums, times, numbers, nested and flattened classes, by their own converters")
  void converters() {
    place();
    Order.Address address = new Order.Address();
    address.setCity("Ulm");
    Instant now = Instant.parse("2026-01-02T03:04:05.678Z");
    orders.update(message(), key, change().set("address", address).set("changedAt", now));
    Outcome<Order> outcome =
        orders.update(
            message(),
            key,
            change()
                .set("address.zip", 89073)
                .onlyIf(
                    attribute("status")
                        .in(Order.Status.PLACED, Order.Status.PAID)
                        .and(attribute("changedAt").atMost(now))
                        .and(attribute("address.city").is("Ulm")))
                .returning());
    Order order = outcome.entity().orElseThrow();
    assertEquals(Order.Status.PLACED, order.getStatus());
    assertEquals(89073, Objects.requireNonNull(order.getAddress()).getZip());
    assertEquals(now, Objects.requireNonNull(order.getAudit()).getChangedAt());
    AttributeValue stored = Objects.requireNonNull(item().get("address"));
    assertEquals(AttributeValue.fromN("89073"), stored.m().get("zip"));
  }

  @Test
  @DisplayName("a version is moved on by every tracked write, and cannot be changed")
  void version() {
    assertTrue(place().isApplied());
    assertEquals(1, orders.find(key).orElseThrow().version());
    assertTrue(orders.skip(message(), key).isDone());
    assertEquals(2, orders.find(key).orElseThrow().version());
    Outcome<Order> applied = orders.apply(message(), key, order -> order.paid(5));
    assertEquals(3, applied.entity().orElseThrow().version());
    assertEquals(15, applied.entity().orElseThrow().getTotal());
    assertThrows(
        IllegalArgumentException.class,
        () -> orders.update(message(), key, change().set("version", 1)));
  }

  @Test
  @DisplayName("attributes that the mapper does not know stay")
  void unknown() {
    place();
    client.updateItem(
        r ->
            r.tableName(table)
                .key(Map.of("id", AttributeValue.fromS(id)))
                .updateExpression("SET extra = :x")
                .expressionAttributeValues(Map.of(":x", AttributeValue.fromS("kept"))));
    assertTrue(orders.apply(message(), key, order -> order.paid(1)).isApplied());
    assertEquals("kept", Objects.requireNonNull(item().get("extra")).s());
  }

  @Test
  @DisplayName("a property of type Marks is filled, and is no attribute")
  void marks() {
    place();
    Order order = orders.find(key).orElseThrow();
    assertTrue(Objects.requireNonNull(order.getMarks()).attributes().containsKey("_rev"));
    assertTrue(orders.apply(message(), key, o -> o.paid(1)).isApplied());
    assertTrue(item().keySet().stream().noneMatch(List.of("marks", "processing")::contains));
    assertNotNull(item().get("messageIDs"));
  }

  @Test
  @DisplayName("sums stay within the mapped class, and rules come first")
  void sums() {
    place();
    int most = Integer.MAX_VALUE;
    Change over = change().add("total", most);
    InvalidChangeException fault =
        assertThrows(InvalidChangeException.class, () -> orders.update(message(), key, over));
    assertTrue(String.valueOf(fault.getMessage()).contains("a number would exceed"), "the reason");
    Change refused = over.onlyIf(attribute("total").is(0));
    assertInstanceOf(Outcome.Refused.class, orders.update(message(), key, refused));
    Change ruled = over.onlyIf(attribute("total").is(10));
    assertThrows(InvalidChangeException.class, () -> orders.update(message(), key, ruled));
    Outcome<Order> fits =
        orders.update(message(), key, change().add("total", most - 10).returning());
    assertEquals(most, fits.entity().orElseThrow().getTotal());
  }

  @Test
  @DisplayName("documents of the Enhanced Client, of which no attribute is mapped")
  void documents() {
    TableSchema<EnhancedDocument> schema =
        TableSchema.documentSchemaBuilder()
            .addIndexPartitionKey(TableMetadata.primaryIndexName(), "id", AttributeValueType.S)
            .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
            .build();
    DynamoDbEntityStore<EnhancedDocument> documents = DynamoDbEntityStore.of(client, table, schema);
    Change change =
        change().set("any", Map.of("n", 1)).add("count", 2).createIfMissing().returning();
    EnhancedDocument created = documents.update(message(), key, change).entity().orElseThrow();
    assertEquals(2, created.getNumber("count").intValue());
    assertTrue(
        documents
            .apply(message(), key, d -> d.toBuilder().putString("more", "text").build())
            .isApplied());
    assertEquals("text", documents.find(key).orElseThrow().getString("more"));
  }

  static List<Change> refused() {
    return List.of(
        change().set("status", "PAID"),
        change().set("total", "25"),
        change().set("total", 2.5),
        change().set("total", 5_000_000_000L),
        change().add("status", 1),
        change().append("total", 1),
        change().addToSet("address", "a"),
        change().set("address.zip", "x"),
        change().set("id", "other"),
        change().set("_rev", "x"),
        change().set("marks", "x"),
        change().set("version", 5L),
        change().remove("version"),
        change().onlyIf(attribute("total").is("25")),
        change().onlyIf(attribute("address.zip").in("x")),
        change().onlyIf(attribute("total").contains(1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  @DisplayName("what does not fit is refused before the call, naming the attribute")
  void refused(Change change) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> orders.update(message(), key, change.createIfMissing()));
    assertTrue(String.valueOf(refused.getMessage()).contains("'"), refused.getMessage());
    assertTrue(item().isEmpty());
  }

  @Test
  @DisplayName("keys of another shape, type or length are refused before the call")
  void keys() {
    for (EntityKey wrong : List.of(key("a", "b"), key(5), key(""), key("x".repeat(2049)))) {
      assertThrows(IllegalArgumentException.class, () -> orders.skip(message(), wrong));
      assertThrows(IllegalArgumentException.class, () -> orders.find(wrong));
    }
  }

  @Test
  @DisplayName("a schema that maps what tracking owns is refused at construction")
  void ownedName() {
    Tracking clash =
        Tracking.defaults()
            .names(
                new AttributeNames(
                    "messageIDs", "events", "total", "_born", "deletedUntil", "_outbox"));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> DynamoDbEntityStore.builder(client, table, SCHEMA).tracking(clash).build());
    assertTrue(String.valueOf(refused.getMessage()).contains("'total'"));
  }

  @Test
  @DisplayName("an immutable class with a composite key, a counter and generated values")
  void immutable() {
    TableSchema<Visit> schema = TableSchema.fromImmutableClass(Visit.class);
    String visits = DynamoDbTables.create(client, schema);
    DynamoDbEntityStore<Visit> store = DynamoDbEntityStore.of(client, visits, schema);
    EntityKey visit = key("user", 7);
    MessageId first = message();
    for (int i = 0; i < 2; i++) {
      store.apply(
          first,
          visit,
          () -> Visit.builder().page("start").build(),
          v -> v.toBuilder().page(v.page() + "!").build());
    }
    assertEquals("start!", store.find(visit).orElseThrow().page());
    Outcome<Visit> next = store.update(message(), visit, change().set("page", "end").returning());
    Visit now = next.entity().orElseThrow();
    assertEquals(
        List.of("user", 7L, "end", 1L), List.of(now.user(), now.at(), now.page(), now.count()));
  }
}
