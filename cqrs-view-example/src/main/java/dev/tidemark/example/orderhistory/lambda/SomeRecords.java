package dev.tidemark.example.orderhistory.lambda;

import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Of the records of a table those that one invocation works on, beside other invocations that work
 * on others: its relay finds these alone when it looks. By their keys it reads and changes any.
 *
 * @param all those of the table
 * @param looks what a look finds
 */
record SomeRecords(OutboxRecords all, Look looks) implements OutboxRecords {
  /** Looks for records, as {@link OutboxRecords#due(int, long, int)} does. */
  @FunctionalInterface
  interface Look {
    List<OutboxRecord> due(int shard, long now, int most);
  }

  /** None but those that the relay gets hints of. */
  static SomeRecords hinted(OutboxRecords all) {
    return new SomeRecords(all, (shard, now, most) -> List.of());
  }

  /** Those that have been due for some time. */
  static SomeRecords dueFor(Duration time, OutboxRecords all) {
    return new SomeRecords(all, (shard, now, most) -> all.due(shard, now - time.toMillis(), most));
  }

  @Override
  public List<OutboxRecord> due(int shard, long now, int most) {
    return looks.due(shard, now, most);
  }

  @Override
  public String name() {
    return all.name();
  }

  @Override
  public int shards() {
    return all.shards();
  }

  @Override
  public List<OutboxRecord> parked(int shard, int most) {
    return all.parked(shard, most);
  }

  @Override
  public Optional<OutboxRecord> read(Object key) {
    return all.read(key);
  }

  @Override
  public List<OutboxRecord> readAll(Collection<?> keys) {
    return all.readAll(keys);
  }

  @Override
  public List<Answer> write(List<OutboxChange> changes) {
    return all.write(changes);
  }

  @Override
  public Clock clock() {
    return all.clock();
  }
}
