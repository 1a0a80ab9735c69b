package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Path;
import dev.tidemark.Tracked;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("A condition of order means what the values mean, or is refused")
final class OrderConditionsTest {
  enum Size {
    SMALL,
    LARGE
  }

  /** An entity with one value of some class. */
  @Tracked
  static final class Holder<V> {
    private @Nullable String id;
    private @Nullable V value;
  }

  /**
   * One class, with values that ascend.
   *
   * @param refused whether conditions of order are
   */
  private record Kind<V>(
      EnhancedType<V> type,
      @Nullable AttributeConverter<V> converter,
      Comparator<V> order,
      boolean refused,
      List<V> values) {
    @SafeVarargs
    @SuppressWarnings("varargs") // which are read alone
    static <V extends Comparable<? super V>> Kind<V> of(boolean refused, V... values) {
      @SuppressWarnings("unchecked")
      EnhancedType<V> type = EnhancedType.of((Class<V>) values[0].getClass());
      return new Kind<>(
          type, null, Comparator.naturalOrder(), refused, Arrays.stream(values).toList());
    }

    Kind<V> by(AttributeConverter<V> own) {
      return new Kind<>(type, own, order, refused, values);
    }

    @Override
    public String toString() {
      return type.rawClass().getSimpleName() + (converter == null ? "" : " by its own converter");
    }

    @SuppressWarnings("unchecked")
    TableSchema<Holder<V>> schema() {
      return TableSchema.builder((Class<Holder<V>>) (Class<?>) Holder.class)
          .newItemSupplier(Holder::new)
          .addAttribute(
              String.class,
              a ->
                  a.name("id")
                      .getter(holder -> holder.id)
                      .setter((holder, id) -> holder.id = id)
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              type,
              a -> {
                a.name("value")
                    .getter(holder -> holder.value)
                    .setter((holder, value) -> holder.value = value);
                if (converter != null) {
                  a.attributeConverter(converter);
                }
              })
          .build();
    }
  }

  private record Own<V>(EnhancedType<V> type, AttributeValueType attributeValueType)
      implements AttributeConverter<V> {
    @Override
    public AttributeValue transformFrom(V value) {
      return attributeValueType == AttributeValueType.N
          ? AttributeValue.fromN(value.toString())
          : AttributeValue.fromS("<" + value + ">");
    }

    @Override
    public V transformTo(AttributeValue value) {
      throw new IllegalStateException("not read");
    }
  }

  private static Instant at(String time) {
    return Instant.parse(time);
  }

  private static Stream<Kind<?>> kinds() {
    Kind<Integer> whole = Kind.of(false, -2, 9, 10);
    Kind<Integer> own = Kind.of(true, -2, 9, 10);
    return Stream.of(
        Kind.of(
            true,
            OffsetDateTime.parse("2026-01-01T10:00:00+02:00"),
            OffsetDateTime.parse("2026-01-01T09:00:00Z")),
        Kind.of(true, ZoneOffset.of("+02:00"), ZoneOffset.of("-03:00")),
        Kind.of(true, Size.SMALL, Size.LARGE),
        Kind.of(true, false, true),
        new Kind<>(
            EnhancedType.of(ZonedDateTime.class),
            null,
            Comparator.comparing(ZonedDateTime::toInstant),
            true,
            List.of(
                ZonedDateTime.parse("2026-01-01T10:00:00+02:00[Europe/Berlin]"),
                ZonedDateTime.parse("2026-01-01T09:00:00Z[UTC]"))),
        Kind.of(
            false,
            at("2026-01-01T00:00:00Z"),
            at("2026-01-01T00:00:00.500Z"),
            at("2026-01-01T00:00:00.500001Z"),
            at("2026-01-01T00:00:00.500001001Z"),
            at("2026-01-01T00:00:00.501Z"),
            at("2026-01-01T00:00:01Z")),
        whole,
        whole.by(new Own<>(EnhancedType.of(Integer.class), AttributeValueType.N)),
        own.by(new Own<>(EnhancedType.of(Integer.class), AttributeValueType.S)),
        Kind.of(true, "a", "b").by(new Own<>(EnhancedType.of(String.class), AttributeValueType.S)),
        Kind.of(false, new BigDecimal("-1.5"), new BigDecimal("1.25"), new BigDecimal("10")),
        Kind.of(false, "", "A", "a", "aa"),
        Kind.of(false, new UUID(1, 1), new UUID(1, 2), new UUID(2, 0)),
        Kind.of(false, 'a', 'b'),
        Kind.of(false, LocalDate.of(1999, 12, 31), LocalDate.of(2026, 1, 1)),
        Kind.of(
            false,
            LocalDateTime.parse("2026-01-01T10:00"),
            LocalDateTime.parse("2026-01-01T10:00:00.5"),
            LocalDateTime.parse("2026-01-01T10:00:01")),
        Kind.of(
            false,
            LocalTime.parse("10:00"),
            LocalTime.parse("10:00:00.5"),
            LocalTime.parse("10:00:01")),
        Kind.of(false, MonthDay.of(9, 30), MonthDay.of(10, 1)),
        Kind.of(false, Duration.ZERO, Duration.ofMillis(9_500), Duration.ofSeconds(10)));
  }

  /** The conditions of order, and what has to be true of stored and given. */
  private static final Map<BiFunction<Attribute, Object, Condition>, IntPredicate> CONDITIONS =
      Map.of(
          Attribute::lessThan, order -> order < 0,
          Attribute::atMost, order -> order <= 0,
          Attribute::greaterThan, order -> order > 0,
          Attribute::atLeast, order -> order >= 0);

  private static final DynamoDbClient CLIENT = DynamoDbTables.client();
  private static final String TABLE = DynamoDbTables.create(CLIENT, Kind.of(false, "").schema());
  private static final Attribute VALUE = Condition.attribute("value");

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static EntityKey key() {
    return EntityKey.key(UUID.randomUUID().toString());
  }

  private static <E> boolean holds(DynamoDbEntityStore<E> store, EntityKey key, Condition rule) {
    Outcome<E> outcome = store.update(message(), key, change().onlyIf(rule));
    assertTrue(outcome instanceof Outcome.Refused || outcome instanceof Outcome.Recorded);
    return outcome instanceof Outcome.Recorded;
  }

  @Test
  @DisplayName("of each class that the Enhanced Client converts")
  void order() {
    kinds().forEach(OrderConditionsTest::order);
  }

  private static <V> void order(Kind<V> kind) {
    DynamoDbEntityStore<Holder<V>> store = DynamoDbEntityStore.of(CLIENT, TABLE, kind.schema());
    for (V stored : kind.values()) {
      EntityKey key = key();
      store.update(message(), key, change().createIfMissing().set("value", stored));
      for (V given : kind.values()) {
        assertEquals(stored.equals(given), holds(store, key, VALUE.is(given)));
        CONDITIONS.forEach(
            (make, truth) -> {
              Condition rule = make.apply(VALUE, given);
              if (kind.refused()) {
                refused(store, key, rule);
              } else {
                boolean expected = truth.test(kind.order().compare(stored, given));
                assertEquals(expected, holds(store, key, rule), stored + " " + rule + " " + given);
                assertEquals(!expected, holds(store, key, rule.not()));
              }
            });
      }
    }
    EntityKey without = key();
    store.update(message(), without, change().createIfMissing());
    for (V given : kind.refused() ? List.<V>of() : kind.values()) {
      CONDITIONS.keySet().forEach(make -> missing(store, without, make.apply(VALUE, given)));
    }
  }

  private static <E> void missing(DynamoDbEntityStore<E> store, EntityKey key, Condition rule) {
    assertEquals(false, holds(store, key, rule));
  }

  /** Before anything is written, be it alone or in a part of a rule. */
  private static void refused(DynamoDbEntityStore<?> store, EntityKey key, Condition rule) {
    for (Condition any : List.of(rule, rule.not().and(VALUE.exists()), VALUE.exists().or(rule))) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class,
              () -> store.update(message(), key, change().onlyIf(any)));
      String text = String.valueOf(refusal.getMessage());
      assertTrue(text.startsWith("attribute 'value' is "), text);
      assertTrue(text.contains("stored as") && text.contains("native update"), text);
    }
  }

  @Test
  @DisplayName("years of more digits sort among the others, and are not given as bounds")
  void years() {
    List<LocalDate> dates = List.of(LocalDate.MIN, LocalDate.of(2026, 1, 1), LocalDate.MAX);
    List<Instant> times = List.of(Instant.MIN, at("2026-01-01T00:00:00Z"), Instant.MAX);
    years(Kind.of(false, dates.toArray(new LocalDate[0])));
    years(Kind.of(false, times.toArray(new Instant[0])));
  }

  private static <V> void years(Kind<V> kind) {
    DynamoDbEntityStore<Holder<V>> store = DynamoDbEntityStore.of(CLIENT, TABLE, kind.schema());
    List<V> values = new ArrayList<>(kind.values());
    V now = values.get(1);
    for (V stored : values) {
      EntityKey key = key();
      store.update(message(), key, change().createIfMissing().set("value", stored));
      CONDITIONS.forEach(
          (make, truth) ->
              assertEquals(
                  truth.test(kind.order().compare(stored, now)),
                  holds(store, key, make.apply(VALUE, now)),
                  () -> stored + " " + make.apply(VALUE, now)));
      refused(store, key, VALUE.lessThan(values.get(0)));
      refused(store, key, VALUE.atLeast(values.get(2)));
    }
  }

  @Test
  @DisplayName("negative durations, which DynamoDB sorts the wrong way round, are no bounds")
  void durations() {
    Kind<Duration> kind = Kind.of(false, Duration.ofMillis(-1500), Duration.ofMillis(-1200));
    DynamoDbEntityStore<Holder<Duration>> store =
        DynamoDbEntityStore.of(CLIENT, TABLE, kind.schema());
    EntityKey key = key();
    store.update(message(), key, change().createIfMissing().set("value", kind.values().get(0)));
    assertTrue(holds(store, key, VALUE.lessThan(Duration.ZERO)));
    refused(store, key, VALUE.lessThan(kind.values().get(1)));
  }

  @Test
  @DisplayName("what no class maps is compared by the value that is given")
  void unmapped() {
    TableSchema<EnhancedDocument> schema =
        TableSchema.documentSchemaBuilder()
            .addIndexPartitionKey("$PRIMARY_INDEX", "id", AttributeValueType.S)
            .attributeConverterProviders(
                software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider
                    .defaultProvider())
            .build();
    DynamoDbEntityStore<EnhancedDocument> store =
        DynamoDbEntityStore.builder(CLIENT, TABLE, schema)
            .tracking(dev.tidemark.Tracking.defaults())
            .build();
    EntityKey key = key();
    Instant first = at("2026-01-01T00:00:00Z");
    store.update(message(), key, change().createIfMissing().set(Path.of("value"), first));
    assertTrue(holds(store, key, VALUE.lessThan(first.plusMillis(500))));
    refused(store, key, VALUE.lessThan(OffsetDateTime.parse("2026-01-01T10:00:00+02:00")));
    refused(store, key, VALUE.lessThan(Size.LARGE));
  }
}
