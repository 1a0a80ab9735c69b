package dev.tidemark.tck.contract;

import static dev.tidemark.tck.contract.OutboxScene.taking;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.outbox.OutboxRecords.Answer;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@Needs(Capability.OUTBOX)
@DisplayName("Outgoing messages beside an explicit null, which is a missing attribute,")
final class OutboxNullsContract {
  private static final Answer KEPT = new Answer.Written(false);

  private final OutboxScene scene;
  private final EntityKey key = Some.key();

  OutboxNullsContract(Backend backend) {
    this.scene = new OutboxScene(backend);
  }

  private void nulls(String... names) {
    scene.backend.putNull(key, Set.of(names));
  }

  @Test
  @DisplayName("are found, taken, parked and released")
  void relayed() {
    scene.publish(key, "a", "b");
    nulls("_outbox#parked", "_outbox#tries", "_outbox#own", "deletedUntil");
    assertEquals(KEPT, scene.write(taking(scene.due(key), "a")));
    nulls("_outbox#parked", "_outbox#tries");
    assertEquals(KEPT, scene.write(scene.parking(scene.due(key), "b")));
    nulls("_outbox", "_outbox#tries");
    assertTrue(scene.isParked(key));
    assertEquals(KEPT, scene.write(scene.releasing(scene.parked(key).orElseThrow(), "b")));
    nulls("_outbox#parked", "_outbox#tries", "_outbox#own", "deletedUntil");
    assertEquals(new Answer.Written(true), scene.write(taking(scene.due(key), "b")));
    assertFalse(scene.isDue(key));
  }

  @Test
  @DisplayName("are published")
  void published() {
    scene.backend.putRaw(key, Map.of("status", "NEW"));
    nulls("_outbox", "_outbox#parked", "_outbox#tries", "_outbox#own");
    scene.publish(key, "a");
    assertEquals(new Answer.Written(true), scene.write(taking(scene.due(key), "a")));
  }
}
