package dev.tidemark.lab.clusters;

import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The published algorithm: a relay takes what its own cluster published at once, and whatever is
 * older than the maximum delay, and takes off what it has sent.
 */
record PublishedRecords(OutboxRecords records, String cluster, long maximumDelay)
    implements OutboxRecords {
  private boolean isTurn(OutboxRecord record) {
    OutboxMessage message = record.waiting().get(0);
    long age = records.clock().millis() - message.storedAt().toEpochMilli();
    return message.origin().equals(cluster) || age > maximumDelay;
  }

  @Override
  public Look look(int shard, long from, long until, int most, long size) {
    List<OutboxRecord> found = new ArrayList<>();
    for (OutboxRecord record : records.look(shard, from, until, 1_000_000, size).records()) {
      if (found.size() < most && isTurn(record)) {
        found.add(record);
      }
    }
    return Look.of(found);
  }

  @Override
  public String name() {
    return records.name();
  }

  @Override
  public int shards() {
    return records.shards();
  }

  @Override
  public List<OutboxRecord> parked(int shard, int most) {
    return records.parked(shard, most);
  }

  @Override
  public Optional<OutboxRecord> read(Object key) {
    return records.read(key);
  }

  @Override
  public List<Answer> write(List<OutboxChange> changes) {
    return records.write(changes);
  }

  @Override
  public Clock clock() {
    return records.clock();
  }
}
