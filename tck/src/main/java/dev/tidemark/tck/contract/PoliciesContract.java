package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Revision;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.POLICIES)
@DisplayName("An entity written under one policy is read under another, or refused")
final class PoliciesContract {
  private final Scene scene;

  PoliciesContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  private EntityStore<View> store(EventPolicy policy) {
    return scene.store(Tracking.defaults().events(policy));
  }

  private void apply(EventPolicy policy, long... positions) {
    for (long position : positions) {
      Expect.applied(store(policy).update(Some.event(position), scene.key, Scene.counted()));
    }
  }

  private dev.tidemark.Outcome<View> deliver(EventPolicy policy, long position) {
    return store(policy).update(Some.event(position), scene.key, Scene.counted());
  }

  @Test
  @DisplayName("drop late, then contiguous: the mark counts as all that came before")
  void dropLateThenContiguous() {
    apply(EventPolicy.dropLate(), 2, 5);
    Expect.duplicate(deliver(EventPolicy.contiguous(), 5));
    Expect.duplicate(deliver(EventPolicy.contiguous(), 3));
    Expect.gap(deliver(EventPolicy.contiguous(), 8));
    apply(EventPolicy.contiguous(), 6, 7, 8);
  }

  @Test
  @DisplayName("a dense window, then drop late: what was seen stays Duplicate, holes are Stale")
  void windowThenDropLate() {
    apply(EventPolicy.denseWindow(5), 1, 2, 4);
    Expect.duplicate(deliver(EventPolicy.dropLate(), 4));
    Expect.stale(deliver(EventPolicy.dropLate(), 3));
    apply(EventPolicy.dropLate(), 5, 9);
    Expect.stale(deliver(EventPolicy.dropLate(), 4));
  }

  @Test
  @DisplayName(
      "a dense window, then contiguous: the hole is expected, what was seen is passed over")
  void windowThenContiguous() {
    apply(EventPolicy.denseWindow(5), 1, 2, 4);
    Expect.gap(deliver(EventPolicy.contiguous(), 5));
    Expect.duplicate(deliver(EventPolicy.contiguous(), 4));
    apply(EventPolicy.contiguous(), 3, 5);
  }

  @Test
  @DisplayName("drop late, then a window: below the mark nothing is applied again")
  void dropLateThenWindows() {
    apply(EventPolicy.dropLate(), 5);
    Expect.duplicate(deliver(EventPolicy.denseWindow(5), 4));
    apply(EventPolicy.denseWindow(5), 7, 6);
    Expect.beyondHorizon(deliver(EventPolicy.sparseWindow(5), 5 - 1));
    apply(EventPolicy.sparseWindow(5), 20, 15);
    Expect.duplicate(deliver(EventPolicy.sparseWindow(5), 20));
  }

  @Test
  @DisplayName("a sparse window, then drop late: the highest position is the mark")
  void sparseThenDropLate() {
    apply(EventPolicy.sparseWindow(5), 10, 12);
    Expect.stale(deliver(EventPolicy.dropLate(), 11));
    Expect.duplicate(deliver(EventPolicy.dropLate(), 10));
    apply(EventPolicy.dropLate(), 13);
    Expect.duplicate(deliver(EventPolicy.dropLate(), 13));
  }

  private EntityStore<View> acknowledging(EventPolicy policy) {
    return scene.store(Tracking.defaults().events(policy).acknowledgingBeyondHorizon());
  }

  @Test
  @DisplayName("dense, then sparse: all below the mark is done once horizons are acknowledged")
  void denseThenSparse() {
    EventPolicy sparse = EventPolicy.sparseWindow(5);
    for (EventPolicy dense : List.of(EventPolicy.contiguous(), EventPolicy.denseWindow(5))) {
      EntityKey key = Some.key();
      for (int position = 1; position <= 30; position++) {
        Expect.applied(store(dense).update(Some.event(position), key, Scene.counted()));
      }
      assertFalse(
          Expect.beyondHorizon(store(sparse).update(Some.event(1), key, Scene.counted())).isDone());
      Expect.applied(acknowledging(sparse).update(Some.event(39), key, Scene.counted()));
      Expect.applied(acknowledging(sparse).update(Some.event(36), key, Scene.counted()));
      for (int position = 1; position <= 30; position++) {
        Outcome<View> again =
            acknowledging(sparse).update(Some.event(position), key, Scene.counted());
        assertTrue(again.isDone() && !again.isApplied(), () -> again + " under " + sparse);
      }
      assertEquals(32, scene.count(key));
    }
  }

  @Test
  @DisplayName(
      "sparse, then dense: what was forgotten is done once acknowledged, holes are skipped")
  void sparseThenDense() {
    for (EventPolicy dense : List.of(EventPolicy.contiguous(), EventPolicy.denseWindow(5))) {
      EntityKey key = Some.key();
      for (int position = 1; position <= 40; position++) {
        if (position != 38) {
          EntityStore<View> sparse = store(EventPolicy.sparseWindow(5));
          Expect.applied(sparse.update(Some.event(position), key, Scene.counted()));
        }
      }
      EntityStore<View> store = acknowledging(dense);
      Outcome<View> forgotten = store.update(Some.event(1), key, Scene.counted());
      assertTrue(Expect.beyondHorizon(forgotten).isDone());
      Outcome.Gap<View> gap = Expect.gap(store.update(Some.event(99), key, Scene.counted()));
      assertEquals(Position.of(38), gap.expected());
      Expect.recorded(store.skip(Some.event(38), key));
      Expect.applied(store.update(Some.event(41), key, Scene.counted()));
      for (int position = 1; position <= 41; position++) {
        Outcome<View> again = store.update(Some.event(position), key, Scene.counted());
        assertTrue(again.isDone() && !again.isApplied(), () -> again + " under " + dense);
      }
      assertEquals(40, scene.count(key));
    }
  }

  @Test
  @DisplayName("a window that gave up holes, then sparse: a hole is BeyondHorizon, not Duplicate")
  void givingUpThenSparse() {
    EventPolicy dense = EventPolicy.denseWindow(3).givingUpHoles();
    apply(dense, 1, 40);
    Expect.beyondHorizon(deliver(EventPolicy.sparseWindow(3), 37));
    Expect.stale(deliver(EventPolicy.dropLate(), 37));
    Expect.duplicate(deliver(EventPolicy.sparseWindow(3), 40));
  }

  @Test
  @DisplayName("a dense window, then sparse: what is before the first position is not a duplicate")
  void beforeTheFirst() {
    apply(EventPolicy.denseWindow(3), 2);
    Expect.beyondHorizon(deliver(EventPolicy.sparseWindow(3), 0));
  }

  @Test
  @DisplayName("message IDs are remembered by every other policy of the same form")
  void messageIds() {
    List<IdPolicy> policies =
        List.of(
            IdPolicy.keptFor(Duration.ofDays(30)),
            IdPolicy.forEver(),
            IdPolicy.last(100),
            IdPolicy.keptFor(Duration.ofHours(5)));
    for (IdPolicy writer : policies) {
      MessageId id = Some.id();
      EntityStore<View> written = scene.store(Tracking.defaults().messageIds(writer));
      Expect.applied(written.update(id, scene.key, Scene.counted()));
      for (IdPolicy reader : policies) {
        EntityStore<View> store = scene.store(Tracking.defaults().messageIds(reader));
        Expect.duplicate(store.update(id, scene.key, Scene.counted()));
      }
    }
  }

  @Test
  @DisplayName("compact ids and plain ones follow each other: all are recognised in either form")
  void compact() {
    IdPolicy plain = IdPolicy.last(40);
    List<EntityStore<View>> stores =
        List.of(
            scene.store(Tracking.defaults().messageIds(plain)),
            scene.store(Tracking.defaults().messageIds(plain.compact())));
    List<MessageId> ids = new ArrayList<>();
    for (int turn = 0; turn < 6; turn++) {
      for (int i = 0; i < 5; i++) {
        MessageId id = i % 2 == 0 ? Some.id() : MessageId.of("m-\u00e4-" + turn + "/" + i);
        Expect.applied(stores.get(turn % 2).update(id, scene.key, Scene.counted()));
        ids.add(id);
      }
      for (MessageId id : ids) {
        stores.forEach(store -> Expect.duplicate(store.update(id, scene.key, Scene.counted())));
      }
    }
    assertEquals(ids.size(), scene.count());
  }

  @Test
  @DisplayName("an ID in a closed slot is recognised in either form, also where no slot is open")
  void closedSlots() {
    IdPolicy kept = IdPolicy.keptFor(Duration.ofDays(30));
    long at = scene.clock.instant().toEpochMilli();
    EntityUpdate own = scene.backend.counting(EntityUpdate.Rules.defaults(), null);
    for (IdPolicy policy : List.of(kept, IdPolicy.last(40), IdPolicy.forEver())) {
      for (String slot : List.of("messageIDs#1", "messageIDs#2")) {
        scene.backend.putRaw(
            scene.key,
            Map.of(
                "_rev",
                Revision.newToken(),
                slot,
                Set.of("m-1"),
                "messageIDs#closed",
                List.of(at, at)));
        for (IdPolicy form : List.of(policy, policy.compact())) {
          EntityStore<View> store = scene.store(Tracking.defaults().messageIds(form));
          for (EntityUpdate update : List.of(Scene.counted(), own)) {
            Expect.duplicate(store.update(MessageId.of("m-1"), scene.key, update));
          }
        }
        EntityStore<View> compact = scene.store(Tracking.defaults().messageIds(policy.compact()));
        Expect.applied(compact.update(MessageId.of("m-2"), scene.key, own));
        Expect.duplicate(compact.update(MessageId.of("m-1"), scene.key, own));
      }
    }
  }

  @Test
  @DisplayName("a refusal that is recorded gives all IDs the form of the policy")
  void recordedRefusals() {
    Change never = Scene.counted().onlyIf(attribute("status").is("NEVER")).otherwiseSkip();
    EntityStore<View> store =
        scene.store(Tracking.defaults().messageIds(IdPolicy.forEver().compact()));
    for (String slot : List.of("messageIDs", "messageIDs#1", "messageIDs#2")) {
      scene.backend.putRaw(
          scene.key,
          Map.of(
              "_rev",
              Revision.newToken(),
              slot,
              Set.of("m-1"),
              "messageIDs#closed",
              List.of(1L, 1L)));
      Expect.refused(store.update(MessageId.of("m-2"), scene.key, never));
      Set<Class<?>> forms = new HashSet<>();
      Map<String, Object> stored = scene.raw().orElseThrow();
      for (String name : List.of("messageIDs", "messageIDs#1", "messageIDs#2")) {
        Collection<?> ids = (Collection<?>) stored.getOrDefault(name, Set.of());
        ids.forEach(id -> forms.add(id.getClass()));
      }
      assertEquals(1, forms.size(), () -> slot + ": " + stored);
      Expect.duplicate(store.update(MessageId.of("m-2"), scene.key, Scene.counted()));
      Expect.duplicate(store.update(MessageId.of("m-1"), scene.key, Scene.counted()));
    }
  }

  @Test
  @DisplayName("a dense policy refuses positions that are strings, before anything is sent")
  void densePositions() {
    SourceEvent ulid = SourceEvent.ulid("Order", "1", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    for (EventPolicy policy : List.of(EventPolicy.contiguous(), EventPolicy.denseWindow(5))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> store(policy).update(ulid, scene.key, Scene.counted()));
    }
    scene.assertNothingStored("a refused position");
    Expect.applied(store(EventPolicy.sparseWindow(5)).update(ulid, scene.key, Scene.counted()));
  }
}
