package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
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
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("A transaction that was answered done")
final class TransactionsAgainContract {
  private static final int VIEWS = 4;
  private static final int EVENTS = 4;
  private static final int ROUNDS = 3;

  private static final Tracking DENSE = Tracking.defaults().events(EventPolicy.denseWindow(EVENTS));
  private static final List<Tracking> OTHERS =
      List.of(
          DENSE,
          Tracking.defaults().events(EventPolicy.contiguous()),
          Tracking.defaults().events(EventPolicy.sparseWindow(EVENTS)));

  private final MovableClock clock = MovableClock.later();
  private final Backend backend;

  TransactionsAgainContract(Backend backend) {
    this.backend = backend;
  }

  /**
   * Views that transactions alone write, each of them delivered several times, in any order. What
   * they come to is held to how often each was made: once at most, and never once it was done.
   */
  private final class Lived {
    private final Random random;
    private final List<EntityKey> keys = new ArrayList<>();
    private final List<Tracking> trackings = new ArrayList<>();
    private final long[] totals = new long[VIEWS];
    private final Set<List<Tracked>> done = new HashSet<>();
    private final List<String> story = new ArrayList<>();

    Lived(long seed) {
      this.random = new Random(new Random(seed).nextLong());
      story.add("-Dtidemark.seed=" + seed);
      for (int i = 0; i < VIEWS; i++) {
        keys.add(Some.key());
        boolean dropsLate = random.nextInt(3) > 0;
        trackings.add(dropsLate ? Tracking.defaults() : OTHERS.get(random.nextInt(OTHERS.size())));
      }
    }

    void live() {
      List<List<Tracked>> all = new ArrayList<>();
      for (String source : List.of("a", "b")) {
        for (int position = 1; position <= EVENTS; position++) {
          all.add(ofEvent(Some.event("Transfer", source, position)));
        }
      }
      for (int i = 0; i < VIEWS; i++) {
        Change made = i % 2 == 0 ? Scene.counted() : Scene.counted().recreate();
        all.add(List.of(tracked(Write.update(Some.id(), keys.get(i), made))));
        all.add(List.of(tracked(Write.delete(Some.id(), keys.get(random.nextInt(VIEWS))))));
      }
      for (int round = 0; round < ROUNDS; round++) {
        Collections.shuffle(all, random);
        all.forEach(this::deliver);
      }
    }

    /** An event of a source goes to each view that is to have all of them, and to some others. */
    private List<Tracked> ofEvent(Message event) {
      List<Tracked> parts = new ArrayList<>();
      for (int i = 0; i < VIEWS; i++) {
        boolean all = trackings.get(i).events("Transfer").isDense();
        if (all || random.nextInt(3) > 0) {
          parts.add(tracked(Write.update(event, keys.get(i), change())));
        }
      }
      return parts.isEmpty() ? ofEvent(event) : parts;
    }

    private Change change() {
      Change few =
          Scene.counted().onlyIf(attribute("total").isMissing().or(attribute("total").lessThan(3)));
      return switch (random.nextInt(8)) {
        case 0 -> Change.change().add("total", 1);
        case 1 -> few;
        case 2 -> few.otherwiseSkip();
        default -> Scene.counted();
      };
    }

    private Tracked tracked(Write<View> write) {
      return new Tracked(trackings.get(keys.indexOf(write.key())), write);
    }

    private void deliver(List<Tracked> parts) {
      Committed committed = backend.transactions(clock).commit(parts, null);
      tell(parts, committed);
      assertTrue(committed.isDone() || !done.contains(parts), this::shown);
      if (committed.isCommitted()) {
        assertFalse(done.contains(parts), this::shown);
        parts.forEach(this::made);
      }
      for (Tracked part : parts) {
        int view = keys.indexOf(part.write().key());
        Tracking tracking = trackings.get(view);
        long total =
            backend.views(tracking, clock).find(keys.get(view)).map(View::getTotal).orElse(0L);
        assertEquals(totals[view], total, this::shown);
      }
      if (committed.isDone() && !isForgotten(committed)) {
        done.add(parts);
      }
    }

    private void made(Tracked part) {
      int view = keys.indexOf(part.write().key());
      totals[view] = part.write().action() instanceof Write.Action.Delete ? 0 : totals[view] + 1;
    }

    /** Deleted entities alone remember nothing of a transaction, as of a write by itself. */
    private static boolean isForgotten(Committed committed) {
      return committed.outcomes().stream()
          .allMatch(one -> one.orElseThrow() instanceof Outcome.Deleted);
    }

    private void tell(List<Tracked> parts, Committed committed) {
      List<String> told = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        Write<View> write = parts.get(i).write();
        told.add(
            keys.indexOf(write.key())
                + " "
                + committed.outcomes().get(i).map(Object::toString).orElse("–"));
      }
      String end =
          committed.isCommitted()
              ? "committed"
              : committed.isRecorded() ? "recorded" : committed.isDone() ? "done" : "not done";
      story.add(parts.get(0).write().message() + " " + told + " " + end);
    }

    private String shown() {
      return "views of " + trackings + "\n" + String.join("\n", story);
    }
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("stays done, and changes nothing, whatever becomes of its entities meanwhile")
  void lives() {
    for (int life = 0; life < Sizes.lives(backend) / 2; life++) {
      new Lived(Sizes.seed() + 31L * life).live();
    }
  }

  private final Message late = Some.event("Transfer", "1", 1);
  private final List<EntityKey> three = List.of(Some.key(), Some.key(), Some.key());

  private static Change adds() {
    return Change.change().add("total", 1);
  }

  /** The first of the three has a later event, the second one is there, of the third nothing is. */
  private List<Tracked> late(Tracking first, Tracking third, Change change) {
    Message later = Some.event("Transfer", "1", 9);
    backend.views(first, clock).update(later, three.get(0), Scene.counted());
    backend.views(third, clock).update(Some.id(), three.get(1), Scene.counted());
    return List.of(
        new Tracked(first, Write.update(late, three.get(0), Scene.counted())),
        new Tracked(Tracking.defaults(), Write.update(late, three.get(1), Scene.counted())),
        new Tracked(third, Write.update(late, three.get(2), change)));
  }

  private Committed deliver(List<Tracked> parts) {
    return backend.transactions(clock).commit(parts, null);
  }

  private void assertRecorded(List<Tracked> parts) {
    Committed first = deliver(parts);
    assertTrue(first.isRecorded(), first::toString);
  }

  private void assertDone(List<Tracked> parts, long third) {
    for (int i = 0; i < 2; i++) {
      Committed again = deliver(parts);
      assertTrue(again.isDone() && !again.isCommitted(), again::toString);
    }
    List<Long> totals = new ArrayList<>();
    three.forEach(
        key ->
            totals.add(
                backend
                    .views(Tracking.defaults(), clock)
                    .find(key)
                    .map(View::getTotal)
                    .orElse(0L)));
    assertEquals(List.of(1L, 1L, third), totals);
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("since its event was late stays done, though another entity would be created now")
  void missing() {
    List<Tracked> parts = late(Tracking.defaults(), Tracking.defaults(), Scene.counted());
    assertRecorded(parts);
    assertDone(parts, 0);
    backend.views(Tracking.defaults(), clock).update(Some.id(), three.get(2), Scene.counted());
    assertDone(parts, 1);
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("since its event was too old, which is acknowledged, is one whose event was late")
  void tooOld() {
    Tracking few = Tracking.defaults().events(EventPolicy.sparseWindow(1));
    List<Tracked> parts = late(few.acknowledgingBeyondHorizon(), Tracking.defaults(), adds());
    for (int later = 10; later < 40; later++) {
      backend.views(few, clock).skip(Some.event("Transfer", "1", later), three.get(0));
    }
    assertRecorded(parts);
    assertDone(parts, 0);
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("since its event was late leaves a deleted entity as it is, also where it is dense")
  void deleted() {
    EntityKey third = three.get(2);
    backend.views(DENSE, clock).delete(Some.id(), third);
    List<Tracked> parts = late(Tracking.defaults(), DENSE, adds());
    Optional<Map<String, Object>> before = backend.raw(third);
    assertRecorded(parts);
    assertEquals(before, backend.raw(third));
    assertDone(parts, 0);
    backend.views(DENSE, clock).update(Some.id(), third, Scene.counted().recreate());
    assertDone(parts, 1);
  }
}
