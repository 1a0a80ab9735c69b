package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.EventPolicy;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Message;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@DisplayName("What a change publishes is stored by its own write, once, in order")
final class PublishingContract {
  private static final String OUTBOX = "_outbox";

  private final Scene scene;
  private final EntityStore<View> store;

  PublishingContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  /** Counts, creates, and says so. */
  private static Change says(String text) {
    return Scene.counted().publish("views", text);
  }

  private List<Object> waiting(EntityKey key) {
    Object list = scene.backend.raw(key).map(record -> record.get(OUTBOX)).orElse(null);
    return list == null ? List.of() : new ArrayList<>((List<?>) list);
  }

  private List<String> texts(EntityKey key) {
    return waiting(key).stream().map(m -> Outbox.message(m).text().orElseThrow()).toList();
  }

  private List<String> ids(EntityKey key) {
    return waiting(key).stream().map(m -> Outbox.message(m).id().orElseThrow()).toList();
  }

  private void assertSaid(String... texts) {
    assertEquals(List.of(texts), texts(scene.key));
  }

  @Test
  @DisplayName("a message is stored with all that it has, and the index finds the entity")
  void stored() {
    OutgoingMessage full =
        OutgoingMessage.to("orders.out", new byte[16])
            .key("4711")
            .type("OrderPaid")
            .header("trace.id", "$a")
            .header("b", "")
            .unordered();
    Expect.applied(store.update(Some.event(1), scene.key, says("one").publish(full)));
    Map<String, Object> raw = scene.raw().orElseThrow();
    assertSaidFirst("one");
    OutgoingMessage read = Outbox.message(waiting(scene.key).get(1));
    assertEquals(full.topic(), read.topic());
    assertEquals(Optional.empty(), read.text());
    assertEquals(16, read.bytes().length);
    assertEquals(full.key(), read.key());
    assertEquals(full.type(), read.type());
    assertEquals(full.headers(), read.headers());
    assertFalse(read.isOrdered());
    long now = scene.clock.instant().toEpochMilli();
    assertEquals(now, Outbox.storedAt(waiting(scene.key).get(0)));
    assertEquals(now, raw.get(OUTBOX + "#due"));
    assertEquals((long) Outbox.shard(scene.key, 4), raw.get(OUTBOX + "#shard"));
    assertTrue(store.find(scene.key).isPresent());
  }

  private void assertSaidFirst(String text) {
    OutgoingMessage first = Outbox.message(waiting(scene.key).get(0));
    assertEquals(Optional.of(text), first.text());
    assertTrue(first.isOrdered());
  }

  @Test
  @DisplayName("messages wait in the order of the writes, of all ways to write")
  void order() {
    Expect.applied(store.update(Some.event(1), scene.key, says("one")));
    Expect.applied(
        store.decide(
            Some.event(2),
            scene.key,
            view -> Decision.to(Views.counted(view), to("two"), to("three"))));
    Expect.applied(store.apply(Some.event(3), scene.key, Views::counted));
    Expect.applied(
        store.update(Some.event(4), scene.key, says("four").onlyIf(attribute("total").is(3))));
    Expect.applied(store.update(Some.id(), scene.key, says("five")));
    assertSaid("one", "two", "three", "four", "five");
    assertEquals(5, new HashSet<>(ids(scene.key)).size());
    assertEquals(5, scene.count());
  }

  private static OutgoingMessage to(String text) {
    return OutgoingMessage.to("views", text);
  }

  @Test
  @DisplayName("the time from which on they wait is that of the first")
  void due() {
    Rules rules = Rules.defaults().createIfMissing().publish(to("one"));
    List<EntityUpdate> words = List.of(says("one"), scene.backend.counting(rules, null));
    for (EntityUpdate first : words) {
      for (EntityUpdate next : words) {
        EntityKey key = Some.key();
        Expect.applied(store.update(Some.event(1), key, first));
        long since = scene.clock.instant().toEpochMilli();
        scene.clock.move(Duration.ofSeconds(5));
        Expect.applied(store.update(Some.event(2), key, next));
        assertEquals(since, raw(key).get(OUTBOX + "#due"));
        scene.clock.move(Duration.ofSeconds(5));
        List<Write<View>> batch =
            List.of(Write.update(Some.event(3), key, next), Write.update(Some.id(), key, first));
        assertEquals(List.of("Applied", "Applied"), Words.of(store.writeAll(batch)));
        assertEquals(since, raw(key).get(OUTBOX + "#due"));
        assertEquals(4, waiting(key).size());
        Expect.applied(store.delete(Some.id(), key));
        scene.clock.move(Duration.ofSeconds(5));
        Expect.applied(store.update(Some.id(), key, Scene.counted().recreate()));
        assertEquals(since, raw(key).get(OUTBOX + "#due"));
      }
    }
  }

  private Map<String, Object> raw(EntityKey key) {
    return scene.backend.raw(key).orElseThrow();
  }

  @Test
  @DisplayName("only what is applied publishes: no duplicate, stale, gap, missing or refused one")
  void onlyApplied() {
    EntityStore<View> dense =
        scene.store(Tracking.defaults().events("Dense", EventPolicy.contiguous()));
    Change refused = says("no").onlyIf(attribute("status").is("NONE"));
    Expect.missing(store.update(Some.event(1), scene.key, change().publish("views", "no")));
    assertEquals(Optional.empty(), scene.raw());
    Expect.applied(store.update(Some.event(2), scene.key, says("one")));
    Expect.duplicate(store.update(Some.event(2), scene.key, says("no")));
    Expect.stale(store.update(Some.event(1), scene.key, says("no")));
    Expect.gap(dense.update(Some.event("Dense", "1", 5), scene.key, says("no")));
    Expect.refused(store.update(Some.event(3), scene.key, refused));
    Expect.refused(store.update(Some.event(3), scene.key, refused.otherwiseSkip()));
    Expect.refused(store.decide(Some.event(4), scene.key, view -> Decision.refuse()));
    Expect.refused(store.decide(Some.event(4), scene.key, view -> Decision.skip()));
    assertSaid("one");
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("to publish alone is a change: the first time it is applied")
  void alone() {
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    Message id = Some.id();
    Expect.applied(store.update(id, scene.key, change().publish(to("one"))));
    Expect.duplicate(store.update(id, scene.key, change().publish(to("one"))));
    Expect.applied(store.decide(Some.event(2), scene.key, view -> Decision.to(view, to("two"))));
    Expect.recorded(store.decide(Some.event(3), scene.key, view -> Decision.to(view)));
    assertSaid("one", "two");
  }

  @Test
  @DisplayName("a fold keeps what each of its messages publishes, in their order")
  void folds() {
    Expect.applied(store.update(Some.event(1), scene.key, says("one")));
    List<Write<View>> updates = new ArrayList<>();
    List<Write<View>> decisions = new ArrayList<>();
    for (int position = 1; position <= 4; position++) {
      String text = "u" + position;
      updates.add(Write.update(Some.event(position), scene.key, says(text)));
      decisions.add(
          Write.decide(
              Some.event(position + 4),
              scene.key,
              view ->
                  text.equals("u2")
                      ? Decision.skip()
                      : Decision.to(Views.counted(view), to("d" + text))));
    }
    List<Result<View>> results = store.writeAll(updates);
    Expect.duplicate(((Result.Judged<View>) results.get(0)).outcome());
    store.writeAll(decisions);
    store.writeAll(updates);
    store.writeAll(decisions);
    assertSaid("one", "u2", "u3", "u4", "du1", "du3", "du4");
    assertEquals(7, new HashSet<>(ids(scene.key)).size());
    assertEquals(7, scene.count());
  }

  @Test
  @DisplayName("an ID is the same at every try, and another for every entity and subscriber")
  void stableIds() {
    EntityStore<View> other = scene.store(Tracking.defaults().as("other"));
    Expect.applied(store.update(Some.event(1), scene.key, says("one").publish(to("two"))));
    Expect.applied(other.update(Some.event(1), scene.key, says("three")));
    EntityKey second = Some.key();
    Expect.applied(store.update(Some.event(1), second, says("one")));
    List<String> all = new ArrayList<>(ids(scene.key));
    all.addAll(ids(second));
    assertEquals(4, new HashSet<>(all).size());
    String first = ids(scene.key).get(0);
    scene.backend.putRaw(scene.key, Map.of("total", 0L));
    Expect.applied(store.update(Some.event(1), scene.key, says("one")));
    assertEquals(List.of(first), ids(scene.key));
    Expect.applied(
        store.update(Some.event(2), scene.key, change().publish(to("own").id("my-own"))));
    assertEquals("my-own", ids(scene.key).get(1));
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("a lost reply doubles nothing")
  void lostReply() {
    Expect.applied(store.update(Some.event(1), scene.key, says("one")));
    scene.backend.faults().loseReplies(1, () -> {});
    Expect.applied(store.update(Some.event(2), scene.key, says("two")));
    scene.backend.faults().loseReplies(1, () -> {});
    Expect.applied(
        store.decide(
            Some.event(3), scene.key, view -> Decision.to(Views.counted(view), to("three"))));
    scene.backend.faults().heal();
    assertSaid("one", "two", "three");
  }

  @Test
  @Needs(Capability.REQUEST_COUNTS)
  @DisplayName("it costs no request more")
  void cost() {
    assertOneWrite(() -> store.update(Some.event(1), scene.key, says("one")));
    assertOneWrite(() -> store.update(Some.event(2), scene.key, says("two")));
    assertOneWrite(() -> store.update(Some.id(), scene.key, says("three")));
    assertSaid("one", "two", "three");
  }

  private void assertOneWrite(Runnable update) {
    Backend.Cost cost = scene.backend.measure(update);
    boolean mayRead = scene.backend.missing().containsKey(Capability.ONE_COMMAND_REFUSALS);
    assertEquals(1, cost.writes());
    assertTrue(mayRead || cost.reads() == 0, () -> cost.reads() + " reads");
  }

  @Test
  @DisplayName("a delete keeps what waits, on a tombstone that nothing collects before it is sent")
  void deleted() {
    Expect.applied(store.update(Some.event(1), scene.key, says("one")));
    Expect.applied(store.delete(Some.event(2), scene.key));
    assertTrue(store.find(scene.key).isEmpty());
    assertSaid("one");
    long until = deletedUntil(scene.key);
    assertTrue(until > scene.clock.instant().getEpochSecond() + Outbox.WAITING);
    scene.clock.move(Duration.ofDays(4000));
    Expect.deleted(store.update(Some.event(3), scene.key, says("no")));
    Expect.applied(store.update(Some.event(4), scene.key, change().recreate().publish(to("two"))));
    assertSaid("one", "two");
    assertFalse(scene.raw().orElseThrow().containsKey("deletedUntil"));
    EntityKey silent = Some.key();
    Expect.applied(store.update(Some.event(1), silent, Scene.counted()));
    Expect.applied(store.delete(Some.event(2), silent));
    long soon = deletedUntil(silent);
    assertTrue(soon < scene.clock.instant().plus(Duration.ofDays(31)).getEpochSecond());
  }

  private long deletedUntil(EntityKey key) {
    Object until = scene.backend.raw(key).orElseThrow().get("deletedUntil");
    return ((Number) Objects.requireNonNull(until)).longValue();
  }

  @Test
  @DisplayName("what waits is not forgotten with its entity")
  void forgotten() {
    Expect.applied(store.update(Some.event(1), scene.key, says("one")));
    assertThrows(InvalidChangeException.class, () -> store.forget(Some.event(2), scene.key));
    assertSaid("one");
  }

  @Test
  @DisplayName("more than may wait is refused before anything is written, by name")
  void bound() {
    EntityStore<View> few = scene.store(Tracking.defaults().outbox(3, 4));
    Change two = says("a").publish(to("b"));
    assertThrows(
        IllegalArgumentException.class,
        () -> few.update(Some.event(1), scene.key, two.publish(to("c")).publish(to("d"))));
    Expect.applied(few.update(Some.event(1), scene.key, two));
    Map<String, Object> before = scene.raw().orElseThrow();
    ContentionException fault =
        assertThrows(ContentionException.class, () -> few.update(Some.event(2), scene.key, two));
    assertTrue(String.valueOf(fault.getMessage()).contains("maxWaiting is 3"), fault.getMessage());
    assertTrue(fault.isRetryable(), "it is back-pressure, and no message's fault");
    assertThrows(
        ContentionException.class,
        () ->
            few.decide(
                Some.event(2),
                scene.key,
                view -> Decision.to(Views.counted(view), to("c"), to("d"))));
    assertEquals(Optional.of(before), scene.raw());
    List<Result<View>> results =
        few.writeAll(
            List.of(
                Write.update(Some.id(), scene.key, says("c")),
                Write.update(Some.id(), scene.key, says("no")),
                Write.update(Some.id(), scene.key, Scene.counted())));
    assertTrue(results.get(0) instanceof Result.Judged);
    assertTrue(results.get(1) instanceof Result.Failed);
    assertTrue(results.get(2) instanceof Result.Judged);
    assertSaid("a", "b", "c");
    assertEquals(3, scene.count());
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("in a transaction each entity keeps what its own change publishes, or none does")
  void inTransaction() {
    EntityKey other = Some.key();
    Transactions transactions = scene.backend.transactions(scene.clock);
    Tracking tracking = Tracking.defaults();
    List<Transactions.Tracked> both =
        List.of(
            new Transactions.Tracked(
                tracking, Write.update(Some.event(1), scene.key, says("one").publish(to("two")))),
            new Transactions.Tracked(tracking, Write.update(Some.event(1), other, says("three"))));
    assertTrue(transactions.commit(both, null).isCommitted());
    assertFalse(transactions.commit(both, null).isCommitted());
    assertSaid("one", "two");
    assertEquals(List.of("three"), texts(other));
    Change refused = says("no").onlyIf(attribute("status").is("NONE"));
    List<Transactions.Tracked> none =
        List.of(
            new Transactions.Tracked(tracking, Write.update(Some.event(2), scene.key, says("no"))),
            new Transactions.Tracked(tracking, Write.update(Some.event(2), other, refused)));
    assertFalse(transactions.commit(none, null).isCommitted());
    assertSaid("one", "two");
    assertEquals(List.of("three"), texts(other));
  }

  @Test
  @DisplayName("a null in place of the list counts as none")
  void nullList() {
    Expect.applied(store.update(Some.event(1), scene.key, says("old")));
    scene.backend.putNull(scene.key, Set.of(OUTBOX));
    Expect.applied(store.update(Some.event(2), scene.key, says("one")));
    assertSaid("one");
    scene.backend.putNull(scene.key, Set.of(OUTBOX));
    Expect.applied(
        store.decide(
            Some.event(3), scene.key, view -> Decision.to(Views.counted(view), to("two"))));
    assertSaid("two");
    scene.backend.putNull(scene.key, Set.of(OUTBOX, OUTBOX + "#parked"));
    Expect.applied(store.delete(Some.event(4), scene.key));
    assertSaid();
  }

  @Test
  @DisplayName("what stands in place of the list is corrupt, and nothing is written over it")
  void corrupt() {
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    Map<String, Object> hostile = scene.raw().orElseThrow();
    hostile.put(OUTBOX, "not a list");
    scene.backend.putRaw(scene.key, hostile);
    assertThrows(TidemarkException.class, () -> store.update(Some.event(2), scene.key, says("no")));
    assertEquals(Optional.of(hostile), scene.raw());
    Expect.applied(store.update(Some.event(2), scene.key, Scene.counted()));
  }
}
