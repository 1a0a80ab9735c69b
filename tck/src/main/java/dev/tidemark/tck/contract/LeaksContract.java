package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.marks.Marks;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@Contract(Law.LEAKS)
@DisplayName("Law 13: keys and values stay out of messages and toString")
final class LeaksContract {
  private static final String SECRET = "s3cr3t";

  private final Scene scene;
  private final EntityStore<View> store;
  private final EntityKey key = EntityKey.key(SECRET + Some.name());
  private final Change change =
      change()
          .set("note", SECRET)
          .set("address", Map.of("city", SECRET))
          .append("lines", SECRET)
          .addToSet("tags", SECRET)
          .createIfMissing();

  LeaksContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store(Tracking.defaults().maxSources(1));
  }

  private static void assertSilent(Object said) {
    assertFalse(said.toString().contains(SECRET), said::toString);
  }

  @Test
  @DisplayName("outcomes, keys, changes, conditions and stores name no value")
  void values() {
    List<Outcome<View>> outcomes =
        List.of(
            store.update(Some.event(1), key, change),
            store.update(Some.event(1), key, change),
            store.update(Some.event(0), key, change),
            store.update(Some.event(2), key, change.onlyIf(attribute("note").isNot(SECRET))),
            store.skip(Some.event(1), EntityKey.key(SECRET + Some.name())));
    outcomes.forEach(LeaksContract::assertSilent);
    assertSilent(key);
    assertSilent(change);
    assertSilent(change.operations());
    assertSilent(change.removeFromSet("x", SECRET).setIfAbsent("y", SECRET).operations());
    assertSilent(attribute("a").is(SECRET).and(attribute("b").in(SECRET).not()));
    assertSilent(attribute("a").contains(SECRET).or(attribute("b").lessThan(SECRET)));
    assertSilent(store);
    assertSilent(Marks.of(Map.of("messageIDs", SECRET)));
    assertSilent(store.find(key, dev.tidemark.NotBefore.notBefore(Some.event(9))));
  }

  private void assertSilentFault(Class<? extends RuntimeException> type, Runnable call) {
    RuntimeException fault = assertThrows(type, call::run);
    for (Throwable t = fault; t != null; t = t.getCause()) {
      if (t.getClass().getName().startsWith("dev.tidemark")) {
        assertSilent(t);
      }
    }
    assertSilent(Optional.ofNullable(fault.getMessage()));
  }

  @Test
  @DisplayName("faults name attributes, types and positions, no keys and no values")
  void faults() {
    Expect.applied(store.update(Some.event(1), key, change.set("total", 1L)));
    assertSilentFault(
        dev.tidemark.TooLargeException.class,
        () -> store.update(Some.event("Other", "1", 1), key, change).entity());
    assertSilentFault(
        dev.tidemark.InvalidChangeException.class,
        () -> store.update(Some.id(), key, change().set("no.parent", SECRET)).entity());
    assertSilentFault(
        IllegalArgumentException.class,
        () -> store.update(Some.id(), key, change().set("total", SECRET)).entity());
    assertSilentFault(
        IllegalArgumentException.class,
        () -> store.apply(Some.id(), key, LeaksContract::renamed).entity());
    scene.backend.putRaw(key, Map.of("flat", SECRET));
    assertSilentFault(
        dev.tidemark.InvalidChangeException.class,
        () -> store.update(Some.id(), key, change().add("flat", 1)).entity());
    assertSilentFault(
        dev.tidemark.InvalidChangeException.class,
        () -> store.update(Some.id(), key, change().append("flat", SECRET)).entity());
    scene.backend.putRaw(key, Map.of("events.Order.4711", SECRET, "messageIDs", SECRET));
    assertSilentFault(
        dev.tidemark.CorruptRecordException.class,
        () -> store.update(Some.event(3), key, change).entity());
    assertSilentFault(
        dev.tidemark.CorruptRecordException.class,
        () -> store.update(Some.id(), key, change).entity());
  }

  private static View renamed(View view) {
    view.setId(SECRET + "-other");
    return view;
  }

  @Test
  @DisplayName("a fault tells its entity by a typed accessor")
  void accessor() {
    Expect.applied(store.update(Some.event(1), key, change));
    assertNamed(() -> store.update(Some.id(), key, change().set("no.parent", SECRET)));
    assertNamed(() -> store.update(Some.event("Other", "1", 1), key, change));
    scene.backend.putRaw(key, Map.of("events.Order.4711", SECRET, "messageIDs", SECRET));
    assertNamed(() -> store.update(Some.event(3), key, change));
    assertNamed(() -> store.apply(Some.event(3), key, view -> view));
    assertNamed(() -> store.delete(Some.event(3), key));
    assertNamed(() -> store.find(key, dev.tidemark.NotBefore.notBefore(Some.event(3))));
  }

  private void assertNamed(Executable call) {
    assertEquals(Optional.of(key), assertThrows(dev.tidemark.TidemarkException.class, call).key());
  }
}
