package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.BeanTableSchemaParams;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbConvertedBy;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("A path into a map follows the types of its keys and members")
final class MapKeysTest {
  /** Its text is not its name, by which it is stored. */
  public enum Status {
    ACTIVE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An amount with a form of its own. */
  public record Money(long cents) {}

  /** Stores an amount as a map. */
  public static final class MoneyConverter implements AttributeConverter<Money> {
    @Override
    public AttributeValue transformFrom(Money money) {
      return AttributeValue.fromM(Map.of("cents", AttributeValue.fromN("" + money.cents())));
    }

    @Override
    public Money transformTo(AttributeValue value) {
      return new Money(Long.parseLong(Objects.requireNonNull(value.m().get("cents")).n()));
    }

    @Override
    public EnhancedType<Money> type() {
      return EnhancedType.of(Money.class);
    }

    @Override
    public AttributeValueType attributeValueType() {
      return AttributeValueType.M;
    }
  }

  /** Stores words of any class as texts. */
  public static final class WordsConverter implements AttributeConverter<Map<String, Object>> {
    @Override
    public AttributeValue transformFrom(Map<String, Object> words) {
      Map<String, AttributeValue> stored = new HashMap<>();
      words.forEach((name, word) -> stored.put(name, AttributeValue.fromS("<" + word + ">")));
      return AttributeValue.fromM(stored);
    }

    @Override
    public Map<String, Object> transformTo(AttributeValue value) {
      Map<String, Object> words = new HashMap<>();
      value.m().forEach((name, word) -> words.put(name, word.s().replaceAll("[<>]", "")));
      return words;
    }

    @Override
    public EnhancedType<Map<String, Object>> type() {
      return EnhancedType.mapOf(String.class, Object.class);
    }

    @Override
    public AttributeValueType attributeValueType() {
      return AttributeValueType.M;
    }
  }

  /** A part with a map of its own. */
  @DynamoDbBean
  public static final class Part {
    private @Nullable Map<LocalDate, Integer> byDay;
    private @Nullable Money price;

    public @Nullable Map<LocalDate, Integer> getByDay() {
      return byDay;
    }

    public void setByDay(@Nullable Map<LocalDate, Integer> byDay) {
      this.byDay = byDay;
    }

    @DynamoDbConvertedBy(MoneyConverter.class)
    public @Nullable Money getPrice() {
      return price;
    }

    public void setPrice(@Nullable Money price) {
      this.price = price;
    }
  }

  /** Whose maps have keys of several types. */
  @DynamoDbBean
  public static final class Shelf {
    private @Nullable String id;
    private @Nullable Map<LocalDate, Integer> byDay;
    private @Nullable Map<Integer, Status> byNo;
    private @Nullable Map<UUID, Duration> times;
    private @Nullable Map<String, Map<Integer, Integer>> deep;
    private @Nullable Map<Integer, Part> parts;
    private @Nullable Map<String, Object> words;
    private @Nullable Money price;

    @DynamoDbPartitionKey
    public @Nullable String getId() {
      return id;
    }

    public void setId(@Nullable String id) {
      this.id = id;
    }

    public @Nullable Map<LocalDate, Integer> getByDay() {
      return byDay;
    }

    public void setByDay(@Nullable Map<LocalDate, Integer> byDay) {
      this.byDay = byDay;
    }

    public @Nullable Map<Integer, Status> getByNo() {
      return byNo;
    }

    public void setByNo(@Nullable Map<Integer, Status> byNo) {
      this.byNo = byNo;
    }

    public @Nullable Map<UUID, Duration> getTimes() {
      return times;
    }

    public void setTimes(@Nullable Map<UUID, Duration> times) {
      this.times = times;
    }

    public @Nullable Map<String, Map<Integer, Integer>> getDeep() {
      return deep;
    }

    public void setDeep(@Nullable Map<String, Map<Integer, Integer>> deep) {
      this.deep = deep;
    }

    @DynamoDbConvertedBy(WordsConverter.class)
    public @Nullable Map<String, Object> getWords() {
      return words;
    }

    public void setWords(@Nullable Map<String, Object> words) {
      this.words = words;
    }

    public @Nullable Map<Integer, Part> getParts() {
      return parts;
    }

    public void setParts(@Nullable Map<Integer, Part> parts) {
      this.parts = parts;
    }

    @DynamoDbConvertedBy(MoneyConverter.class)
    public @Nullable Money getPrice() {
      return price;
    }

    public void setPrice(@Nullable Money price) {
      this.price = price;
    }
  }

  private static final TableSchema<Shelf> SCHEMA =
      TableSchema.fromBean(
          BeanTableSchemaParams.builder(Shelf.class).lookup(MethodHandles.lookup()).build());
  private static final DynamoDbClient CLIENT = DynamoDbTables.client();
  private static final String TABLE = DynamoDbTables.create(CLIENT, SCHEMA);
  private static final int MANY = 2_000_000_000;

  private final DynamoDbEntityStore<Shelf> store =
      DynamoDbEntityStore.builder(CLIENT, TABLE, SCHEMA).build();
  private final EntityKey key = EntityKey.key(UUID.randomUUID().toString());

  private void assertApplied(Change change) {
    MessageId message = MessageId.of(UUID.randomUUID());
    assertTrue(store.update(message, key, change.createIfMissing()).isApplied(), change::toString);
  }

  private IllegalArgumentException refused(Change change) {
    return assertThrows(
        IllegalArgumentException.class,
        () -> store.update(MessageId.of("m"), key, change.createIfMissing()),
        change::toString);
  }

  @Test
  @DisplayName("so that its values are stored, compared and read as apply has them")
  void values() {
    UUID id = UUID.randomUUID();
    assertApplied(change().createParents().set("byNo.5", Status.ACTIVE));
    assertApplied(change().createParents().set("times." + id, Duration.ofSeconds(3)));
    assertApplied(
        change()
            .add("byDay.2026-01-31", 1)
            .createParents()
            .onlyIf(
                attribute("byNo.5")
                    .is(Status.ACTIVE)
                    .and(attribute("times." + id).lessThan(Duration.ofSeconds(10)))
                    .and(attribute("byNo.6").isMissing())));
    assertApplied(change().createParents().set("deep.a.1", 1).add("parts.7.byDay.2026-01-31", 2));
    Shelf shelf = store.find(key).orElseThrow();
    LocalDate day = LocalDate.of(2026, 1, 31);
    assertEquals(Map.of(5, Status.ACTIVE), shelf.byNo);
    assertEquals(Map.of(id, Duration.ofSeconds(3)), shelf.times);
    assertEquals(Map.of(day, 1), shelf.byDay);
    assertEquals(Map.of("a", Map.of(1, 1)), shelf.deep);
    Part part = Objects.requireNonNull(Objects.requireNonNull(shelf.parts).get(7));
    assertEquals(Map.of(day, 2), part.byDay);
    assertTrue(store.apply(MessageId.of("a"), key, UnaryOperator.identity()).isDone());
  }

  @Test
  @DisplayName("so that its sums stay within the class of its members")
  void sums() {
    for (String path : List.of("byDay.2026-01-31", "deep.a.1", "parts.7.byDay.2026-01-31")) {
      Change add = change().createParents().add(path, MANY);
      assertApplied(add);
      assertThrows(
          InvalidChangeException.class, () -> store.update(MessageId.of(path), key, add), path);
      refused(change().createParents().set(path, "one"));
      refused(change().createParents().add(path, 0.5));
    }
    Shelf shelf = store.find(key).orElseThrow();
    assertEquals(Map.of("a", Map.of(1, MANY)), shelf.deep);
  }

  @Test
  @DisplayName("which refuses a name under which no key is stored")
  void names() {
    for (String path : List.of("byNo.five", "byNo.05", "byDay.2026-1-31", "times.1", "deep.a.b")) {
      String name = path.substring(path.lastIndexOf('.') + 1);
      for (Change change :
          List.of(
              change().set(path, 1).createParents(),
              change().remove(path),
              change().set("deep.a.1", 1).onlyIf(attribute(path).isMissing()))) {
        String message = String.valueOf(refused(change).getMessage());
        assertTrue(message.contains("'" + name + "'"), message);
      }
    }
    assertTrue(store.find(key).isEmpty());
  }

  @Test
  @DisplayName("whose converter of the user's own stores what is inside, too")
  void convertedMap() {
    assertApplied(change().set("words.color", "red").createParents());
    assertApplied(change().set("words.size", 5).onlyIf(attribute("words.color").is("red")));
    assertEquals(Map.of("color", "red", "size", "5"), store.find(key).orElseThrow().words);
  }

  @Test
  @DisplayName("which leads into nothing that a converter of the user's own stores")
  void converters() {
    assertApplied(change().set("price", new Money(5)));
    for (String path : List.of("price.cents", "parts.7.price.cents")) {
      for (Change change :
          List.of(
              change().set(path, 5).createParents(),
              change().add(path, 0.5).createParents(),
              change().set("deep.a.1", 1).onlyIf(attribute(path).is(5)))) {
        String message = String.valueOf(refused(change).getMessage());
        assertTrue(message.contains("set it as a whole"), message);
      }
    }
    assertEquals(new Money(5), store.find(key).orElseThrow().price);
    DynamoDbEntityStore<Shelf> open =
        DynamoDbEntityStore.builder(CLIENT, TABLE, SCHEMA).unmappedAttributes().build();
    assertTrue(open.update(MessageId.of("open"), key, change().add("price.cents", 2)).isApplied());
    assertEquals(new Money(7), store.find(key).orElseThrow().price);
  }
}
