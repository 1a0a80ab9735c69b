package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.store.MapStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay of a cluster, where another one has left more than a few pages,")
final class ClusterPagesTest {
  private static final Duration DELAY = Duration.ofSeconds(40);
  private static final int COUNT = 100;

  private final RelayScene scene = new RelayScene();
  private final MapStore marks = new MapStore();

  ClusterPagesTest() {
    scene.records.lookTakes = Duration.ofMillis(5); // so that no drain looks without end
  }

  @AfterEach
  void close() {
    scene.close();
  }

  /** A relay that knows nothing but what is stored, and looks at ten records at a time. */
  private Relay relay() {
    return relay(10);
  }

  private Relay relay(int batch) {
    return builder(batch).build();
  }

  private RelayBuilder builder(int batch) {
    Clusters clusters = Clusters.of("us", Set.of("eu", "us"), DELAY).elapsedBy(scene.nanos::get);
    ClusteredRecords records = ClusteredRecords.of(scene.records, marks, clusters);
    return Relay.builder(records, scene.broker).batch(batch).time(scene.nanos::get, scene::move);
  }

  /** Publishes one message in each of many records of one shard, due behind a time. */
  private void publish(Duration later) {
    for (int i = 0; i < COUNT; i++) {
      publish("%03d".formatted(i), later, "eu");
    }
  }

  private OutboxMessage message(String id, String origin) {
    return message(id, origin, false);
  }

  private OutboxMessage message(String id, String origin, boolean isUnordered) {
    OutgoingMessage message = OutgoingMessage.to("t", id).id(id);
    return new OutboxMessage(
        id, scene.records.clock().instant(), isUnordered ? message.unordered() : message, origin);
  }

  private void publish(String key, Duration later, String origin) {
    scene.move(Duration.ofMillis(1));
    OutboxMessage message = message(key, origin);
    long due = scene.records.clock().millis() + later.toMillis();
    scene.records.rows.put(key, new OutboxRecord(key, List.of(message), List.of(), 0, due));
  }

  @Test
  @DisplayName("notes all of it in one drain, so that the next function sends it")
  void functions() {
    publish(Duration.ZERO);
    scene.move(DELAY);
    assertEquals(0, relay().drain(DELAY).sent());
    scene.move(DELAY);
    assertEquals(COUNT, relay().drain(DELAY).sent());
  }

  @Test
  @DisplayName("keeps no more than the bare keys of it in mind")
  void keptKeys() {
    publish(Duration.ZERO);
    Relay relay = relay();
    for (int looks = 0; looks < 50; looks++) {
      RelayPass unused = relay.sweep();
      scene.move(DELAY.dividedBy(10));
    }
    assertTrue(scene.records.reads > 0);
    assertEquals(scene.records.reads, scene.records.bareReads);
  }

  @Test
  @DisplayName("finds all of it though it is due far in the future")
  void ahead() {
    publish(Duration.ofDays(1));
    Relay relay = relay();
    for (int looks = 0; looks < 50; looks++) {
      RelayPass unused = relay.sweep();
      scene.move(DELAY.dividedBy(10));
    }
    assertEquals(COUNT, scene.broker.taken.size());
  }

  @Test
  @DisplayName("finds all of it before it is due, at whatever time in the future that is")
  void aheadBeforeDue() {
    long start = scene.nanos.get();
    Duration later = DELAY.plusSeconds(19);
    publish(later);
    Relay relay = relay();
    for (int eighths = 0; eighths <= 10; eighths++) {
      scene.move(eighths == 0 ? Duration.ZERO : DELAY.dividedBy(8));
      for (int looks = 0; looks < (eighths == 0 || eighths > 7 ? 12 : 1); looks++) {
        RelayPass unused = relay.sweep();
      }
    }
    assertTrue(scene.nanos.get() - start < later.toNanos());
    assertEquals(COUNT, scene.broker.taken.size());
  }

  @Test
  @DisplayName("finds all of it in functions, too, though it is due far in the future")
  void aheadOfFunctions() {
    publish(Duration.ofDays(1));
    for (int drains = 0; drains < 4; drains++) {
      RelayPass unused = relay().drain(DELAY);
      scene.move(DELAY);
    }
    assertEquals(COUNT, scene.broker.taken.size());
  }

  @Test
  @DisplayName("sends what is its own behind all of it in one drain, however far ahead it is due")
  void aheadOwn() {
    publish(Duration.ofDays(1));
    publish("own", Duration.ofDays(1), "us");
    assertEquals(1, relay().drain(DELAY).sent());
    assertEquals(List.of("own"), scene.broker.taken);
  }

  @Test
  @DisplayName("sends soon what a look had no room for")
  void leftOut() {
    for (int i = 0; i < 5; i++) {
      publish("due" + i, Duration.ZERO, "eu");
    }
    for (int i = 0; i < 10; i++) {
      publish("far" + i, Duration.ofDays(1), "eu");
    }
    Relay relay = relay();
    for (int looks = 0; looks < 4; looks++) {
      assertEquals(0, relay.sweep().sent());
      scene.move(DELAY.dividedBy(4));
    }
    assertEquals(10, relay.sweep().sent());
    assertEquals(5, relay.sweep().sent());
  }

  @Test
  @DisplayName("sends all messages of an entity of its own in one drain, after a pause")
  void manyOfOne() {
    List<OutboxMessage> messages =
        IntStream.range(0, COUNT).mapToObj(i -> message("%03d".formatted(i), "us")).toList();
    long due = scene.records.clock().millis();
    scene.records.rows.put("one", new OutboxRecord("one", messages, List.of(), 0, due));
    scene.move(DELAY);
    assertEquals(0, relay().drain(DELAY).sent());
    scene.move(DELAY.dividedBy(2));
    assertEquals(COUNT, relay().drain(DELAY).sent());
  }

  @Test
  @DisplayName("looks at what is young behind any number of its own that have waited")
  void latest() {
    for (int i = 0; i < 500; i++) {
      publish("%03d".formatted(i), Duration.ZERO, "us");
    }
    scene.move(DELAY);
    Relay relay = relay(1_000);
    assertEquals(0, relay.sweep().sent());
    scene.move(DELAY.dividedBy(2));
    publish("yng", Duration.ZERO, "us");
    assertTrue(relay.sweep().sent() < 500);
    assertTrue(scene.broker.taken.contains("yng"));
  }

  @Test
  @DisplayName("sends many messages of one entity, each function as many as the one before")
  void manySent() {
    List<OutboxMessage> messages =
        IntStream.range(0, 500).mapToObj(i -> message("%03d".formatted(i), "eu", true)).toList();
    long due = scene.records.clock().millis();
    scene.records.rows.put("one", new OutboxRecord("one", messages, List.of(), 0, due));
    for (int functions = 0; functions < 12; functions++) {
      RelayPass unused = relay().sweep();
      scene.move(DELAY);
    }
    assertEquals(500, scene.broker.taken.size());
  }

  @Test
  @DisplayName("puts what goes on in a drain to different times")
  void manyOfMany() {
    for (int i = 0; i < 30; i++) {
      String key = "%03d".formatted(i);
      List<OutboxMessage> messages =
          IntStream.range(0, 40).mapToObj(j -> message(key + "-" + j, "us")).toList();
      scene.move(Duration.ofSeconds(1));
      long due = scene.records.clock().millis();
      scene.records.rows.put(key, new OutboxRecord(key, messages, List.of(), 0, due));
    }
    scene.move(DELAY);
    assertEquals(0, relay().drain(DELAY).sent());
    scene.move(DELAY.dividedBy(2));
    assertTrue(relay().drain(Duration.ofMillis(200)).sent() > 100);
    Set<Long> times = new HashSet<>();
    scene.records.rows.values().forEach(record -> times.add(record.due()));
    assertEquals(30, times.size());
    assertTrue(relay().drain(DELAY).sent() > 0);
    assertEquals(30 * 40, scene.broker.taken.size());
  }

  @Test
  @DisplayName("sends all of it by functions that are killed in the middle of a look")
  void killed() {
    killedUntilAllIsSent("eu");
  }

  @Test
  @DisplayName("sends its own, which has waited for long, by functions that are killed")
  void killedOwn() {
    killedUntilAllIsSent("us");
  }

  @Test
  @DisplayName(
      "sends its own of one entity, which has waited for long, by functions that are killed")
  void killedManyOfOne() {
    List<OutboxMessage> messages =
        IntStream.range(0, 300).mapToObj(i -> message("%03d".formatted(i), "us")).toList();
    long due = scene.records.clock().millis();
    scene.records.rows.put("one", new OutboxRecord("one", messages, List.of(), 0, due));
    killedUntilSent(300);
  }

  /** Each function is gone after so many requests for marks, of which a look asks for more. */
  private void killedUntilAllIsSent(String origin) {
    int count = 300;
    for (int i = 0; i < count; i++) {
      publish("%03d".formatted(i), Duration.ZERO, origin);
    }
    killedUntilSent(count);
  }

  private void killedUntilSent(int count) {
    AtomicInteger requests = new AtomicInteger();
    Runnable kill =
        () -> {
          if (requests.incrementAndGet() > 300) {
            throw new AssertionError("killed");
          }
        };
    marks.onTheWay = kill;
    marks.carrier =
        (write, request) -> {
          kill.run();
          return request.get();
        };
    scene.broker.before = kill;
    Set<String> taken = new HashSet<>();
    for (int functions = 0; functions < 20 && taken.size() < count; functions++) {
      scene.move(DELAY);
      requests.set(0);
      try {
        RelayPass unused = relay(count).drain(DELAY);
      } catch (AssertionError e) {
        assertEquals("killed", e.getMessage());
      }
      taken.addAll(scene.broker.taken);
    }
    assertEquals(count, taken.size());
  }

  @Test
  @DisplayName("parks none of it, and counts none as parked, though its first failure is enough")
  void parksNone() {
    publish("bad", Duration.ZERO, "eu");
    publish("one", Duration.ZERO, "eu");
    scene.broker.refuses.add("bad");
    Relay relay = builder(10).parkAfter(1).build();
    for (int halves = 0; halves < 2; halves++) {
      assertEquals(0, relay.sweep().sent());
      scene.move(DELAY.dividedBy(2));
    }
    RelayPass pass = relay.sweep();
    assertEquals(List.of("one"), scene.broker.taken);
    assertEquals(1, pass.failed());
    assertEquals(0, pass.parked());
  }

  @Test
  @DisplayName("sends what is behind more than it can note of what cannot be sent, in functions")
  void refused() {
    refused(10, DELAY);
  }

  @Test
  @DisplayName("sends it where all that cannot be sent is tried at once, too")
  void refusedAtOnce() {
    refused(1_000, Duration.ZERO);
  }

  private void refused(int batch, Duration time) {
    for (int i = 0; i < 300; i++) {
      publish("%03d".formatted(i), Duration.ZERO, "eu");
      scene.broker.refuses.add("%03d".formatted(i));
    }
    publish("own", Duration.ZERO, "eu");
    for (int drains = 0; drains < 8 && scene.broker.taken.isEmpty(); drains++) {
      RelayPass unused = relay(batch).drain(time);
      scene.move(DELAY);
    }
    assertEquals(List.of("own"), scene.broker.taken);
  }
}
