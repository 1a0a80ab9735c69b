package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityStore;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.CHANGES)
@DisplayName("Each operation and condition means the same on every store")
final class ChangesContract {
  private static final Map<String, Object> STORED =
      Map.of(
          "status",
          "PLACED",
          "total",
          5L,
          "count",
          5L,
          "flat",
          "text",
          "nested",
          Map.of("city", "Ulm"),
          "lines",
          List.of("a", "b"),
          "tags",
          Set.of("x", "y"),
          "address",
          Map.of("city", "Ulm"));

  private final Scene scene;
  private final EntityStore<View> store;

  ChangesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  private View after(Change change) {
    scene.backend.putRaw(scene.key, STORED);
    Expect.applied(store.update(Some.id(), scene.key, change));
    return store.find(scene.key).orElseThrow();
  }

  private void invalid(Change change) {
    scene.backend.putRaw(scene.key, STORED);
    assertThrows(
        InvalidChangeException.class,
        () -> store.update(Some.id(), scene.key, change),
        change::toString);
    Raw.assertSame(STORED, scene.raw().orElseThrow(), "after " + change);
  }

  private void refusedBefore(Change change) {
    scene.backend.putRaw(scene.key, STORED);
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(Some.id(), scene.key, change),
        change::toString);
    Raw.assertSame(STORED, scene.raw().orElseThrow(), "after " + change);
  }

  @Test
  @DisplayName("set, setIfAbsent, add and remove, on attributes and members of maps")
  void scalars() {
    View view =
        after(
            change()
                .set("status", "PAID")
                .setIfAbsent("note", "first")
                .add("total", -7)
                .set("address.zip", "89073")
                .remove("address.city"));
    assertEquals("PAID", view.getStatus());
    assertEquals("first", view.getNote());
    assertEquals(-2L, view.getTotal());
    assertEquals(Map.of("zip", "89073"), view.getAddress());
    assertEquals("PLACED", after(change().setIfAbsent("status", "X")).getStatus());
    assertEquals(null, after(change().remove("status").remove("note")).getStatus());
  }

  @Test
  @DisplayName("append, addToSet and removeFromSet; an empty set goes, a missing one begins empty")
  void collections() {
    View view = after(change().append("lines", "b", "c").addToSet("tags", "y", "z"));
    assertEquals(List.of("a", "b", "b", "c"), view.getLines());
    assertEquals(Set.of("x", "y", "z"), view.getTags());
    assertEquals(Set.of("y"), after(change().removeFromSet("tags", "x", "q")).getTags());
    assertEquals(null, after(change().removeFromSet("tags", "x", "y")).getTags());
    View fresh = after(change().remove("lines").remove("tags"));
    assertEquals(null, fresh.getLines());
    Expect.applied(
        store.update(Some.id(), scene.key, change().append("lines", "n").addToSet("tags", "n")));
    assertEquals(List.of("n"), store.find(scene.key).orElseThrow().getLines());
    assertEquals(Set.of("n"), store.find(scene.key).orElseThrow().getTags());
  }

  @Test
  @DisplayName("a set map or list replaces the old one: it is not merged into it")
  void replaced() {
    View view = after(change().set("address", Map.of("zip", "1")).set("lines", List.of("c")));
    assertEquals(Map.of("zip", "1"), view.getAddress());
    assertEquals(List.of("c"), view.getLines());
  }

  @Test
  @DisplayName("what does not fit the stored entity is InvalidChangeException, nothing written")
  void invalid() {
    invalid(change().set("legacy.city", "Ulm"));
    invalid(change().set("status", "X").set("legacy.city", "Ulm"));
    invalid(change().remove("legacy.deep.er"));
    invalid(change().set("nested.city.part", "x").set("status", "X").remove("note"));
    scene.backend.putRaw(scene.key, Map.of("count", "not a number", "list", "no list"));
    assertThrows(
        InvalidChangeException.class,
        () -> store.update(Some.id(), scene.key, change().add("count", 1)));
    assertThrows(
        InvalidChangeException.class,
        () -> store.update(Some.id(), scene.key, change().append("list", "x")));
  }

  @Test
  @DisplayName("attributes that the class does not map can be changed and compared like any other")
  void unmapped() {
    Change change = change().add("count", 2).set("flag", true).onlyIf(attribute("count").is(5));
    assertEquals(5L, after(change).getTotal());
    assertEquals(7L, scene.raw().orElseThrow().get("count"));
    assertEquals(true, scene.raw().orElseThrow().get("flag"));
  }

  @Test
  @DisplayName("what does not fit the mapped class is refused before the call")
  void mappedClass() {
    refusedBefore(change().set("total", "five"));
    refusedBefore(change().set("status", 5L));
    refusedBefore(change().add("status", 1));
    refusedBefore(change().append("tags", "x"));
    refusedBefore(change().set("id", "other"));
  }

  @Test
  @DisplayName("operations that overlap are refused where the change is made")
  void overlaps() {
    assertThrows(
        IllegalArgumentException.class,
        () -> change().set("address", Map.of()).set("address.city", "x").returning().toString());
  }

  private void assertHolds(boolean expected, Condition condition) {
    scene.backend.putRaw(scene.key, STORED);
    Change change = change().set("note", "held").onlyIf(condition);
    assertEquals(
        expected,
        store.update(Some.id(), scene.key, change).isApplied(),
        () -> "condition " + condition);
  }

  @Test
  @DisplayName("comparisons are by kind and value; a missing attribute is false, its not() true")
  void comparisons() {
    assertHolds(true, attribute("status").is("PLACED"));
    assertHolds(false, attribute("status").is("placed"));
    assertHolds(true, attribute("count").is(new BigDecimal("5.0")));
    assertHolds(true, attribute("total").lessThan(6).and(attribute("total").atLeast(5)));
    assertHolds(false, attribute("total").greaterThan(5));
    assertHolds(false, attribute("count").is("5"));
    assertHolds(false, attribute("count").lessThan("9"));
    assertHolds(true, attribute("count").isNot("5"));
    assertHolds(false, attribute("note").lessThan("z"));
    assertHolds(true, attribute("note").lessThan("z").not());
    assertHolds(true, attribute("note").isNot("x"));
    assertHolds(true, attribute("note").isMissing());
    assertHolds(true, attribute("address.city").atMost("Ulm"));
    assertHolds(false, attribute("address.zip").exists());
    assertHolds(false, attribute("flat.deep.er").exists());
  }

  @Test
  @DisplayName("in, contains, size and their combinations")
  void combinations() {
    assertHolds(true, attribute("status").in("PAID", "PLACED"));
    assertHolds(false, attribute("count").in("5", 6));
    assertHolds(true, attribute("tags").contains("x"));
    assertHolds(true, attribute("lines").contains("b"));
    assertHolds(false, attribute("lines").contains("c"));
    assertHolds(false, attribute("flat").contains("te"));
    assertHolds(true, attribute("lines").sizeBelow(3));
    assertHolds(false, attribute("lines").sizeBelow(2));
    assertHolds(true, attribute("status").is("X").or(attribute("total").is(5)));
    assertHolds(false, attribute("status").is("X").and(attribute("total").is(5)));
    assertHolds(true, attribute("status").is("X").or(attribute("total").is(6)).not());
    assertHolds(true, Condition.always());
    assertHolds(false, Condition.always().not());
  }

  @Test
  @DisplayName("returning() gives the entity: after the change if Applied, as found otherwise")
  void returning() {
    scene.backend.putRaw(scene.key, STORED);
    Change change = change().set("status", "PAID").onlyIf(attribute("total").is(5)).returning();
    View applied = store.update(Some.event(1), scene.key, change).entity().orElseThrow();
    assertEquals("PAID", applied.getStatus());
    View again = store.update(Some.event(1), scene.key, change).entity().orElseThrow();
    assertEquals(applied, again);
    assertTrue(store.update(Some.id(), Some.key(), change).entity().isEmpty());
    Change refused = change.onlyIf(attribute("total").is(6));
    assertEquals(applied, store.update(Some.id(), scene.key, refused).entity().orElseThrow());
    Change recorded = refused.otherwiseSkip();
    assertEquals(applied, store.update(Some.id(), scene.key, recorded).entity().orElseThrow());
  }
}
