package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

@DisplayName("A key of any class is one key however it is given")
final class KeyClassesTest {
  /** A class of a user's own, which has no equals. */
  static final class OrderNo {
    private final long number;

    OrderNo(long number) {
      this.number = number;
    }
  }

  /** An entity that a value of some class finds. */
  static final class Found<K> {
    private @Nullable K id;
    private @Nullable Long total;

    private static <K> Found<K> counted(Found<K> found) {
      Long total = found.total;
      found.total = total == null ? 1 : total + 1;
      return found;
    }
  }

  /** Values of a class, how their attribute stores them, and two that are equal. */
  private record Kind<K>(String name, AttributeConverter<K> converter, K one, K same) {
    @Override
    public String toString() {
      return name;
    }

    @SuppressWarnings("unchecked")
    TableSchema<Found<K>> schema() {
      return TableSchema.builder((Class<Found<K>>) (Class<?>) Found.class)
          .newItemSupplier(Found::new)
          .addAttribute(
              converter.type(),
              a ->
                  a.name("id")
                      .getter(found -> found.id)
                      .setter((found, id) -> found.id = id)
                      .attributeConverter(converter)
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              Long.class,
              a ->
                  a.name("total")
                      .getter(found -> found.total)
                      .setter((found, total) -> found.total = total))
          .build();
    }
  }

  private record Own<K>(
      Class<K> javaType,
      AttributeValueType attributeValueType,
      Function<K, AttributeValue> from,
      Function<AttributeValue, K> to)
      implements AttributeConverter<K> {
    @Override
    public AttributeValue transformFrom(K value) {
      return from.apply(value);
    }

    @Override
    public K transformTo(AttributeValue value) {
      return to.apply(value);
    }

    @Override
    public EnhancedType<K> type() {
      return EnhancedType.of(javaType);
    }
  }

  private static <K> Kind<K> sdk(Class<K> type, K one, K same) {
    return new Kind<>(
        "the SDK's " + type.getSimpleName(),
        AttributeConverterProvider.defaultProvider().converterFor(EnhancedType.of(type)),
        one,
        same);
  }

  private static <K> Kind<K> number(
      String name, Class<K> type, Function<K, Number> from, Function<String, K> to, K one, K same) {
    return new Kind<>(
        name,
        new Own<>(
            type,
            AttributeValueType.N,
            value -> AttributeValue.fromN(from.apply(value).toString()),
            value -> to.apply(value.n())),
        one,
        same);
  }

  private static <K> Kind<K> text(
      String name, Class<K> type, Function<K, String> from, Function<String, K> to, K one, K same) {
    return new Kind<>(
        name,
        new Own<>(
            type,
            AttributeValueType.S,
            value -> AttributeValue.fromS(from.apply(value)),
            value -> to.apply(value.s())),
        one,
        same);
  }

  private static Kind<OrderNo> ownNumber() {
    return number(
        "number of its own",
        OrderNo.class,
        no -> no.number,
        text -> new OrderNo(Long.parseLong(text)),
        new OrderNo(7),
        new OrderNo(7));
  }

  static Stream<Kind<?>> kinds() {
    UUID uuid = UUID.randomUUID();
    Instant now = Instant.ofEpochSecond(1_700_000_000);
    LocalDate day = LocalDate.of(2026, 1, 31);
    return Stream.of(
        sdk(String.class, "a", "a"),
        sdk(Integer.class, 7, 7),
        sdk(BigDecimal.class, new BigDecimal("1.50"), new BigDecimal("1.5")),
        sdk(
            BigInteger.class,
            new BigInteger("-1" + "0".repeat(25)),
            BigInteger.TEN.pow(25).negate()),
        sdk(byte[].class, new byte[] {1, 2}, new byte[] {1, 2}),
        sdk(ByteBuffer.class, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {1})),
        sdk(UUID.class, uuid, uuid),
        sdk(Instant.class, now, now),
        sdk(LocalDate.class, day, day),
        sdk(Duration.class, Duration.ofMillis(1_500), Duration.ofMillis(1_500)),
        sdk(AtomicLong.class, new AtomicLong(7), new AtomicLong(7)),
        ownNumber(),
        number(
            "day of an epoch",
            LocalDate.class,
            LocalDate::toEpochDay,
            text -> LocalDate.ofEpochDay(Long.parseLong(text)),
            day,
            day),
        number(
            "second of an epoch",
            Instant.class,
            Instant::getEpochSecond,
            text -> Instant.ofEpochSecond(Long.parseLong(text)),
            now,
            now),
        number(
            "number that is another",
            Long.class,
            given -> given + 1000,
            text -> Long.parseLong(text) - 1000,
            7L,
            7L),
        number(
            "atomic number",
            AtomicLong.class,
            AtomicLong::get,
            text -> new AtomicLong(Long.parseLong(text)),
            new AtomicLong(7),
            new AtomicLong(7)),
        number(
            "decimal",
            BigDecimal.class,
            given -> given,
            BigDecimal::new,
            new BigDecimal("1.50"),
            new BigDecimal("1.5")),
        number(
            "text that is stored as a number", String.class, Long::valueOf, text -> text, "7", "7"),
        text(
            "number that is stored as a text", Long.class, Object::toString, Long::valueOf, 7L, 7L),
        text(
            "prefixed text",
            String.class,
            given -> "#" + given,
            stored -> stored.substring(1),
            "#a",
            "#a"),
        text(
            "text of a class",
            OrderNo.class,
            no -> "no-" + no.number,
            stored -> new OrderNo(Long.parseLong(stored.substring(3))),
            new OrderNo(7),
            new OrderNo(7)),
        text(
            "text that reads as another",
            OrderNo.class,
            no -> "v1-" + no.number,
            stored -> new OrderNo(1),
            new OrderNo(7),
            new OrderNo(7)),
        number(
            "number that is never read",
            OrderNo.class,
            no -> no.number,
            text -> {
              throw new UnsupportedOperationException();
            },
            new OrderNo(7),
            new OrderNo(7)));
  }

  @Test
  @DisplayName("is one key in all its spellings, and is stored as its converter stores it")
  void oneKey() {
    kinds().forEach(KeyClassesTest::assertOneKey);
  }

  private static <K> void assertOneKey(Kind<K> kind) {
    Keys keys = new Keys(kind.schema());
    EntityKey given = EntityKey.key(Objects.requireNonNull(kind.one));
    EntityKey canonical = keys.canonical(given);
    assertEquals(
        canonical, keys.canonical(EntityKey.key(Objects.requireNonNull(kind.same))), kind::name);
    assertEquals(canonical, keys.canonical(canonical), kind::name);
    assertEquals(keys.of(given), keys.of(canonical), kind::name);
    assertEquals(canonical, keys.keyOf(respelled(keys.of(given))), kind::name);
  }

  /** A key's number with one more zero, as servers may spell it. */
  private static Map<String, AttributeValue> respelled(Map<String, AttributeValue> key) {
    String digits = Objects.requireNonNull(key.get("id")).n();
    return digits == null
        ? key
        : Map.of("id", AttributeValue.fromN(digits + (digits.contains(".") ? "0" : ".0")));
  }

  @Test
  @DisplayName("finds its entity alone, in a batch, under a cache and in a transaction")
  void everyCall() {
    Kind<OrderNo> kind = ownNumber();
    DynamoDbClient client = DynamoDbTables.client();
    String table = DynamoDbTables.create(client, kind.schema());
    EntityKey key = EntityKey.key(kind.one);
    Change add = change().createIfMissing().add("total", 1);
    DynamoDbEntityStore<Found<OrderNo>> store =
        DynamoDbEntityStore.builder(client, table, kind.schema()).build();
    DynamoDbEntityStore<Found<OrderNo>> caching =
        DynamoDbEntityStore.builder(client, table, kind.schema())
            .markCache(MarkCache.in(new ConcurrentHashMap<>()))
            .build();
    assertTrue(store.update(message(), key, add).isApplied());
    List<Write<Found<OrderNo>>> writes =
        List.of(
            Write.update(message(), key, add),
            Write.apply(message(), key, Found::counted),
            Write.apply(message(), EntityKey.key(new OrderNo(8)), Found::new, Found::counted));
    store.writeAll(writes).forEach(result -> assertTrue(result.isDone(), result::toString));
    assertTrue(caching.update(message(), key, add).isApplied());
    assertTrue(caching.apply(message(), key, Found::counted).isApplied());
    DynamoDbTransaction.on(client).write(caching, Write.update(message(), key, add)).commit();
    UpdateItemRequest.Builder request =
        UpdateItemRequest.builder()
            .updateExpression("ADD #total :one")
            .expressionAttributeNames(Map.of("#total", "total"))
            .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")));
    Map<String, AttributeValue> spelled = Map.of("id", AttributeValue.fromN("7.0"));
    assertTrue(store.update(message(), request.key(spelled).build()).isApplied());
    assertEquals(7, store.find(key).orElseThrow().total);
    assertEquals(7, store.find(EntityKey.key(7)).orElseThrow().total, "as it is stored");
  }

  @Test
  @DisplayName("fails its message alone where its converter fails")
  void failing() {
    Kind<OrderNo> kind =
        text(
            "even number",
            OrderNo.class,
            no -> {
              if (no.number % 2 != 0) {
                throw new UnsupportedOperationException("odd");
              }
              return "no-" + no.number;
            },
            stored -> {
              throw new NoClassDefFoundError(stored);
            },
            new OrderNo(2),
            new OrderNo(2));
    DynamoDbClient client = DynamoDbTables.client();
    DynamoDbEntityStore<Found<OrderNo>> store =
        DynamoDbEntityStore.builder(
                client, DynamoDbTables.create(client, kind.schema()), kind.schema())
            .build();
    Change create = change().createIfMissing().add("total", 1);
    List<Boolean> done =
        store
            .writeAll(
                Stream.of(2, 3, 4)
                    .map(no -> Write.<Found<OrderNo>>update(message(), key(no), create))
                    .toList())
            .stream()
            .map(Result::isDone)
            .toList();
    assertEquals(List.of(true, false, true), done);
    assertThrows(
        UnsupportedOperationException.class, () -> store.update(message(), key(3), create));
    assertThrows( // a text that its converter does not read
        IllegalArgumentException.class,
        () -> store.update(message(), EntityKey.key("no-2"), create));
  }

  private static EntityKey key(long no) {
    return EntityKey.key(new OrderNo(no));
  }

  @Test
  @DisplayName("publishes under one ID and in one shard, by every call and of every process")
  void publishes() {
    kinds()
        .filter(kind -> kind.one instanceof UUID || kind.one instanceof OrderNo)
        .forEach(KeyClassesTest::assertPublishesAlike);
  }

  private static <K> void assertPublishesAlike(Kind<K> kind) {
    DynamoDbClient client = DynamoDbTables.client();
    String table = DynamoDbTables.create(client, kind.schema());
    String outgoing = "outgoing-" + table;
    DynamoDbOutbox.createTable(client, outgoing);
    DynamoDbOutbox outbox = DynamoDbOutbox.of(client, outgoing);
    DynamoDbEntityStore<Found<K>> store =
        DynamoDbEntityStore.builder(client, table, kind.schema()).build();
    OutgoingMessage text = OutgoingMessage.to("orders", "text");
    Change add = change().createIfMissing().add("total", 1).publish(text);
    Set<Object> published = new HashSet<>();
    for (K value : List.of(kind.one, kind.same)) {
      Write<Found<K>> write = Write.update(MessageId.of("m"), EntityKey.key(value), add);
      List<Runnable> calls =
          List.of(
              () -> store.update(write.message(), write.key(), add),
              () -> store.writeAll(List.of(write)),
              () ->
                  DynamoDbTransaction.on(client)
                      .write(store, write)
                      .publish(outbox, text)
                      .commit());
      for (Runnable call : calls) {
        call.run();
        Map<String, AttributeValue> item =
            client.scan(all -> all.tableName(table).consistentRead(true)).items().get(0);
        AttributeValue waits = Objects.requireNonNull(item.get("_outbox")).l().get(0);
        published.add(List.of(waits.m().get("id"), item.get("_outbox#shard")));
        Map<String, AttributeValue> key = Map.of("id", item.get("id"));
        client.deleteItem(delete -> delete.tableName(table).key(key));
      }
    }
    assertEquals(1, published.size(), kind::name);
    assertEquals(1, client.scan(all -> all.tableName(outgoing)).count(), kind::name);
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }
}
