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
  private List<Attempt<T>> withRefused(@Nullable Attempt<T> refused) {
    List<Attempt<T>> all = new ArrayList<>(attempts);
    if (refused != null && !all.contains(refused)) {
      all.add(refused);
    }
    return all;
  }

  /** The attempt, lost or refused, that left what is stored; null if none of them did. */
  @Nullable Attempt<T> whichWrote(@Nullable Attempt<T> refused, Predicate<Attempt<T>> left) {
    Attempt<T> made = withRefused(refused).stream().filter(left).findFirst().orElse(null);
    attempts.remove(made);
    return made;
  }

  /** Ends the tasks of attempts of which nothing stored will ever tell whether they were made. */
  void failUnknown(@Nullable Attempt<T> refused, Predicate<Attempt<T>> isUnknown) {
    for (Attempt<T> attempt : withRefused(refused)) {
      if (isUnknown.test(attempt)) {
        failUnmade(attempt, attempt.unknown(null));
      }
    }
  }

  /** Keeps an attempt if it is uncertain, and some of its tasks are open. */
  void keepIfLost(Attempt<T> attempt) {
    boolean open = attempt.tasks().stream().anyMatch(task -> task.result == null);
    if (attempt.isUncertain() && open && !attempts.contains(attempt)) {
      attempts.add(attempt);
    }
  }

  /** Forgets an attempt, and ends its tasks with a fault. */
  void failUnmade(Attempt<T> attempt, RuntimeException fault) {
    attempts.remove(attempt);
    fail(attempt.tasks(), fault);
  }

  /** Ends those of the tasks that are open with a fault. */
  void fail(List<Task<T>> tasks, RuntimeException fault) {
    for (Task<T> task : tasks) {
      task.result = task.result == null ? failed(task, fault) : task.result;
    }
  }

  /** A task's fault; outcome unknown if one of the lost attempts may have carried it out. */
  private Result<T> failed(Task<T> task, RuntimeException fault) {
    boolean doubtful =
        fault instanceof ContentionException || !(fault instanceof TidemarkException);
    return attempts.stream()
        .filter(attempt -> doubtful && attempt.tasks().contains(task))
        .findFirst()
        .<Result<T>>map(attempt -> new Result.Failed<>(attempt.unknown(fault)))
        .orElse(new Result.Failed<>(fault));
  }
}
