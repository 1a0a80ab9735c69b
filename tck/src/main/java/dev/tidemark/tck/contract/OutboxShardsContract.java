package dev.tidemark.tck.contract;

import static dev.tidemark.tck.contract.OutboxScene.MANY;
import static dev.tidemark.tck.contract.OutboxScene.SHARDS;
import static dev.tidemark.tck.contract.OutboxScene.found;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.ParkedMessages;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@Needs(Capability.OUTBOX)
@DisplayName("Records of outgoing messages of a time when there were more shards")
final class OutboxShardsContract {
  private static final int HIGHER = SHARDS + 2;

  private final OutboxScene scene;
  private final ParkedMessages parked;
  private final EntityKey key = Some.key();

  OutboxShardsContract(Backend backend) {
    this.scene = new OutboxScene(backend);
    this.parked = ParkedMessages.of(scene.records);
  }

  private List<Map<String, Object>> messages(String... ids) {
    String name = (String) key.parts().get(0);
    return Arrays.stream(ids)
        .map(id -> OutgoingMessage.to("orders", id).id(id).key(name))
        .map(message -> Outbox.stored(message, scene.clock.instant()))
        .toList();
  }

  /** A record whose messages "a" and "b" are parked. */
  private OutboxRecord parked() {
    scene.backend.putRaw(
        key,
        Map.of(
            "_outbox#parked", messages("a", "b"),
            "_outbox#shard", -1 - HIGHER,
            "_outbox#due", scene.clock.millis()));
    return found(parked.list(HIGHER, MANY), key).orElseThrow();
  }

  private boolean isDue() {
    return IntStream.range(0, SHARDS)
        .mapToObj(shard -> scene.records.due(shard, Long.MAX_VALUE, MANY))
        .anyMatch(records -> found(records, key).isPresent());
  }

  private boolean isParked() {
    return IntStream.range(0, SHARDS)
        .mapToObj(shard -> parked.list(shard, MANY))
        .anyMatch(records -> found(records, key).isPresent());
  }

  @Test
  @DisplayName("tell their shard, parked or waiting, found or read")
  void told() {
    OutboxRecord record = parked();
    assertEquals(HIGHER, record.shard());
    assertEquals(HIGHER, scene.read(record).shard());
    scene.backend.putRaw(
        key,
        Map.of(
            "_outbox",
            messages("a"),
            "_outbox#shard",
            HIGHER,
            "_outbox#due",
            scene.clock.millis()));
    assertEquals(
        List.of((long) HIGHER),
        scene.records.readAll(List.of(record.key()), Long.MAX_VALUE).stream()
            .map(OutboxRecord::shard)
            .toList());
    scene.backend.putRaw(key, Map.of());
  }

  @Test
  @DisplayName("are listed by their shard, and wait where relays look once they are released")
  void released() {
    assertEquals(1, parked.release(parked().key(), Set.of("a")));
    assertTrue(isDue());
    scene.backend.putRaw(key, Map.of());
  }

  @Test
  @DisplayName("wait where relays look once something is released beside what waits there")
  void beside() {
    scene.backend.putRaw(
        key,
        Map.of(
            "_outbox", messages("c"),
            "_outbox#parked", messages("a"),
            "_outbox#shard", HIGHER,
            "_outbox#due", scene.clock.millis()));
    OutboxRecord waiting =
        found(scene.records.due(HIGHER, Long.MAX_VALUE, MANY), key).orElseThrow();
    assertEquals(1, parked.release(waiting.key(), Set.of("a")));
    assertTrue(isDue());
    scene.settle(new OutboxChange(waiting, Set.of(), Set.of("c"), Set.of(), 0, waiting.due()));
    scene.settle(new OutboxChange(scene.read(waiting), Set.of(), Set.of("a"), Set.of(), 0, 1));
    assertFalse(isDue());
    assertTrue(isParked());
    scene.backend.putRaw(key, Map.of());
  }
}
