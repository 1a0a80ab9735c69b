package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.MARK_FIRST)
@DisplayName("Law 3: the mark judges before the rule, existence before the rule")
final class MarkFirstContract {
  private static final Change PAY =
      change().set("status", "PAID").add("total", 1).onlyIf(attribute("status").is("PLACED"));

  private final Scene scene;
  private final EntityStore<View> store;

  MarkFirstContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store(Tracking.defaults().events("Dense", EventPolicy.contiguous()));
  }

  @Test
  @DisplayName("a redelivery is Duplicate although its own change made the condition false")
  void conditionMadeFalseByItself() {
    MessageId id = Some.id();
    Change place = change().set("status", "PLACED").createIfMissing();
    Expect.applied(store.update(Some.event(1), scene.key, place));
    Expect.applied(store.update(id, scene.key, PAY));
    Expect.duplicate(store.update(id, scene.key, PAY));
    Expect.refused(store.update(Some.id(), scene.key, PAY));
    Expect.duplicate(store.update(Some.event(1), scene.key, PAY));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("what was applied before the entity was deleted is Duplicate, not Deleted")
  void deletedSince() {
    MessageId id = Some.id();
    Expect.applied(store.update(id, scene.key, Scene.counted()));
    Expect.applied(store.delete(Some.event(2), scene.key));
    Expect.duplicate(store.update(id, scene.key, Scene.counted()));
    Expect.duplicate(store.delete(Some.event(2), scene.key));
    Expect.stale(store.update(Some.event(1), scene.key, PAY));
    Expect.duplicate(store.apply(id, scene.key, View::new, Views::counted));
  }

  @Test
  @DisplayName("a missing entity is Missing, not Refused, whatever the condition says")
  void existenceBeforeRule() {
    Expect.missing(store.update(Some.id(), scene.key, PAY));
    Change unless = change().add("total", 1).onlyIf(attribute("status").isMissing());
    Expect.missing(store.update(Some.id(), scene.key, unless));
    Expect.applied(store.delete(Some.id(), scene.key));
    Expect.deleted(store.update(Some.id(), scene.key, PAY));
  }

  @Test
  @DisplayName("a missing entity that may be created is judged as an empty one")
  void judgedAsEmpty() {
    Change create = Scene.counted().onlyIf(attribute("status").isMissing());
    assertTrue(Expect.applied(store.update(Some.id(), scene.key, create)).created());
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("Missing leaves nothing stored, nor does a forget of nothing")
  void missingLeavesNothing() {
    Expect.missing(store.update(Some.id(), scene.key, change().add("total", 1)));
    Expect.missing(store.skip(Some.event(1), scene.key));
    Expect.missing(store.apply(Some.event(1), scene.key, Views::counted));
    Expect.missing(store.deleteExisting(Some.event(1), scene.key));
    Expect.deleted(store.forget(Some.event(1), scene.key));
    scene.assertNothingStored("Missing");
  }

  @Test
  @DisplayName("Refused of an absent entity leaves nothing stored, also where it would be recorded")
  void refusedLeavesNothing() {
    Expect.refused(store.update(Some.id(), scene.key, PAY.createIfMissing()));
    Expect.refused(store.update(Some.event(1), scene.key, PAY.createIfMissing()));
    scene.assertNothingStored("Refused");
    Change skipping = PAY.createIfMissing().otherwiseSkip();
    assertFalse(Expect.refused(store.update(Some.id(), scene.key, skipping)).recorded());
    scene.assertNothingStored("Refused with otherwiseSkip");
  }

  @Test
  @DisplayName("Gap and BeyondHorizon of an absent entity leave nothing stored")
  void gapLeavesNothing() {
    Expect.gap(store.update(Some.event("Dense", "1", 2), scene.key, Scene.counted()));
    Expect.gap(store.apply(Some.event("Dense", "1", 2), scene.key, View::new, Views::counted));
    Expect.gap(store.delete(Some.event("Dense", "1", 2), scene.key));
    scene.assertNothingStored("Gap");
    MessageId old = Some.id().sentAt(scene.clock.instant().minus(Duration.ofDays(31)));
    Expect.beyondHorizon(store.update(old, scene.key, Scene.counted()));
    Expect.beyondHorizon(store.apply(old, scene.key, View::new, Views::counted));
    Expect.beyondHorizon(store.delete(old, scene.key));
    scene.assertNothingStored("BeyondHorizon");
  }

  @Test
  @DisplayName("a change that does not fit an absent entity is a fault and leaves nothing stored")
  void faultLeavesNothing() {
    Change nested = change().set("address.city", "Ulm").createIfMissing();
    assertThrows(InvalidChangeException.class, () -> store.update(Some.id(), scene.key, nested));
    scene.assertNothingStored("a missing parent");
    Change both = nested.set("status", "NEW");
    assertThrows(InvalidChangeException.class, () -> store.update(Some.event(1), scene.key, both));
    scene.assertNothingStored("a missing parent beside another operation");
  }
}
