package dev.tidemark.lab.clusters;

import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** The outgoing messages of a cluster's replica, as one relay reaches them. */
record WiredOutbox(OutboxRecords records, Wire wire) implements OutboxRecords {
  @Override
  public String name() {
    return records.name();
  }

  @Override
  public int shards() {
    return records.shards();
  }

  @Override
  public Look look(int shard, long from, long until, int most, long size) {
    return wire.read(() -> records.look(shard, from, until, most, size));
  }

  @Override
  public List<OutboxRecord> parked(int shard, int most) {
    return wire.read(() -> records.parked(shard, most));
  }

  @Override
  public Optional<OutboxRecord> read(Object key) {
    return wire.read(() -> records.read(key));
  }

  @Override
  public List<Answer> write(List<OutboxChange> changes) {
    return wire.write(
        () -> records.write(changes),
        () -> changes.stream().map(change -> WiredOutbox.unsure()).toList());
  }

  private static Answer unsure() {
    return new Answer.Unsure(new IllegalStateException("the reply was lost"));
  }

  @Override
  public Clock clock() {
    return records.clock();
  }
}
