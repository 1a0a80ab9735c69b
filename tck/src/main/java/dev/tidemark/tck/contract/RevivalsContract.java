package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Transactions.Tracked;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.DELETES)
@DisplayName("Law 10: an entity that comes back knows what it knew, whichever words revive it")
final class RevivalsContract {
  private static final List<IdPolicy> POLICIES =
      List.of(
          IdPolicy.forEver(),
          IdPolicy.keptFor(Duration.ofDays(7)),
          IdPolicy.last(100),
          IdPolicy.forEver().compact(),
          IdPolicy.keptFor(Duration.ofDays(7)).compact());

  /** How a write is made, alone or among others. */
  private interface Way {
    Outcome<View> make(Tracking tracking, Write<View> write);
  }

  private final Backend backend;
  private final MovableClock clock = MovableClock.later();

  RevivalsContract(Backend backend) {
    this.backend = backend;
  }

  private EntityStore<View> store(Tracking tracking) {
    return backend.views(tracking, clock);
  }

  private Outcome<View> alone(Tracking tracking, Write<View> write) {
    return store(tracking).write(write);
  }

  /** With another entity's message ID, and with a write of the same entity behind it. */
  private Outcome<View> inBatch(Tracking tracking, Write<View> write) {
    EntityKey other = Some.key();
    List<Write<View>> batch =
        List.of(
            Write.update(Some.id(), other, Scene.counted()),
            write,
            Write.update(write.message(), other, Scene.counted()),
            Write.update(write.message(), write.key(), Scene.counted()));
    List<Result<View>> results = store(tracking).writeAll(batch);
    assertEquals("Duplicate", Words.of(results.get(3)));
    return ((Result.Judged<View>) results.get(1)).outcome();
  }

  /** Whether it was committed is all that a transaction tells here. */
  private Outcome<View> inTransaction(Tracking tracking, Write<View> write) {
    boolean committed =
        backend
            .transactions(clock)
            .commit(List.of(new Tracked(tracking, write)), null)
            .isCommitted();
    return committed
        ? new Outcome.Applied<>(null, true, null)
        : new Outcome.Duplicate<>(null, null);
  }

  private List<EntityUpdate> words(Rules rules) {
    return List.of(
        rules.revives() ? Scene.counted().recreate() : Scene.counted(),
        backend.counting(rules, null));
  }

  /** What a view was told, and deleted by, in this order. */
  private List<Message> told() {
    List<Message> told = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      told.add(Some.id());
    }
    told.add(Some.event(7));
    return told;
  }

  private void revived(Way way) {
    revived(way, Set.of());
    revived(way, Set.of("_rev", "messageIDs#since", "messageIDs#closed", "events.Order.9"));
  }

  /** Revives views on whose tombstones some marks are null. */
  private void revived(Way way, Set<String> nulls) {
    for (IdPolicy policy : POLICIES) {
      for (EntityUpdate recreate : words(Rules.defaults().recreate())) {
        for (Message message : List.of(Some.id(), Some.event(9))) {
          Tracking tracking = Tracking.defaults().messageIds(policy);
          EntityStore<View> store = store(tracking);
          EntityKey key = Some.key();
          String at = recreate.getClass().getSimpleName() + " by " + message + ", " + policy;
          List<Message> told = told();
          told.forEach(m -> Expect.applied(store.update(m, key, Scene.counted())));
          MessageId delete = Some.id();
          Expect.applied(store.delete(delete, key));
          backend.putNull(key, nulls);
          Write<View> write = Write.update(message, key, recreate);
          assertInstanceOf(Outcome.Applied.class, way.make(tracking, write), at);
          told.addAll(List.of(delete, message));
          for (Message again : told) {
            Outcome<View> outcome = store.update(again, key, recreate);
            assertTrue(outcome.isDone() && !outcome.isApplied(), () -> outcome + " again: " + at);
          }
          assertEquals(1L, store.find(key).orElseThrow().getTotal(), at);
          Expect.applied(store.update(Some.id(), key, Scene.counted()));
        }
      }
    }
  }

  @Test
  @DisplayName("under every id policy, by a message ID and by an event")
  void alone() {
    revived(this::alone);
  }

  @Test
  @DisplayName("in a batch beside other entities' messages")
  void batches() {
    revived(this::inBatch);
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("in a transaction")
  void transactions() {
    revived(this::inTransaction);
  }

  @Test
  @DisplayName("a live entity whose marks are null here and there keeps all others")
  void nulls() {
    List<Set<String>> nulls =
        List.of(
            Set.of("_rev"),
            Set.of("_rev", "_born"),
            Set.of("messageIDs#since"),
            Set.of("messageIDs#closed"),
            Set.of("events.Order.9"),
            Set.of("_rev", "deletedUntil", "_outbox"));
    for (Set<String> none : nulls) {
      for (EntityUpdate update : words(Rules.defaults())) {
        for (Message message : List.of(Some.id(), Some.event("Order", "9", 1))) {
          EntityStore<View> store = store(Tracking.defaults().messageIds(IdPolicy.forEver()));
          EntityKey key = Some.key();
          List<Message> told = told();
          told.forEach(m -> Expect.applied(store.update(m, key, Scene.counted())));
          backend.putNull(key, none);
          Expect.applied(store.update(message, key, update));
          told.add(message);
          told.forEach(m -> Expect.duplicate(store.update(m, key, update)));
          assertEquals(7L, store.find(key).orElseThrow().getTotal(), () -> none + " null");
        }
      }
    }
  }

  @Test
  @DisplayName("a tombstone past its expiry leaves nothing to any subscriber, in any form or way")
  void expired() {
    List<Way> ways = List.of(this::alone, this::inBatch);
    for (IdPolicy policy : POLICIES) {
      for (EntityUpdate create : words(Rules.defaults().createIfMissing())) {
        for (Message message : List.of(Some.id(), Some.event(9))) {
          ways.forEach(way -> forgotten(policy, create, message, way));
        }
      }
    }
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("nor where a transaction creates the entity anew")
  void expiredInTransactions() {
    for (EntityUpdate create : words(Rules.defaults().createIfMissing())) {
      forgotten(IdPolicy.forEver(), create, Some.id(), this::inTransaction);
      forgotten(IdPolicy.forEver(), create, Some.event(9), this::inTransaction);
    }
  }

  @Test
  @DisplayName("nor to a function, nor to a delete, over it")
  void expiredThenCalled() {
    forgotten(IdPolicy.forEver(), Scene.counted(), Some.id(), this::byFunction);
    forgotten(IdPolicy.forEver(), Scene.counted(), Some.event(9), this::byFunction);
    forgotten(IdPolicy.forEver(), Scene.counted(), Some.event(9), this::deletedBefore);
  }

  private Outcome<View> byFunction(Tracking tracking, Write<View> write) {
    return store(tracking).apply(write.message(), write.key(), View::new, Views::counted);
  }

  private Outcome<View> deletedBefore(Tracking tracking, Write<View> write) {
    Expect.applied(store(tracking).delete(Some.id(), write.key()));
    return store(tracking).update(write.message(), write.key(), Scene.counted().recreate());
  }

  private void forgotten(IdPolicy policy, EntityUpdate create, Message message, Way way) {
    Tracking tracking = Tracking.defaults().messageIds(policy);
    List<EntityStore<View>> subscribers =
        List.of(store(tracking), store(tracking.as("search")), store(tracking.as("a.b$c")));
    EntityKey key = Some.key();
    List<Message> told = told();
    subscribers.forEach(s -> told.forEach(m -> s.update(m, key, Scene.counted())));
    Expect.applied(subscribers.get(1).delete(Some.id(), key));
    clock.move(tracking.tombstonesKeptFor().plusSeconds(5));
    String at = create.getClass().getSimpleName() + " by " + message + ", " + policy;
    assertInstanceOf(
        Outcome.Applied.class, way.make(tracking, Write.update(message, key, create)), at);
    Map<String, Object> raw = backend.raw(key).orElseThrow();
    Set<String> others = Set.of("deletedUntil", "messageIDs@search", "events.Order.4711#seen");
    assertTrue(
        raw.keySet().stream().noneMatch(n -> n.contains("@") || others.contains(n)),
        () -> raw.keySet() + " are left: " + at);
    long total = 1;
    for (EntityStore<View> subscriber : subscribers) {
      for (Message again : told) {
        boolean passed = subscriber.equals(subscribers.get(0)) && again.equals(Some.event(7));
        if (passed && message.equals(Some.event(9))) {
          Expect.stale(subscriber.update(again, key, Scene.counted()));
        } else {
          Outcome<View> outcome = subscriber.update(again, key, Scene.counted());
          assertTrue(outcome.isApplied(), () -> outcome + " of a former life: " + at);
          total++;
        }
      }
    }
    assertEquals(total, subscribers.get(0).find(key).orElseThrow().getTotal(), at);
  }
}
