package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkNumber;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

@DisplayName("A batch on items whose keys can be spelled in several ways")
final class KeySpellingTest {
  private static final int ATTEMPTS = 3;

  private static final TableSchema<Reading> SCHEMA =
      TableSchema.builder(Reading.class)
          .newItemSupplier(Reading::new)
          .addAttribute(
              UUID.class,
              a ->
                  a.name("sensor")
                      .getter(Reading::sensor)
                      .setter(Reading::sensor)
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              BigDecimal.class,
              a ->
                  a.name("at")
                      .getter(Reading::at)
                      .setter(Reading::at)
                      .tags(StaticAttributeTags.primarySortKey()))
          .addAttribute(
              Long.class, a -> a.name("total").getter(Reading::total).setter(Reading::total))
          .build();

  private static String table;

  private final UUID sensor = UUID.randomUUID();
  private final DynamoDbSent sent = new DynamoDbSent();
  private final DynamoDbFaults http = DynamoDbTables.faults();

  @BeforeAll
  static void open() {
    table = DynamoDbTables.create(DynamoDbTables.client(), SCHEMA);
  }

  private DynamoDbEntityStore.Builder<Reading> store(ExecutionInterceptor more) {
    DynamoDbClient client =
        DynamoDbTables.client(http, new DynamoDbTables.Capacity(), ATTEMPTS, sent, more);
    return DynamoDbEntityStore.builder(client, table, SCHEMA);
  }

  @Test
  @DisplayName("a number of the SDK's is the key that it was read as, with its fraction")
  void numbersOfTheSdk() {
    DynamoDbEntityStore<Reading> store = store(sent).build();
    BigDecimal at = new BigDecimal("1700000000.123");
    for (BigDecimal one : List.of(at, BigDecimal.valueOf(at.longValue()))) {
      store.writeAll(List.of(update(SourceEvent.of("O", "1", 1), EntityKey.key(sensor, one))));
    }
    EntityKey read = EntityKey.key(sensor, SdkNumber.fromString(at.toString()));
    Number price = SdkNumber.fromString("2.75");
    Outcome<Reading> changed =
        store.update(
            MessageId.of("m"),
            read,
            change()
                .add("total", 5)
                .onlyIf(Condition.attribute("at").is(SdkNumber.fromBigDecimal(at))));
    assertTrue(changed.isApplied(), changed.toString());
    assertEquals(6L, store.find(EntityKey.key(sensor, at)).orElseThrow().total());
    assertEquals(AttributeValue.fromN("2.75"), Values.toNative(price));
  }

  private static Write<Reading> update(SourceEvent event, EntityKey key) {
    return Write.update(event, key, change().createIfMissing().add("total", 1));
  }

  private static Write<Reading> function(EntityKey key) {
    return Write.apply(MessageId.of(UUID.randomUUID()), key, Reading::counted);
  }

  private static List<String> words(List<Result<Reading>> results) {
    return results.stream()
        .map(result -> ((Result.Judged<Reading>) result).outcome().getClass().getSimpleName())
        .toList();
  }

  private static SourceEvent event(long position) {
    return SourceEvent.of("Sensor", "1", position);
  }

  @Test
  @DisplayName("takes the item of a refusal for the entity's own, though it spells the key its way")
  void refused() {
    DynamoDbEntityStore<Reading> store = store(new ExecutionInterceptor() {}).build();
    List<Write<Reading>> twice =
        List.of(
            update(event(1), EntityKey.key(sensor, new BigDecimal("1E+30"))),
            update(event(1), EntityKey.key(sensor.toString(), new BigDecimal("1E+30"))));
    int reads = http.reads();
    List<String> words =
        twice.stream().map(write -> store.write(write).getClass().getSimpleName()).toList();
    assertEquals(List.of("Applied", "Duplicate"), words);
    assertEquals(reads, http.reads());
  }

  @Test
  @DisplayName("takes spellings of one key for one entity, in its cache of marks too")
  void oneEntity() {
    List<EntityKey> spellings =
        List.of(
            EntityKey.key(sensor, 1),
            EntityKey.key(sensor.toString(), new BigDecimal("1.0")),
            new EntityKey(List.of(sensor, new BigDecimal("1.00")), Map.of()),
            new EntityKey(List.of(sensor.toString(), 1L), Map.of()));
    DynamoDbEntityStore<Reading> store =
        store(new ExecutionInterceptor() {})
            .markCache(MarkCache.in(new ConcurrentHashMap<>()))
            .build();
    List<Write<Reading>> writes = new ArrayList<>();
    for (int position = 1; position <= 8; position++) {
      writes.add(update(event(position), spellings.get(position % 4)));
    }
    writes.add(update(event(8), spellings.get(3)));
    writes.add(update(event(7), spellings.get(1)));
    List<String> expected = new ArrayList<>(Collections.nCopies(8, "Applied"));
    expected.addAll(List.of("Duplicate", "Duplicate")); // 7 is judged right behind its twin
    assertEquals(expected, words(store.writeAll(writes)));
    assertEquals(1, sent.writes());
    for (EntityKey spelling : spellings) {
      assertEquals(8, store.find(spelling).orElseThrow().total());
    }
    sent.clear();
    for (EntityKey spelling : spellings) {
      Write<Reading> again = update(event(8), spelling);
      assertEquals(List.of("Duplicate"), words(store.writeAll(List.of(again))));
      assertEquals("Duplicate", store.write(again).getClass().getSimpleName());
    }
    assertEquals(0, sent.reads() + sent.writes());
  }

  @Test
  @DisplayName("finds the items of a read however the reply spells their numbers")
  void reply() {
    assertEquals(1, functionsOver(new Respelling(0, () -> {})), "all in one request");
  }

  @Test
  @DisplayName("finds the keys that a read left, however the reply spells their numbers")
  void unprocessed() {
    Respelling leaving = new Respelling(2, () -> {});
    assertEquals(2, functionsOver(leaving), "two keys were left by the first request");
  }

  @Test
  @DisplayName("takes keys that a read left, and the next does not bring, for unread")
  void unread() {
    Respelling leaving = new Respelling(2, () -> http.throttleReads(ATTEMPTS));
    assertEquals(4, functionsOver(leaving), "two for all, and each of the two by itself");
  }

  /** How many reads functions over items of several numbers take. */
  private int functionsOver(Respelling respelling) {
    DynamoDbEntityStore<Reading> store = store(respelling).build();
    List<Write<Reading>> functions = new ArrayList<>();
    for (String number : List.of("1E+30", "5E-9", "-2E+25", "1.50", "7")) {
      EntityKey key = EntityKey.key(sensor, new BigDecimal(number));
      assertEquals(List.of("Applied"), words(store.writeAll(List.of(update(event(1), key)))));
      functions.add(function(key));
    }
    sent.clear();
    assertEquals(Collections.nCopies(5, "Applied"), words(store.writeAll(functions)));
    int reads = sent.reads();
    assertEquals(5, sent.writes());
    functions.forEach(write -> assertEquals(2, store.find(write.key()).orElseThrow().total()));
    return reads;
  }

  /** Spells the numbers of keys with more zeros, and leaves some keys of the first read. */
  private static final class Respelling implements ExecutionInterceptor {
    private final Runnable then;
    private int leaves;

    Respelling(int leaves, Runnable then) {
      this.leaves = leaves;
      this.then = then;
    }

    private static Map<String, AttributeValue> spelled(Map<String, AttributeValue> item) {
      String plain = number(item).toPlainString();
      Map<String, AttributeValue> spelled = new HashMap<>(item);
      spelled.put("at", AttributeValue.fromN(plain + (plain.contains(".") ? "0" : ".0")));
      return spelled;
    }

    private static BigDecimal number(Map<String, AttributeValue> item) {
      return new BigDecimal(Objects.requireNonNull(item.get("at")).n()).stripTrailingZeros();
    }

    @Override
    public SdkResponse modifyResponse(
        Context.ModifyResponse context, ExecutionAttributes attributes) {
      if (!(context.response() instanceof BatchGetItemResponse reply)) {
        return context.response();
      }
      KeysAndAttributes asked =
          Objects.requireNonNull(
              ((BatchGetItemRequest) context.request()).requestItems().get(table));
      List<Map<String, AttributeValue>> left =
          asked.keys().stream().limit(leaves).map(Respelling::spelled).toList();
      leaves = 0;
      List<BigDecimal> numbers = left.stream().map(Respelling::number).toList();
      List<Map<String, AttributeValue>> items =
          reply.responses().getOrDefault(table, List.of()).stream()
              .filter(item -> !numbers.contains(number(item)))
              .map(Respelling::spelled)
              .toList();
      BatchGetItemResponse.Builder respelled = reply.toBuilder().responses(Map.of(table, items));
      if (!left.isEmpty()) {
        then.run();
        respelled.unprocessedKeys(Map.of(table, asked.toBuilder().keys(left).build()));
      }
      return respelled.build();
    }
  }
}
