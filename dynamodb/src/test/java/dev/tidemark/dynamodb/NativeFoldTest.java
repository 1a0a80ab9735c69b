package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.EntityKey;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("Native updates of one entity in a batch")
final class NativeFoldTest {
  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);

  private static DynamoDbClient client;
  private static DynamoDbSent sent;
  private static String table;
  private static DynamoDbEntityStore<View> views;

  @BeforeAll
  static void open() {
    sent = new DynamoDbSent();
    client = DynamoDbTables.client(DynamoDbTables.faults(), sent, 3);
    table = DynamoDbTables.create(client, SCHEMA);
    views = DynamoDbEntityStore.of(client, table, SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static EntityKey stored(int kind) {
    String id = UUID.randomUUID().toString();
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(SCHEMA.tableMetadata().primaryPartitionKey(), AttributeValue.fromS(id));
    item.put("_rev", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[16]))); // tracked
    if (kind > 0) {
      item.put("x", kind == 1 ? AttributeValue.fromN("41") : AttributeValue.fromS("text"));
      item.put("g", AttributeValue.fromSs(List.of("1", "7")));
      item.put("l", AttributeValue.fromL(List.of(AttributeValue.fromN("1"))));
    }
    client.putItem(put -> put.tableName(table).item(item));
    return EntityKey.key(id);
  }

  private static Map<String, AttributeValue> fields(EntityKey key) {
    String name = SCHEMA.tableMetadata().primaryPartitionKey();
    Map<String, AttributeValue> own =
        Map.of(name, AttributeValue.fromS((String) key.parts().get(0)));
    Map<String, AttributeValue> item =
        new HashMap<>(client.getItem(get -> get.tableName(table).key(own)).item());
    item.keySet().retainAll(Set.of("x", "y", "g", "l"));
    item.computeIfPresent(
        "g", (attribute, set) -> AttributeValue.fromSs(set.ss().stream().sorted().toList()));
    return item;
  }

  private static List<Write<View>> writes(EntityKey key, List<DynamoDbNativeUpdate> updates) {
    List<Write<View>> writes = new ArrayList<>();
    for (int i = 0; i < updates.size(); i++) {
      writes.add(Write.update(SourceEvent.of("A", "1", i + 1), key, updates.get(i)));
    }
    return writes;
  }

  private static String word(Result<View> result) {
    return result instanceof Result.Failed<View> failed
        ? failed.fault().getClass().getSimpleName()
        : result.outcomeIfJudged().map(o -> o.getClass().getSimpleName()).orElse("HeldBack");
  }

  private static DynamoDbNativeUpdate update(int kind, Random random) {
    int number = random.nextInt(7) - 1;
    return switch (kind) {
      case 0 -> both(number);
      case 1 -> DynamoDbNativeUpdate.of("SET x = x + :n").value(":n", number);
      case 2 -> DynamoDbNativeUpdate.of("SET x = if_not_exists(x, :n)").value(":n", number);
      case 3 -> DynamoDbNativeUpdate.of("REMOVE x SET y = :n").value(":n", number);
      case 4 -> DynamoDbNativeUpdate.of("ADD g :g").value(":g", Set.of("" + number));
      case 5 -> DynamoDbNativeUpdate.of("DELETE g :g").value(":g", Set.of("" + number));
      case 6 -> DynamoDbNativeUpdate.of("SET l = list_append(l, :l)").value(":l", List.of(number));
      case 7 -> DynamoDbNativeUpdate.of("REMOVE l[0]");
      default -> DynamoDbNativeUpdate.of("SET y = x, x = :n").value(":n", number);
    };
  }

  private static DynamoDbNativeUpdate both(int number) {
    return DynamoDbNativeUpdate.of("SET #y = :y ADD #x :n")
        .name("#x", "x")
        .name("#y", "y")
        .value(":y", "Y" + number)
        .value(":n", number);
  }

  @Test
  @DisplayName("are one request where one expression adds and assigns")
  void oneRequest() {
    EntityKey key = stored(1);
    sent.clear();
    List<Result<View>> results = views.writeAll(writes(key, List.of(both(1), both(2), both(3))));
    assertEquals(1, sent.reads() + sent.writes());
    results.forEach(result -> assertEquals("Applied", word(result)));
    assertEquals(AttributeValue.fromN("47"), fields(key).get("x"));
    assertEquals(AttributeValue.fromS("Y3"), fields(key).get("y"));
  }

  @Test
  @DisplayName("leave what they leave one by one, whatever the expression")
  void asOneByOne() {
    Random random = new Random(7);
    for (int example = 0; example < 150; example++) {
      int kind = random.nextInt(9);
      List<DynamoDbNativeUpdate> updates = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        updates.add(update(random.nextInt(4) == 0 ? random.nextInt(9) : kind, random));
      }
      int item = random.nextInt(3);
      EntityKey folded = stored(item);
      EntityKey alone = stored(item);
      List<String> words =
          views.writeAll(writes(folded, updates)).stream().map(NativeFoldTest::word).toList();
      List<String> expected =
          Batch.oneByOne(views, writes(alone, updates)).stream().map(NativeFoldTest::word).toList();
      assertEquals(expected, words, updates::toString);
      assertEquals(fields(alone), fields(folded), updates::toString);
    }
  }
}
