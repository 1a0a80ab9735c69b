package dev.tidemark.lab.clusters;

import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.Guard;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The marks that one cluster's replica has. */
final class ReplicaMarks implements RecordStore {
  private final Replicas<StoredRecord>.Replica replica;
  private final Clock clock;

  ReplicaMarks(Replicas<StoredRecord>.Replica replica, Clock clock) {
    this.replica = replica;
    this.clock = clock;
  }

  @Override
  public Answer<StoredRecord> write(ConditionalWrite write) {
    StoredRecord found = replica.read(write.key());
    boolean holds =
        write.guard() instanceof Guard.Unchanged unchanged
            ? found != null && Objects.equals(found.revision(), unchanged.revision())
            : found == null;
    if (!holds) {
      return new Answer.Refused<>(found);
    }
    Map<String, Object> fields = write.fields();
    StoredRecord next = fields == null ? null : new StoredRecord(write.key(), fields);
    replica.write(write.key(), next, clock.millis());
    return new Answer.Written<>();
  }

  @Override
  public Optional<StoredRecord> read(String key) {
    return Optional.ofNullable(replica.read(key));
  }

  @Override
  public List<String> due(String partition, long from, long before, int most) {
    return List.of();
  }

  @Override
  public List<String> pending(String partition, String prefix, int most) {
    return List.of();
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    return List.of();
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public int mostBytes() {
    return 100_000;
  }
}
