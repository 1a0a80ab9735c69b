package dev.tidemark.outbox;

import static dev.tidemark.store.StoredRecord.EXPIRES;
import static dev.tidemark.store.StoredRecord.LEASE_END;
import static dev.tidemark.store.StoredRecord.REVISION;

import dev.tidemark.kernel.RecordCodec;
import dev.tidemark.kernel.StoredFields;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one cluster has noted: that it sent a message, or what it has seen waiting in a shard.
 *
 * @param revision new with every write
 * @param cluster which has written it
 * @param expires from when on it counts for nothing, in seconds since 1970
 * @param text what was seen; null of a message that was sent
 */
record ClusterNote(String revision, String cluster, long expires, @Nullable String text) {
  /**
   * A note as a plain record. It has the fields that it had as the record of an execution: relays
   * of earlier versions read and write the same notes.
   */
  static final RecordCodec<ClusterNote> CODEC = new Codec();

  /** A note that a cluster is about to write. */
  static ClusterNote by(String cluster, Instant expires, @Nullable String text) {
    return new ClusterNote(UUID.randomUUID().toString(), cluster, expires.getEpochSecond(), text);
  }

  private static final class Codec implements RecordCodec<ClusterNote> {
    @Override
    public String what() {
      return "the note of a cluster";
    }

    @Override
    public String revision(ClusterNote record) {
      return record.revision;
    }

    @Override
    public Map<String, Object> fields(ClusterNote record) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put(REVISION, record.revision);
      fields.put("state", "DONE");
      fields.put("owner", record.cluster);
      fields.put("fence", 1L);
      fields.put("leaseMillis", 0L);
      fields.put(LEASE_END, 0L);
      fields.put(EXPIRES, Instant.ofEpochSecond(record.expires));
      fields.put("fingerprint", "");
      if (record.text != null) {
        fields.put("result", Map.of("type", "tidemark.sightings", "json", record.text));
      }
      return fields;
    }

    @Override
    public ClusterNote record(StoredFields fields) {
      return new ClusterNote(
          fields.required(REVISION),
          fields.text("owner"),
          fields.seconds(EXPIRES),
          fields.values("result").textIfThere("json"));
    }
  }
}
