package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.LOST_REPLY)
@Needs(Capability.LOST_REPLIES)
@DisplayName("Law 4: a lost reply is told from another's write")
final class LostReplyContract {
  private final Scene scene;
  private final EntityStore<View> store;

  LostReplyContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  @AfterEach
  void heal() {
    scene.backend.faults().heal();
  }

  private Outcome<View> losing(int replies, Supplier<Outcome<View>> call) {
    scene.backend.faults().loseReplies(replies, () -> {});
    try {
      return call.get();
    } finally {
      scene.backend.faults().heal();
    }
  }

  private void create() {
    Expect.applied(store.update(Some.event("Setup", "1", 1), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("an update whose reply is lost is Applied, once, by message ID and by event")
  void update() {
    create();
    Message id = Some.id();
    Expect.applied(losing(1, () -> store.update(id, scene.key, Scene.counted())));
    Expect.applied(losing(1, () -> store.update(Some.event(9), scene.key, Scene.counted())));
    assertEquals(3, scene.count());
    Expect.duplicate(store.update(id, scene.key, Scene.counted()));
    Expect.duplicate(store.update(Some.event(9), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("a create whose reply is lost is Applied and created")
  void creating() {
    Outcome<View> outcome = losing(1, () -> store.update(Some.id(), scene.key, Scene.counted()));
    assertTrue(Expect.applied(outcome).created());
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("a function whose reply is lost is Applied, once; creating too")
  void apply() {
    Message id = Some.id();
    Expect.applied(losing(1, () -> store.apply(id, scene.key, View::new, Views::counted)));
    Expect.applied(losing(1, () -> store.apply(Some.event(1), scene.key, Views::counted)));
    assertEquals(2, scene.count());
    Expect.duplicate(store.apply(id, scene.key, Views::counted));
  }

  @Test
  @DisplayName("a delete whose reply is lost is Applied and leaves its tombstone")
  void delete() {
    create();
    Expect.applied(losing(1, () -> store.delete(Some.event(5), scene.key)));
    assertTrue(scene.raw().orElseThrow().containsKey("deletedUntil"));
    Expect.duplicate(store.delete(Some.event(5), scene.key));
  }

  @Test
  @DisplayName("a forget whose reply is lost is done, and nothing is left")
  void forget() {
    create();
    assertTrue(losing(1, () -> store.forget(Some.event(5), scene.key)).isDone());
    scene.assertNothingStored("forget");
  }

  @Test
  @DisplayName("an update whose lost attempt made its own condition false is Applied, not Refused")
  void ownCondition() {
    create();
    Change once = change().set("status", "PAID").onlyIf(attribute("status").isMissing());
    Expect.applied(losing(1, () -> store.update(Some.id(), scene.key, once)));
    Change back = change().set("status", "OPEN").onlyIf(attribute("status").is("PAID"));
    Expect.applied(losing(1, () -> store.update(Some.event(3), scene.key, back)));
    assertEquals("OPEN", store.find(scene.key).orElseThrow().getStatus());
  }

  @Test
  @DisplayName(
      "with another writer in between the answer is Applied where the store knows, else unknown")
  void anotherWriter() {
    create();
    EntityStore<View> other = scene.store();
    Message id = Some.id();
    scene.backend.faults().loseReplies(1, () -> write(other));
    Outcome<View> outcome = null;
    try {
      outcome = store.update(id, scene.key, Scene.counted());
    } catch (OutcomeUnknownException e) {
      assertTrue(e.key().isPresent(), "an unknown outcome names its entity");
    }
    if (outcome != null) {
      Expect.applied(outcome);
    }
    scene.backend.faults().heal();
    assertEquals(3, scene.count());
    Expect.duplicate(store.update(id, scene.key, Scene.counted()));
  }

  private void write(EntityStore<View> other) {
    Expect.applied(other.update(Some.id(), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("a redelivery whose reply is lost is never Applied")
  void redelivery() {
    Message id = Some.id();
    Expect.applied(store.update(id, scene.key, Scene.counted()));
    try {
      Expect.duplicate(losing(1, () -> store.update(id, scene.key, Scene.counted())));
    } catch (OutcomeUnknownException e) {
      Expect.duplicate(store.update(id, scene.key, Scene.counted()));
    }
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName(
      "where every reply is lost the outcome is unknown, unless a read finds the own write")
  void everyReply() {
    create();
    Message id = Some.id();
    try {
      Expect.applied(losing(1_000, () -> store.update(id, scene.key, Scene.counted())));
    } catch (OutcomeUnknownException e) {
      assertTrue(e.key().isPresent(), "an unknown outcome names its entity");
    }
    Expect.duplicate(store.update(id, scene.key, Scene.counted()));
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("the record of a refused message whose reply is lost is Refused, not Applied")
  void recordedRefusal() {
    create();
    Change never = change().add("total", 1).onlyIf(attribute("status").is("PAID")).otherwiseSkip();
    for (int lost = 1; lost <= 4; lost++) {
      Message message = Some.event(lost);
      scene.backend.faults().loseReplies(lost / 3, 1 + lost % 2, () -> {});
      assertTrue(Expect.refused(store.update(message, scene.key, never)).recorded());
      scene.backend.faults().heal();
      Expect.duplicate(store.update(message, scene.key, Scene.counted()));
    }
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("a write over marks that were read is Applied where its reply is lost")
  void rewriting() {
    EntityStore<View> few = scene.store(Tracking.defaults().messageIds(IdPolicy.last(1)));
    Expect.applied(few.update(Some.id(), scene.key, Scene.counted()));
    for (int i = 1; i < 60; i++) {
      scene.backend.faults().loseReplies(1, 1, () -> {});
      Expect.applied(few.update(Some.id(), scene.key, Scene.counted()));
      scene.backend.faults().heal();
    }
    assertEquals(60, scene.count());
    Expect.applied(store.delete(Some.event(2), scene.key));
    Change again = Scene.counted().recreate();
    scene.backend.faults().loseReplies(1, 1, () -> {});
    assertTrue(Expect.applied(store.update(Some.event(3), scene.key, again.returning())).created());
    scene.backend.faults().heal();
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("an event that retires its own source is not applied twice, whoever writes between")
  void retiringItself() {
    create();
    EntityStore<View> other = scene.store();
    SourceEvent last = Some.event(9);
    Change ending = Scene.counted().retire(last.source());
    Expect.applied(losing(1, () -> store.update(last, scene.key, ending)));
    assertEquals(2, scene.count());
    scene.backend.faults().loseReplies(1, () -> write(other));
    try {
      Expect.applied(store.update(last, scene.key, ending));
    } catch (OutcomeUnknownException e) {
      assertTrue(e.key().isPresent(), "an unknown outcome names its entity");
    }
    scene.backend.faults().heal();
    assertEquals(4, scene.count());
  }

  @Test
  @DisplayName("a forget whose reply is lost does not forget what another creates in between")
  void forgetOnce() {
    create();
    EntityStore<View> other = scene.store();
    scene.backend.faults().loseReplies(1, () -> write(other));
    try {
      assertTrue(store.forget(Some.event(5), scene.key).isDone());
    } catch (OutcomeUnknownException e) {
      assertTrue(e.key().isPresent(), "an unknown outcome names its entity");
    }
    scene.backend.faults().heal();
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("a gap whose refusal is lost is a Gap: what is missing proves that it was not made")
  void gap() {
    EntityStore<View> dense =
        scene.store(Tracking.defaults().events("Dense", EventPolicy.contiguous()));
    Expect.applied(dense.update(Some.event("Dense", "1", 1), scene.key, Scene.counted()));
    for (int lost = 1; lost <= 2; lost++) {
      scene.backend.faults().loseReplies(lost, () -> {});
      Expect.gap(dense.update(Some.event("Dense", "1", 3), scene.key, Scene.counted()));
      scene.backend.faults().heal();
    }
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("a process that calls again itself gets Duplicate: the new call has another token")
  void processRetries() {
    Message id = Some.id();
    Expect.applied(losing(1, () -> store.update(id, scene.key, Scene.counted())));
    Expect.duplicate(store.update(id, scene.key, Scene.counted()));
    assertEquals(1, scene.count());
  }
}
