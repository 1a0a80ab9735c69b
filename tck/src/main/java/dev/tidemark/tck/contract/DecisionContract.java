package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Decision;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.APPLY)
@DisplayName("A function may refuse, and then nothing of the entity changes")
final class DecisionContract {
  private final Scene scene;
  private final EntityStore<View> store;
  private final EntityStore<View> dense;

  DecisionContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
    this.dense = scene.store(Tracking.defaults().events(EventPolicy.contiguous()));
  }

  private static Decision<View> counted(View view) {
    return Decision.to(Views.counted(view));
  }

  /** Refuses after it has changed what it was given. */
  private static Decision<View> refused(View view) {
    Views.counted(view).setNote("half done");
    return Decision.refuse();
  }

  private static Decision<View> skipped(View view) {
    Views.counted(view).setNote("half done");
    return Decision.skip();
  }

  @Test
  @DisplayName("a refusal is Refused with the entity as it was found, and writes nothing")
  void refusal() {
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    Map<String, Object> before = scene.raw().orElseThrow();
    Outcome.Refused<View> refused =
        Expect.refused(store.decide(Some.event(2), scene.key, DecisionContract::refused));
    assertFalse(refused.recorded() || refused.isDone());
    View found = refused.entity().orElseThrow();
    assertEquals(1L, found.getTotal());
    assertEquals(null, found.getNote());
    assertEquals(before, scene.raw().orElseThrow());
    Expect.applied(store.decide(Some.event(2), scene.key, DecisionContract::counted));
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("a refusal that is to be recorded is done, and its redelivery a duplicate")
  void recorded() {
    Expect.applied(dense.update(Some.event(1), scene.key, Scene.counted()));
    Outcome.Refused<View> refused =
        Expect.refused(dense.decide(Some.event(2), scene.key, DecisionContract::skipped));
    assertTrue(refused.recorded() && refused.isDone());
    assertEquals(1L, refused.entity().orElseThrow().getTotal());
    Expect.duplicate(dense.decide(Some.event(2), scene.key, DecisionContract::counted));
    Expect.applied(dense.decide(Some.event(3), scene.key, DecisionContract::counted));
    assertEquals(2, scene.count());
    assertFalse(scene.raw().orElseThrow().containsKey("note"));
  }

  @Test
  @DisplayName("marks and existence come first: the function is asked about fresh messages alone")
  void order() {
    Function<View, Decision<View>> never =
        view -> {
          throw new AssertionError("asked");
        };
    Expect.missing(store.decide(Some.event(1), scene.key, never));
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    Expect.duplicate(store.decide(Some.event(1), scene.key, never));
    Expect.gap(dense.decide(Some.event(3), scene.key, never));
    Expect.applied(store.delete(Some.event(2), scene.key));
    Expect.deleted(store.decide(Some.event(3), scene.key, never));
  }

  @Test
  @DisplayName("where there is no entity a refusal creates none, and records nothing")
  void absent() {
    for (Decision<View> decision : List.of(Decision.<View>refuse(), Decision.<View>skip())) {
      Outcome.Refused<View> refused =
          Expect.refused(store.decide(Some.event(1), scene.key, View::new, view -> decision));
      assertFalse(refused.recorded());
      assertEquals(Optional.empty(), refused.entity());
      scene.assertNothingStored("a refusal");
    }
  }

  @Test
  @DisplayName("a writer in between is seen: what it left is decided on")
  void writerInBetween() {
    Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    AtomicInteger runs = new AtomicInteger();
    Outcome<View> outcome =
        store.decide(
            Some.id(),
            scene.key,
            view -> {
              if (runs.incrementAndGet() == 1) {
                Expect.applied(scene.store().update(Some.id(), scene.key, Scene.counted()));
                return Decision.skip();
              }
              return counted(view);
            });
    Expect.applied(outcome);
    assertEquals(3, scene.count());
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("a lost reply of a recorded refusal is still that refusal")
  void lostReply() {
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    scene.backend.faults().loseReplies(1, () -> {});
    Outcome<View> outcome = store.decide(Some.event(2), scene.key, DecisionContract::skipped);
    scene.backend.faults().heal();
    assertTrue(Expect.refused(outcome).recorded());
    Expect.duplicate(store.update(Some.event(2), scene.key, Scene.counted()));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("in a batch each function refuses for itself; what it changed in its hands is gone")
  void batch() {
    List<MessageId> ids = List.of(Some.id(), Some.id(), Some.id(), Some.id());
    List<Write<View>> writes =
        List.of(
            Write.decide(ids.get(0), scene.key, View::new, DecisionContract::counted),
            Write.decide(ids.get(1), scene.key, DecisionContract::refused),
            Write.decide(ids.get(2), scene.key, DecisionContract::skipped),
            Write.decide(ids.get(3), scene.key, DecisionContract::counted));
    List<Result<View>> results = store.writeAll(writes);
    Expect.applied(results.get(0).outcomeIfJudged().orElseThrow());
    assertFalse(Expect.refused(results.get(1).outcomeIfJudged().orElseThrow()).recorded());
    assertTrue(Expect.refused(results.get(2).outcomeIfJudged().orElseThrow()).recorded());
    Expect.applied(results.get(3).outcomeIfJudged().orElseThrow());
    assertEquals(2, scene.count());
    assertFalse(scene.raw().orElseThrow().containsKey("note"));
    List<Result<View>> again = store.writeAll(writes);
    for (int i : List.of(0, 2, 3)) {
      Expect.duplicate(again.get(i).outcomeIfJudged().orElseThrow());
    }
    Expect.refused(again.get(1).outcomeIfJudged().orElseThrow());
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("a dense source waits behind a refusal, and goes on past one that is recorded")
  void denseBatch() {
    Expect.applied(dense.update(Some.event(1), scene.key, Scene.counted()));
    List<Result<View>> waiting =
        dense.writeAll(
            List.of(
                Write.decide(Some.event(2), scene.key, DecisionContract::refused),
                Write.decide(Some.event(3), scene.key, DecisionContract::counted)));
    assertFalse(waiting.get(0).isDone() || waiting.get(1).isDone());
    List<Result<View>> passing =
        dense.writeAll(
            List.of(
                Write.decide(Some.event(2), scene.key, DecisionContract::skipped),
                Write.decide(Some.event(3), scene.key, DecisionContract::counted)));
    Expect.refused(passing.get(0).outcomeIfJudged().orElseThrow());
    Expect.applied(passing.get(1).outcomeIfJudged().orElseThrow());
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("what a cache recalls is not refused without a look at what is stored")
  void cached() {
    EntityStore<View> cached =
        scene.backend.views(
            Tracking.defaults(), scene.clock, MarkCache.in(new ConcurrentHashMap<>()));
    Expect.applied(cached.decide(Some.event(1), scene.key, View::new, DecisionContract::counted));
    Expect.applied(store.update(Some.event(2), scene.key, Scene.counted()));
    Outcome<View> outcome =
        cached.decide(
            Some.event(3),
            scene.key,
            view -> Long.valueOf(1).equals(view.getTotal()) ? Decision.skip() : counted(view));
    Expect.applied(outcome);
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("a projector's handler may refuse, alone and in a batch")
  void projector() {
    Projector<View> projector =
        Projector.into(store)
            .deciding(
                Long.class,
                amount -> scene.key,
                View::new,
                (view, amount) -> amount > 0 ? counted(view) : Decision.skip())
            .deciding(String.class, text -> scene.key, (view, text) -> Decision.refuse())
            .build();
    Expect.applied(projector.handle(Delivery.of(Some.id(), 1L)));
    assertTrue(Expect.refused(projector.handle(Delivery.of(Some.id(), -1L))).isDone());
    List<Delivery> batch = List.of(Delivery.of(Some.id(), "no"), Delivery.of(Some.id(), 1L));
    List<? extends Result<?>> results = projector.handle(batch).results();
    assertFalse(results.get(0).isDone());
    assertTrue(results.get(1).isDone());
    assertEquals(2, scene.count());
  }
}
