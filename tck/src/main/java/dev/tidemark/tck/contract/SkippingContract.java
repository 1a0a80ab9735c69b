package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.Tracking;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.projector.ProjectorBuilder;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.SKIPPING)
@DisplayName("A message can be recorded without a change")
final class SkippingContract {
  private static final Change RULED =
      Scene.counted().onlyIf(attribute("status").is("PLACED")).otherwiseSkip();

  private final Scene scene;
  private final EntityStore<View> dense;

  SkippingContract(Backend backend) {
    this.scene = new Scene(backend);
    this.dense = scene.store(Tracking.defaults().events(EventPolicy.contiguous()));
  }

  @Test
  @DisplayName(
      "skip records the message alone: the next position is expected, the entity unchanged")
  void skip() {
    Expect.applied(dense.update(Some.event(1), scene.key, Scene.counted()));
    View before = dense.find(scene.key).orElseThrow();
    Outcome<View> skipped = dense.skip(Some.event(2), scene.key);
    assertTrue(Expect.recorded(skipped).isDone() && !skipped.isApplied());
    Expect.duplicate(dense.update(Some.event(2), scene.key, Scene.counted()));
    assertEquals(Position.of(2), Expect.recorded(skipped).mark().orElseThrow().highest());
    assertEquals(before, dense.find(scene.key).orElseThrow());
    Expect.applied(dense.update(Some.event(3), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("an ignored event that comes first in a contiguous source can make the entity")
  void ignoredFirst() {
    ProjectorBuilder<View, Projector<View>> builder =
        Projector.into(dense)
            .on(Long.class, n -> scene.key, Views::placed, (view, n) -> Views.counted(view));
    Projector<View> projector =
        builder.ignoring(String.class, text -> scene.key, Views::placed).build();
    assertTrue(Expect.applied(projector.handle(Delivery.of(Some.event(1), "seen"))).created());
    assertFalse(Expect.applied(projector.handle(Delivery.of(Some.event(2), 1L))).created());
    Expect.recorded(projector.handle(Delivery.of(Some.event(3), "seen")));
    Expect.duplicate(projector.handle(Delivery.of(Some.event(1), "seen")));
    assertEquals("PLACED", dense.find(scene.key).orElseThrow().getStatus());
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("skip seeds the marks of a record that was there before tracking")
  void seed() {
    scene.backend.putRaw(scene.key, Map.of("status", "OLD", "total", 7L));
    EntityStore<View> store = scene.store();
    Expect.recorded(store.skip(Some.event(41), scene.key));
    Expect.stale(store.update(Some.event(40), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.event(42), scene.key, Scene.counted()));
    assertEquals(8, scene.count());
  }

  @Test
  @DisplayName("otherwiseSkip records what the condition refused; its redelivery is Duplicate")
  void otherwiseSkip() {
    Expect.applied(
        dense.update(Some.event(1), scene.key, change().set("status", "X").createIfMissing()));
    MessageId id = Some.id();
    assertTrue(Expect.refused(dense.update(Some.event(2), scene.key, RULED)).recorded());
    assertTrue(Expect.refused(dense.update(id, scene.key, RULED)).recorded());
    Expect.duplicate(dense.update(Some.event(2), scene.key, RULED));
    Expect.duplicate(dense.update(id, scene.key, RULED));
    assertEquals(0, scene.count());
    Expect.applied(dense.update(Some.event(3), scene.key, change().set("status", "PLACED")));
    Expect.applied(dense.update(Some.event(4), scene.key, RULED));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("a refused message retires nothing, recorded or not")
  void retiresNothing() {
    EntityStore<View> store = scene.store();
    Expect.applied(store.update(Some.event("S", "1", 5), scene.key, Scene.counted()));
    Change ruled = RULED.retire(Source.of("S", "1"));
    assertTrue(Expect.refused(store.update(Some.event("S", "2", 1), scene.key, ruled)).recorded());
    Expect.duplicate(store.update(Some.event("S", "1", 5), scene.key, Scene.counted()));
    assertTrue(Expect.refused(store.update(Some.event("S", "1", 6), scene.key, ruled)).recorded());
    Expect.duplicate(store.update(Some.event("S", "1", 6), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("a refused message that is not to be recorded may be applied later")
  void refusedOnly() {
    Expect.applied(
        dense.update(Some.event(1), scene.key, change().set("status", "X").createIfMissing()));
    Change ruled = Scene.counted().onlyIf(attribute("status").is("PLACED"));
    Expect.refused(dense.update(Some.event(2), scene.key, ruled));
    Expect.gap(dense.update(Some.event(3), scene.key, change().set("status", "PLACED")));
    Expect.applied(dense.update(Some.id(), scene.key, change().set("status", "PLACED")));
    Expect.applied(dense.update(Some.event(2), scene.key, ruled));
  }

  @Test
  @DisplayName("a gap is not recorded by otherwiseSkip")
  void gap() {
    Expect.applied(dense.update(Some.event(1), scene.key, Scene.counted()));
    Map<String, Object> before = scene.raw().orElseThrow();
    Expect.gap(dense.update(Some.event(3), scene.key, RULED));
    assertEquals(before, scene.raw().orElseThrow());
  }
}
