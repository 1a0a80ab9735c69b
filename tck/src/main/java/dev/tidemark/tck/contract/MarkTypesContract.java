package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EventPolicy;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Revision;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.COMPARISON)
@DisplayName("Law 6: a mark's type protects it from writers that know less of its source")
final class MarkTypesContract {
  private static final String MARK = "events.Order.4711";
  private static final EventPolicy WINDOW = EventPolicy.denseWindow(5);
  private static final List<EventPolicy> PLAIN =
      List.of(EventPolicy.dropLate(), EventPolicy.contiguous());
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(), EventPolicy.contiguous(), WINDOW, EventPolicy.sparseWindow(5));

  private final Scene scene;

  MarkTypesContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  /** Stores a tracked view with a mark of one source. */
  private void put(@Nullable Object mark, Map<String, Object> parts) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("status", "NEW");
    record.put("_rev", Revision.newToken());
    if (mark != null) {
      record.put(MARK, mark);
    }
    parts.forEach((part, value) -> record.put(MARK + "#" + part, value));
    scene.backend.putRaw(scene.key, record);
  }

  private Outcome<View> deliver(EventPolicy policy, Source source, Object position) {
    Position at =
        position instanceof String text ? Position.ofText(text) : Position.of((int) position);
    return scene
        .store(Tracking.defaults().events(policy))
        .update(SourceEvent.of(source, at), scene.key, Scene.counted());
  }

  private Outcome<View> deliver(EventPolicy policy, Object position) {
    return deliver(policy, Source.of("Order", "4711"), position);
  }

  private void assertMark(Map<String, Object> expected) {
    Map<String, Object> marks = new LinkedHashMap<>(scene.raw().orElseThrow());
    marks.keySet().removeIf(name -> !name.startsWith(MARK));
    Raw.assertSame(expected, marks, "the mark");
  }

  @Test
  @DisplayName("a plain write over a window: what the window has seen decides, and is dropped then")
  void plainOverWindow() {
    for (EventPolicy policy : PLAIN) {
      put(true, Map.of("floor", 5L, "seen", Set.of(7L, 9L), "horizon", 2L));
      Expect.duplicate(deliver(policy, 9));
      Expect.duplicate(deliver(policy, 7));
    }
    Expect.stale(deliver(EventPolicy.dropLate(), 8));
    Expect.gap(deliver(EventPolicy.contiguous(), 8));
    assertEquals(0, scene.count());
    Expect.applied(deliver(EventPolicy.dropLate(), 10));
    assertMark(Map.of(MARK, 10L));
  }

  @Test
  @DisplayName("a plain write over a higher generation is Stale, whatever its position")
  void plainOverGeneration() {
    for (EventPolicy policy : PLAIN) {
      put(true, Map.of("floor", 5L, "generation", 2L));
      Expect.stale(deliver(policy, 6));
      Source next = Source.of("Order", "4711").generation(2);
      Expect.duplicate(deliver(policy, next, 5));
      Expect.applied(deliver(policy, next, 6));
      assertMark(Map.of(MARK, true, MARK + "#floor", 6L, MARK + "#generation", 2L));
    }
  }

  @Test
  @DisplayName("a window over a plain mark takes it for its floor")
  void windowOverPlain() {
    put(5L, Map.of());
    Expect.duplicate(deliver(WINDOW, 4));
    Expect.applied(deliver(WINDOW, 7));
    Expect.applied(deliver(WINDOW, 6));
    Expect.duplicate(deliver(WINDOW, 6));
    put(5L, Map.of());
    Expect.beyondHorizon(deliver(EventPolicy.sparseWindow(5), 4));
    Expect.applied(deliver(EventPolicy.sparseWindow(5), 9));
    Expect.applied(deliver(EventPolicy.sparseWindow(5), 7));
    Expect.beyondHorizon(deliver(EventPolicy.sparseWindow(5), 4));
  }

  @Test
  @DisplayName("a higher generation over a plain mark starts afresh")
  void generationOverPlain() {
    for (EventPolicy policy : POLICIES) {
      put(90L, Map.of());
      Source next = Source.of("Order", "4711").generation(1);
      Expect.applied(deliver(policy, next, 1));
      Expect.duplicate(deliver(policy, next, 1));
      Expect.stale(deliver(policy, 91));
    }
  }

  @Test
  @DisplayName("parts without the mark that says so mean nothing, to guards and to the judge")
  void leftovers() {
    Map<String, Object> parts =
        Map.of("floor", 7L, "seen", Set.of(2L, 9L), "horizon", 8L, "generation", 3L);
    for (EventPolicy policy : POLICIES) {
      put(null, parts);
      Expect.applied(deliver(policy, 1));
      Expect.applied(deliver(policy, 2));
      Expect.duplicate(deliver(policy, 2));
      put(1L, parts);
      Expect.applied(deliver(policy, 2));
      Expect.applied(deliver(policy, 3));
      Expect.duplicate(deliver(policy, 3));
    }
  }

  @Test
  @DisplayName("neither a number nor a string is moved by a position of the other kind")
  void otherKind() {
    for (Object mark : List.of(5L, true)) {
      put(mark, Map.of("floor", 5L));
      assertThrows(
          CorruptRecordException.class, () -> deliver(EventPolicy.dropLate(), "zzz"), "a number");
    }
    put("5", Map.of());
    for (EventPolicy policy : POLICIES) {
      assertThrows(CorruptRecordException.class, () -> deliver(policy, 6), policy::toString);
    }
    assertEquals(0, scene.count());
  }

  @Test
  @DisplayName("what is no mark, and true without a part, is corrupt under every policy")
  void foreign() {
    for (EventPolicy policy : POLICIES) {
      for (Object mark : List.of(true, false, List.of(5L), Map.of("x", 5L))) {
        put(mark, Map.of());
        assertThrows(CorruptRecordException.class, () -> deliver(policy, 6), policy::toString);
        assertThrows(CorruptRecordException.class, () -> deliver(policy, 1), policy::toString);
      }
    }
    assertEquals(0, scene.count());
  }
}
