package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.CHANGES)
@DisplayName("A change can make the maps that its paths lead through")
final class ParentsContract {
  private final Scene scene;
  private final EntityStore<View> store;

  ParentsContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  private static Change counted() {
    return change().add("byDay.2026-01-01", 1).createParents();
  }

  private void stored(Map<String, Object> expected, Map<String, Object> before, Change change) {
    scene.backend.putRaw(scene.key, before);
    Expect.applied(store.update(Some.id(), scene.key, change));
    Raw.assertSame(expected, Raw.attributes(scene.raw().orElseThrow()), change.toString());
  }

  @Test
  @DisplayName("where they are missing, in the same write, and where they are there")
  void made() {
    Map<String, Object> one = Map.of("keep", "k", "byDay", Map.of("2026-01-01", 1L));
    stored(one, Map.of("keep", "k"), counted());
    stored(one, Map.of("keep", "k", "byDay", Map.of()), counted());
    Map<String, Object> other = Map.of("keep", "k", "byDay", Map.of("x", 5L));
    stored(Map.of("keep", "k", "byDay", Map.of("x", 5L, "2026-01-01", 1L)), other, counted());
    stored(
        Map.of("a", Map.of("b", Map.of("n", 2L, "s", "x"), "l", List.of("e"))),
        Map.of("a", Map.of()),
        change()
            .createParents()
            .add("a.b.n", 2)
            .setIfAbsent("a.b.s", "x")
            .append("a.l", "e")
            .remove("a.b.gone"));
    stored(
        Map.of("a", Map.of("b", Map.of())),
        Map.of("t", 1L),
        change().remove("a.b.c").remove("t").createParents());
  }

  @Test
  @DisplayName("of a new entity, of one that is revived, and for several messages of one entity")
  void created() {
    Expect.applied(store.update(Some.id(), scene.key, counted().createIfMissing()));
    Expect.applied(store.delete(Some.id(), scene.key));
    Expect.applied(store.update(Some.id(), scene.key, counted().recreate()));
    scene.backend.putRaw(scene.key, Map.of("keep", "k"));
    List<Result<View>> results =
        store.writeAll(
            List.of(
                Write.update(Some.id(), scene.key, counted()),
                Write.update(Some.id(), scene.key, counted()),
                Write.update(Some.id(), scene.key, change().add("byDay.2026-01-02", 7))));
    results.forEach(result -> assertTrue(result.isDone(), result::toString));
    Raw.assertSame(
        Map.of("keep", "k", "byDay", Map.of("2026-01-01", 2L, "2026-01-02", 7L)),
        Raw.attributes(scene.raw().orElseThrow()),
        "batch");
  }

  @Test
  @DisplayName("never in place of something else, nor unasked, nor where the rule is false")
  void refused() {
    Map<String, Object> text = Map.of("byDay", "text");
    scene.backend.putRaw(scene.key, text);
    assertThrows(InvalidChangeException.class, () -> store.update(Some.id(), scene.key, counted()));
    Raw.assertSame(text, Raw.attributes(scene.raw().orElseThrow()), "no map");
    scene.backend.putRaw(scene.key, Map.of("keep", "k"));
    assertThrows(
        InvalidChangeException.class,
        () -> store.update(Some.id(), scene.key, change().add("byDay.2026-01-01", 1)));
    Expect.refused(
        store.update(Some.id(), scene.key, counted().onlyIf(attribute("keep").is("other"))));
    Expect.missing(store.update(Some.id(), Some.key(), counted()));
    Raw.assertSame(Map.of("keep", "k"), Raw.attributes(scene.raw().orElseThrow()), "unasked");
  }

  private static double requests(Backend.Cost cost) {
    return cost.reads() + cost.writes();
  }

  @Test
  @DisplayName("for no request more where they are there, and for one at most where they are not")
  void cost() {
    scene.backend.putRaw(scene.key, Map.of("keep", "k"));
    Expect.applied(store.update(Some.id(), scene.key, change().set("keep", "kept")));
    Backend.Cost making =
        scene.backend.measure(() -> Expect.applied(store.update(Some.id(), scene.key, counted())));
    Backend.Cost there =
        scene.backend.measure(() -> Expect.applied(store.update(Some.id(), scene.key, counted())));
    Change unasked = change().add("byDay.2026-01-01", 1);
    Backend.Cost without =
        scene.backend.measure(() -> Expect.applied(store.update(Some.id(), scene.key, unasked)));
    assertTrue(requests(making) <= requests(without) + 1, making + " beside " + without);
    assertEquals(requests(without), requests(there), there + " beside " + without);
  }
}
