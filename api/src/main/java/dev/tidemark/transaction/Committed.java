package dev.tidemark.transaction;

import dev.tidemark.Outcome;
import dev.tidemark.kernel.LateParts;
import java.util.List;
import java.util.Optional;

/**
 * What came of a transaction: all of its writes were made, or none; or the message was recorded in
 * place of them, since one of them was refused for good, or came late.
 *
 * @param isCommitted whether they were made
 * @param isRecorded whether none was made, since the condition of a write with {@code
 *     otherwiseSkip()} was false, and the message is now recorded on each of the entities; or since
 *     an event was {@link Outcome.Stale} for one, or {@link Outcome.BeyondHorizon} and done, and is
 *     now recorded on those others that are there
 * @param outcomes of the tracked writes, in their order; empty where nothing is known of one, since
 *     another write was refused
 * @param refused which of the caller's own writes had a false condition, counted from 0
 */
public record Committed(
    boolean isCommitted,
    boolean isRecorded,
    List<Optional<Outcome<?>>> outcomes,
    List<Integer> refused) {
  /**
   * Copies the lists.
   *
   * @param isCommitted whether they were made
   * @param isRecorded whether the message is recorded in place of them
   * @param outcomes of the tracked writes
   * @param refused which of the caller's own writes had a false condition
   */
  public Committed {
    outcomes = List.copyOf(outcomes);
    refused = List.copyOf(refused);
  }

  /**
   * Whether the delivery may be acknowledged: the transaction is committed, or its refusal is
   * recorded, or each of its tracked writes was done before.
   *
   * @return false where something of it remains to be done
   */
  public boolean isDone() {
    return isCommitted
        || isRecorded
        || (refused.isEmpty()
            && !outcomes.isEmpty()
            && outcomes.stream().allMatch(one -> one.filter(LateParts::isOver).isPresent()));
  }
}
