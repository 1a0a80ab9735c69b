package dev.tidemark.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a relay did in one pass over its shards, for metrics, logs and alarms. It knows neither keys
 * nor payloads. Later versions may add components.
 *
 * @param records the name of the table or collection
 * @param shards how many shards the relay works on; 0 where others work on all of them
 * @param pending how many messages the pass has seen waiting, and those that it put off before: all
 *     that wait, unless more records are due than a pass takes
 * @param oldest for how long the oldest of them has waited, by the clock of the records; 0 if none
 *     waits
 * @param sent how many messages the sender has taken
 * @param failed how many messages could not be sent
 * @param parked how many of them are parked from now on
 * @param prevented how many messages this pass did not send again, since an earlier pass had sent
 *     them but could not take them off their record
 * @param refused how many changes of records were refused, as others changed them meanwhile
 * @param takenOver how many shards were taken over from instances that went silent
 * @param heldBack how many messages the pass, or the last look before it, has seen that have waited
 *     for long, and are not this cluster's to send yet: those of {@link ClusteredRecords}
 * @param ahead how many of the messages that the pass has seen are due far in the future, since the
 *     clock of their writer is ahead of this relay's; they are sent at once
 * @param unreadable how many records the pass, or the last look before it, has seen that cannot be
 *     read; their messages are not sent
 * @param elapsed how long the pass took
 * @param storeAnswered whether the store answered all that the pass asked it for. Where it asked
 *     for no records, also whether the store answered the last that did, unless others have all
 *     shards by now. A record that cannot be read, and whatever the sender did, do not count
 *     against the store
 * @param error the first that the sender, the store or the listener threw; null if none did. An
 *     {@link InterruptedException} that has ended the pass comes before all others, since nothing
 *     else tells that it has ended a {@link Relay#drain}; one of a single message does not. A
 *     {@link dev.tidemark.TooLargeException}, as of a record that has no room for what came of its
 *     messages, comes next
 */
public record RelayPass(
    String records,
    int shards,
    int pending,
    Duration oldest,
    int sent,
    int failed,
    int parked,
    int prevented,
    int refused,
    int takenOver,
    int heldBack,
    int ahead,
    int unreadable,
    Duration elapsed,
    boolean storeAnswered,
    @Nullable Throwable error) {
  /**
   * This pass and one behind it: sums, of what waits what the last has seen, and of what is held
   * back or cannot be read the most.
   *
   * @param isInterrupted whether an interrupt has ended the next one
   */
  RelayPass then(RelayPass next, boolean isInterrupted) {
    return new RelayPass(
        records,
        next.shards,
        next.pending,
        next.oldest,
        sent + next.sent,
        failed + next.failed,
        parked + next.parked,
        prevented + next.prevented,
        refused + next.refused,
        takenOver + next.takenOver,
        Math.max(heldBack, next.heldBack),
        ahead + next.ahead,
        Math.max(unreadable, next.unreadable),
        elapsed.plus(next.elapsed),
        storeAnswered && next.storeAnswered,
        isInterrupted ? next.error : Tally.told(error, next.error));
  }

  /** Counts, and tells no more of an error than its class. */
  @Override
  public String toString() {
    return ("RelayPass[%s, %d shards, %d pending, oldest %s, %d sent, %d failed, %d parked, %d"
            + " prevented, %d refused, %d taken over, %d held back, %d ahead, %d unreadable,"
            + " %s%s]")
        .formatted(
            records,
            shards,
            pending,
            oldest,
            sent,
            failed,
            parked,
            prevented,
            refused,
            takenOver,
            heldBack,
            ahead,
            unreadable,
            elapsed,
            error == null ? "" : ", " + error.getClass().getName());
  }
}
