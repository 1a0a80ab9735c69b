package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("Portable keys and values are stored by the converters of their attributes")
final class ConverterTest {
  /** An entity whose attributes have converters of their own. */
  static final class Priced {
    private @Nullable String id;
    private @Nullable BigDecimal price;
    private @Nullable Long offset;
    private byte @Nullable [] secret;
    private @Nullable String note;
  }

  private record Converter<T>(
      Class<T> javaType,
      AttributeValueType attributeValueType,
      Function<T, AttributeValue> from,
      Function<AttributeValue, T> to)
      implements AttributeConverter<T> {
    @Override
    public AttributeValue transformFrom(T value) {
      return from.apply(value);
    }

    @Override
    public T transformTo(AttributeValue value) {
      return to.apply(value);
    }

    @Override
    public EnhancedType<T> type() {
      return EnhancedType.of(javaType);
    }
  }

  private static final Converter<String> PREFIXED =
      new Converter<>(
          String.class,
          AttributeValueType.S,
          id -> AttributeValue.fromS("PRICE#" + id),
          value -> value.s().substring(6));

  private static final Converter<BigDecimal> CENTS =
      new Converter<>(
          BigDecimal.class,
          AttributeValueType.N,
          price ->
              AttributeValue.fromN(
                  price.movePointRight(2).setScale(0, RoundingMode.UNNECESSARY).toString()),
          value -> new BigDecimal(value.n()).movePointLeft(2));

  private static final Converter<Long> OFFSET =
      new Converter<>(
          Long.class,
          AttributeValueType.N,
          value -> AttributeValue.fromN(Long.toString(value + 1000)),
          value -> Long.parseLong(value.n()) - 1000);

  private static final Converter<byte[]> MIRRORED =
      new Converter<>(
          byte[].class,
          AttributeValueType.B,
          value -> AttributeValue.fromB(SdkBytes.fromByteArray(mirrored(value))),
          value -> mirrored(value.b().asByteArray()));

  /** Encrypts, so to speak: the same is another text each time. */
  private static final Converter<String> ENCRYPTED =
      new Converter<>(
          String.class,
          AttributeValueType.S,
          text -> AttributeValue.fromS(UUID.randomUUID() + text),
          value -> value.s().substring(36));

  private static byte[] mirrored(byte[] bytes) {
    byte[] mirrored = bytes.clone();
    for (int i = 0; i < bytes.length; i++) {
      mirrored[i] = (byte) ~bytes[i];
    }
    return mirrored;
  }

  private static final TableSchema<Priced> SCHEMA =
      TableSchema.builder(Priced.class)
          .newItemSupplier(Priced::new)
          .addAttribute(
              String.class,
              a ->
                  a.name("id")
                      .getter(priced -> priced.id)
                      .setter((priced, id) -> priced.id = id)
                      .attributeConverter(PREFIXED)
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              BigDecimal.class,
              a ->
                  a.name("price")
                      .getter(priced -> priced.price)
                      .setter((priced, price) -> priced.price = price)
                      .attributeConverter(CENTS))
          .addAttribute(
              Long.class,
              a ->
                  a.name("offset")
                      .getter(priced -> priced.offset)
                      .setter((priced, offset) -> priced.offset = offset)
                      .attributeConverter(OFFSET))
          .addAttribute(
              byte[].class,
              a ->
                  a.name("secret")
                      .getter(priced -> priced.secret)
                      .setter((priced, secret) -> priced.secret = secret)
                      .attributeConverter(MIRRORED))
          .addAttribute(
              String.class,
              a ->
                  a.name("note")
                      .getter(priced -> priced.note)
                      .setter((priced, note) -> priced.note = note)
                      .attributeConverter(ENCRYPTED))
          .build();

  private static final String TABLE = DynamoDbTables.create(DynamoDbTables.client(), SCHEMA);

  private final DynamoDbClient client = DynamoDbTables.client();
  private final DynamoDbEntityStore<Priced> store =
      DynamoDbEntityStore.builder(client, TABLE, SCHEMA)
          .markCache(MarkCache.in(new ConcurrentHashMap<>()))
          .build();
  private final String id = UUID.randomUUID().toString();
  private final EntityKey key = EntityKey.key(id);

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private Map<String, AttributeValue> item(String stored) {
    return client
        .getItem(get -> get.tableName(TABLE).key(Map.of("id", AttributeValue.fromS(stored))))
        .item();
  }

  private void placed() {
    Priced initial = new Priced();
    initial.id = id;
    assertTrue(
        store
            .apply(
                message(),
                key,
                () -> initial,
                priced -> {
                  priced.price = new BigDecimal("1.50");
                  priced.offset = 5L;
                  priced.secret = new byte[] {1, 2};
                  return priced;
                })
            .isApplied());
  }

  @Test
  @DisplayName("a key finds, changes and makes the entity that apply made")
  void keys() {
    placed();
    Change add = change().add("price", new BigDecimal("0.25"));
    assertTrue(store.update(message(), key, add.createIfMissing()).isApplied());
    assertTrue(store.writeAll(List.of(Write.update(message(), key, add))).get(0).isDone());
    assertTrue(store.apply(message(), key, UnaryOperator.identity()).isDone());
    assertEquals(new BigDecimal("2.00"), store.find(key).orElseThrow().price);
    assertEquals(
        "200", item("PRICE#" + id).getOrDefault("price", AttributeValue.fromNul(true)).n());
    assertEquals(Map.of(), item(id));
  }

  @Test
  @DisplayName("values and amounts are stored as apply stores them, or refused")
  void values() {
    placed();
    Map<String, AttributeValue> before = item("PRICE#" + id);
    Change set =
        change()
            .set("price", new BigDecimal("1.50"))
            .set("offset", 5)
            .set("secret", new byte[] {1, 2});
    assertTrue(store.update(message(), key, set).isApplied());
    Map<String, AttributeValue> after = item("PRICE#" + id);
    for (String name : List.of("price", "offset", "secret")) {
      assertEquals(before.get(name), after.get(name), name);
    }
    for (Condition condition :
        List.of(
            attribute("price").is(new BigDecimal("1.5")),
            attribute("price").atLeast(1),
            attribute("offset").lessThan(6),
            attribute("secret").is(new byte[] {1, 2}))) {
      Change change = change().set("offset", 5).onlyIf(condition);
      assertTrue(store.update(message(), key, change).isApplied(), condition::toString);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(message(), key, change().add("offset", 1)));
    assertEquals(after.get("offset"), item("PRICE#" + id).get("offset"));
  }

  @Test
  @DisplayName("what a converter writes as another text each time is left alone by functions")
  void encrypted() {
    placed();
    assertTrue(store.update(message(), key, change().set("note", "old")).isApplied());
    assertInstanceOf(Outcome.Recorded.class, store.apply(message(), key, UnaryOperator.identity()));
    Outcome<Priced> changed =
        store.apply(
            message(),
            key,
            priced -> {
              client.updateItem(
                  update ->
                      update
                          .tableName(TABLE)
                          .key(Map.of("id", PREFIXED.transformFrom(id)))
                          .updateExpression("SET note = :new")
                          .expressionAttributeValues(
                              Map.of(":new", ENCRYPTED.transformFrom("new"))));
              priced.offset = 6L;
              return priced;
            });
    assertTrue(changed.isApplied());
    Priced found = store.find(key).orElseThrow();
    assertEquals("new", found.note);
    assertEquals(6L, found.offset);
  }

  @Test
  @DisplayName("a condition that is never true is refused, with the name of its attribute")
  void neverTrue() {
    placed();
    assertTrue(store.update(message(), key, change().set("note", "old")).isApplied());
    for (Condition condition :
        List.of(
            attribute("note").is("old"),
            attribute("note").is("old").not(),
            attribute("note").in("old", "new"),
            attribute("note").lessThan("z"))) {
      Change change = change().set("offset", 5).onlyIf(condition);
      String text =
          String.valueOf(
              assertThrows(
                      IllegalArgumentException.class, () -> store.update(message(), key, change))
                  .getMessage());
      assertTrue(text.contains("'note' of Priced"), text);
      assertFalse(text.contains("old"), text);
    }
    Change there = change().set("offset", 5).onlyIf(attribute("note").exists());
    assertTrue(store.update(message(), key, there).isApplied());
  }
}
