package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.CACHE)
@DisplayName("A cache of marks saves requests and changes no outcome")
final class CacheContract {
  private static final Tracking TRACKING =
      Tracking.defaults()
          .events("Dense", EventPolicy.contiguous())
          .events("Window", EventPolicy.denseWindow(5))
          .events("Sparse", EventPolicy.sparseWindow(5));

  private final Scene scene;
  private final MarkCache cache = MarkCache.in(new ConcurrentHashMap<>());
  private final EntityStore<View> store;
  private final EntityStore<View> other;

  CacheContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = backend.views(TRACKING, scene.clock, cache);
    this.other = scene.store(TRACKING);
  }

  private void free(Supplier<?> call) {
    Backend.Cost cost = scene.backend.measure(() -> assertTrue(call.get().toString().length() > 0));
    assertEquals(0, cost.reads() + cost.writes(), () -> "sure, and yet it took " + cost);
  }

  @Test
  @Needs(Capability.REQUEST_COUNTS)
  @DisplayName("sure duplicates take no request, one by one and in batches")
  void sureDuplicates() {
    List<Message> messages =
        List.of(
            Some.id(),
            Some.event(5),
            Some.event("Dense", "1", 1),
            Some.event("Window", "1", 2),
            Some.event("Sparse", "1", 9));
    List<Write<View>> writes = new ArrayList<>();
    for (Message message : messages) {
      Expect.applied(store.apply(message, scene.key, View::new, Views::counted));
      writes.add(Write.update(message, scene.key, Scene.counted()));
    }
    messages.forEach(
        message -> {
          free(() -> Expect.duplicate(store.update(message, scene.key, Scene.counted())));
          free(() -> Expect.duplicate(store.apply(message, scene.key, Views::counted)));
          free(() -> Expect.duplicate(store.delete(message, scene.key)));
        });
    free(() -> Expect.stale(store.update(Some.event(4), scene.key, Scene.counted())));
    free(
        () -> {
          List<Result<View>> results = store.writeAll(writes);
          results.forEach(result -> assertEquals("Duplicate", Words.of(result)));
          return results;
        });
    assertEquals(5, scene.count());
    assertEquals(21, cache.hits());
    assertEquals(5, cache.misses());
    assertEquals(21 / 26.0, cache.hitRate(), 1e-9);
  }

  @Test
  @DisplayName("a rule is about what is stored, whatever the store wrote last")
  void rule() {
    Expect.applied(store.apply(Some.event(1), scene.key, View::new, Views::counted));
    Change paid = Change.change().set("status", "PAID");
    Expect.applied(other.update(Some.event(2), scene.key, paid));
    SourceEvent last = Some.event(3);
    Change ends = Change.change().add("total", 1).retire(last.source());
    Change ruled = ends.onlyIf(Condition.attribute("status").is("PAID"));
    Expect.applied(store.update(last, scene.key, ruled));
    assertEquals(2, scene.count());
  }

  @Test
  @Needs({Capability.REQUEST_COUNTS, Capability.ONE_COMMAND_REFUSALS})
  @DisplayName("a function over what the store wrote last is one write and no read")
  void functions() {
    for (int position = 1; position <= 3; position++) {
      SourceEvent event = Some.event(position);
      Backend.Cost cost =
          scene.backend.measure(
              () -> Expect.applied(store.apply(event, scene.key, View::new, Views::counted)));
      assertEquals(position == 1 ? 1 : 0, cost.reads(), "reads at " + position);
      assertEquals(1, cost.writes(), "writes at " + position);
    }
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("what another node wrote since is not lost, nor hidden")
  void staleEntry() {
    Expect.applied(store.apply(Some.event(1), scene.key, View::new, Views::counted));
    Expect.applied(other.apply(Some.event(2), scene.key, Views::counted));
    Expect.applied(store.apply(Some.event(3), scene.key, Views::counted));
    assertEquals(3, scene.count());
    Expect.duplicate(other.update(Some.event(3), scene.key, Scene.counted()));
    Expect.applied(other.apply(Some.event(4), scene.key, Views::counted));
    Expect.duplicate(store.apply(Some.event(4), scene.key, Views::counted));
    Expect.applied(other.delete(Some.event(5), scene.key));
    Expect.deleted(store.apply(Some.event(6), scene.key, Views::counted));
    assertTrue(store.find(scene.key).isEmpty());
  }

  @Test
  @DisplayName("a batch over what another node wrote since loses nothing")
  void staleBatch() {
    store.writeAll(List.of(Write.apply(Some.event(1), scene.key, View::new, Views::counted)));
    Expect.applied(other.apply(Some.event(2), scene.key, Views::counted));
    List<Result<View>> results =
        store.writeAll(
            List.of(
                Write.apply(Some.event(2), scene.key, Views::counted),
                Write.apply(Some.event(3), scene.key, Views::counted)));
    assertEquals(List.of("Duplicate", "Applied"), Words.of(results));
    Expect.applied(other.apply(Some.event(4), scene.key, Views::counted));
    assertEquals(
        List.of("Duplicate"),
        Words.of(store.writeAll(List.of(Write.apply(Some.event(4), scene.key, Views::counted)))));
    assertEquals(4, scene.count());
  }

  @Test
  @DisplayName("a gap that another node has filled is none")
  void gap() {
    Expect.applied(store.apply(Some.event("Dense", "1", 1), scene.key, View::new, Views::counted));
    Expect.gap(store.apply(Some.event("Dense", "1", 3), scene.key, Views::counted));
    Expect.applied(other.apply(Some.event("Dense", "1", 2), scene.key, Views::counted));
    Expect.applied(store.apply(Some.event("Dense", "1", 3), scene.key, Views::counted));
    Expect.applied(other.apply(Some.event("Dense", "1", 4), scene.key, Views::counted));
    assertEquals(
        List.of("Applied"),
        Words.of(
            store.writeAll(
                List.of(Write.apply(Some.event("Dense", "1", 5), scene.key, Views::counted)))));
    assertEquals(5, scene.count());
  }

  @Test
  @DisplayName("what was forgotten, deleted or retired is no longer recalled")
  void forgotten() {
    Message id = Some.id();
    Expect.applied(store.update(id, scene.key, Scene.counted()));
    Expect.applied(store.forget(Some.id(), scene.key));
    Expect.applied(store.update(id, scene.key, Scene.counted()));
    assertEquals(1, scene.count());
    SourceEvent event = Some.event(7);
    Expect.applied(store.update(event, scene.key, Scene.counted()));
    Expect.applied(
        store.update(Some.id(), scene.key, change().add("total", 1).retire(event.source())));
    Expect.applied(store.update(event, scene.key, Scene.counted()));
    assertEquals(4, scene.count());
    Expect.applied(store.delete(Some.event(8), scene.key));
    Expect.duplicate(store.delete(Some.event(8), scene.key));
    Expect.deleted(store.apply(Some.event(9), scene.key, Views::counted));
    List<Result<View>> results =
        store.writeAll(
            List.of(
                Write.update(Some.event(10), scene.key, Scene.counted().recreate()),
                Write.forget(Some.id(), scene.key),
                Write.update(id, scene.key, Scene.counted())));
    assertEquals(List.of("Applied", "Applied", "Applied"), Words.of(results));
    Expect.duplicate(store.update(id, scene.key, Scene.counted()));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("what only a tombstone proved is no longer so when it has expired")
  void expiredTombstone() {
    EntityStore<View> store =
        scene.backend.views(
            TRACKING.tombstonesKeptFor(Duration.ofDays(1)),
            scene.clock,
            MarkCache.in(new ConcurrentHashMap<>()));
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    Expect.applied(store.delete(Some.event(5), scene.key));
    Expect.stale(store.update(Some.event(3), scene.key, Scene.counted()));
    Expect.duplicate(store.apply(Some.event(5), scene.key, View::new, Views::counted));
    scene.clock.move(Duration.ofDays(2));
    Expect.applied(store.update(Some.event(3), scene.key, Scene.counted()));
    assertEquals(1, scene.count());
    Expect.applied(store.apply(Some.event(5), scene.key, View::new, Views::counted));
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("a function that fails over an old state is called on the one that is there")
  void faultOverOldState() {
    Expect.applied(store.apply(Some.event(1), scene.key, Views::placed, view -> view));
    Expect.applied(other.apply(Some.event(2), scene.key, Views::paid));
    Expect.applied(store.apply(Some.event(3), scene.key, CacheContract::shipped));
    assertEquals("SHIPPED", store.find(scene.key).orElseThrow().getStatus());
  }

  @Test
  @Needs(Capability.OUTBOX)
  @DisplayName("what a relay has sent since leaves room for what a batch publishes")
  void sentSince() {
    EntityStore<View> few = scene.backend.views(TRACKING.outbox(1, 4), scene.clock, cache);
    Expect.applied(few.write(publishing()));
    Relay.builder(scene.backend.outboxRecords(scene.clock), Sender.each(message -> {}))
        .build()
        .sweep();
    Write<View> counting = Write.apply(Some.id(), scene.key, Views::counted);
    assertEquals(
        List.of("Applied", "Applied"), Words.of(few.writeAll(List.of(counting, publishing()))));
  }

  private Write<View> publishing() {
    OutgoingMessage message = OutgoingMessage.to("orders", "text");
    return Write.decide(
        Some.id(), scene.key, View::new, view -> Decision.to(Views.counted(view), message));
  }

  private static View shipped(View view) {
    if (!"PAID".equals(view.getStatus())) {
      throw new IllegalStateException("not paid");
    }
    view.setStatus("SHIPPED");
    return view;
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("what a forget without an answer took away is no longer recalled")
  void lostForget() {
    Message id = Some.id();
    Expect.applied(store.update(id, scene.key, Scene.counted()));
    scene.backend.faults().loseReplies(1_000, () -> {});
    try {
      assertTrue(store.forget(Some.id(), scene.key).isDone());
    } catch (OutcomeUnknownException e) {
      assertTrue(e.key().isPresent(), "an unknown outcome names its entity");
    } finally {
      scene.backend.faults().heal();
    }
    Expect.applied(store.update(id, scene.key, Scene.counted()));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("a policy that replaces a window recalls what it applied, not what the window saw")
  void afterWindow() {
    EntityStore<View> window = scene.store(Tracking.defaults().events(EventPolicy.denseWindow(5)));
    for (int position : new int[] {1, 2, 3, 7}) {
      Expect.applied(window.update(Some.event("Dense", "1", position), scene.key, Scene.counted()));
    }
    Expect.applied(store.update(Some.event("Dense", "1", 4), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.event("Dense", "1", 5), scene.key, Scene.counted()));
    assertEquals(6, scene.count());
  }

  @Test
  @DisplayName("random calls and batches have the outcomes that they have without it")
  void random() {
    for (int example = 0; example < Sizes.examples(scene.backend) / 10; example++) {
      List<EntityKey> keys = List.of(Some.key(), Some.key());
      Map<EntityKey, EntityKey> twins = new HashMap<>();
      keys.forEach(key -> twins.put(key, Some.key()));
      RandomBatch random = new RandomBatch(Sizes.seed() + example, keys, false);
      for (int batch = 0; batch < 4; batch++) {
        List<Write<View>> writes = random.writes();
        List<Result<View>> cached =
            batch % 2 == 0 ? store.writeAll(writes) : Batch.oneByOne(store, writes);
        assertEquals(
            Words.of(Batch.oneByOne(other, RandomBatch.elsewhere(writes, twins))),
            Words.of(cached),
            "example " + example + ", batch " + batch + " of " + writes);
      }
    }
    Outcome<View> last = store.update(Some.id(), scene.key, Scene.counted());
    Expect.applied(last);
  }
}
