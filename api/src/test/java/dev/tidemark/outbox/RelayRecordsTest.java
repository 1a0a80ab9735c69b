package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.kernel.RecordCodec;
import dev.tidemark.kernel.StoredFields;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Records of relays have the fields that earlier versions write and read")
final class RelayRecordsTest {
  private static Map<String, Object> common(String state, String owner, String fingerprint) {
    Map<String, Object> fields = new HashMap<>();
    fields.put("revision", "r1");
    fields.put("state", state);
    fields.put("owner", owner);
    fields.put("fingerprint", fingerprint);
    fields.put("expires", Instant.ofEpochSecond(1_900_000_000));
    return fields;
  }

  private static <V> void holds(RecordCodec<V> codec, V record, Map<String, Object> fields) {
    assertEquals(fields, codec.fields(record));
    assertEquals(record, codec.record(new StoredFields(codec.what(), fields)));
    assertEquals("r1", codec.revision(record));
  }

  @Test
  @DisplayName("as a lease of a shard")
  void lease() {
    Map<String, Object> fields = common("RUNNING", "i1", "relay");
    fields.put("fence", 7L);
    fields.put("leaseMillis", 4_000L);
    fields.put("leaseEnd", 1_000_000L);
    holds(ShardLease.CODEC, new ShardLease("r1", "i1", 7, 4_000, 1_000_000, 1_900_000_000), fields);
  }

  @Test
  @DisplayName("as a mark of what a cluster has sent, and as what it has seen")
  void notes() {
    Map<String, Object> fields = common("DONE", "eu", "");
    fields.put("fence", 1L);
    fields.put("leaseMillis", 0L);
    fields.put("leaseEnd", 0L);
    holds(ClusterNote.CODEC, new ClusterNote("r1", "eu", 1_900_000_000, null), fields);
    fields.put("result", Map.of("type", "tidemark.sightings", "json", "seen"));
    holds(ClusterNote.CODEC, new ClusterNote("r1", "eu", 1_900_000_000, "seen"), fields);
  }
}
