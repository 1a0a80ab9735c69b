package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Neutral;
import dev.tidemark.tck.View;
import java.util.Map;
import java.util.Optional;

/** A fresh view of a backend and a clock that stands still: what most contracts start from. */
final class Scene {
  final Backend backend;
  final MovableClock clock = new MovableClock();
  final EntityKey key = Some.key();

  Scene(Backend backend) {
    this.backend = backend;
  }

  /** A change that counts how often it is made, creating the view. */
  static Change counted() {
    return Change.change().add("total", 1).createIfMissing();
  }

  /** A message's write of {@link #counted} to the fresh view. */
  Write<View> counts(Message message) {
    return Write.update(message, key, counted());
  }

  EntityStore<View> store() {
    return store(Tracking.defaults());
  }

  EntityStore<View> store(Tracking tracking) {
    return backend.views(tracking, clock);
  }

  /** How often a change of {@link #counted} was made to the fresh view. */
  long count() {
    return count(key);
  }

  long count(EntityKey view) {
    Long total = store().find(view).map(View::getTotal).orElse(null);
    return total == null ? 0 : total;
  }

  Optional<Map<String, Object>> raw() {
    return backend.raw(key).map(Neutral::record);
  }

  void assertNothingStored(String after) {
    assertEquals(Optional.empty(), raw(), "stored after " + after);
  }
}
