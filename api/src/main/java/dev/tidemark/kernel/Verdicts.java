package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What each write of one entity deserves of what is found, at one time.
 *
 * @param writes in order
 * @param tracking the policies
 * @param names how the store spells the names of {@code tracking}
 * @param now the time of the round
 */
record Verdicts<T>(List<Write<T>> writes, Tracking tracking, Names names, Instant now) {
  EntityKey key() {
    return writes.get(0).key();
  }

  Verdict of(int place) {
    return new Verdict(writes.get(place).message(), tracking, names, now);
  }

  /** What a write does apart from what it changes. */
  Rules rules(int place) {
    return writes.get(place).action().rules();
  }

  /** What an update changes; null for another write. */
  @Nullable EntityUpdate update(int place) {
    return writes.get(place).action() instanceof Write.Action.Update<T> update
        ? update.update()
        : null;
  }

  /** A portable change; null for another write. */
  @Nullable Change change(int place) {
    return update(place) instanceof Change change ? change : null;
  }

  /** An update in the store's own words; null for another write. */
  @Nullable OwnUpdate own(int place) {
    return update(place) instanceof OwnUpdate own ? own : null;
  }

  boolean isLive(Found<T> found) {
    return found.state(names, now) == Found.State.LIVE;
  }

  /** What is found, with the entity if the write asks for it. */
  Found<T> shown(Found<T> found, int place) {
    return rules(place).returns() ? found : new Found<>(found.exists(), found.marks(), null);
  }

  /** The result of a write that changes nothing; empty if it is to be made or recorded. */
  Optional<Result<T>> judged(Found<T> found, int place) {
    Found<T> known = shown(found, place);
    try {
      Optional<Outcome<T>> outcome = of(place).ofMarks(known).or(() -> forgotten(known, place));
      return (isRecorded(known, place)
              ? outcome
              : outcome.or(() -> of(place).ofExistence(known, rules(place))))
          .map(Result.Judged::new);
    } catch (TidemarkException e) {
      return Optional.of(new Result.Failed<>(Faults.withKey(e, key())));
    }
  }

  /** Deleted where a write forgets an entity that is not there. */
  private Optional<Outcome<T>> forgotten(Found<T> known, int place) {
    boolean forgets = writes.get(place).action() instanceof Write.Action.Forget;
    return forgets && known.state(names, now) == Found.State.ABSENT
        ? Optional.of(new Outcome.Deleted<>())
        : Optional.empty();
  }

  /** Whether an event of a dense source, found fresh, has to be recorded on the tombstone there. */
  boolean isRecorded(Found<T> known, int place) {
    return of(place).isRecordedOn(known, rules(place));
  }

  /** Whether a message is fresh; false if the marks cannot be read. */
  boolean isFresh(Found<T> found, int place) {
    try {
      return of(place).ofMarks(found).isEmpty();
    } catch (TidemarkException e) { // the next judging throws it again
      return false;
    }
  }

  /** Whether the marks leave it open that a message was recorded; a gap proves that it was not. */
  boolean mayBeRecorded(Found<T> found, int place) {
    try {
      Optional<Outcome<T>> outcome = of(place).ofMarks(found);
      return outcome.isPresent() && !(outcome.get() instanceof Outcome.Gap);
    } catch (TidemarkException e) { // the next judging throws it again
      return false;
    }
  }
}
