package dev.tidemark.outbox;

import java.util.Set;

/**
 * A change of the outgoing messages of one record, by a relay or by a person.
 *
 * @param before the record as it was read
 * @param removed the IDs of messages that were sent, or are dropped
 * @param parked the IDs of waiting messages that a person has to look at from now on
 * @param released the IDs of parked messages that wait again, behind the others
 * @param tries as {@link OutboxRecord#tries} has it
 * @param due from when on those that wait are to be sent, in milliseconds since 1970
 */
public record OutboxChange(
    OutboxRecord before,
    Set<String> removed,
    Set<String> parked,
    Set<String> released,
    long tries,
    long due) {
  /**
   * Copies the sets.
   *
   * @param before the record as it was read
   * @param removed the IDs of messages that were sent, or are dropped
   * @param parked the IDs of waiting messages to park
   * @param released the IDs of parked messages to release
   * @param tries how often the first of those that wait could not be sent
   * @param due from when on those that wait are to be sent
   */
  public OutboxChange {
    removed = Set.copyOf(removed);
    parked = Set.copyOf(parked);
    released = Set.copyOf(released);
  }
}
