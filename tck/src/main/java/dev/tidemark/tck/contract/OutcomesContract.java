package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTCOMES)
@DisplayName("Law 2: outcomes are values")
final class OutcomesContract {
  private static final Change PAID = change().set("status", "PAID").createIfMissing();

  private final MovableClock clock = new MovableClock();
  private final Backend backend;
  private final EntityStore<View> store;
  private final EntityKey key = Some.key();

  OutcomesContract(Backend backend) {
    this.backend = backend;
    this.store = backend.views(Tracking.defaults(), clock);
  }

  @Test
  @DisplayName("the first delivery creates: Applied, created, done, with the mark of its source")
  void applied() {
    Outcome<View> outcome = store.update(Some.event(7), key, PAID);
    Outcome.Applied<View> applied = Expect.applied(outcome);
    assertTrue(applied.created() && applied.isDone() && applied.isApplied());
    assertEquals(Position.of(7), applied.mark().orElseThrow().highest());
    Outcome<View> next = store.update(Some.event(8), key, change().add("total", 5));
    assertFalse(Expect.applied(next).created());
    assertEquals(5L, store.find(key).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("a redelivered event is Duplicate, done, with the mark; an overtaken one is Stale")
  void duplicateAndStale() {
    assertTrue(store.update(Some.event(7), key, PAID).isApplied());
    Outcome.Duplicate<View> again = Expect.duplicate(store.update(Some.event(7), key, PAID));
    assertTrue(again.isDone());
    assertEquals(Position.of(7), again.mark().orElseThrow().highest());
    Outcome.Stale<View> stale = Expect.stale(store.update(Some.event(6), key, PAID));
    assertTrue(stale.isDone());
    assertEquals(Position.of(7), stale.mark().highest());
  }

  @Test
  @DisplayName("a redelivered message ID is Duplicate")
  void duplicateId() {
    MessageId id = Some.id();
    Change add = change().add("total", 25).createIfMissing();
    assertTrue(store.update(id, key, add).isApplied());
    Expect.duplicate(store.update(id, key, add));
    assertEquals(25L, store.find(key).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("an event too far ahead is a Gap that names what is missing, and is not done")
  void gap() {
    Tracking contiguous = Tracking.defaults().events(EventPolicy.contiguous());
    EntityStore<View> dense = backend.views(contiguous, clock);
    assertTrue(dense.update(Some.event(1), key, PAID).isApplied());
    Outcome.Gap<View> gap = Expect.gap(dense.update(Some.event(4), key, PAID));
    assertFalse(gap.isDone());
    assertEquals(Position.of(2), gap.expected());
    assertEquals(List.of(new Outcome.Hole(Position.of(2), Position.of(3))), gap.holes());
  }

  @Test
  @DisplayName("a false condition is Refused and not done; recorded by otherwiseSkip it is done")
  void refused() {
    assertTrue(store.update(Some.event(1), key, PAID).isApplied());
    Change change = change().set("status", "X").onlyIf(attribute("status").is("PLACED"));
    assertFalse(Expect.refused(store.update(Some.event(2), key, change)).isDone());
    Outcome.Refused<View> recorded =
        Expect.refused(store.update(Some.event(2), key, change.otherwiseSkip()));
    assertTrue(recorded.recorded() && recorded.isDone());
    Expect.duplicate(store.update(Some.event(2), key, change));
    assertEquals("PAID", store.find(key).orElseThrow().getStatus());
  }

  @Test
  @DisplayName("no entity is Missing and not done; a deleted one is Deleted and done")
  void missing() {
    Change existing = change().add("total", 1);
    assertFalse(Expect.missing(store.update(Some.event(1), key, existing)).isDone());
    assertTrue(store.delete(Some.event(2), key).isApplied());
    assertTrue(Expect.deleted(store.update(Some.event(3), key, PAID)).isDone());
  }

  @Test
  @DisplayName("a change without operations is Recorded and done; what it creates is Applied")
  void recorded() {
    assertTrue(
        Expect.applied(store.update(Some.event(7), key, change().createIfMissing())).created());
    Outcome.Recorded<View> event =
        Expect.recorded(store.update(Some.event(8), key, change().createIfMissing()));
    assertTrue(event.isDone() && !event.isApplied());
    assertEquals(Position.of(8), event.mark().orElseThrow().highest());
    MessageId id = Some.id();
    assertTrue(Expect.recorded(store.update(id, key, change())).mark().isEmpty());
    Expect.duplicate(store.update(id, key, PAID));
    Source ended = Some.event(8).source();
    Expect.applied(store.update(Some.id(), key, change().retire(ended)));
    assertTrue(Expect.applied(store.update(Some.event(8), key, PAID)).isDone());
  }

  @Test
  @DisplayName("an outcome has the entity where the update asked for it, and only there")
  void entity() {
    EntityStore<View> dense =
        backend.views(Tracking.defaults().events("Dense", EventPolicy.contiguous()), clock);
    Change ruled = PAID.onlyIf(attribute("status").is("PLACED"));
    for (Change asking : List.of(PAID, PAID.returning())) {
      boolean asks = asking.rules().returns();
      Change refused = asks ? ruled.returning() : ruled;
      EntityKey row = Some.key();
      List<Outcome<View>> outcomes =
          List.of(
              dense.update(Some.event(7), row, asking),
              dense.update(Some.event(7), row, asking),
              dense.update(Some.event(6), row, asking),
              dense.update(Some.event("Dense", "1", 3), row, asking),
              dense.update(Some.id(), row, refused),
              dense.update(Some.id(), row, refused.otherwiseSkip()),
              dense.update(Some.id(), row, asks ? change().returning() : change()));
      List<Result<View>> batch =
          dense.writeAll(
              List.of(
                  Write.update(Some.event(8), row, asking),
                  Write.update(Some.id(), row, refused),
                  Write.update(Some.id(), row, refused.otherwiseSkip())));
      outcomes.forEach(outcome -> assertEquals(asks, outcome.entity().isPresent(), "" + outcome));
      batch.forEach(
          result ->
              assertEquals(
                  asks,
                  result.outcomeIfJudged().orElseThrow().entity().isPresent(),
                  "in a batch, " + result));
    }
    assertTrue(dense.skip(Some.id(), key).entity().isEmpty());
  }

  @Test
  @DisplayName("functions give the entity always, deletes never")
  void entityOfFunctions() {
    assertTrue(store.apply(Some.event(1), key, View::new, Views::paid).entity().isPresent());
    assertTrue(store.apply(Some.event(1), key, Views::paid).entity().isPresent());
    assertTrue(store.decide(Some.event(2), key, v -> Decision.refuse()).entity().isPresent());
    assertTrue(store.delete(Some.event(1), key).entity().isEmpty());
    assertTrue(store.delete(Some.event(3), key).entity().isEmpty());
    assertTrue(store.apply(Some.event(4), key, Views::paid).entity().isEmpty());
  }

  @Test
  @DisplayName("in a batch a duplicate of what the same batch did has the entity as that left it")
  void entityOfDuplicatesInBatch() {
    MessageId id = Some.id();
    Change asking = change().add("total", 25).createIfMissing().returning();
    List<Write<View>> updates =
        List.of(Write.update(id, key, asking), Write.update(id, key, asking));
    List<Write<View>> functions =
        List.of(
            Write.apply(Some.event(1), key, Views::counted),
            Write.apply(Some.event(1), key, Views::counted));
    List<Write<View>> oneAsks =
        List.of(
            Write.update(Some.event(2), key, change().add("total", 1)),
            Write.update(Some.event(2), key, asking));
    List<Long> totals = new ArrayList<>();
    for (List<Write<View>> batch : List.of(updates, functions, oneAsks)) {
      List<Result<View>> results = store.writeAll(batch);
      assertEquals(List.of("Applied", "Duplicate"), Words.of(results));
      View view = results.get(1).outcomeIfJudged().orElseThrow().entity().orElseThrow();
      totals.add(view.getTotal());
    }
    assertEquals(List.of(25L, 26L, 27L), totals);
  }

  @Test
  @DisplayName("a batch tells which of its messages were only recorded")
  void recordedInBatch() {
    Change add = change().add("total", 25).createIfMissing();
    List<Write<View>> writes =
        List.of(
            Write.update(Some.id(), key, change().createIfMissing()),
            Write.skip(Some.event(1), key),
            Write.update(Some.event(2), key, add),
            Write.skip(Some.id(), key));
    List<String> words = List.of("Applied", "Recorded", "Applied", "Recorded");
    assertEquals(words, Words.of(store.writeAll(writes)));
    assertEquals(
        List.of("Duplicate", "Stale", "Duplicate", "Duplicate"), Words.of(store.writeAll(writes)));
    assertEquals(25L, store.find(key).orElseThrow().getTotal());
  }

  @Test
  @DisplayName(
      "a message sent before the horizon is BeyondHorizon, done only if the tracking says so")
  void beyondHorizon() {
    MessageId old = Some.id().sentAt(clock.instant().minus(Duration.ofDays(31)));
    assertTrue(store.update(Some.id(), key, PAID).isApplied());
    assertFalse(Expect.beyondHorizon(store.update(old, key, PAID)).isDone());
    Tracking lenient = Tracking.defaults().acknowledgingBeyondHorizon();
    Outcome<View> outcome = backend.views(lenient, clock).update(old, key, PAID);
    assertTrue(Expect.beyondHorizon(outcome).isDone());
    EntityStore<View> rebuilding = backend.views(Tracking.defaults().rebuilding(), clock);
    assertTrue(rebuilding.update(old, key, PAID).isApplied());
  }
}
