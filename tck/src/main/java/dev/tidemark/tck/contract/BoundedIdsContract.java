package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityStore;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BOUNDED)
@DisplayName("Law 8: message IDs are kept within a stated bound, and never forgotten early")
final class BoundedIdsContract {
  private static final Duration HORIZON = Duration.ofHours(10);

  private final Scene scene;
  private final int messages;
  private final int perTurn;
  private final double perMessage;
  private double requests;

  BoundedIdsContract(Backend backend) {
    this.scene = new Scene(backend);
    this.messages = Sizes.messages(backend);
    this.perTurn = Math.min(500, messages / 20);
    this.perMessage = Sizes.requests(backend);
  }

  private static Tracking kept(Duration horizon) {
    return Tracking.defaults().messageIds(IdPolicy.keptFor(horizon));
  }

  private static MessageId id(int number) {
    return MessageId.of("m" + number);
  }

  private void deliver(EntityStore<View> store, int number) {
    Backend.Cost cost =
        scene.backend.measure(
            () -> Expect.applied(store.update(id(number), scene.key, Scene.counted())));
    requests += cost.reads() + cost.writes();
  }

  /** Delivers all messages, with a look at the record after each 50th of them. */
  private void deliverAll(EntityStore<View> store, Duration pause, IntConsumer look) {
    for (int i = 0; i < messages; i++) {
      scene.clock.move(pause);
      deliver(store, i);
      if (i % (messages / 50) == 0) {
        look.accept(i);
      }
    }
    assertEquals(messages, scene.count());
    assertTrue(requests <= perMessage * messages, () -> requests + " requests for " + messages);
  }

  private int stored() {
    Map<String, Object> raw = scene.raw().orElseThrow();
    Set<String> slots = Set.of("messageIDs", "messageIDs#1", "messageIDs#2");
    return slots.stream()
        .mapToInt(slot -> raw.get(slot) instanceof Collection<?> ids ? ids.size() : 0)
        .sum();
  }

  private void assertRemembered(EntityStore<View> store, int number) {
    Expect.duplicate(store.update(id(number), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName(
      "kept for a duration: at least 20 turns at one request a message, within the stated size")
  void keptFor() {
    EntityStore<View> store = scene.store(kept(HORIZON));
    deliverAll(
        store,
        HORIZON.dividedBy(perTurn),
        i -> {
          assertRemembered(store, Math.max(0, i - perTurn));
          assertRemembered(store, Math.max(0, i - perTurn / 2));
          assertTrue(stored() <= 1.51 * perTurn + 100, () -> stored() + " ids after " + i);
        });
  }

  @Test
  @DisplayName("the last n: n are remembered at one request a message, within the stated size")
  void last() {
    int n = 100;
    Tracking tracking = Tracking.defaults().messageIds(IdPolicy.last(n).compact());
    EntityStore<View> store = scene.store(tracking);
    deliverAll(
        store,
        Duration.ZERO,
        i -> {
          assertRemembered(store, Math.max(0, i - n + 1));
          assertRemembered(store, i);
          assertTrue(stored() <= n + n / 4 + 100, () -> stored() + " ids after " + i);
        });
  }

  @Test
  @DisplayName("written once per turn: one request a message, and no growth")
  void oncePerTurn() {
    EntityStore<View> store = scene.store(kept(HORIZON));
    for (int i = 0; i < 200; i++) {
      scene.clock.move(HORIZON);
      deliver(store, i);
      assertRemembered(store, i);
    }
    assertTrue(requests <= perMessage * 200, () -> requests + " requests for 200 messages");
    assertTrue(stored() <= 102, () -> stored() + " ids");
  }

  @Test
  @DisplayName("sleeping past the horizon, in bursts: nothing old piles up")
  void sleeping() {
    EntityStore<View> store = scene.store(kept(HORIZON));
    for (int burst = 0; burst < 20; burst++) {
      scene.clock.move(HORIZON.multipliedBy(3));
      for (int i = 0; i < 30; i++) {
        deliver(store, burst * 30 + i);
        assertRemembered(store, burst * 30);
      }
    }
    assertTrue(requests <= perMessage * 600, () -> requests + " requests for 600 messages");
    assertTrue(stored() <= 160, () -> stored() + " ids");
  }

  @Test
  @DisplayName("writers whose clocks differ by maxSkew: nothing is forgotten before its horizon")
  void skewedClocks() {
    IdPolicy policy = IdPolicy.keptFor(HORIZON).maxSkew(Duration.ofMinutes(30));
    Tracking tracking = Tracking.defaults().messageIds(policy);
    MovableClock behind = new MovableClock();
    behind.move(Duration.ofMinutes(-30));
    EntityStore<View> late = scene.backend.views(tracking, behind);
    EntityStore<View> early = scene.store(tracking);
    int turn = 100;
    for (int i = 0; i < 600; i++) {
      scene.clock.move(HORIZON.dividedBy(turn));
      behind.move(HORIZON.dividedBy(turn));
      deliver(i % 3 == 0 ? early : late, i);
      assertRemembered(i % 2 == 0 ? early : late, Math.max(0, i - turn));
    }
    assertTrue(stored() <= 1.6 * turn + 100, () -> stored() + " ids");
  }

  @Test
  @DisplayName("a stamp ahead of the clock by more than maxSkew is a fault, and nothing is written")
  void stampAhead() {
    MovableClock ahead = new MovableClock();
    ahead.move(Duration.ofHours(1));
    EntityStore<View> wrong = scene.backend.views(kept(HORIZON), ahead);
    Expect.applied(wrong.update(id(1), scene.key, Scene.counted()));
    EntityStore<View> right = scene.store(kept(HORIZON));
    assertThrows(
        CorruptRecordException.class, () -> right.update(id(2), scene.key, Scene.counted()));
    assertRemembered(right, 1);
    assertEquals(1, scene.count());
    scene.clock.move(Duration.ofMinutes(56));
    Expect.applied(right.update(id(2), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("for ever: every id is remembered, under every other id that follows")
  void forEver() {
    EntityStore<View> store = scene.store(Tracking.defaults().messageIds(IdPolicy.forEver()));
    for (int i = 0; i < 300; i++) {
      scene.clock.move(Duration.ofDays(30));
      deliver(store, i);
    }
    for (int i = 0; i < 300; i += 7) {
      assertRemembered(store, i);
    }
    assertEquals(300, stored());
    int wanted = 300 * Sizes.requestsOfOne(scene.backend);
    assertTrue(requests <= wanted, () -> requests + " requests for 300 messages");
  }
}
