package dev.tidemark.kernel;

import dev.tidemark.Outcome;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What a transaction does with an event that comes late for one of its entities. That entity has
 * dropped the event for good, and all or none of the writes are made: so all drop it, and those
 * that are there record it, lest a source that is dense for one of them has a hole. Late stays
 * late, so each redelivery is answered the same, whatever became of the other entities meanwhile.
 */
public final class LateParts {
  private LateParts() {}

  /**
   * Whether a transaction drops its event, though some of its entities have not met it.
   *
   * @param outcomes what its writes come to by themselves; empty where that is not known
   * @return false if it is late for none, or over for all, or if one waits for what is in front of
   *     it
   */
  public static boolean drop(Collection<? extends Optional<? extends Outcome<?>>> outcomes) {
    List<? extends Outcome<?>> known = outcomes.stream().flatMap(Optional::stream).toList();
    boolean over = known.size() == outcomes.size() && known.stream().allMatch(LateParts::isOver);
    return !over
        && known.stream().anyMatch(LateParts::isLate)
        && known.stream().noneMatch(LateParts::waits);
  }

  /**
   * Whether an entity has dropped its event for good.
   *
   * @param outcome what its write comes to
   * @return also of one that is too old, where the tracking acknowledges that
   */
  public static boolean isLate(Outcome<?> outcome) {
    return outcome instanceof Outcome.Stale
        || (outcome instanceof Outcome.BeyondHorizon && outcome.isDone());
  }

  /**
   * Whether a message is done for an entity, and nothing of it is to be stored there.
   *
   * @param outcome what its write comes to
   * @return true if it is known there, or late, or the entity is deleted
   */
  public static boolean isOver(Outcome<?> outcome) {
    boolean writes =
        outcome instanceof Outcome.Applied
            || outcome instanceof Outcome.Recorded
            || outcome instanceof Outcome.Refused;
    return outcome.isDone() && !writes;
  }

  private static boolean waits(Outcome<?> outcome) {
    return !outcome.isDone()
        && (outcome instanceof Outcome.Gap || outcome instanceof Outcome.BeyondHorizon);
  }
}
