package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonPOJOBuilder;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.CorruptRecordException;
import java.io.IOException;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A stored value of a class that computes properties")
final class RenamedTest {
  private final Json json = ExecutionScene.json();

  /** A receipt whose total is written, and not read. */
  record Receipt(String charge, int cents) {
    public int getTotal() {
      return cents;
    }
  }

  /** One of two shapes. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Card.class, name = "card"),
    @JsonSubTypes.Type(value = Cash.class, name = "cash")
  })
  sealed interface Paid permits Card, Cash {}

  record Card(String digits) implements Paid {}

  record Cash(int cents) implements Paid {}

  record Split(Set<Paid> paid) {
    public int getParts() {
      return paid.size();
    }
  }

  /** What it computes is there for a time. */
  @JsonInclude(Include.NON_NULL)
  record Voucher(String code, boolean isOver) {
    public @Nullable Integer getDays() {
      return isOver ? null : 3;
    }

    public @Nullable String getNote() {
      return isOver ? "over" : null;
    }
  }

  @Test
  @DisplayName("is read where a computed property has another name now")
  void renamedGetter() {
    String before = "{\"charge\":\"c\",\"cents\":5,\"sum\":5}";
    assertEquals(new Receipt("c", 5), json.read("it", Receipt.class, before));
    String other = "{\"payment\":\"c\",\"cents\":5,\"total\":5}";
    assertThrows(CorruptRecordException.class, () -> json.read("it", Receipt.class, other));
  }

  @Test
  @DisplayName("is read where the mapper wraps it in its name")
  void wrapped() {
    JsonMapper mapper =
        JsonMapper.builder()
            .enable(SerializationFeature.WRAP_ROOT_VALUE)
            .enable(DeserializationFeature.UNWRAP_ROOT_VALUE)
            .build();
    Json wrapping = new Json(mapper, new StoredNames(Map.of()));
    String stored = "{\"Receipt\":{\"charge\":\"c\",\"cents\":5,\"total\":5}}";
    assertEquals(new Receipt("c", 5), wrapping.read("it", Receipt.class, stored));
    String other = "{\"Receipt\":{\"payment\":\"c\",\"cents\":5,\"total\":5}}";
    assertThrows(CorruptRecordException.class, () -> wrapping.read("it", Receipt.class, other));
  }

  @Test
  @DisplayName("is read whatever the order of a set in it")
  void sets() {
    String card = "{\"@type\":\"card\",\"digits\":\"1\"}";
    String cash = "{\"@type\":\"cash\",\"cents\":2}";
    Split split = new Split(Set.of(new Card("1"), new Cash(2)));
    for (String paid : Set.of(card + "," + cash, cash + "," + card)) {
      assertEquals(split, json.read("it", Split.class, "{\"paid\":[" + paid + "],\"parts\":2}"));
    }
    String other = "{\"@type\":\"cash\",\"amount\":2}";
    String paid = "{\"paid\":[" + card + "," + other + "],\"parts\":2}";
    assertThrows(CorruptRecordException.class, () -> json.read("it", Split.class, paid));
  }

  /** An ID whose getter has another name than what is read. */
  static class Legacy {
    private final @Nullable String mCode;

    Legacy() {
      this.mCode = null;
    }

    Legacy(@Nullable String code) {
      this.mCode = code;
    }

    public @Nullable String getCode() {
      return mCode;
    }
  }

  /** The same with its class beside it. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  static final class Typed extends Legacy {
    Typed() {}

    Typed(String code) {
      super(code);
    }
  }

  /** The same, whose class is told where it is used. */
  record Sent(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) @JsonSubTypes(@JsonSubTypes.Type(Legacy.class))
          Legacy code) {}

  /** The same, which something else makes. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonDeserialize(builder = Maker.class)
  static final class Built extends Legacy {
    Built(@Nullable String code) {
      super(code);
    }
  }

  /** Makes it of nothing. */
  @JsonPOJOBuilder
  static final class Maker {
    public Built build() {
      return new Built(null);
    }
  }

  /** The same, whose constructor is given it under another name. */
  static final class Given {
    private final @Nullable Receipt mReceipt;

    @JsonCreator
    Given(@JsonProperty("other") @Nullable Receipt receipt) {
      this.mReceipt = receipt;
    }

    public @Nullable Receipt getReceipt() {
      return mReceipt;
    }
  }

  record Billed(Map<String, List<Legacy>> codes, String state) {}

  /** Tells its class behind what it has, so that Jackson reads that from a buffer. */
  @JsonTypeInfo(
      use = JsonTypeInfo.Id.NAME,
      include = JsonTypeInfo.As.EXISTING_PROPERTY,
      property = "kind")
  @JsonSubTypes(@JsonSubTypes.Type(value = Late.class, name = "late"))
  record Late(Legacy code, String kind) {}

  /** What it has stands beside its own in the text. */
  static final class Flat {
    @JsonUnwrapped public Sent sent = new Sent(new Legacy("c"));
    public String z = "z";
  }

  /** Of which nothing is stored. */
  static final class Ok {
    public String getStatus() {
      return "ok";
    }
  }

  @Test
  @DisplayName("is not read as nothing, nor stored so, and one that computes all of it is")
  void nothing() {
    for (Object lossy :
        List.of(
            new Legacy("c"),
            new Typed("c"),
            new Sent(new Legacy("c")),
            new Built("c"),
            new Given(new Receipt("c", 5)),
            new Billed(Map.of("a", List.of(new Legacy("c"))), "PAID"),
            new Late(new Legacy("c"), "late"),
            new Flat(),
            BitSet.valueOf(new long[] {5}))) {
      Class<?> type = lossy.getClass();
      CorruptRecordException fault =
          assertThrows(CorruptRecordException.class, () -> readBack(type, lossy));
      assertTrue(String.valueOf(fault.getMessage()).contains(type.getName()), fault::toString);
    }
    assertEquals("ok", readBack(Ok.class, new Ok()).getStatus());
    assertEquals("ok", json.read("it", Ok.class, "{\"status\":\"done\"}").getStatus());
    assertEquals(new BitSet(), readBack(BitSet.class, new BitSet()));
    Receipt receipt = new Receipt("c", 5);
    assertEquals(receipt, readBack(Receipt.class, receipt));
  }

  record Label(String name, Set<String> tags) {}

  record Tags(Set<String> tags) {}

  /** Computes what its label has under the same name. */
  record Item(Label label) {
    public int getTags() {
      return label.tags().size();
    }
  }

  /** The same, which is read without a constructor. */
  static final class Box {
    public @Nullable List<Tags> inner;

    public int getTags() {
      return inner == null ? 0 : inner.size();
    }
  }

  /** Computes what has the name under which it is read. */
  record Amount(Set<String> lines) {
    public int getTotal() {
      return lines.size();
    }
  }

  record Priced(String id, Amount total) {}

  /** Computes first what it has under the same name, so that Jackson reads it from a buffer. */
  @JsonPropertyOrder({"tags", "label", "state"})
  record First(Label label, String state) {
    public Receipt getTags() {
      return new Receipt("c", 5);
    }
  }

  @Test
  @DisplayName("is read where an inner object has a set under the name of what is computed")
  void sameName() {
    Set<String> tags = new LinkedHashSet<>(List.of("b", "a"));
    Item item = new Item(new Label("n", tags));
    assertEquals(item, readBack(Item.class, item));
    Box box = new Box();
    box.inner = List.of(new Tags(tags));
    assertEquals(box.inner, readBack(Box.class, box).inner);
    First first = new First(new Label("n", tags), "new");
    assertEquals(first, readBack(First.class, first));
    Priced priced = new Priced("1", new Amount(tags));
    assertEquals(priced, readBack(Priced.class, priced));
  }

  /** Tells its class by a property of its own, and something else at each look. */
  @JsonTypeInfo(
      use = JsonTypeInfo.Id.NAME,
      include = JsonTypeInfo.As.EXISTING_PROPERTY,
      property = "kind",
      visible = true)
  @JsonSubTypes(@JsonSubTypes.Type(value = Kind.class, name = "kind"))
  record Kind(String kind) {
    private static int looks;

    public int getLooks() {
      return ++looks;
    }
  }

  @Test
  @DisplayName("is read where its class reads the property that tells its class")
  void typeThatIsRead() {
    assertEquals(new Kind("kind"), readBack(Kind.class, new Kind("kind")));
  }

  /** Is read by hand. */
  @JsonDeserialize(using = ByHand.class)
  record Coin(int cents) {
    public int getSum() {
      return cents;
    }
  }

  /** Reads it, and does not say of which class it is. */
  static final class ByHand extends JsonDeserializer<Coin> {
    @Override
    public Coin deserialize(JsonParser from, DeserializationContext context) throws IOException {
      int cents = 0;
      for (String name = from.nextFieldName(); name != null; name = from.nextFieldName()) {
        int value = from.nextIntValue(0);
        if (name.equals("cents")) {
          cents = value;
        } else {
          context.handleUnknownProperty(from, this, Coin.class, name);
        }
      }
      return new Coin(cents);
    }
  }

  @Test
  @DisplayName("is read where a deserializer of the user's tells what it does not know")
  void byHand() {
    assertEquals(new Coin(5), readBack(Coin.class, new Coin(5)));
    assertThrows(CorruptRecordException.class, () -> json.read("it", Coin.class, "{\"worth\":5}"));
  }

  private <R> R readBack(Class<R> type, Object value) {
    return json.write("it", type, type.cast(value)).read().get();
  }

  @Test
  @DisplayName("is read where what is computed comes and goes with time")
  void timed() {
    String before = "{\"code\":\"v\",\"isOver\":true,\"days\":3}";
    assertEquals(new Voucher("v", true), json.read("it", Voucher.class, before));
  }
}
