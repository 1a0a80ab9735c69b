package dev.tidemark.outbox;

import dev.tidemark.ContentionException;
import dev.tidemark.kernel.Most;
import dev.tidemark.outbox.OutboxRecords.Answer;
import dev.tidemark.transaction.OpenTransactions;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The messages that relays have parked, for operators: lists them, releases them, drops them. Safe
 * for use by many threads, and beside relays.
 */
public final class ParkedMessages {
  private static final int TRIES = 20;

  private final OutboxRecords records;

  private ParkedMessages(OutboxRecords records) {
    this.records = Objects.requireNonNull(records, "records");
  }

  /**
   * The parked messages of a table or collection.
   *
   * @param records where they are kept
   * @return its parked messages
   */
  public static ParkedMessages of(OutboxRecords records) {
    return new ParkedMessages(records);
  }

  /**
   * Looks for records with parked messages, by an index that has nothing else in it. A record with
   * messages that wait as well is found once those are sent; {@link OutboxRecords#read} finds it at
   * any time.
   *
   * @param shard 0 to {@link OutboxRecords#shards()} - 1; a higher one for what was parked while
   *     there were more
   * @param most how many records to give; at least 1
   * @return as they are stored; those that come next are found once these are released or dropped
   * @throws IllegalArgumentException if {@code shard} is less than 0, or {@code most} less than 1
   */
  public List<OutboxRecord> list(int shard, int most) {
    if (shard < 0) { // an index has what waits there
      throw new IllegalArgumentException("shard must be at least 0, was " + shard);
    }
    return records.parked(shard, Most.some(most));
  }

  /**
   * Lets parked messages wait again, behind the others of their entity: a relay sends them. Costs a
   * read and a write, more only where others change the record meanwhile.
   *
   * @param key of the record
   * @param ids of the messages
   * @return how many of them were parked, those of a try whose reply was lost included; fewer where
   *     others change a record that has so many that DynamoDB takes them in several writes
   * @throws ContentionException if that could not be written
   * @throws IllegalStateException in an open transaction of Spring, which would not roll it back
   */
  public int release(Object key, Set<String> ids) {
    return change(key, ids, true);
  }

  /**
   * Drops parked messages: nobody will send them. Costs a read and a write, more only where others
   * change the record meanwhile.
   *
   * @param key of the record
   * @param ids of the messages
   * @return how many of them were parked, as of {@link #release}
   * @throws ContentionException if that could not be written
   * @throws IllegalStateException in an open transaction of Spring, which would not roll it back
   */
  public int drop(Object key, Set<String> ids) {
    return change(key, ids, false);
  }

  private int change(Object key, Set<String> ids, boolean releases) {
    OpenTransactions.requireNone("a change of parked messages");
    RuntimeException last = null;
    Set<String> done = new HashSet<>(); // by tries of which no answer came, it may be
    Optional<OutboxRecord> found = records.read(key);
    for (int tries = 0; tries < TRIES && found.isPresent(); tries++) {
      Set<String> parked = new HashSet<>(ids);
      Set<String> there = new HashSet<>();
      found.get().parked().forEach(message -> there.add(message.id()));
      parked.retainAll(there);
      if (parked.isEmpty()) {
        return done.size();
      }
      Answer answer = records.write(List.of(change(found.get(), parked, releases))).get(0);
      if (answer instanceof Answer.Written) {
        done.addAll(parked);
        return done.size();
      }
      if (answer instanceof Answer.Refused refused) {
        found = Optional.ofNullable(refused.found());
      } else if (answer instanceof Answer.Unsure unsure) {
        last = unsure.error();
        done.addAll(parked);
        found = records.read(key);
      }
    }
    if (found.isPresent()) {
      throw new ContentionException(
          "the record of parked messages was changed by others, or could not be written, at each of "
              + TRIES
              + " tries",
          null,
          last);
    }
    return done.size();
  }

  private OutboxChange change(OutboxRecord found, Set<String> ids, boolean releases) {
    boolean waits = !found.waiting().isEmpty();
    long due = waits ? found.due() : records.clock().millis();
    Set<String> none = Set.of();
    return new OutboxChange(
        found, releases ? none : ids, none, releases ? ids : none, waits ? found.tries() : 0, due);
  }
}
