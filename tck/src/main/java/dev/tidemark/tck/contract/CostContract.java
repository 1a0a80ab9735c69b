package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Report;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.ONE_WRITE)
@Needs(Capability.REQUEST_COUNTS)
@DisplayName("Law 1: change, guard and mark are one write")
final class CostContract {
  private static final Change SET = change().set("status", "PAID").createIfMissing();

  private final Scene scene;
  private final Report report;
  private final EntityStore<View> store;

  CostContract(Backend backend, Report report) {
    this.scene = new Scene(backend);
    this.report = report;
    this.store = scene.store(Tracking.defaults().events("Dense", EventPolicy.contiguous()));
  }

  private Backend.Cost cost(String row, String arm, Supplier<Outcome<View>> call) {
    AtomicReference<Outcome<View>> outcome = new AtomicReference<>();
    Backend.Cost cost = scene.backend.measure(() -> outcome.set(call.get()));
    assertEquals(arm, outcome.get().getClass().getSimpleName(), row);
    report.cost(row + ": " + arm, cost);
    return cost;
  }

  private void oneWrite(String row, Supplier<Outcome<View>> call) {
    oneWrite(row, "Applied", call);
  }

  private void oneWrite(String row, String arm, Supplier<Outcome<View>> call) {
    Backend.Cost cost = cost(row, arm, call);
    assertEquals(0, cost.reads(), row + ", reads");
    assertEquals(1, cost.writes(), row + ", writes");
  }

  private void atMost(int requests, String row, String arm, Supplier<Outcome<View>> call) {
    Backend.Cost cost = cost(row, arm, call);
    assertTrue(cost.reads() + cost.writes() <= requests, () -> row + " took " + cost);
  }

  private EntityKey existing(Message message) {
    EntityKey key = Some.key();
    Expect.applied(store.update(message, key, SET));
    return key;
  }

  @Test
  @Needs(Capability.ONE_COMMAND_REFUSALS)
  @DisplayName("an applied update is one write request, whatever it tracks and whether it creates")
  void appliedUpdates() {
    EntityKey key = existing(Some.event(1));
    oneWrite("update, creating", () -> store.update(Some.event(1), Some.key(), SET));
    oneWrite("update by a source event", () -> store.update(Some.event(2), key, SET));
    oneWrite("update by a message ID", () -> store.update(Some.id(), key, SET));
    oneWrite(
        "update with a condition",
        () -> store.update(Some.id(), key, SET.onlyIf(attribute("status").is("PAID"))));
    oneWrite("skip", "Recorded", () -> store.skip(Some.event(3), key));
  }

  @Test
  @DisplayName("an applied function is one read and one write request")
  void appliedFunctions() {
    EntityKey key = existing(Some.event(1));
    Backend.Cost changing =
        cost("apply", "Applied", () -> store.apply(Some.id(), key, Views::counted));
    Backend.Cost creating =
        cost(
            "apply, creating",
            "Applied",
            () -> store.apply(Some.id(), Some.key(), View::new, Views::paid));
    assertEquals("1 + 1", changing.reads() + " + " + changing.writes());
    assertEquals("1 + 1", creating.reads() + " + " + creating.writes());
    atMost(1, "apply", "Duplicate", () -> store.apply(Some.event(1), key, Views::paid));
  }

  @Test
  @Needs(Capability.ONE_COMMAND_REFUSALS)
  @DisplayName("every other outcome of an update is one request")
  void otherOutcomes() {
    EntityKey key = existing(Some.event(5));
    Message id = Some.id();
    Expect.applied(store.update(id, key, SET));
    Change ruled = SET.onlyIf(attribute("status").is("PLACED"));
    atMost(1, "update", "Duplicate", () -> store.update(Some.event(5), key, SET));
    atMost(1, "update by a message ID", "Duplicate", () -> store.update(id, key, SET));
    atMost(1, "update", "Stale", () -> store.update(Some.event(4), key, SET));
    atMost(1, "update", "Gap", () -> store.update(Some.event("Dense", "1", 3), key, SET));
    atMost(1, "update", "Refused", () -> store.update(Some.event(6), key, ruled));
    Change existing = change().set("status", "PAID");
    // A refusal that brings nothing is no proof that there is nothing: a read may have to tell.
    atMost(2, "update", "Missing", () -> store.update(Some.event(1), Some.key(), existing));
    Message old = Some.id().sentAt(scene.clock.instant().minus(Duration.ofDays(31)));
    atMost(1, "update", "BeyondHorizon", () -> store.update(old, key, SET));
  }

  @Test
  @DisplayName("a refusal that is recorded, deletes and reads take at most two requests")
  void twoRequests() {
    EntityKey key = existing(Some.event(5));
    Change skipping = SET.onlyIf(attribute("status").is("PLACED")).otherwiseSkip();
    atMost(3, "update, otherwiseSkip", "Refused", () -> store.update(Some.event(6), key, skipping));
    atMost(2, "delete", "Applied", () -> store.delete(Some.event(7), key));
    atMost(2, "delete", "Duplicate", () -> store.delete(Some.event(7), key));
    EntityKey other = existing(Some.event(1));
    atMost(2, "forget", "Applied", () -> store.forget(Some.event(2), other));
    EntityKey read = existing(Some.event(1));
    report.cost("find", scene.backend.measure(() -> assertTrue(store.find(read).isPresent())));
    Backend.Cost fresh = scene.backend.measure(() -> look(read, 1));
    report.cost("find, notBefore: Fresh", fresh);
    assertTrue(fresh.reads() <= 2 && fresh.writes() == 0, () -> "Fresh took " + fresh);
    Backend.Cost notYet = scene.backend.measure(() -> look(read, 2));
    report.cost("find, notBefore: NotYet", notYet);
    assertTrue(notYet.reads() <= 2 && notYet.writes() == 0, () -> "NotYet took " + notYet);
  }

  @Test
  @Needs(Capability.ONE_COMMAND_REFUSALS)
  @DisplayName("an event that is recorded on a tombstone takes at most two requests")
  void tombstones() {
    EntityKey key = existing(Some.event("Dense", "1", 1));
    Expect.applied(store.delete(Some.event("Dense", "1", 2), key));
    String row = " of a tombstone, dense";
    atMost(2, "update" + row, "Deleted", () -> store.update(Some.event("Dense", "1", 3), key, SET));
    Supplier<Outcome<View>> apply =
        () -> store.apply(Some.event("Dense", "1", 4), key, View::new, Views::paid);
    atMost(2, "apply" + row, "Deleted", apply);
    atMost(2, "delete" + row, "Deleted", () -> store.delete(Some.event("Dense", "1", 5), key));
    EntityKey sparse = existing(Some.event(1));
    Expect.applied(store.delete(Some.event(2), sparse));
    atMost(1, "update of a tombstone", "Deleted", () -> store.update(Some.event(3), sparse, SET));
  }

  private void look(EntityKey key, long position) {
    assertTrue(store.find(key, notBefore(Some.event(position))).toString().length() > 0);
  }

  @Test
  @Needs(Capability.ONE_COMMAND_REFUSALS)
  @DisplayName("a batch costs one write for each entity, however many messages it has")
  void batches() {
    List<Write<View>> events = writes(1, 10, (key, i) -> Write.update(Some.event(i), key, SET));
    assertEquals(new Requests(0, 1), batch("10 updates by events", events));
    atMost(new Requests(1, 1), batch("10 updates by events, all redelivered", events));
    List<Write<View>> ids = writes(1, 10, (key, i) -> Write.update(Some.id(), key, SET));
    assertEquals(new Requests(0, 1), batch("10 updates by message IDs", ids));
    List<Write<View>> functions =
        writes(1, 10, (key, i) -> Write.apply(Some.event(i), key, View::new, Views::paid));
    assertEquals(new Requests(1, 1), batch("10 functions", functions));
    assertEquals(new Requests(1, 0), batch("10 functions, all redelivered", functions));
    List<Write<View>> many =
        writes(100, 3, (key, i) -> Write.apply(Some.event(i), key, View::new, Views::paid));
    atMost(new Requests(1, 100), batch("3 functions on each of 100 entities", many));
    List<Write<View>> single = writes(100, 1, (key, i) -> Write.update(Some.event(i), key, SET));
    atMost(new Requests(0, 100), batch("1 update on each of 100 entities", single));
  }

  @Test
  @Needs(Capability.ONE_COMMAND_REFUSALS)
  @DisplayName("disorder inside a batch costs nothing: 3, 1, 2 is applied whole, in one write")
  void disorder() {
    List<Write<View>> writes =
        IntStream.of(3, 1, 2).mapToObj(i -> scene.counts(Some.event("Dense", "1", i))).toList();
    Backend.Cost cost =
        scene.backend.measure(
            () -> store.writeAll(writes).forEach(r -> assertEquals("Applied", Words.of(r))));
    assertEquals(new Requests(0, 1), new Requests(cost.reads(), cost.writes()));
    assertEquals(3, scene.count());
  }

  private record Requests(int reads, int writes) {}

  private static void atMost(Requests bound, Requests requests) {
    assertTrue(
        requests.reads() <= bound.reads() && requests.writes() <= bound.writes(),
        () -> requests + ", at most " + bound);
  }

  private static List<Write<View>> writes(
      int entities, int each, BiFunction<EntityKey, Integer, Write<View>> write) {
    List<Write<View>> writes = new ArrayList<>();
    for (int entity = 0; entity < entities; entity++) {
      EntityKey key = Some.key();
      for (int i = 1; i <= each; i++) {
        writes.add(write.apply(key, i));
      }
    }
    return writes;
  }

  private Requests batch(String row, List<Write<View>> writes) {
    Backend.Cost cost =
        scene.backend.measure(
            () -> store.writeAll(writes).forEach(result -> assertTrue(result.isDone())));
    report.cost("batch: " + row, cost);
    return new Requests(cost.reads(), cost.writes());
  }
}
