package dev.tidemark.example.migration;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Orders whose rows have a hand-written mark, {@code lastVersion}, in the versions that lead to
 * marks of Tidemark's. Each event adds 1 to the total, so the total counts effects.
 */
abstract class OwnMarkScene<T> {
  final String orderId = UUID.randomUUID().toString();

  /** The rows, tracked. */
  abstract EntityStore<T> orders(Tracking tracking);

  /** A row that the old version made. */
  abstract void place(String orderId);

  /** The old version: its guard, its mark and the effect in one write. */
  abstract boolean old(String orderId, long version);

  /** Gives each row the mark that its {@code lastVersion} says. */
  abstract void seed(EntityStore<T> orders);

  /** Takes the hand-written mark from each row. */
  abstract void clean();

  abstract long total(String orderId);

  abstract boolean hasOwnMark(String orderId);

  private EntityStore<T> orders() {
    return orders(Tracking.defaults());
  }

  private Outcome<T> both(String orderId, long version) {
    EntityStore<T> orders = orders();
    // snippet: migration-own-mark-both
    Outcome<T> outcome =
        orders.update(
            SourceEvent.of("Order", orderId, version),
            key(orderId),
            change()
                .add("total", 1)
                .set("lastVersion", version) // what the old version asks
                .onlyIf(attribute("lastVersion").atLeast(version).not())
                .otherwiseSkip()); // a row that the old version wrote gets its mark here
    // end
    return outcome;
  }

  private Outcome<T> next(String orderId, long version) {
    EntityStore<T> orders = orders();
    Outcome<T> outcome =
        orders.update(
            SourceEvent.of("Order", orderId, version),
            key(orderId),
            change().add("total", 1).set("lastVersion", version)); // the way back
    return outcome;
  }

  @Test
  @DisplayName(
      "counts each event once while both versions run, after the seed, and on the way back")
  void migrates() {
    String quiet = UUID.randomUUID().toString();
    for (String order : new String[] {orderId, quiet}) {
      place(order);
      assertTrue(old(order, 16));
      assertTrue(old(order, 17));
      assertFalse(old(order, 17));
    }

    assertTrue(both(orderId, 17).isDone()); // in flight when the versions changed
    assertInstanceOf(Outcome.Applied.class, both(orderId, 18));
    assertFalse(old(orderId, 18)); // an old process that still runs
    assertTrue(old(orderId, 19));
    assertTrue(both(orderId, 19).isDone());
    assertEquals(4, total(orderId));

    seed(orders());
    for (long version = 16; version <= 19; version++) {
      assertTrue(next(orderId, version).isDone());
      assertTrue(both(orderId, version).isDone()); // a process of the version before
    }
    assertTrue(next(quiet, 17).isDone());
    assertEquals(4, total(orderId));
    assertEquals(2, total(quiet));
    assertInstanceOf(Outcome.Applied.class, next(quiet, 18));
    assertTrue(both(quiet, 18).isDone());

    assertFalse(old(quiet, 18)); // back again
    assertTrue(old(quiet, 19));
    assertTrue(both(quiet, 19).isDone()); // and forth
    assertEquals(4, total(quiet));

    clean();
    assertFalse(hasOwnMark(quiet));
    assertTrue(next(quiet, 19).isDone());
    assertEquals(4, total(quiet));
  }

  @Test
  @DisplayName("goes on in turn where the source is contiguous")
  void contiguous() {
    place(orderId);
    assertTrue(old(orderId, 1));
    assertTrue(old(orderId, 2));
    EntityStore<T> inTurn = orders(Tracking.defaults().events("Order", EventPolicy.contiguous()));
    SourceEvent last = SourceEvent.of("Order", orderId, 2);
    assertInstanceOf(Outcome.Gap.class, inTurn.skip(last, key(orderId))); // asks for 1 first
    seed(orders());
    assertInstanceOf(Outcome.Duplicate.class, inTurn.skip(last, key(orderId)));
    SourceEvent early = SourceEvent.of("Order", orderId, 4);
    assertInstanceOf(Outcome.Gap.class, inTurn.skip(early, key(orderId)));
    SourceEvent fresh = SourceEvent.of("Order", orderId, 3);
    assertTrue(inTurn.update(fresh, key(orderId), change().add("total", 1)).isApplied());
  }

  @Test
  @DisplayName("seeds a message ID likewise")
  void messageId() {
    place(orderId);
    MessageId last = MessageId.of(UUID.randomUUID());
    assertInstanceOf(Outcome.Recorded.class, orders().skip(last, key(orderId)));
    Outcome<T> again = orders().update(last, key(orderId), change().add("total", 1));
    assertInstanceOf(Outcome.Duplicate.class, again);
  }

  @Test
  @DisplayName("counts an event twice where the rows were not seeded: what the mistake costs")
  void unseeded() {
    place(orderId);
    assertTrue(old(orderId, 17));
    assertInstanceOf(Outcome.Applied.class, next(orderId, 17));
    assertEquals(2, total(orderId));
  }

  @Test
  @DisplayName("counts an event twice where an old process still runs after the seed")
  void seededTooEarly() {
    place(orderId);
    assertTrue(old(orderId, 17));
    seed(orders());
    assertTrue(old(orderId, 18));
    assertInstanceOf(Outcome.Applied.class, next(orderId, 18));
    assertEquals(3, total(orderId));
  }
}
