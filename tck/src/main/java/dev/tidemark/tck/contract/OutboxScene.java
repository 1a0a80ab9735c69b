package dev.tidemark.tck.contract;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.OutboxRecords.Answer;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Views that publish, on a table with those of others. Each scene is at an earlier time than all
 * before it, so that nothing that others left is due.
 */
final class OutboxScene {
  static final int SHARDS = 4;
  static final int MANY = 1_000;
  private static final AtomicLong NEXT =
      new AtomicLong(ThreadLocalRandom.current().nextLong(900_000_000_000L, 1_600_000_000_000L));

  final Backend backend;
  final MovableClock clock = new MovableClock();
  final EntityStore<View> store;
  final OutboxRecords records;

  OutboxScene(Backend backend) {
    this.backend = backend;
    clock.move(Duration.ofMillis(NEXT.addAndGet(-10_000_000) - clock.millis()));
    this.store = backend.views(Tracking.defaults(), clock);
    this.records = backend.outboxRecords(clock);
  }

  static int shard(EntityKey key) {
    return Outbox.shard(key, SHARDS);
  }

  /** A fresh view of a shard. */
  static EntityKey key(int shard) {
    EntityKey key = Some.key();
    while (shard(key) != shard) {
      key = Some.key();
    }
    return key;
  }

  /** Moves the clock so far that the store, which goes by its own, collects nothing yet. */
  void moveLater() {
    clock.move(Duration.between(clock.instant(), MovableClock.later().instant()));
  }

  /** Publishes texts, each of which is its message's ID, too; the view's key is theirs. */
  void publish(EntityKey key, String... ids) {
    Change change = Scene.counted();
    for (String id : ids) {
      change =
          change.publish(OutgoingMessage.to("orders", id).id(id).key((String) key.parts().get(0)));
    }
    Expect.applied(store.update(Some.id(), key, change));
  }

  /** The record of a view, of which something is due. */
  OutboxRecord due(EntityKey key) {
    return found(records.due(shard(key), clock.millis(), MANY), key).orElseThrow();
  }

  boolean isDue(EntityKey key) {
    return found(records.due(shard(key), clock.millis(), MANY), key).isPresent();
  }

  /** What waits in a view, whenever it is due. */
  Optional<OutboxRecord> anywhere(EntityKey key) {
    return found(records.due(shard(key), Long.MAX_VALUE, MANY), key);
  }

  boolean isParked(EntityKey key) {
    return parked(key).isPresent();
  }

  /** The record of a view in which nothing waits, and something is parked. */
  Optional<OutboxRecord> parked(EntityKey key) {
    return found(records.parked(shard(key), MANY), key);
  }

  static Optional<OutboxRecord> found(List<OutboxRecord> found, EntityKey key) {
    Optional<String> name = Optional.of((String) key.parts().get(0));
    return found.stream()
        .filter(
            record ->
                Stream.of(record.waiting(), record.parked())
                    .flatMap(List::stream)
                    .anyMatch(one -> one.message().key().equals(name)))
        .findFirst();
  }

  static List<String> ids(List<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::id).toList();
  }

  OutboxRecord read(OutboxRecord record) {
    return records.read(record.key()).orElseThrow();
  }

  /** A change that takes messages away. */
  static OutboxChange taking(OutboxRecord before, String... ids) {
    return new OutboxChange(before, Set.of(ids), Set.of(), Set.of(), 0, before.due());
  }

  OutboxChange parking(OutboxRecord before, String... ids) {
    return new OutboxChange(before, Set.of(), Set.of(ids), Set.of(), 0, clock.millis());
  }

  OutboxChange releasing(OutboxRecord before, String... ids) {
    return new OutboxChange(before, Set.of(), Set.of(), Set.of(ids), 0, clock.millis());
  }

  Answer write(OutboxChange change) {
    return records.write(List.of(change)).get(0);
  }

  /**
   * Makes a change as a relay does: where it is refused, over what is stored; where it is not sure,
   * again.
   */
  void settle(OutboxChange change) {
    OutboxChange next = change;
    for (int tries = 0; tries < 50; tries++) {
      Answer answer = write(next);
      OutboxRecord found =
          answer instanceof Answer.Refused refused ? refused.found() : next.before();
      if (answer instanceof Answer.Written || found == null) {
        return;
      }
      next =
          new OutboxChange(
              found, next.removed(), next.parked(), next.released(), next.tries(), next.due());
    }
    throw new AssertionError("a change was refused again and again");
  }
}
