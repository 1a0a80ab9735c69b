package dev.tidemark.dynamodb;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("What a function gives back equal to DynamoDB is left alone")
final class EqualSetsTest {
  /** An entity with sets, one of them inside a map. */
  static final class Tagged {
    private String id = "";
    private Set<String> tags = Set.of();
    private Set<BigDecimal> sizes = Set.of();
    private Map<String, Set<String>> places = Map.of();
    private BigDecimal price = BigDecimal.ZERO;

    /** The same, with sets in another order, and numbers with another zero. */
    private Tagged equal() {
      tags = turned(tags);
      sizes = turned(new LinkedHashSet<>(sizes.stream().map(size -> size.setScale(3)).toList()));
      places = Map.of("in", turned(places.getOrDefault("in", Set.of())));
      price = price.setScale(3);
      return this;
    }

    private static <E> Set<E> turned(Set<E> set) {
      List<E> elements = new ArrayList<>(set);
      Collections.reverse(elements);
      return new LinkedHashSet<>(elements);
    }

    private static Tagged initial() {
      Tagged tagged = new Tagged();
      tagged.tags = new LinkedHashSet<>(List.of("a", "b", "c"));
      tagged.sizes = new LinkedHashSet<>(List.of(BigDecimal.ONE, new BigDecimal("2.5")));
      tagged.places = Map.of("in", new LinkedHashSet<>(List.of("x", "y")));
      tagged.price = new BigDecimal("1.5");
      return tagged;
    }
  }

  private static final TableSchema<Tagged> SCHEMA =
      TableSchema.builder(Tagged.class)
          .newItemSupplier(Tagged::new)
          .addAttribute(
              String.class,
              a ->
                  a.name("id")
                      .getter(tagged -> tagged.id)
                      .setter((tagged, id) -> tagged.id = id)
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              EnhancedType.setOf(String.class),
              a ->
                  a.name("tags")
                      .getter(tagged -> tagged.tags)
                      .setter((tagged, tags) -> tagged.tags = tags))
          .addAttribute(
              EnhancedType.setOf(BigDecimal.class),
              a ->
                  a.name("sizes")
                      .getter(tagged -> tagged.sizes)
                      .setter((tagged, sizes) -> tagged.sizes = sizes))
          .addAttribute(
              EnhancedType.mapOf(EnhancedType.of(String.class), EnhancedType.setOf(String.class)),
              a ->
                  a.name("places")
                      .getter(tagged -> tagged.places)
                      .setter((tagged, places) -> tagged.places = places))
          .addAttribute(
              BigDecimal.class,
              a ->
                  a.name("price")
                      .getter(tagged -> tagged.price)
                      .setter((tagged, price) -> tagged.price = price))
          .build();

  private static final DynamoDbClient CLIENT = DynamoDbTables.client();
  private static final String TABLE = DynamoDbTables.create(CLIENT, SCHEMA);

  private final DynamoDbEntityStore<Tagged> store = DynamoDbEntityStore.of(CLIENT, TABLE, SCHEMA);
  private final String id = UUID.randomUUID().toString();
  private final EntityKey key = key(id);

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private void placed() {
    store.apply(message(), key, Tagged::initial, tagged -> tagged);
  }

  @Test
  @DisplayName("sets in another order, and numbers with another zero, are no change")
  void recorded() {
    placed();
    assertInstanceOf(Outcome.Recorded.class, store.apply(message(), key, Tagged::equal));
  }

  @Test
  @DisplayName("an element that others add meanwhile stays")
  void kept() {
    placed();
    store.apply(
        message(),
        key,
        tagged -> {
          CLIENT.updateItem(
              add ->
                  add.tableName(TABLE)
                      .key(Map.of("id", AttributeValue.fromS(id)))
                      .updateExpression("ADD tags :others")
                      .expressionAttributeValues(
                          Map.of(":others", AttributeValue.fromSs(List.of("d")))));
          Tagged equal = tagged.equal();
          equal.price = BigDecimal.TEN;
          return equal;
        });
    Tagged found = store.find(key).orElseThrow();
    assertEquals(Set.of("a", "b", "c", "d"), found.tags);
    assertEquals(BigDecimal.TEN, found.price);
  }

  @Test
  @DisplayName(
      "an element that others add while functions of a batch add one and take it away stays")
  void keptByBatch() {
    placed();
    Write<Tagged> adds =
        Write.apply(
            message(),
            key,
            tagged -> {
              CLIENT.updateItem(
                  add ->
                      add.tableName(TABLE)
                          .key(Map.of("id", AttributeValue.fromS(id)))
                          .updateExpression("ADD tags :others")
                          .expressionAttributeValues(
                              Map.of(":others", AttributeValue.fromSs(List.of("d")))));
              tagged.tags = Set.of("a", "b", "c", "more");
              tagged.price = BigDecimal.TEN;
              return tagged;
            });
    Write<Tagged> takes =
        Write.apply(
            message(),
            key,
            tagged -> {
              tagged.tags = new LinkedHashSet<>(List.of("c", "b", "a"));
              return tagged;
            });
    store
        .writeAll(List.of(adds, takes))
        .forEach(result -> assertTrue(result.isDone(), result::toString));
    Tagged found = store.find(key).orElseThrow();
    assertEquals(Set.of("a", "b", "c", "d"), found.tags);
    assertEquals(BigDecimal.TEN, found.price);
  }

  @Test
  @DisplayName("another element, another number and a NULL are changes")
  void differs() {
    AttributeValue map = AttributeValue.fromM(Map.of());
    AttributeValue set = AttributeValue.fromNs(List.of("1", "2.0"));
    AttributeValue list = AttributeValue.fromL(List.of(set, map));
    List<List<AttributeValue>> pairs =
        List.of(
            List.of(set, AttributeValue.fromNs(List.of("1", "3"))),
            List.of(set, AttributeValue.fromSs(List.of("1", "2.0"))),
            List.of(map, AttributeValue.fromM(Map.of("a", AttributeValue.fromNul(true)))),
            List.of(list, AttributeValue.fromL(List.of(map, set))),
            List.of(AttributeValue.fromN("1"), AttributeValue.fromN("one")),
            List.of(list, AttributeValue.fromL(List.of(set))));
    for (List<AttributeValue> pair : pairs) {
      assertFalse(Values.isSame(pair.get(0), pair.get(1)), pair::toString);
    }
    AttributeValue equal = AttributeValue.fromNs(List.of("2", "1.00"));
    assertTrue(Values.isSame(list, AttributeValue.fromL(List.of(equal, map))));
  }
}
