package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("A change that makes maps on DynamoDB")
final class ParentsTest {
  /** An entity whose other attributes are not mapped. */
  static final class Counted {
    private @Nullable String id;
  }

  private static final TableSchema<Counted> SCHEMA =
      TableSchema.builder(Counted.class)
          .newItemSupplier(Counted::new)
          .addAttribute(
              String.class,
              a ->
                  a.name("id")
                      .getter(counted -> counted.id)
                      .setter((counted, id) -> counted.id = id)
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .build();

  private static final String TABLE = DynamoDbTables.create(DynamoDbTables.client(), SCHEMA);

  private final DynamoDbSent sent = new DynamoDbSent();
  private final DynamoDbClient client =
      DynamoDbTables.client(DynamoDbTables.faults(), new DynamoDbTables.Capacity(), 3, sent);
  private final DynamoDbEntityStore<Counted> store =
      DynamoDbEntityStore.builder(client, TABLE, SCHEMA).unmappedAttributes().build();
  private final EntityKey key = EntityKey.key(UUID.randomUUID().toString());

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Change counted() {
    return change().add("byDay.2026-01-01", 1).createParents();
  }

  private Map<String, AttributeValue> item() {
    return client
        .getItem(
            get ->
                get.tableName(TABLE)
                    .key(Map.of("id", AttributeValue.fromS((String) key.parts().get(0)))))
        .item();
  }

  private String count() {
    AttributeValue days = Objects.requireNonNull(item().get("byDay"));
    return Objects.requireNonNull(days.m().get("2026-01-01")).n();
  }

  @Test
  @DisplayName("takes one request where they are there, and one more where they are not")
  void requests() {
    assertTrue(store.update(id(), key, change().set("x", 1).createIfMissing()).isApplied());
    sent.clear();
    assertTrue(store.update(id(), key, counted()).isApplied());
    assertEquals(2, sent.writes());
    assertTrue(store.update(id(), key, counted()).isApplied());
    assertEquals(3, sent.writes());
    assertEquals(0, sent.reads());
    assertEquals("2", count());
  }

  @Test
  @DisplayName("takes NULL for nothing, in a transaction too")
  void nulls() {
    assertTrue(
        store
            .update(
                id(), key, change().set("byDay", AttributeValue.fromNul(true)).createIfMissing())
            .isApplied());
    assertTrue(store.update(id(), key, counted()).isApplied());
    assertEquals("1", count());
    assertTrue(
        store.update(id(), key, change().set("byDay", AttributeValue.fromNul(true))).isApplied());
    assertTrue(
        DynamoDbTransaction.on(client)
            .write(store, Write.update(id(), key, counted()))
            .commit()
            .isDone());
    assertEquals("1", count());
  }
}
