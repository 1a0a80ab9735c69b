package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.outbox.ClusterListener;
import dev.tidemark.outbox.ClusteredRecords;
import dev.tidemark.outbox.Clusters;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayBuilder;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import dev.tidemark.tck.MemoryRecordStore;
import dev.tidemark.tck.ReferenceBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What relays of several clusters send, of one store that all of them read at once. */
@DisplayName("A relay of one of several clusters")
final class ClusteredRecordsTest {
  private static final Set<String> NAMES = Set.of("eu", "us", "ap");
  private static final Duration DELAY = Duration.ofSeconds(40);

  private final ReferenceBackend backend = new ReferenceBackend();
  private final OutboxScene scene = new OutboxScene(backend);
  private final MemoryRecordStore marks = new MemoryRecordStore(scene.clock);
  private final List<String> sent = new ArrayList<>();
  private final Set<String> refused = new HashSet<>();
  private int prevented;
  private int takenOver;

  private Clusters clusters(String id) {
    return Clusters.of(id, NAMES, DELAY)
        .elapsedBy(() -> scene.clock.millis() * 1_000_000)
        .listener(
            new ClusterListener() {
              @Override
              public void tookOver(String records, String origin, int messages) {
                assertEquals("eu", origin);
                takenOver += messages;
              }

              @Override
              public void prevented(String records, int messages) {
                prevented += messages;
              }
            });
  }

  private Relay relay(Clusters clusters) {
    return builder(clusters).build();
  }

  private RelayBuilder builder(Clusters clusters) {
    OutboxRecords records = ClusteredRecords.of(scene.records, marks, clusters);
    return Relay.builder(records, Sender.each(this::send)).batch(10);
  }

  private Relay relay(String id) {
    return relay(clusters(id));
  }

  private void send(OutboxMessage message) {
    if (refused.contains(message.id())) {
      throw new IllegalStateException("refused");
    }
    sent.add(message.id());
  }

  private EntityKey publish(String cluster, String... ids) {
    EntityKey key = Some.key();
    Change change = Scene.counted();
    for (String id : ids) {
      String name = (String) key.parts().get(0);
      change = change.publish(OutgoingMessage.to("orders", id).id(id).key(name));
    }
    Expect.applied(
        backend
            .views(Tracking.defaults().cluster(cluster), scene.clock)
            .update(Some.id(), key, change));
    return key;
  }

  private Set<String> publishMany(int count) {
    Set<String> ids = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      String id = Some.name();
      ids.add(id);
      publish("eu", id);
    }
    return ids;
  }

  /** Lets time pass while relays are at work. */
  private void pass(Duration time, Relay... relays) {
    for (long passed = 0; passed < time.toSeconds(); passed++) {
      scene.clock.move(Duration.ofSeconds(1));
      sweep(relays);
    }
  }

  private static void sweep(Relay... relays) {
    for (Relay relay : relays) {
      while (relay.sweep().sent() > 0) {
        // until nothing is to be sent
      }
    }
  }

  @Test
  @DisplayName("sends what its own cluster published, and leaves the rest to its origin")
  void origin() {
    EntityKey key = publish("eu", "a", "b");
    Relay us = relay("us");
    Relay eu = relay("eu");
    sweep(us);
    assertEquals(List.of(), sent);
    sweep(eu);
    assertEquals(List.of("a", "b"), sent);
    assertFalse(scene.isDue(key));
    assertEquals(0, takenOver);
  }

  @Test
  @DisplayName("takes over after one delay what it is the first to follow for, and the rest later")
  void succession() {
    Set<String> ids = publishMany(40);
    Relay us = relay("us");
    sweep(us);
    pass(DELAY.minusSeconds(1), us);
    assertEquals(List.of(), sent);
    pass(Duration.ofSeconds(1), us);
    int first = sent.size();
    assertTrue(first > 5 && first < 35, () -> first + " of 40 at once");
    pass(DELAY.plusSeconds(10), us);
    assertEquals(ids, new TreeSet<>(sent));
    assertEquals(40, sent.size());
    assertEquals(40, takenOver);
  }

  @Test
  @DisplayName("shares what another cluster does not send with the others, each message once")
  void shared() {
    Set<String> ids = publishMany(40);
    Relay us = relay("us");
    Relay ap = relay("ap");
    sweep(us, ap);
    pass(DELAY.multipliedBy(3), us, ap);
    assertEquals(ids, new TreeSet<>(sent));
    assertEquals(40, sent.size());
  }

  @Test
  @DisplayName("takes off what others have sent, and does not send it")
  void returned() {
    EntityKey key = publish("eu", "a", "b", "c");
    Relay us = relay("us");
    pass(DELAY.multipliedBy(3), us);
    assertEquals(List.of("a", "b", "c"), sent);
    assertTrue(scene.isDue(key));
    Relay eu = relay("eu");
    pass(DELAY, eu);
    assertEquals(List.of("a", "b", "c"), sent);
    assertEquals(3, prevented);
    assertFalse(scene.isDue(key));
  }

  @Test
  @DisplayName("waits for what others have noted before it sends what is old")
  void old() {
    publish("eu", "a");
    scene.clock.move(DELAY);
    Relay eu = relay("eu");
    sweep(eu);
    assertEquals(List.of(), sent);
    pass(DELAY.dividedBy(2), eu);
    assertEquals(List.of("a"), sent);
  }

  @Test
  @DisplayName("keeps the order of an entity whose messages are taken over by several")
  void order() {
    String[] ids = new String[20];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = Some.name();
    }
    publish("eu", ids);
    pass(DELAY.multipliedBy(3), relay("us"), relay("ap"));
    assertEquals(List.of(ids), sent);
  }

  /** A pass of a relay that knows nothing but what is stored. */
  private RelayPass once(String id) {
    return relay(id).drain(Duration.ofMinutes(1));
  }

  @Test
  @DisplayName("sends all though each pass begins anew, and pauses are longer than the delay")
  void functions() {
    Set<String> ids = publishMany(40);
    scene.clock.move(DELAY);
    assertEquals(40, once("us").heldBack());
    scene.clock.move(DELAY.multipliedBy(2));
    assertEquals(0, once("us").heldBack());
    assertEquals(ids, new TreeSet<>(sent));
    assertEquals(40, takenOver);
    once("eu");
    scene.clock.move(DELAY);
    once("eu");
    assertEquals(40, sent.size());
    assertEquals(40, prevented);
  }

  @Test
  @DisplayName("sends what is its own though no relay lives for half a delay")
  void ownFunctions() {
    EntityKey key = publish("eu", "a", "b");
    scene.clock.move(DELAY);
    assertEquals(2, once("eu").heldBack());
    scene.clock.move(DELAY.dividedBy(2).minusMillis(1));
    once("eu");
    assertEquals(List.of(), sent);
    scene.clock.move(Duration.ofMillis(1));
    assertEquals(2, once("eu").sent());
    assertEquals(List.of("a", "b"), sent);
    assertFalse(scene.isDue(key));
  }

  @Test
  @DisplayName("goes on where an earlier relay's look has ended")
  void pages() {
    Set<String> ids = publishMany(300);
    scene.clock.move(DELAY.multipliedBy(10));
    for (int passes = 0; passes < 300 && sent.size() < 300; passes++) {
      scene.clock.move(DELAY);
      RelayPass unused = relay("us").sweep();
    }
    assertEquals(ids, new TreeSet<>(sent), "all of those at one time");
    assertEquals(300, sent.size());
    scene.clock.move(DELAY);
    publish("us", "mine");
    for (int passes = 0; passes < 100 && sent.size() < 301; passes++) {
      scene.clock.move(DELAY);
      RelayPass unused = relay("us").sweep();
    }
    assertEquals(301, sent.size());
    for (int count = 0; count < 60; count++) {
      scene.clock.move(Duration.ofMillis(1));
      publish("eu", "later" + count);
    }
    for (int passes = 0; passes < 300 && sent.size() < 361; passes++) {
      scene.clock.move(DELAY);
      RelayPass unused = relay("us").sweep();
    }
    assertEquals(361, new TreeSet<>(sent).size());
  }

  @Test
  @DisplayName("goes on with what it knew after a pause that is longer than the delay")
  void paused() {
    Set<String> ids = publishMany(40);
    Relay us = relay("us");
    for (int looks = 0; looks < 5; looks++) {
      scene.clock.move(DELAY.plusSeconds(1));
      sweep(us);
    }
    assertEquals(ids, new TreeSet<>(sent));
    assertEquals(40, sent.size());
  }

  @Test
  @DisplayName("keeps what is stored for later relays as small as what waits")
  void forgets() {
    publishMany(40);
    scene.clock.move(DELAY);
    once("us");
    assertTrue(bytes() > 40 * 11);
    once("eu");
    scene.clock.move(DELAY.dividedBy(2));
    once("eu");
    assertEquals(40, sent.size());
    publish("eu", "more");
    for (int looks = 0; looks < 2; looks++) {
      scene.clock.move(DELAY);
      once("us");
    }
    assertTrue(bytes() < 250, () -> bytes() + " characters");
  }

  /** How much relays have stored for all shards. */
  private int bytes() {
    return marks.list("", null, 1_000).stream()
        .map(key -> marks.read(key).orElseThrow().fields().get("result"))
        .mapToInt(result -> result instanceof Map<?, ?> map ? ("" + map.get("json")).length() : 0)
        .sum();
  }

  @Test
  @DisplayName("counts what waits for its turn once it has waited for half a delay")
  void heldBack() {
    publish("eu", "a");
    Relay us = relay("us");
    assertEquals(0, us.sweep().heldBack());
    scene.clock.move(DELAY.dividedBy(2));
    assertEquals(1, us.sweep().heldBack());
  }

  @Test
  @DisplayName("works on hints of what was published just now")
  void hints() {
    EntityKey key = publish("eu", "a");
    Relay eu = builder(clusters("eu")).hintsOnly().build();
    assertTrue(eu.hint(OutboxScene.shard(key), key));
    RelayPass pass = eu.sweep();
    assertEquals(1, pass.sent());
    assertEquals(1, pass.pending());
    assertEquals(List.of("a"), sent);
    assertFalse(scene.isDue(key));
  }

  @Test
  @DisplayName("sends what a clock that was far ahead has stored, once, and asks others first")
  void ahead() {
    scene.clock.move(Duration.ofDays(1));
    EntityKey key = publish("eu", "a");
    scene.clock.move(Duration.ofDays(-1));
    for (int looks = 0; looks < 3; looks++) {
      once("eu");
      once("us");
      scene.clock.move(DELAY.multipliedBy(2));
    }
    assertEquals(List.of("a"), sent);
    assertTrue(scene.anywhere(key).isEmpty());
  }

  @Test
  @DisplayName("does not take what a clock far ahead has stored for what nobody can have sent")
  void aheadOfOthers() {
    scene.clock.move(Duration.ofDays(1));
    EntityKey key = publish("eu", "a");
    scene.clock.move(Duration.ofDays(-1));
    for (int looks = 0; looks < 3; looks++) {
      once("us");
      scene.clock.move(DELAY.multipliedBy(2));
    }
    assertEquals(List.of("a"), sent);
    once("eu");
    scene.clock.move(DELAY);
    once("eu");
    assertEquals(List.of("a"), sent);
    assertEquals(1, prevented);
    assertTrue(scene.anywhere(key).isEmpty());
  }

  @Test
  @DisplayName("finds what is its own behind much that is not")
  void behind() {
    publishMany(300);
    Relay us = relay("us");
    sweep(us);
    scene.clock.move(Duration.ofSeconds(1));
    publish("us", "mine");
    pass(Duration.ofSeconds(15), us);
    assertEquals(List.of("mine"), sent);
    pass(DELAY.multipliedBy(3), us);
    assertEquals(301, sent.size());
  }

  @Test
  @DisplayName("finds all of what lay there for long before it began")
  void backlog() {
    Set<String> ids = publishMany(300);
    scene.clock.move(DELAY.multipliedBy(10)); // before any look for what came last
    pass(DELAY.multipliedBy(4), relay("us"));
    assertEquals(ids, new TreeSet<>(sent));
    assertEquals(300, sent.size());
  }

  @Test
  @DisplayName("leaves a record as it is while it cannot send in place of its origin")
  void failing() {
    EntityKey key = publish("eu", "a", "b");
    refused.add("a");
    Relay us = relay("us");
    pass(DELAY.multipliedBy(4), us);
    assertEquals(List.of(), sent);
    assertEquals(0, scene.due(key).tries());
    assertEquals(List.of("a", "b"), OutboxScene.ids(scene.due(key).waiting()));
    refused.clear();
    pass(DELAY.multipliedBy(2), us);
    assertEquals(List.of("a", "b"), sent);
  }

  @Test
  @DisplayName("takes off what a cluster has left that it inherits from")
  void heir() {
    EntityKey key = publish("eu", "a");
    EntityKey other = publish("eu", "b");
    Relay us = relay("us");
    pass(DELAY.multipliedBy(3), us);
    assertTrue(scene.isDue(key));
    pass(DELAY, relay(clusters("us").inheriting("eu")));
    assertFalse(scene.isDue(key));
    assertFalse(scene.isDue(other));
    assertEquals(2, sent.size());
  }

  @Test
  @DisplayName("shares no lease with those of other clusters")
  void leases() {
    assertEquals(
        scene.records.name() + "@us",
        ClusteredRecords.of(scene.records, marks, clusters("us")).name());
  }
}
