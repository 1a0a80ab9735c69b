package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.metrics.SizeGuard;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.tck.View;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

@DisplayName("Sizes of items")
final class SizesTest {
  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);
  private static final Names NAMES = Names.flat(Tracking.defaults());
  private static DynamoDbClient client;
  private static String table;

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    table = DynamoDbTables.create(client, SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static long bytes(AttributeValue value) {
    return Observed.Sizes.of(Map.of("a", value), NAMES).bytes() - 1;
  }

  @Test
  @DisplayName("follow DynamoDB's rules")
  void rules() {
    assertEquals(5, bytes(AttributeValue.fromS("aäbc")));
    assertEquals(3, bytes(AttributeValue.fromB(SdkBytes.fromByteArray(new byte[3]))));
    assertEquals(1, bytes(AttributeValue.fromBool(true)));
    assertEquals(1, bytes(AttributeValue.fromNul(true)));
    assertEquals(2, bytes(AttributeValue.fromN("7")));
    assertEquals(3, bytes(AttributeValue.fromN("-7")));
    assertEquals(2, bytes(AttributeValue.fromN("1200000")));
    assertEquals(20, bytes(AttributeValue.fromN("12345678901234567890123456789012345678")));
    assertEquals(4, bytes(AttributeValue.fromSs(List.of("ab", "cd"))));
    assertEquals(4, bytes(AttributeValue.fromNs(List.of("1", "2"))));
    assertEquals(3, bytes(AttributeValue.fromL(List.of())));
    AttributeValue two = AttributeValue.fromL(List.of(AttributeValue.fromS("ab"), two()));
    assertEquals(3 + 1 + 2 + 1 + 3 + 1 + 1 + 2, bytes(two));
  }

  private static AttributeValue two() {
    return AttributeValue.fromM(Map.of("k", AttributeValue.fromN("10")));
  }

  @Test
  @DisplayName("are those by which a write is billed: one unit up to 1,024 bytes, then two")
  void billed() {
    for (long bytes : new long[] {1_023, 1_024, 1_025, 2_048, 2_049}) {
      Map<String, AttributeValue> item = item(bytes);
      double units =
          client
              .putItem(
                  r ->
                      r.tableName(table)
                          .item(item)
                          .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
              .consumedCapacity()
              .capacityUnits();
      assertEquals(Math.ceil(bytes / 1_024.0), units, () -> "for " + bytes);
    }
  }

  private static Map<String, AttributeValue> item(long bytes) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("id", AttributeValue.fromS(UUID.randomUUID().toString()));
    item.put("messageIDs", AttributeValue.fromSs(List.of("a", "bc")));
    item.put("list", AttributeValue.fromL(List.of(two(), AttributeValue.fromBool(false))));
    item.put("note", AttributeValue.fromS(""));
    long rest = bytes - Observed.Sizes.of(item, NAMES).bytes();
    item.put("note", AttributeValue.fromS("n".repeat((int) rest)));
    assertEquals(bytes, Observed.Sizes.of(item, NAMES).bytes());
    return item;
  }

  @Test
  @DisplayName("tell what the marks cost: 200 ids in an item add seven units to each write of it")
  void marks() {
    List<StoreCall> calls = new ArrayList<>();
    DynamoDbEntityStore<View> views =
        DynamoDbEntityStore.builder(client, table, SCHEMA)
            .tracking(Tracking.defaults().messageIds(IdPolicy.forEver()))
            .listener(calls::add)
            .build();
    String id = UUID.randomUUID().toString();
    for (int i = 0; i < 200; i++) {
      MessageId message = MessageId.of("m".repeat(30) + (1_000_000 + i));
      assertTrue(views.update(message, key(id), change().createIfMissing()).isDone());
    }
    StoreCall last = calls.get(calls.size() - 1);
    StoreCall.Size size = last.sizes().get(0);
    assertTrue(size.marks().bytes() > 200 * 37 && size.marks().bytes() < 200 * 37 + 100);
    assertEquals(7, size.marks().writeUnits().orElseThrow());
    assertEquals(8, last.requests().writeUnits().orElseThrow());
    assertEquals(409_600, size.limit());
  }

  @Test
  @DisplayName("let the guard warn at 80 % of 400 KB, without the key")
  void guard() {
    try (DynamoDbLog log = DynamoDbLog.of(SizeGuard.class)) {
      DynamoDbEntityStore<View> views =
          DynamoDbEntityStore.builder(client, table, SCHEMA)
              .listener(SizeGuard.of(Clock.systemUTC()))
              .build();
      String id = UUID.randomUUID().toString();
      note(views, id, 320_000);
      assertEquals(List.of(), log.said());
      note(views, id, 330_000);
      assertEquals(1, log.said().size());
      String warning = log.said().get(0);
      assertTrue(warning.startsWith("An entity of " + table + " has 80 % of the 409600 bytes"));
      assertFalse(warning.contains(id));
    }
  }

  private static void note(DynamoDbEntityStore<View> views, String id, int length) {
    assertTrue(
        views
            .update(
                MessageId.of(UUID.randomUUID()),
                key(id),
                change().set("note", "n".repeat(length)).createIfMissing())
            .isApplied());
  }
}
