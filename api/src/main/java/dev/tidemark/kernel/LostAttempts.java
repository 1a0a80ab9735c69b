package dev.tidemark.kernel;

import dev.tidemark.ContentionException;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The attempts of a {@link Run} without an answer, which may have been made or may yet arrive. */
final class LostAttempts<T> {
  private final List<Attempt<T>> attempts = new ArrayList<>();

  /** The attempts without an answer, and the one that was refused last. */
  private List<Attempt<T>> and(@Nullable Attempt<T> refused) {
    List<Attempt<T>> all = new ArrayList<>(attempts);
    if (refused != null && !all.contains(refused)) {
      all.add(refused);
    }
    return all;
  }

  /** The attempt, lost or refused, that left what is stored; null if none of them did. */
  @Nullable Attempt<T> madeOf(@Nullable Attempt<T> refused, Predicate<Attempt<T>> left) {
    Attempt<T> made = and(refused).stream().filter(left).findFirst().orElse(null);
    attempts.remove(made);
    return made;
  }

  /** Ends the writes of attempts of which nothing stored will ever tell whether they were made. */
  void failUnknown(
      @Nullable Attempt<T> refused,
      Predicate<Attempt<T>> isUnknown,
      List<@Nullable Result<T>> results) {
    for (Attempt<T> attempt : and(refused)) {
      if (isUnknown.test(attempt)) {
        attempts.remove(attempt);
        fail(attempt, attempt.marking().unknown(null), results);
      }
    }
  }

  /** Keeps an attempt if it is uncertain, and some of its writes have no result yet. */
  void keepIfLost(Attempt<T> attempt, List<@Nullable Result<T>> results) {
    boolean open = attempt.places().stream().anyMatch(place -> results.get(place) == null);
    if (attempt.marking().isUncertain() && open && !attempts.contains(attempt)) {
      attempts.add(attempt);
    }
  }

  /** Ends the writes of an attempt that was not made after all, and forgets the attempt. */
  void failUnmade(Attempt<T> attempt, RuntimeException fault, List<@Nullable Result<T>> results) {
    attempts.remove(attempt);
    fail(attempt, fault, results);
  }

  /** Ends the writes of an attempt that have no result yet with a fault. */
  void fail(Attempt<T> attempt, RuntimeException fault, List<@Nullable Result<T>> results) {
    for (int place : attempt.places()) {
      fail(place, fault, results);
    }
  }

  /** Ends all writes that have no result yet with a fault. */
  void failAll(RuntimeException fault, List<@Nullable Result<T>> results) {
    for (int place = 0; place < results.size(); place++) {
      fail(place, fault, results);
    }
  }

  private void fail(int place, RuntimeException fault, List<@Nullable Result<T>> results) {
    if (results.get(place) == null) {
      results.set(place, beside(place, fault));
    }
  }

  /** A write's fault; outcome unknown if one of the lost attempts may have made the write. */
  private Result<T> beside(int place, RuntimeException fault) {
    boolean doubtful =
        fault instanceof ContentionException || !(fault instanceof TidemarkException);
    return attempts.stream()
        .filter(attempt -> doubtful && attempt.places().contains(place))
        .findFirst()
        .<Result<T>>map(attempt -> new Result.Failed<>(attempt.marking().unknown(fault)))
        .orElse(new Result.Failed<>(fault));
  }
}
