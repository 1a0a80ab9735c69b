package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Transactions.Tracked;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BOUNDED)
@DisplayName("Law 8: each kind of write brings maxSources sources, and no further one,")
final class EverySourceContract {
  private static final Change REFUSED =
      Scene.counted().onlyIf(attribute("status").is("NEVER")).otherwiseSkip();

  private final Backend backend;
  private final Scene scene;

  /** The kinds of writes, by name: those of an event to an entity. */
  private final Map<String, BiFunction<Message, EntityKey, Write<View>>> kinds =
      new LinkedHashMap<>();

  EverySourceContract(Backend backend) {
    this.backend = backend;
    this.scene = new Scene(backend);
    Rules existing = Rules.defaults();
    Rules creating = existing.createIfMissing();
    kinds.put("an update that creates", (m, k) -> Write.update(m, k, Scene.counted()));
    kinds.put("an update", (m, k) -> Write.update(m, k, Change.change().add("total", 1)));
    kinds.put(
        "an own update that creates",
        (m, k) -> Write.update(m, k, backend.counting(creating, null)));
    kinds.put("an own update", (m, k) -> Write.update(m, k, backend.counting(existing, null)));
    kinds.put(
        "an own update that returns",
        (m, k) -> Write.update(m, k, backend.counting(creating.returning(), null)));
    kinds.put("a function", (m, k) -> Write.apply(m, k, Views::counted));
    kinds.put("a skip", Write::skip);
    kinds.put("a recorded refusal", (m, k) -> Write.update(m, k, REFUSED));
  }

  /** Makes writes in some way; throws the fault of one that is not made. */
  @FunctionalInterface
  private interface Way {
    void make(Tracking tracking, List<Write<View>> writes);
  }

  private void alone(Tracking tracking, List<Write<View>> writes) {
    EntityStore<View> store = scene.store(tracking);
    writes.forEach(write -> assertMade(store.write(write)));
  }

  private void batch(Tracking tracking, List<Write<View>> writes) {
    for (Result<View> result : scene.store(tracking).writeAll(writes)) {
      if (result instanceof Result.Failed<View> failed) {
        throw failed.fault();
      }
      assertMade(assertInstanceOf(Result.Judged.class, result).outcome());
    }
  }

  private void transaction(Tracking tracking, List<Write<View>> writes) {
    List<Tracked> tracked = writes.stream().map(write -> new Tracked(tracking, write)).toList();
    Committed committed = backend.transactions(scene.clock).commit(tracked, null);
    assertTrue(committed.isCommitted() || committed.isRecorded(), committed::toString);
  }

  private static void assertMade(Outcome<?> outcome) {
    boolean recorded = outcome instanceof Outcome.Refused<?> refused && refused.recorded();
    assertTrue(outcome.isDone() || recorded, outcome::toString);
  }

  private static SourceEvent event(int source, long position) {
    return Some.event("S", "" + source, position);
  }

  private long sources(EntityKey key) {
    return backend.raw(key).orElseThrow().keySet().stream()
        .filter(name -> name.startsWith("events.S."))
        .count();
  }

  /** Brings all sources that two entities may have, in one way and by one kind of write. */
  private void assertBounded(String kind, int most, Way way) {
    String what = kind + ", maxSources " + most;
    Tracking tracking = Tracking.defaults().maxSources(most);
    BiFunction<Message, EntityKey, Write<View>> write = Objects.requireNonNull(kinds.get(kind));
    List<EntityKey> keys = List.of(Some.key(), Some.key());
    if (!kind.endsWith("creates")) {
      keys.forEach(key -> scene.store(tracking).update(Some.id(), key, Scene.counted()));
    }
    for (int source = 1; source <= most; source++) {
      SourceEvent next = event(source, 1);
      way.make(tracking, keys.stream().map(key -> write.apply(next, key)).toList());
    }
    SourceEvent known = event(1, 2);
    way.make(tracking, keys.stream().map(key -> write.apply(known, key)).toList());
    SourceEvent further = event(most + 1, 1);
    List<Write<View>> again = keys.stream().map(key -> write.apply(further, key)).toList();
    assertThrows(TooLargeException.class, () -> way.make(tracking, again), what);
    for (EntityKey key : keys) {
      assertEquals(most, sources(key), what);
      kinds.forEach(
          (other, writes) ->
              assertThrows(
                  TooLargeException.class,
                  () -> alone(tracking, List.of(writes.apply(further, key))),
                  () -> "after " + what + ": " + other));
    }
    long expected = kind.equals("a skip") || kind.equals("a recorded refusal") ? 1 : most + 1;
    expected += kind.endsWith("creates") || expected == 1 ? 0 : 1;
    assertEquals(expected, scene.count(keys.get(0)), what);
  }

  private void assertBounded(Way way) {
    for (String kind : kinds.keySet()) {
      Stream.of(1, 3).forEach(most -> assertBounded(kind, most, way));
    }
  }

  @Test
  @DisplayName("by itself")
  void alone() {
    assertBounded(this::alone);
  }

  @Test
  @DisplayName("in a batch of several entities")
  void batches() {
    assertBounded(this::batch);
  }

  @Test
  @DisplayName("in a batch that names each entity twice")
  void batchesOfOne() {
    assertBounded(
        (tracking, writes) -> {
          List<Write<View>> twice = new ArrayList<>(writes);
          twice.addAll(writes);
          batch(tracking, twice);
        });
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("in a transaction")
  void transactions() {
    assertBounded(this::transaction);
  }
}
