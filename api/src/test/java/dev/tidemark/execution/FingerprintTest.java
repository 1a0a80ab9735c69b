package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.tidemark.execution.StoredExecution.State;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request under a key is the same")
final class FingerprintTest extends ExecutionScene {
  /** A request of today. */
  record Order(String id, int cents) {}

  /** The same with a property more, in another order. */
  @JsonPropertyOrder({"voucher", "id", "cents"})
  record Wider(int cents, @Nullable String voucher, String id) {}

  /** One that Jackson leaves a part of out. */
  record Partly(String id, @JsonIgnore String hidden) {}

  private static String of(Object request) {
    return json().fingerprint(request).text();
  }

  @Test
  @DisplayName("whether a property is null or is not there")
  void nulls() {
    Wider wider = new Wider(5, null, "o1");
    assertEquals(of(new Order("o1", 5)), of(wider));
    assertNotEquals(of(new Order("o1", 5)), of(new Wider(5, "v", "o1")));
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("a", null);
    map.put("id", "o1");
    map.put("cents", 5);
    assertEquals(of(wider), of(map));
    assertNotEquals(of(Arrays.asList(1, null)), of(List.of(1)), "places of a list");
    orders.run("1", new Order("o1", 5), Receipt.class, this::charge);
    assertInstanceOf(Execution.Replayed.class, orders.run("1", wider, Receipt.class, this::charge));
  }

  @Test
  @DisplayName("in whatever order its maps, sets and nodes are")
  void orders() {
    ObjectNode one = JsonNodeFactory.instance.objectNode().put("a", 1).put("b", 2);
    ObjectNode other = JsonNodeFactory.instance.objectNode().put("b", 2).put("a", 1);
    assertEquals(of(one), of(other));
    assertEquals(of(List.of(Map.of("x", one))), of(List.of(Map.of("x", other))));
    Set<Object> some = new LinkedHashSet<>(List.of(one, "x", Map.of("k", Set.of(1))));
    Set<Object> same = new LinkedHashSet<>(List.of(Map.of("k", Set.of(1)), "x", other));
    assertEquals(of(some), of(same));
    assertNotEquals(of(List.of(1, 2)), of(List.of(2, 1)));
  }

  /** What knows its own place. */
  static final class Item {
    public final String sku;
    public final long readAt;
    public @Nullable Basket basket;

    Item(String sku, long readAt) {
      this.sku = sku;
      this.readAt = readAt;
    }
  }

  /** Annotations of properties, each of which a set has to keep. */
  static final class Basket {
    @JsonIgnoreProperties({"readAt", "basket"})
    public final Set<Item> items = new LinkedHashSet<>();

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    public final Set<Object> pets = new LinkedHashSet<>();

    @JsonFormat(with = JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED)
    public final Set<Object> single = new LinkedHashSet<>();

    public Collection<Object> hidden = new LinkedHashSet<>();

    Basket with(Consumer<Basket> change) {
      change.accept(this);
      return this;
    }
  }

  /** One of the types that a set holds. */
  record Cat(String name) {}

  /** Another one. */
  record Dog(String name) {}

  /** Whose class is in the text before it. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
  private static final class Named extends LinkedHashSet<Object> {
    private static final long serialVersionUID = 1L;

    Named(List<?> elements) {
      super(elements);
    }
  }

  /** Two ways to fill a basket, and whether the mapper writes the same. */
  private static void assertTold(
      boolean same, Consumer<Basket> one, Consumer<Basket> other, String what) {
    assertEquals(same, of(new Basket().with(one)).equals(of(new Basket().with(other))), () -> what);
  }

  @Test
  @DisplayName("as the annotations of its sets say")
  void annotatedSets() {
    assertTold(
        true, b -> b.items.add(new Item("a", 1)), b -> b.items.add(new Item("a", 2)), "ignored");
    Basket own = new Basket();
    Item within = new Item("a", 1);
    within.basket = own;
    own.items.add(within);
    assertEquals(of(new Basket().with(b -> b.items.add(new Item("a", 1)))), of(own), "a circle");
    assertTold(false, b -> b.pets.add(new Cat("Tom")), b -> b.pets.add(new Dog("Tom")), "types");
    assertTold(
        true,
        b -> Collections.addAll(b.pets, new Cat("Tom"), new Dog("Rex")),
        b -> Collections.addAll(b.pets, new Dog("Rex"), new Cat("Tom")),
        "order of typed elements");
    assertTold(
        false, b -> b.single.add(List.of(1, 2)), b -> b.single.add(List.of(2, 1)), "a list within");
    assertTold(
        true,
        b -> b.single.addAll(List.of(1, 2)),
        b -> b.single.addAll(List.of(2, 1)),
        "order, where one would be unwrapped");
    assertTold(
        true,
        b -> b.hidden.addAll(List.of(1, 2)),
        b -> b.hidden.addAll(List.of(2, 1)),
        "a set that is declared as a collection");
    assertTold(
        false,
        b -> b.hidden = List.of(Set.of(1), 2),
        b -> b.hidden = List.of(2, Set.of(1)),
        "a list of sets");
  }

  @Test
  @DisplayName("in whatever order its sets are, of whatever kind")
  void kindsOfSets() {
    Map<String, Integer> one = new LinkedHashMap<>();
    Map<String, Integer> other = new LinkedHashMap<>();
    one.put("x", 1);
    one.put("y", 2);
    other.put("y", 2);
    other.put("x", 1);
    assertEquals(of(one.keySet()), of(other.keySet()));
    assertEquals(of(one.entrySet()), of(other.entrySet()));
    assertEquals(of(EnumSet.of(State.DONE, State.PARKED)), of(Set.of("PARKED", "DONE")));
    assertEquals(of(new Named(List.<Object>of(1, "x"))), of(new Named(List.<Object>of("x", 1))));
    assertNotEquals(of(new Named(List.of(1))), of(new Named(List.of(2))));
    Set<Object> wide = new LinkedHashSet<>();
    Set<Object> turned = new LinkedHashSet<>();
    for (int i = 0; i < 20_000; i++) { // more than any buffer holds
      wide.add(Map.of("ä" + i, Set.of("a", "b", "c")));
      turned.add(Map.of("ä" + (19_999 - i), Set.of("c", "b", "a")));
    }
    assertEquals(of(Map.of("a", wide)), of(Map.of("a", turned)));
  }

  /** What a mapper writes under two names that are one. */
  record Twice(@JsonAnyGetter Map<String, Object> more, int id) {}

  @Test
  @DisplayName("also where the mapper writes a property twice")
  void twice() {
    assertNotEquals(of(new Twice(Map.of("id", 1), 3)), of(new Twice(Map.of("id", 2), 3)));
    assertEquals(of(new Twice(Map.of("a", 1), 3)), of(Map.of("a", 1, "id", 3)));
  }

  @Test
  @DisplayName("as the user's mapper writes it")
  void usersMapper() {
    SimpleModule module =
        new SimpleModule()
            .addSerializer(
                new StdSerializer<>(Order.class) {
                  private static final long serialVersionUID = 1L;

                  @Override
                  public void serialize(Order order, JsonGenerator to, SerializerProvider provider)
                      throws IOException {
                    to.writeString(order.id());
                  }
                });
    Executions own = builder().mapper(JsonMapper.builder().addModule(module).build()).build();
    own.run("1", new Order("o1", 5), Receipt.class, this::charge);
    assertTrue(own.run("1", new Order("o1", 6), Receipt.class, this::charge).isDone());
    assertEquals(
        new Execution.KeyReused<>(), own.run("1", new Order("o2", 5), Receipt.class, this::charge));
  }

  /** Digests that version 0.1 stored on its way here: by a mapper of its own, with nulls. */
  private static final Map<Object, String> EARLIER = new LinkedHashMap<>();

  static {
    EARLIER.put("request", "cf363949577150e5510fe4a94637b4e1");
    EARLIER.put(new Wider(5, null, "o1"), "2f1ed4cd4b97fc27c945b4b6e8444f28");
    EARLIER.put(
        Map.of("2", 1.0E10, "10", new BigDecimal("1.10")), "4fecf7e5930d19c064c157ff54b9626b");
    EARLIER.put(List.of(Set.of("a", "b"), 1.5f), "29d96f437487818afe5edc818a71899e");
  }

  @Test
  @DisplayName("where an earlier version stored its digest")
  void earlier() {
    EARLIER.forEach(
        (request, stored) ->
            assertTrue(json().fingerprint(request).matches(stored), request::toString));
    assertFalse(
        json().fingerprint(new Wider(5, "v", "o1")).matches("2f1ed4cd4b97fc27c945b4b6e8444f28"));
  }

  @Test
  @DisplayName("by an earlier digest only where the user's mapper means the same")
  void earlierMapper() {
    JsonMapper revealing = JsonMapper.builder().disable(MapperFeature.USE_ANNOTATIONS).build();
    Json own = new Json(revealing, new StoredNames(Map.of()));
    String stored = of(new Partly("o1", "any"));
    assertTrue(json().fingerprint(new Partly("o1", "other")).matches(stored));
    assertFalse(own.fingerprint(new Partly("o1", "a")).matches(stored));
    assertFalse(json().fingerprint(new Order("o1", 5)).matches(of(new Order("o1", 6))));
    Json snakes =
        new Json(
            JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build(),
            new StoredNames(Map.of()));
    assertTrue(snakes.fingerprint(new Order("o1", 5)).matches(of(new Order("o1", 5))));
  }
}
