package dev.tidemark.kernel;

import dev.tidemark.Outcome;
import java.util.Collection;
import java.util.Optional;

/**
 * What a transaction does with an event that comes late for one of its entities. That entity has
 * dropped the event for good, and all or none of the writes are made: so all drop it, and those
 * that are there record it, lest a source that is dense for one of them has a hole.
 */
public final class LateParts {
  private LateParts() {}

  /**
   * Whether a transaction drops its event, though some of its entities have not met it.
   *
   * @param outcomes what its writes come to by themselves; empty where that is not known
   * @return false if it is late for none, or done on all, or waits for what is in front of it, or
   *     somebody has written one of the entities alone
   */
  public static boolean drop(Collection<? extends Optional<? extends Outcome<?>>> outcomes) {
    return outcomes.stream().anyMatch(LateParts::isLate)
        && !outcomes.stream().allMatch(LateParts::isOver)
        && outcomes.stream().allMatch(LateParts::mayDrop);
  }

  private static boolean isLate(Optional<? extends Outcome<?>> outcome) {
    return outcome.isPresent() && outcome.get() instanceof Outcome.Stale;
  }

  private static boolean isOver(Optional<? extends Outcome<?>> outcome) {
    return isLate(outcome) || (outcome.isPresent() && outcome.get() instanceof Outcome.Deleted);
  }

  private static boolean mayDrop(Optional<? extends Outcome<?>> outcome) {
    return outcome.isEmpty()
        || isOver(outcome)
        || outcome.get() instanceof Outcome.Applied
        || outcome.get() instanceof Outcome.Recorded
        || outcome.get() instanceof Outcome.Refused
        || outcome.get() instanceof Outcome.Missing;
  }
}
