package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@Needs(Capability.OUTBOX)
@DisplayName("A relay among threads that are interrupted, clocks that are wrong, and rubbish")
final class RelayHarmContract {
  private final RelayScene scene;
  private final EntityKey key = Some.key();

  RelayHarmContract(Backend backend) {
    this.scene = new RelayScene(backend);
  }

  /** Publishes four messages in each of some views. */
  private List<EntityKey> publish(int count) {
    List<EntityKey> views = Stream.generate(Some::key).limit(count).toList();
    for (int view = 0; view < count; view++) {
      String of = view + "/";
      scene.outbox.publish(views.get(view), of + 0, of + 1, of + 2, of + 3);
    }
    return views;
  }

  private Relay interrupting() {
    Sender sender = scene.sender();
    return Relay.builder(
            scene.records(),
            messages -> {
              var answers = sender.send(messages);
              Thread.currentThread().interrupt();
              return answers;
            })
        .build();
  }

  @Test
  @DisplayName("takes off all that it has sent, and sends no more, where its thread is interrupted")
  void interrupted() {
    List<EntityKey> views = publish(30);
    RelayPass pass = interrupting().sweep();
    assertTrue(Thread.interrupted());
    assertEquals(30, pass.sent());
    for (EntityKey view : views) {
      assertEquals(3, scene.outbox.due(view).waiting().size());
    }
    assertNull(pass.error());
    interrupting().run();
    assertTrue(Thread.interrupted());
    assertEquals(60, scene.taken.size());
    scene.drain(scene.relay());
    assertEquals(120, scene.taken.size());
  }

  @Test
  @DisplayName("tells a sender's InterruptedException by a drain, and sends all by the next drain")
  void interruptedSender() {
    List<EntityKey> views = publish(2);
    Sender interrupted =
        messages -> {
          throw new InterruptedException("of a client's inner task");
        };
    RelayPass told = Relay.builder(scene.records(), interrupted).build().drain(Duration.ofHours(1));
    assertFalse(Thread.interrupted(), "nobody has interrupted the thread");
    assertInstanceOf(InterruptedException.class, told.error());
    Thread.currentThread().interrupt();
    assertInstanceOf(InterruptedException.class, scene.relay().drain(Duration.ofHours(1)).error());
    assertTrue(Thread.interrupted());
    assertTrue(views.stream().allMatch(scene.outbox::isDue));
    assertTrue(scene.relay().drain(Duration.ofHours(1)).sent() >= 8); // others left some
    assertTrue(views.stream().noneMatch(scene.outbox::isDue));
  }

  @Test
  @DisplayName(
      "sends what a clock that is ahead has stored, by a drain and for a hint, and tells it")
  void ahead() {
    MovableClock wrong = new MovableClock();
    wrong.move(Duration.between(wrong.instant(), scene.outbox.clock.instant().plusSeconds(3_600)));
    var store = scene.outbox.backend.views(Tracking.defaults(), wrong);
    publishBy(store, "drained");
    assertEquals(0, scene.relay().sweep().sent());
    assertTrue(scene.builder().batch(1_000).build().drain(Duration.ofHours(1)).ahead() >= 1);
    assertTrue(scene.taken.contains("drained"), "beside what other tests have left");
    scene.taken.clear();
    publishBy(store, "hinted");
    Relay relay = scene.builder().hintsOnly().build();
    assertTrue(relay.hint(OutboxScene.shard(key), scene.outbox.anywhere(key).orElseThrow().key()));
    assertEquals(1, relay.sweep().ahead());
    scene.assertTaken("hinted");
    scene.assertNothingLeft(key);
  }

  private void publishBy(EntityStore<View> store, String id) {
    String name = (String) key.parts().get(0);
    OutgoingMessage message = OutgoingMessage.to("orders", id).id(id).key(name);
    Expect.applied(store.update(Some.id(), key, Scene.counted().publish(message)));
  }

  @Test
  @DisplayName("takes no more of large messages into a pass than it may, and sends all in turn")
  void large() {
    scene.outbox.publish(OutboxScene.key(0), "a", "b");
    scene.outbox.publish(OutboxScene.key(2), "c", "d");
    Relay relay = scene.builder().size(1).build();
    assertEquals(2, relay.sweep().sent());
    assertEquals(2, relay.sweep().sent());
    assertEquals(0, relay.sweep().sent());
    assertEquals(4, Set.copyOf(scene.taken).size());
  }

  @Test
  @DisplayName("sends what stands beside a record that cannot be read, and counts that record")
  void unreadable() {
    int shard = OutboxScene.shard(key);
    EntityKey bad = OutboxScene.key(shard);
    scene.outbox.publish(bad, "lost");
    scene.outbox.publish(key, "a");
    Map<String, Object> raw = new HashMap<>(scene.outbox.backend.raw(bad).orElseThrow());
    raw.put("_outbox", List.of("rubbish"));
    scene.outbox.backend.putRaw(bad, raw);
    Relay relay = scene.relay();
    RelayPass pass = relay.sweep();
    assertEquals(1, pass.sent());
    assertEquals(1, pass.unreadable());
    assertInstanceOf(CorruptRecordException.class, pass.error());
    assertEquals(1, relay.sweep().unreadable());
    scene.assertTaken("a");
  }
}
