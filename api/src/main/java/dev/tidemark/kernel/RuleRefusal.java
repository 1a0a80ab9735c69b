package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.CorruptRecordException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the caller's own rule refuses a write, or whether something else did. Nothing else
 * decides that: backends say what they know, as {@link Stored#refuses}, {@link Stored#fits} and
 * {@link Reply.Refused#ruled}, and this weighs it.
 */
final class RuleRefusal {
  private RuleRefusal() {}

  /**
   * Whether a rule is known to be false before the write is sent.
   *
   * @param effect what is to be written over the record
   * @param live whether the record is a live entity; an absent or deleted one is empty to a rule
   */
  static <T> boolean isCertain(Effect<T> effect, Stored<T> stored, boolean live) {
    return Boolean.TRUE.equals(live ? stored.refuses(effect) : refusesNothing(effect));
  }

  /** Whether the rule is false of nothing at all; null if only the store can tell. */
  private static @Nullable Boolean refusesNothing(Effect<?> effect) {
    OwnUpdate own = effect instanceof Effect.Own<?> given ? given.update() : null;
    Condition rule =
        effect instanceof Effect.Changes<?> changes
            ? changes.change().condition().orElse(null)
            : own == null ? null : own.rule();
    if (rule != null && !Evaluator.test(rule, Map.of())) {
      return true;
    }
    return (own == null || !own.hasOwnRule()) ? false : null;
  }

  /** Whether the rule of a request, if it has one, is true where there is no entity. */
  static boolean allowsNothing(Request<?> request) {
    return !Boolean.TRUE.equals(refusesNothing(request.effect()));
  }

  /**
   * Whether the rule refused a request: as the record tells, else as the store says, else because
   * nothing else can have refused it.
   *
   * @param stored what is stored by now
   * @param atOnce whether the reply brought that, so that the request was refused over it; what was
   *     read later may be another's
   * @param ruled what the reply, or the read after it, says of the rule; null if nothing
   * @param names where tracking keeps what
   */
  static <T> boolean refused(
      Request<T> request, Stored<T> stored, boolean atOnce, @Nullable Boolean ruled, Names names) {
    if (!request.hasRule()) {
      return false;
    }
    Boolean told;
    try {
      boolean live = stored.found().state(names, request.marking().now()) == Found.State.LIVE;
      told = live ? stored.refuses(request.effect()) : refusesNothing(request.effect());
      boolean counts = live || Boolean.FALSE.equals(ruled); // a true rule refuses nothing, either
      told = (told == null && counts) ? ruled : told;
    } catch (CorruptRecordException e) { // which the next judging tells
      return false;
    }
    if (told != null) {
      return told;
    }
    Stored<T> over = request.over();
    return over == null
        ? (atOnce && passesAllElse(request, stored))
        : isSame(over.found(), stored.found(), names);
  }

  /** Whether the record that is stored is the one that a request was made over. */
  private static boolean isSame(Found<?> over, Found<?> found, Names names) {
    return over.exists() == found.exists() && over.isSame(found, names);
  }

  /** Whether a write of who has not read passes all that it requires beside the rule. */
  private static <T> boolean passesAllElse(Request<T> request, Stored<T> stored) {
    try {
      return Requirement.of(request).passes(stored.found()) && stored.fits(request.effect());
    } catch (CorruptRecordException e) { // which the next judging tells
      return false;
    }
  }
}
