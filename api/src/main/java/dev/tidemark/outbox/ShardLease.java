package dev.tidemark.outbox;

import static dev.tidemark.store.StoredRecord.EXPIRES;
import static dev.tidemark.store.StoredRecord.LEASE_END;
import static dev.tidemark.store.StoredRecord.REVISION;

import dev.tidemark.kernel.RecordCodec;
import dev.tidemark.kernel.StoredFields;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The lease of a shard, as its owner has stored it.
 *
 * @param revision new with every write
 * @param owner the instance that has the shard
 * @param fence rises with every owner
 * @param leaseMillis how long it holds since it was written
 * @param leaseEnd when it ends by its owner's clock, in milliseconds since 1970
 * @param expires when the record may be forgotten, in seconds since 1970
 */
record ShardLease(
    String revision, String owner, long fence, long leaseMillis, long leaseEnd, long expires) {
  /**
   * A lease as a plain record. It has the state and the fingerprint that it had as the record of an
   * execution: relays of earlier versions share shards with this one.
   */
  static final RecordCodec<ShardLease> CODEC = new Codec();

  private static final class Codec implements RecordCodec<ShardLease> {
    @Override
    public String what() {
      return "the lease of a shard";
    }

    @Override
    public String revision(ShardLease record) {
      return record.revision;
    }

    @Override
    public Map<String, Object> fields(ShardLease record) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put(REVISION, record.revision);
      fields.put("state", "RUNNING");
      fields.put("owner", record.owner);
      fields.put("fence", record.fence);
      fields.put("leaseMillis", record.leaseMillis);
      fields.put(LEASE_END, record.leaseEnd);
      fields.put("fingerprint", "relay");
      fields.put(EXPIRES, Instant.ofEpochSecond(record.expires));
      return fields;
    }

    @Override
    public ShardLease record(StoredFields fields) {
      return new ShardLease(
          fields.required(REVISION),
          fields.text("owner"),
          fields.number("fence"),
          fields.number("leaseMillis"),
          fields.number(LEASE_END),
          fields.seconds(EXPIRES));
    }
  }
}
