package dev.tidemark.lab.clusters;

import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecords;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The marks that one cluster's replica has. */
final class ReplicaMarks implements ExecutionRecords {
  private final Replicas<ExecutionRecord>.Replica replica;
  private final Clock clock;

  ReplicaMarks(Replicas<ExecutionRecord>.Replica replica, Clock clock) {
    this.replica = replica;
    this.clock = clock;
  }

  @Override
  public Answer write(String key, @Nullable String before, ExecutionRecord record) {
    return replaced(key, before, record);
  }

  private Answer replaced(String key, @Nullable String before, @Nullable ExecutionRecord record) {
    ExecutionRecord found = replica.read(key);
    if (found == null ? before != null : !found.revision().equals(before)) {
      return new Answer.Refused(found);
    }
    replica.write(key, record, clock.millis());
    return new Answer.Written();
  }

  @Override
  public Optional<ExecutionRecord> read(String key) {
    return Optional.ofNullable(replica.read(key));
  }

  @Override
  public Answer remove(String key, String before) {
    return replaced(key, before, null);
  }

  @Override
  public List<String> stale(String flow, long now, int most) {
    return List.of();
  }

  @Override
  public List<String> parked(String prefix, int most) {
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
