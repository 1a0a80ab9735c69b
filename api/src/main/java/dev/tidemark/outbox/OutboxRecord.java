package dev.tidemark.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The outgoing messages that one record keeps; the record is an entity, or is there for its
 * messages alone.
 *
 * @param key the record's key, in the store's own form; equal for the same record
 * @param waiting the messages that wait, in the order in which they were published
 * @param parked the messages that a person has to look at
 * @param tries how often the first of those that wait could not be sent, in the lower 32 bits; in
 *     those above how many of these tries count against it. A store keeps the number as it is
 * @param due from when on those that wait are to be sent, in milliseconds since 1970
 * @param shard under which it is stored, or was before all its messages were parked; it decides
 *     which relay works on the record. -1 where that was not read: then a hint or a look decides. 0
 *     where it was read and the record has none
 */
public record OutboxRecord(
    Object key,
    List<OutboxMessage> waiting,
    List<OutboxMessage> parked,
    long tries,
    long due,
    long shard) {
  /**
   * Copies the lists.
   *
   * @param key the record's key
   * @param waiting the messages that wait
   * @param parked the messages that a person has to look at
   * @param tries how often the first could not be sent
   * @param due from when on those that wait are to be sent
   * @param shard under which it is stored; -1 if that was not read, 0 if the record has none
   */
  public OutboxRecord {
    waiting = List.copyOf(waiting);
    parked = List.copyOf(parked);
  }

  /**
   * A record whose shard was not read.
   *
   * @param key the record's key
   * @param waiting the messages that wait
   * @param parked the messages that a person has to look at
   * @param tries how often the first could not be sent
   * @param due from when on those that wait are to be sent
   */
  public OutboxRecord(
      Object key, List<OutboxMessage> waiting, List<OutboxMessage> parked, long tries, long due) {
    this(key, waiting, parked, tries, due, -1);
  }

  /**
   * What is known of a record that keeps no messages.
   *
   * @param key the record's key
   * @return a record with nothing in it
   */
  public static OutboxRecord nothing(Object key) {
    return new OutboxRecord(key, List.of(), List.of(), 0, 0);
  }

  /**
   * Whether nothing is left, so that no index has the record.
   *
   * @return false while a message waits or is parked
   */
  public boolean isEmpty() {
    return waiting.isEmpty() && parked.isEmpty();
  }

  /**
   * About how much memory its messages take.
   *
   * @return in bytes or characters
   */
  public long size() {
    return Stream.of(waiting, parked)
        .flatMap(List::stream)
        .mapToLong(message -> message.message().size())
        .sum();
  }

  /**
   * What a change makes of this record. It takes messages by their ID, so what was published since
   * stays, and what somebody else has taken is no fault.
   *
   * @param change takes messages away, parks or releases them
   * @return the record after it, under the shard that was read of this one; where there are fewer
   *     shards by now, a store moves a record that it changes
   */
  public OutboxRecord after(OutboxChange change) {
    List<OutboxMessage> left = without(waiting, change.removed());
    List<OutboxMessage> aside = without(parked, change.removed());
    List<OutboxMessage> nowParked = without(aside, change.released());
    nowParked.addAll(only(left, change.parked()));
    List<OutboxMessage> nowWaiting = without(left, change.parked());
    nowWaiting.addAll(only(aside, change.released()));
    Object keyAfter = key instanceof ClusterKey known ? known.after(change) : key;
    return new OutboxRecord(keyAfter, nowWaiting, nowParked, change.tries(), change.due(), shard);
  }

  private static List<OutboxMessage> without(List<OutboxMessage> messages, Set<String> ids) {
    List<OutboxMessage> left = new ArrayList<>(messages);
    left.removeIf(message -> ids.contains(message.id()));
    return left;
  }

  private static List<OutboxMessage> only(List<OutboxMessage> messages, Set<String> ids) {
    List<OutboxMessage> taken = new ArrayList<>(messages);
    taken.removeIf(message -> !ids.contains(message.id()));
    return taken;
  }

  /** Counts, and names neither key nor messages. */
  @Override
  public String toString() {
    return "OutboxRecord[%d waiting, %d parked]".formatted(waiting.size(), parked.size());
  }
}
