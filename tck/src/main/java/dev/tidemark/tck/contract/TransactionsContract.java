package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Count;
import dev.tidemark.tck.Transactions.Delivered;
import dev.tidemark.tck.Transactions.Tracked;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("A transaction")
final class TransactionsContract {
  private final MovableClock clock = MovableClock.later();
  private final Backend backend;
  private final EntityKey from = Some.key();
  private final EntityKey to = Some.key();
  private final Tracking tracking =
      Tracking.defaults().events("Transfer", EventPolicy.contiguous());

  TransactionsContract(Backend backend) {
    this.backend = backend;
  }

  private Committed commit(Write<View> one, Write<View> other) {
    List<Tracked> both = List.of(new Tracked(tracking, one), new Tracked(tracking, other));
    return backend.transactions(clock).commit(both, null);
  }

  private static Write<View> adds(Message message, EntityKey key) {
    return Write.update(message, key, Scene.counted());
  }

  private long total(EntityKey key) {
    return backend.views(tracking, clock).find(key).map(View::getTotal).orElse(0L);
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("is done once it is committed, and makes nothing of the same message again")
  void once() {
    Message message = Some.id();
    assertTrue(commit(adds(message, from), adds(message, to)).isCommitted());
    Committed again = commit(adds(message, from), adds(message, to));
    assertFalse(again.isCommitted());
    assertTrue(again.isDone());
    assertEquals(List.of(1L, 1L), List.of(total(from), total(to)));
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("is Applied where it creates an entity with nothing in it, as a call alone is")
  void createsEmpty() {
    Change empty = Change.change().createIfMissing();
    Committed created = commit(Write.update(Some.id(), from, empty), adds(Some.id(), to));
    Expect.applied(created.outcomes().get(0).orElseThrow());
    Committed again = commit(Write.update(Some.id(), from, empty), adds(Some.id(), to));
    Expect.recorded(again.outcomes().get(0).orElseThrow());
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("tells what a function left, be it changed or not, as a call alone does")
  void functions() {
    for (boolean changes : new boolean[] {true, false}) {
      Message message = Some.id();
      Write<View> function =
          Write.apply(message, from, View::new, view -> changes ? Views.counted(view) : view);
      Outcome<?> outcome = commit(function, adds(message, to)).outcomes().get(0).orElseThrow();
      assertEquals(changes, outcome.isApplied());
      assertEquals(1, ((View) outcome.entity().orElseThrow()).getTotal());
    }
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("of which one entity alone knows the message makes nothing, and is not done")
  void half() {
    Message message = Some.id();
    assertTrue(backend.views(tracking, clock).write(adds(message, from)).isApplied());
    Committed half = commit(adds(message, from), adds(message, to));
    assertFalse(half.isCommitted());
    assertFalse(half.isDone());
    assertEquals(0, total(to));
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("makes nothing where one of its entities is deleted, also where events are dense")
  void deleted() {
    backend.views(tracking, clock).delete(Some.id(), from);
    Message first = Some.event("Transfer", "1", 1);
    Committed committed = commit(adds(first, from), adds(first, to));
    assertFalse(committed.isCommitted());
    assertFalse(committed.isDone());
    assertEquals(0, total(to));
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("makes none where a refusal is recorded, and records the message on each entity")
  void skipped() {
    Message before = Some.id();
    assertTrue(commit(adds(before, from), adds(before, to)).isCommitted());
    Message message = Some.id();
    Committed refused = commit(refuses(message, from, "never"), adds(message, to));
    assertTrue(refused.isDone() && refused.isRecorded() && !refused.isCommitted());
    assertTrue(Expect.refused(refused.outcomes().get(0).orElseThrow()).recorded());
    Expect.recorded(refused.outcomes().get(1).orElseThrow());
    assertEquals(List.of(1L, 1L), List.of(total(from), total(to)));
    Committed again = commit(adds(message, from), adds(message, to));
    assertTrue(again.isDone() && !again.isRecorded() && !again.isCommitted());
    assertEquals(List.of(1L, 1L), List.of(total(from), total(to)));
  }

  private static Write<View> refuses(Message message, EntityKey key, String status) {
    return Write.update(
        message, key, Scene.counted().onlyIf(attribute("status").is(status)).otherwiseSkip());
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName(
      "makes none of the caller's own writes where a refusal is recorded, a function's too")
  void skippedByFunction() {
    Message before = Some.id();
    assertTrue(commit(adds(before, from), adds(before, to)).isCommitted());
    Message message = Some.id();
    String counter = Some.name();
    List<Tracked> both =
        List.of(
            new Tracked(tracking, adds(message, to)),
            new Tracked(tracking, Write.decide(message, from, view -> Decision.skip())));
    Transactions transactions = backend.transactions(clock);
    assertTrue(transactions.commit(both, new Count(counter, 5)).isRecorded());
    assertEquals(0, transactions.counted(counter));
    assertEquals(List.of(1L, 1L), List.of(total(from), total(to)));
    assertTrue(transactions.commit(both, new Count(counter, 5)).isDone());
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("writes nothing where one entity refuses for good and another one is not there")
  void skippedWithoutOther() {
    assertTrue(backend.views(tracking, clock).write(adds(Some.id(), from)).isApplied());
    Message message = Some.id();
    for (Write<View> other : List.of(adds(message, to), mustExist(message, to))) {
      Committed refused = commit(refuses(message, from, "never"), other);
      assertFalse(refused.isDone() || refused.isRecorded() || refused.isCommitted());
    }
    assertTrue(commit(adds(message, from), adds(message, to)).isCommitted(), "it is still fresh");
    assertEquals(List.of(2L, 1L), List.of(total(from), total(to)));
  }

  private static Write<View> mustExist(Message message, EntityKey key) {
    return Write.update(message, key, Change.change().add("total", 1));
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName(
      "writes nothing where one refusal would be recorded and another one is none for good")
  void skippedBesideRefused() {
    Message before = Some.id();
    assertTrue(commit(adds(before, from), adds(before, to)).isCommitted());
    for (Write<View> forGood : forGood(Some.id())) {
      Message message = forGood.message();
      Change later = Scene.counted().onlyIf(attribute("status").is("later"));
      Committed refused = commit(forGood, Write.update(message, to, later));
      assertFalse(refused.isDone() || refused.isRecorded() || refused.isCommitted());
      assertTrue(commit(forGood, adds(message, to)).isRecorded(), "it was still fresh");
    }
    assertEquals(List.of(1L, 1L), List.of(total(from), total(to)));
  }

  /** Refusals that are recorded: one that a store may know of before it sends anything, and one. */
  private List<Write<View>> forGood(Message message) {
    return List.of(
        Write.decide(message, from, view -> Decision.skip()), refuses(Some.id(), from, "never"));
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("fails with nothing written where one refusal would be recorded and another fails")
  void skippedBesideFault() {
    Message before = Some.id();
    assertTrue(commit(adds(before, from), adds(before, to)).isCommitted());
    for (Write<View> forGood : forGood(Some.id())) {
      Message message = forGood.message();
      Change fails = Change.change().set("address.city", "Ulm");
      Write<View> other = Write.update(message, to, fails);
      assertThrows(InvalidChangeException.class, () -> commit(forGood, other));
      assertTrue(commit(forGood, adds(message, to)).isRecorded(), "it was still fresh");
    }
    assertEquals(List.of(1L, 1L), List.of(total(from), total(to)));
  }

  /** As {@link #commit}, over a first entity that drops what comes late. */
  private Committed commitLate(Write<View> late, Write<View> other) {
    Tracked first = new Tracked(Tracking.defaults(), late);
    Transactions transactions = backend.transactions(clock);
    String counter = Some.name();
    Committed committed =
        transactions.commit(List.of(first, new Tracked(tracking, other)), new Count(counter, 5));
    assertEquals(committed.isCommitted() ? 1 : 0, transactions.counted(counter));
    return committed;
  }

  private void dropsEventsBefore(Message later) {
    assertTrue(backend.views(Tracking.defaults(), clock).write(adds(later, from)).isApplied());
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("drops for all an event that is late for one, records it there, and is done")
  void late() {
    String source = Some.name();
    assertTrue(backend.views(tracking, clock).write(adds(Some.id(), to)).isApplied());
    dropsEventsBefore(Some.event("Transfer", source, 3));
    Message first = Some.event("Transfer", source, 1);
    Committed late = commitLate(adds(first, from), adds(first, to));
    assertTrue(late.isDone() && late.isRecorded() && !late.isCommitted());
    Expect.recorded(late.outcomes().get(1).orElseThrow());
    Message second = Some.event("Transfer", source, 2);
    Change never = Scene.counted().onlyIf(attribute("status").is("never"));
    assertTrue(commitLate(adds(second, from), Write.update(second, to, never)).isRecorded());
    assertEquals(List.of(1L, 1L), List.of(total(from), total(to)));
    Committed again = commitLate(adds(first, from), adds(first, to));
    assertTrue(again.isDone() && !again.isRecorded() && !again.isCommitted());
    Message fourth = Some.event("Transfer", source, 4);
    assertTrue(
        commitLate(adds(fourth, from), adds(Some.event("Transfer", source, 3), to)).isCommitted(),
        "nothing is missing before it");
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName(
      "is done with an event that is late for one of its entities, and the other not there")
  void lateWithoutOther() {
    String source = Some.name();
    dropsEventsBefore(Some.event("Transfer", source, 3));
    Message late = Some.event("Transfer", source, 1);
    for (Write<View> other : List.of(adds(late, to), mustExist(late, to))) {
      Committed dropped = commitLate(adds(late, from), other);
      assertTrue(dropped.isDone() && !dropped.isCommitted());
      assertTrue(backend.views(tracking, clock).find(to).isEmpty());
    }
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName(
      "keeps an event that is late for one entity while another one waits for what is before")
  void lateBesideGap() {
    String source = Some.name();
    dropsEventsBefore(Some.event("Transfer", source, 3));
    assertTrue(backend.views(tracking, clock).write(adds(Some.id(), to)).isApplied());
    Message second = Some.event("Transfer", source, 2);
    assertFalse(commitLate(adds(second, from), adds(second, to)).isDone());
    Message first = Some.event("Transfer", source, 1);
    assertTrue(backend.views(tracking, clock).write(adds(first, to)).isApplied());
    assertTrue(commitLate(adds(second, from), adds(second, to)).isDone());
    Committed known = commitLate(adds(first, from), adds(first, to));
    assertTrue(known.isDone() && !known.isRecorded(), "late here, known there");
    assertEquals(List.of(1L, 2L), List.of(total(from), total(to)));
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("takes one write of an entity for a message, and sends nothing where there are two")
  void twice() {
    Message message = Some.id();
    assertThrows(
        IllegalArgumentException.class, () -> commit(adds(message, from), adds(message, from)));
    assertEquals(0, total(from));
    assertTrue(commit(adds(message, from), adds(message, to)).isCommitted());
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("of a claimed message whose own condition is false gives the claim up")
  void claimOfRefused() {
    Transactions transactions = backend.transactions(clock);
    Delivered claimed = new Delivered("billing", Some.id(), Duration.ofSeconds(60));
    String counter = Some.name();
    Delivered other = new Delivered("billing", Some.id(), null);
    assertTrue(transactions.handle(other, () -> {}, new Count(counter, 1)).isDone());
    assertEquals(
        new Handled.Refused<>(List.of(0)),
        transactions.handle(claimed, () -> {}, new Count(counter, 1)));
    assertEquals(
        new Handled.Applied<>("handled"),
        transactions.handle(claimed, () -> {}, new Count(counter, 2)));
  }
}
