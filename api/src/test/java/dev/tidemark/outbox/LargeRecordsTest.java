package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.store.MapStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** However many records there are, a pass reads no more than it may keep in memory. */
@DisplayName("Records that are large")
final class LargeRecordsTest {
  private static final Duration DELAY = Duration.ofSeconds(40);
  private static final String LARGE = "x".repeat(1_000);

  /** What a pass may take; the record that exceeds it comes on top. */
  private static final int SIZE = 5_000;

  private final RelayScene scene = new RelayScene();

  @AfterEach
  void close() {
    scene.close();
  }

  private ClusteredRecords clustered() {
    Clusters clusters = Clusters.of("us", Set.of("eu", "us"), DELAY).elapsedBy(scene.nanos::get);
    return ClusteredRecords.of(scene.records, new MapStore(), clusters);
  }

  private OutboxMessage message(String payload, String origin) {
    String id = RelayScene.id(payload);
    return new OutboxMessage(
        id, scene.records.clock().instant(), OutgoingMessage.to("t", payload).id(id), origin);
  }

  /** Publishes one in each of many records, in a shard of their own. */
  private void publish(int count, String origin) {
    for (int i = 0; i < count; i++) {
      String key = "%03d".formatted(i);
      scene.move(Duration.ofMillis(1));
      scene.records.rows.put(
          key,
          new OutboxRecord(
              key,
              List.of(message(key + LARGE, origin)),
              List.of(),
              0,
              scene.records.clock().millis()));
    }
  }

  @Test
  @DisplayName("are read for hints until a pass has enough, and those behind by the next passes")
  void hints() {
    publish(20, "us");
    Relay relay = scene.builder().size(SIZE).hintsOnly().build();
    scene.broker.isDown = true;
    for (int i = 0; i < 20; i++) {
      assertTrue(relay.hint(3, "%03d".formatted(i)));
    }
    for (int pass = 0; pass < 4; pass++) {
      scene.records.bytes = 0;
      assertEquals(5, relay.sweep().failed());
      assertTrue(scene.records.bytes <= SIZE + 2_000, () -> scene.records.bytes + " bytes");
    }
    assertEquals(0, relay.sweep().failed());
    assertEquals(20, scene.broker.calls.stream().flatMap(List::stream).distinct().count());
  }

  @Test
  @DisplayName("of other clusters are read for hints once, though they give nothing to send")
  void hintsOfOthers() {
    publish(20, "eu");
    Relay relay = Relay.builder(clustered(), scene.broker).size(SIZE).hintsOnly().build();
    for (int i = 0; i < 20; i++) {
      assertTrue(relay.hint(3, "%03d".formatted(i)));
    }
    for (int pass = 0; pass < 8; pass++) {
      scene.records.bytes = 0;
      assertEquals(0, relay.sweep().sent());
      assertTrue(scene.records.bytes <= SIZE + 2_000, () -> scene.records.bytes + " bytes");
    }
    assertEquals(20, scene.records.reads);
  }

  @Test
  @DisplayName("whose turn comes in one moment are read by many looks, each of which has enough")
  void turns() {
    publish(300, "eu");
    ClusteredRecords records = clustered();
    Relay relay = Relay.builder(records, scene.broker).batch(100).size(SIZE).build();
    for (int pass = 0; pass < 100; pass++) {
      assertEquals(0, relay.sweep().sent());
    }
    for (int pass = 0; pass < 1_000 && scene.broker.taken.size() < 300; pass++) {
      scene.records.bytes = 0;
      RelayPass unused = relay.sweep();
      assertTrue(scene.records.bytes <= 2 * SIZE, () -> scene.records.bytes + " bytes");
      scene.move(Duration.ofMillis(100));
    }
    assertEquals(300, scene.broker.taken.size());
  }

  @Test
  @DisplayName("are counted with all that they keep, of which a cluster may send little")
  void mixed() {
    for (String key : List.of("a", "bb", "ccc", "dddd")) {
      OutboxMessage large = message(key + LARGE, "eu");
      scene.records.rows.put(
          key,
          new OutboxRecord(
              key,
              List.of(message(key, "us"), large),
              List.of(),
              0,
              scene.records.clock().millis()));
    }
    Relay relay = Relay.builder(clustered(), scene.broker).size(1_500).build();
    assertEquals(2, relay.sweep().sent());
    assertEquals(2, relay.sweep().sent());
  }

  @Test
  @DisplayName(
      "keeps no more than the bare key of what it was told of, and of what it goes on with")
  void keptKeys() {
    int count = 2 * Outgoing.WAVES;
    for (int i = 0; i < count; i++) {
      scene.publish("a", "a" + i);
    }
    Relay relay = scene.builder().hintsOnly().build();
    assertTrue(relay.hint(1, "a"));
    assertEquals(count, relay.drain(Duration.ofHours(1)).sent());
    assertTrue(scene.records.reads > 1);
    assertEquals(scene.records.reads, scene.records.bareReads);
  }

  /** A caller's wrapper that leaves to the interface what it need not give. */
  private record Wrapped(OutboxRecords inner) implements OutboxRecords {
    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public int shards() {
      return inner.shards();
    }

    @Override
    public Look look(int shard, long from, long until, int most, long size) {
      return inner.look(shard, from, until, most, size);
    }

    @Override
    public List<OutboxRecord> parked(int shard, int most) {
      return inner.parked(shard, most);
    }

    @Override
    public Optional<OutboxRecord> read(Object key) {
      return inner.read(key);
    }

    @Override
    public List<Answer> write(List<OutboxChange> changes) {
      return inner.write(changes);
    }

    @Override
    public Clock clock() {
      return inner.clock();
    }
  }

  @Test
  @DisplayName("of a cluster are gone on with though a wrapper gives no bare keys")
  void wrapped() {
    int count = 2 * Outgoing.WAVES;
    List<OutboxMessage> messages =
        IntStream.range(0, count).mapToObj(i -> message("a" + i, "us")).toList();
    long now = scene.records.clock().millis();
    scene.records.rows.put("a", new OutboxRecord("a", messages, List.of(), 0, now));
    Relay relay = Relay.builder(new Wrapped(clustered()), scene.broker).hintsOnly().build();
    assertTrue(relay.hint(1, "a"));
    assertEquals(count / 2, relay.sweep().sent());
    assertEquals(count / 2, relay.sweep().sent());
  }
}
