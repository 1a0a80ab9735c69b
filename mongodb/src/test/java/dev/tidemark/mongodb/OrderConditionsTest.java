package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.UnfitChangeException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import org.bson.BsonBoolean;
import org.bson.BsonNull;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonRepresentation;
import org.bson.types.MinKey;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A condition of order means what the values mean, or is refused")
final class OrderConditionsTest {
  /** A class that is stored by its names. */
  public enum Size {
    SMALL,
    LARGE
  }

  /** A class that a codec of its own stores as a text, or as a number. */
  public record Money(long cents) implements Comparable<Money> {
    @Override
    public int compareTo(Money other) {
      return Long.compare(cents, other.cents);
    }
  }

  /** An entity with values of some classes. */
  public record Goods(
      @BsonId String id,
      @Nullable String text,
      @Nullable Character letter,
      @Nullable Long count,
      @Nullable BigDecimal price,
      @Nullable Instant at,
      @Nullable LocalDate day,
      @Nullable LocalTime time,
      @Nullable ObjectId made,
      @BsonRepresentation(BsonType.OBJECT_ID) @Nullable String ref,
      @Nullable Size size,
      @Nullable Money money) {}

  private record MoneyCodec(boolean asText) implements Codec<Money> {
    @Override
    public void encode(BsonWriter writer, Money value, EncoderContext context) {
      if (asText) {
        writer.writeString(value.cents() + " cents");
      } else {
        writer.writeInt64(value.cents());
      }
    }

    @Override
    public Money decode(BsonReader reader, DecoderContext context) {
      return new Money(
          asText ? Long.parseLong(reader.readString().split(" ", -1)[0]) : reader.readInt64());
    }

    @Override
    public Class<Money> getEncoderClass() {
      return Money.class;
    }
  }

  private static final ObjectId EARLY = new ObjectId("0000000a0000000000000000");
  private static final ObjectId LATE = new ObjectId("f00000000000000000000000");

  /** Of each property values that ascend. */
  private static final Map<String, List<? extends Comparable<?>>> SORTED =
      Map.of(
          "text", List.of("", "A", "a", "aa"),
          "letter", List.of('a', 'b'),
          "count", List.of(-2L, 9L, 10L),
          "price", List.of(new BigDecimal("1.25"), new BigDecimal("10")),
          "at", List.of(Instant.EPOCH, Instant.ofEpochMilli(1)),
          "day", List.of(LocalDate.of(1999, 12, 31), LocalDate.of(2026, 1, 1)),
          "time", List.of(LocalTime.of(9, 59), LocalTime.of(10, 0)),
          "made", List.of(EARLY, LATE),
          "ref", List.of(EARLY.toHexString(), LATE.toHexString()),
          "money", List.of(new Money(9), new Money(10)));

  private static final Map<BiFunction<Attribute, Object, Condition>, IntPredicate> CONDITIONS =
      Map.of(
          Attribute::lessThan, order -> order < 0,
          Attribute::atMost, order -> order <= 0,
          Attribute::greaterThan, order -> order > 0,
          Attribute::atLeast, order -> order >= 0);

  private final MongoFixture fixture = new MongoFixture();
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private <T> MongoEntityStore<T> store(Class<T> type, boolean moneyAsText) {
    MongoCollection<T> collection =
        fixture
            .documents()
            .withDocumentClass(type)
            .withCodecRegistry(
                CodecRegistries.fromRegistries(
                    CodecRegistries.fromCodecs(new MoneyCodec(moneyAsText)),
                    MongoClientSettings.getDefaultCodecRegistry()));
    return MongoEntityStore.of(collection);
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private boolean holds(MongoEntityStore<?> store, Condition rule) {
    return store.update(message(), key, change().onlyIf(rule)) instanceof Outcome.Recorded;
  }

  @Test
  @DisplayName("of each class that is stored in a form which sorts as it does")
  void sorted() {
    for (Class<?> type : List.of(Goods.class, org.bson.Document.class)) {
      MongoEntityStore<?> store = store(type, false);
      SORTED.forEach((name, values) -> sorted(store, name, values));
    }
  }

  private void sorted(MongoEntityStore<?> store, String name, List<?> values) {
    for (int stored = 0; stored < values.size(); stored++) {
      for (int given = 0; given < values.size(); given++) {
        int order = Integer.compare(stored, given);
        compared(store, name, values.get(stored), values.get(given), order);
      }
    }
  }

  private void compared(
      MongoEntityStore<?> store, String name, Object stored, Object operand, int order) {
    store.update(message(), key, change().createIfMissing().set(name, stored));
    CONDITIONS.forEach(
        (make, truth) -> {
          Condition rule = make.apply(attribute(name), operand);
          assertEquals(truth.test(order), holds(store, rule), rule + " " + operand);
          assertEquals(!truth.test(order), holds(store, rule.not()), rule + " " + operand);
        });
  }

  @Test
  @DisplayName("of times that lie between two stored ones")
  void between() {
    Instant before = Instant.ofEpochMilli(-1);
    LocalTime last = LocalTime.MAX.truncatedTo(ChronoUnit.MILLIS);
    for (Class<?> type : List.of(Goods.class, org.bson.Document.class)) {
      MongoEntityStore<?> store = store(type, false);
      for (Instant at : List.of(before, Instant.EPOCH)) {
        compared(store, "at", at, before.plusNanos(1), at.compareTo(before.plusNanos(1)));
      }
      compared(store, "time", last, LocalTime.MAX, -1);
      compared(store, "time", LocalTime.NOON, LocalTime.NOON.minusNanos(1), 1);
    }
  }

  @Test
  @DisplayName("and refused of the texts as which values of a class are stored")
  void texts() {
    MongoEntityStore<?> store = store(Goods.class, true);
    Map.of("size", "SMALL", "money", "10 cents")
        .forEach(
            (name, text) -> {
              for (BiFunction<Attribute, Object, Condition> make : CONDITIONS.keySet()) {
                for (Object form : List.of(text, new BsonString(text))) {
                  Condition rule = make.apply(attribute(name), form);
                  assertThrows(UnfitChangeException.class, () -> holds(store, rule));
                }
              }
            });
  }

  @Test
  @DisplayName("and refused of values without an order, which it would else be false of")
  void unordered() {
    for (Class<?> type : List.of(Goods.class, org.bson.Document.class)) {
      MongoEntityStore<?> store = store(type, false);
      for (Object value :
          List.of(
              true, new BsonBoolean(true), new BsonTimestamp(5), new MinKey(), BsonNull.VALUE)) {
        for (BiFunction<Attribute, Object, Condition> make : CONDITIONS.keySet()) {
          Condition rule = make.apply(attribute("count"), value);
          assertThrows(UnfitChangeException.class, () -> holds(store, rule.not()), rule::toString);
        }
      }
    }
  }

  @Test
  @DisplayName("and refused of all others, alone and in a part of a rule")
  void refused() {
    for (Class<?> type : List.of(Goods.class, org.bson.Document.class)) {
      MongoEntityStore<?> store = store(type, true);
      store.update(message(), key, change().set("size", Size.SMALL).createIfMissing());
      for (Object value : List.of(Size.LARGE, new Money(10))) {
        Attribute at = attribute(value instanceof Size ? "size" : "money");
        for (BiFunction<Attribute, Object, Condition> make : CONDITIONS.keySet()) {
          Condition rule = make.apply(at, value);
          for (Condition any : List.of(rule, rule.not().and(at.exists()), at.exists().or(rule))) {
            String text =
                assertThrows(UnfitChangeException.class, () -> holds(store, any)).getMessage();
            assertTrue(text != null && text.contains("does not sort as its values do"), text);
          }
        }
      }
    }
  }
}
