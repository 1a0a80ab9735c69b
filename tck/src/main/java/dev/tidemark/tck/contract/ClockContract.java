package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BOUNDED)
@DisplayName("Law 8: a call has one time, though its clock moves at every reading")
final class ClockContract {
  private static final Duration KEPT = Duration.ofDays(30);

  /** More readings than a call that reads the clock here and there would make. */
  private static final int READINGS = 12;

  /** A clock that shows one time for some readings, and another one from then on. */
  private static final class Leaping extends Clock {
    private final Instant before;
    private final Instant after;
    private final int first;
    private final AtomicInteger readings = new AtomicInteger();

    Leaping(Instant before, Instant after, int first) {
      this.before = before;
      this.after = after;
      this.first = first;
    }

    @Override
    public Instant instant() {
      return readings.getAndIncrement() < first ? before : after;
    }

    int readings() {
      return readings.get();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  /** A way to make a write that creates what is absent. */
  private interface Call {
    Outcome<View> make(EntityStore<View> store, Message message, EntityKey key);
  }

  private static final Map<String, Call> CALLS =
      Map.of(
          "update", (store, message, key) -> store.update(message, key, Scene.counted()),
          "apply", (store, message, key) -> store.apply(message, key, View::new, Views::counted),
          "delete", EntityStore::delete,
          "batch of an update", (s, m, k) -> batch(s, Write.update(m, k, Scene.counted())),
          "batch of a function",
              (s, m, k) -> batch(s, Write.apply(m, k, View::new, Views::counted)));

  private final Backend backend;
  private final Instant start;

  ClockContract(Backend backend) {
    this.backend = backend;
    this.start = new Scene(backend).clock.instant();
  }

  private static Outcome<View> batch(EntityStore<View> store, Write<View> write) {
    Result<View> result = store.writeAll(List.of(write)).get(0);
    if (result instanceof Result.Judged<View> judged) {
      return judged.outcome();
    }
    throw new AssertionError("expected an outcome but was " + result);
  }

  private Clock fixed(Instant time) {
    return Clock.fixed(time, ZoneOffset.UTC);
  }

  @Test
  @DisplayName("a message that gets too old while it is handled is recorded, or leaves nothing")
  void horizon() {
    Duration overdue = KEPT.plusSeconds(1);
    for (Map.Entry<String, Call> call : CALLS.entrySet()) {
      for (int first = 0; first < READINGS; first++) {
        EntityKey key = Some.key();
        Message message = Some.id().sentAt(start);
        Clock clock = new Leaping(start, start.plus(overdue), first);
        Outcome<View> outcome =
            call.getValue().make(backend.views(Tracking.defaults(), clock), message, key);
        String at = call.getKey() + " after " + first + " readings: " + outcome;
        if (outcome.isApplied()) {
          assertTrue(isKnown(message, key), () -> "not recorded by " + at);
        } else {
          Expect.beyondHorizon(outcome);
          assertEquals(Optional.empty(), backend.raw(key), () -> "stored by " + at);
        }
      }
    }
  }

  private boolean isKnown(Message message, EntityKey key) {
    EntityStore<View> store = backend.views(Tracking.defaults(), fixed(start));
    return store.update(message, key, Scene.counted()) instanceof Outcome.Duplicate;
  }

  @Test
  @DisplayName("ids stay known where their slot comes of age while a message is handled")
  void slots() {
    Tracking tracking = Tracking.defaults().messageIds(IdPolicy.keptFor(Duration.ofHours(4)));
    Instant later = start.plus(Duration.ofHours(2));
    for (Map.Entry<String, Call> call : CALLS.entrySet()) {
      for (int first = 0; first < READINGS; first++) {
        EntityKey key = Some.key();
        List<MessageId> ids = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
          ids.add(Some.id());
        }
        assertAll("Applied", fixed(start), tracking, key, ids, "filling");
        ids.add(Some.id());
        Clock clock = new Leaping(start, later, first);
        Expect.applied(call.getValue().make(backend.views(tracking, clock), ids.get(25), key));
        String at = call.getKey() + " after " + first + " readings";
        assertAll("Duplicate", fixed(later), tracking, key, ids, at);
      }
    }
  }

  private void assertAll(
      String word, Clock clock, Tracking tracking, EntityKey key, List<MessageId> ids, String at) {
    List<Write<View>> writes =
        ids.stream().<Write<View>>map(id -> Write.update(id, key, Scene.counted())).toList();
    backend
        .views(tracking, clock)
        .writeAll(writes)
        .forEach(result -> assertEquals(word, Words.of(result), at));
  }

  @Test
  @DisplayName("a tombstone that expires while a message is handled is built upon whole, or not")
  void expiry() {
    Change revive = Scene.counted().recreate();
    for (int first = 0; first < READINGS; first++) {
      EntityKey key = Some.key();
      EntityStore<View> before = backend.views(Tracking.defaults(), fixed(start));
      Expect.applied(before.update(Some.event("Stock", "9", 5), key, Scene.counted()));
      Expect.applied(before.delete(Some.event(2), key));
      Clock clock = new Leaping(start, start.plus(KEPT).plusSeconds(1), first);
      Expect.applied(backend.views(Tracking.defaults(), clock).update(Some.event(3), key, revive));
      Map<String, Object> raw = backend.raw(key).orElseThrow();
      assertFalse(raw.containsKey("deletedUntil"), "still deleted after " + first + " readings");
      assertEquals(3L, raw.get("events.Order.4711"));
      assertEquals(1L, raw.get("total"));
    }
  }

  @Test
  @DisplayName("the earliest and the latest time that can be told of a message are times as others")
  void extremes() {
    EntityStore<View> store = backend.views(Tracking.defaults(), fixed(start));
    for (Map.Entry<String, Call> call : CALLS.entrySet()) {
      MessageId last = Some.id().sentAt(Instant.MAX);
      EntityKey key = Some.key();
      Expect.applied(call.getValue().make(store, last, key));
      assertTrue(isKnown(last, key), call.getKey());
      MessageId first = Some.id().sentAt(Instant.MIN);
      Expect.beyondHorizon(call.getValue().make(store, first, key));
    }
  }

  @Test
  @DisplayName("a call reads the clock once")
  void once() {
    for (Map.Entry<String, Call> call : CALLS.entrySet()) {
      Leaping clock = new Leaping(start, start, 0);
      EntityStore<View> store = backend.views(Tracking.defaults(), clock);
      int before = clock.readings(); // of a backend that learns of its server
      Expect.applied(call.getValue().make(store, Some.id(), Some.key()));
      assertEquals(1, clock.readings() - before, call.getKey());
    }
  }
}
