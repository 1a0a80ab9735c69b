package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.ParkedMessages;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@Needs(Capability.OUTBOX)
@DisplayName("A relay")
final class RelayContract {
  private final RelayScene scene;
  private final EntityKey key = Some.key();
  private final EntityKey other = Some.key();

  RelayContract(Backend backend) {
    this.scene = new RelayScene(backend);
  }

  @Test
  @DisplayName("sends what entities publish, each in its order, and leaves nothing")
  void order() {
    List<EntityKey> views = Stream.generate(Some::key).limit(12).toList();
    for (int round = 0; round < 3; round++) {
      for (int view = 0; view < views.size(); view++) {
        scene.outbox.publish(views.get(view), view + "/" + 2 * round, view + "/" + (2 * round + 1));
      }
    }
    RelayPass pass = scene.relay().sweep();
    assertEquals(72, pass.sent());
    assertEquals(72, scene.taken.size());
    for (int view = 0; view < views.size(); view++) {
      String of = view + "/";
      assertEquals(
          IntStream.range(0, 6).mapToObj(i -> of + i).toList(),
          scene.taken.stream().filter(id -> id.startsWith(of)).toList());
      scene.assertNothingLeft(views.get(view));
    }
    assertEquals(0, scene.relay().sweep().pending());
  }

  @Test
  @DisplayName("keeps what fails, behind a pause, and everything of its entity that comes later")
  void poison() {
    scene.outbox.publish(key, "a", "poison", "c");
    scene.outbox.publish(other, "x", "y");
    scene.refused.add("poison");
    Relay relay = scene.builder().parkAfter(3).build();
    scene.drain(relay);
    assertEquals(Set.of("a", "x", "y"), Set.copyOf(scene.taken));
    scene.assertNothingLeft(other);
    assertEquals(0, relay.sweep().failed());
    scene.move(Duration.ofSeconds(1));
    assertEquals(1, relay.sweep().failed());
    scene.outbox.publish(other, "z");
    scene.move(Duration.ofSeconds(2));
    assertEquals(1, relay.sweep().parked());
    scene.drain(relay);
    assertEquals(Set.of("a", "x", "y", "z", "c"), Set.copyOf(scene.taken));
    assertTrue(scene.outbox.isParked(key));
    scene.refused.clear();
    OutboxRecord parked =
        scene.records().parked(OutboxScene.shard(key), OutboxScene.MANY).stream()
            .filter(one -> OutboxScene.ids(one.parked()).equals(List.of("poison")))
            .findFirst()
            .orElseThrow();
    ParkedMessages operator = ParkedMessages.of(scene.records());
    assertEquals(1, operator.release(parked.key(), Set.of("poison")));
    scene.drain(relay);
    assertTrue(scene.taken.contains("poison"));
    scene.assertNothingLeft(key);
    assertEquals(6, scene.taken.size());
  }

  @Test
  @DisplayName("sends what has no order beside what is held back")
  void unordered() {
    Change change = Scene.counted().publish(OutgoingMessage.to("t", "1").id("poison"));
    for (String id : List.of("b", "c")) {
      change = change.publish(OutgoingMessage.to("t", id).id(id).unordered());
    }
    Expect.applied(scene.outbox.store.update(Some.id(), key, change));
    scene.refused.add("poison");
    Relay relay = scene.relay();
    relay.sweep();
    assertEquals(Set.of("b", "c"), Set.copyOf(scene.taken));
    scene.refused.clear();
    scene.move(Duration.ofMinutes(1));
    scene.drain(relay);
    scene.assertTaken(scene.taken.get(0), scene.taken.get(1), "poison");
    scene.assertNothingLeft(key);
  }

  @Test
  @DisplayName("sends again what another sent and did not take off, by the same IDs")
  void crash() {
    scene.outbox.publish(key, "a", "b");
    Runnable crash =
        () -> {
          throw new IllegalStateException("the process is gone");
        };
    assertEquals(2, Relay.builder(scene.records(crash), scene.sender()).build().sweep().sent());
    assertEquals(List.of("a", "b"), scene.taken);
    scene.outbox.publish(key, "c");
    scene.drain(scene.relay());
    assertEquals(List.of("a", "b", "a", "b", "c"), scene.taken);
    scene.assertNothingLeft(key);
  }

  @Test
  @DisplayName("that dies behind a wave has taken off the waves before, where that is worth it")
  void killed() {
    List<EntityKey> views = Stream.generate(Some::key).limit(24).toList();
    for (int view = 0; view < views.size(); view++) {
      scene.outbox.publish(views.get(view), view + "/0", view + "/1", view + "/2", view + "/3");
    }
    AtomicInteger calls = new AtomicInteger();
    Runnable requireAlive =
        () -> {
          if (calls.get() >= 3) {
            throw new IllegalStateException("the process is gone");
          }
        };
    Sender sender =
        messages -> {
          requireAlive.run();
          calls.incrementAndGet();
          return scene.sender().send(messages);
        };
    assertEquals(72, Relay.builder(scene.records(requireAlive), sender).build().sweep().sent());
    scene.drain(scene.relay());
    assertEquals(96, Set.copyOf(scene.taken).size());
    assertEquals(96 + 24, scene.taken.size());
    views.forEach(scene::assertNothingLeft);
  }

  @Test
  @DisplayName("sends nothing twice where a reply is lost, and keeps what was published meanwhile")
  void lostReply() {
    for (int after = 0; after < 2; after++) {
      scene.taken.clear();
      EntityKey view = Some.key();
      scene.outbox.publish(view, "a", "b");
      Relay relay = scene.relay();
      scene.outbox.backend.faults().loseReplies(1, () -> scene.outbox.publish(view, "c"));
      relay.sweep();
      scene.outbox.backend.faults().heal();
      scene.drain(relay);
      assertEquals(List.of("a", "b", "c"), scene.taken);
      scene.assertNothingLeft(view);
    }
  }

  @Test
  @DisplayName("keeps what is published while it sends, and while it takes off")
  void meanwhile() {
    scene.outbox.publish(key, "a");
    AtomicBoolean published = new AtomicBoolean();
    Runnable publish =
        () -> {
          if (!published.getAndSet(true)) {
            scene.outbox.publish(key, "b");
          }
        };
    scene.drain(Relay.builder(scene.records(publish), scene.sender()).build());
    assertEquals(List.of("a", "b"), scene.taken);
    scene.assertNothingLeft(key);
  }

  @Test
  @DisplayName("sends what a deleted entity has left, and lets the tombstone be")
  void tombstone() {
    scene.outbox.publish(key, "a", "b");
    Expect.applied(scene.outbox.store.delete(Some.id(), key));
    scene.move(Duration.ofMillis(1));
    scene.drain(scene.relay());
    assertEquals(List.of("a", "b"), scene.taken);
    scene.outbox.backend.raw(key).ifPresent(left -> scene.assertNothingLeft(key));
  }

  @Test
  @Needs(Capability.REQUEST_COUNTS)
  @DisplayName("costs one request for each shard where nothing is due")
  void cost() {
    Relay relay = scene.relay();
    Backend.Cost cost = scene.outbox.backend.measure(relay::sweep);
    assertEquals(OutboxScene.SHARDS, cost.reads());
    assertEquals(0, cost.writes());
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("loses nothing and breaks no order beside another one, while entities publish")
  void together() throws Exception {
    List<EntityKey> views = Stream.generate(Some::key).limit(3).toList();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      Future<?> writer = threads.submit(() -> publishAll(views));
      List<Future<?>> relays = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        relays.add(threads.submit(() -> drainUntil(writer)));
      }
      for (Future<?> relay : relays) {
        relay.get();
      }
      writer.get();
    } finally {
      threads.shutdownNow();
    }
    List<String> first = List.copyOf(new LinkedHashSet<>(scene.taken));
    for (int view = 0; view < views.size(); view++) {
      String of = view + "/";
      assertEquals(
          IntStream.range(0, 15).mapToObj(i -> of + i).toList(),
          first.stream().filter(id -> id.startsWith(of)).toList());
      scene.assertNothingLeft(views.get(view));
    }
  }

  private void publishAll(List<EntityKey> views) {
    for (int i = 0; i < 15; i++) {
      for (int view = 0; view < views.size(); view++) {
        scene.outbox.publish(views.get(view), view + "/" + i);
      }
    }
  }

  private void drainUntil(Future<?> writer) {
    Relay relay = scene.relay();
    boolean done = false;
    while (!done) {
      done = writer.isDone();
      RelayPass pass = relay.sweep();
      done &= pass.pending() == 0 && pass.error() == null;
    }
  }

  @Test
  @DisplayName("leaves the shards alone that another holds, and goes on once that one stops")
  void leases() {
    scene.outbox.publish(key, "a");
    Duration long10 = Duration.ofMinutes(10);
    Relay one = scene.builder().sharedBy(scene.leases).lease(long10).build();
    Relay two = scene.builder().sharedBy(scene.leases).lease(long10).build();
    assertEquals(OutboxScene.SHARDS, one.sweep().shards());
    scene.outbox.publish(key, "b");
    assertEquals(0, two.sweep().sent());
    assertEquals(1, one.sweep().sent());
    two.stop();
    one.stop();
    Relay three = scene.builder().sharedBy(scene.leases).build();
    scene.outbox.publish(key, "c");
    RelayPass pass = three.sweep();
    assertEquals(OutboxScene.SHARDS, pass.shards());
    assertEquals(0, pass.takenOver());
    assertEquals(List.of("a", "b", "c"), scene.taken);
    three.stop();
  }

  @Test
  @DisplayName("takes over the shards of one that went silent, whatever the clock shows")
  void takeover() {
    Duration lease = Duration.ofMillis(200);
    Relay silent = scene.builder().sharedBy(scene.leases).lease(lease).build();
    assertEquals(OutboxScene.SHARDS, silent.sweep().shards());
    scene.outbox.publish(key, "a");
    scene.move(Duration.ofHours(1));
    Relay next = scene.builder().sharedBy(scene.leases).lease(lease).build();
    assertEquals(0, next.sweep().takenOver());
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    RelayPass pass = next.sweep();
    int takenOver = pass.takenOver();
    while (pass.shards() < OutboxScene.SHARDS) {
      assertTrue(System.nanoTime() - end < 0, "nobody took over");
      pass = next.sweep();
      takenOver += pass.takenOver();
    }
    assertTrue(takenOver > 0);
    scene.drain(next);
    assertEquals(List.of("a"), scene.taken);
    next.stop();
  }
}
