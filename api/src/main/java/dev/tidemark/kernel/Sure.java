package dev.tidemark.kernel;

import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a cache answers of the writes of a {@link Run}, and what it learns of their outcomes. */
final class Sure<T> {
  private final List<Write<T>> writes;
  private final Recall recall;
  private final boolean erases;
  private boolean ofTombstone;
  private final List<@Nullable Result<T>> outcomes;

  /**
   * Asks the cache about each write, and lets it forget the entity if a write takes marks away.
   *
   * @param results of the writes that failed before any request; null for the others
   */
  Sure(List<Write<T>> writes, List<@Nullable Result<T>> results, Recall recall) {
    this.writes = writes;
    this.recall = recall;
    this.outcomes = new ArrayList<>(writes.size());
    boolean any = false;
    for (Write<T> write : writes) {
      any |= erases(write);
    }
    this.erases = any;
    boolean asks = writes.size() == 1 || !erases;
    for (int place = 0; place < writes.size(); place++) {
      boolean open = results.get(place) == null && !isOvertaken(place);
      outcomes.add(asks && open ? recalled(writes.get(place)) : null);
    }
    if (erases && outcomes.get(0) == null) {
      recall.forget(writes.get(0).key());
    }
  }

  /**
   * Whether a later event of the same source stands earlier in the batch: this may be Stale then.
   */
  private boolean isOvertaken(int place) {
    return recall.isOn()
        && writes.get(place).message() instanceof SourceEvent event
        && writes.subList(0, place).stream()
            .map(Write::message)
            .anyMatch(
                other ->
                    other instanceof SourceEvent before
                        && before.source().generation(0).equals(event.source().generation(0))
                        && before.isBehind(event));
  }

  /** Whether a write takes marks away, so that what is recalled may not be true after it. */
  private static boolean erases(Write<?> write) {
    boolean deletes =
        write.action() instanceof Write.Action.Delete
            || write.action() instanceof Write.Action.Forget;
    return deletes || !write.action().rules().retired().isEmpty();
  }

  private @Nullable Result<T> recalled(Write<T> write) {
    Optional<Outcome<T>> outcome = recall.sure(write.message(), write.key());
    return outcome.<Result<T>>map(Result.Judged::new).orElse(null);
  }

  /** What is sure of a write; null if the store has to be asked. */
  @Nullable Result<T> of(int place) {
    return outcomes.get(place);
  }

  /** Notes a tombstone. What it proves ends when it expires, so nothing of it is kept. */
  void meetsTombstone() {
    ofTombstone = true;
  }

  /** Lets the outcomes of those that were asked for be recalled. */
  void remember(List<@Nullable Result<T>> results, @Nullable Object stored) {
    if (ofTombstone) {
      recall.forget(writes.get(0).key());
      return;
    }
    for (int place = 0; place < writes.size(); place++) {
      boolean asked = recall.isOn() && outcomes.get(place) == null;
      if (asked && results.get(place) instanceof Result.Judged<T> judged) {
        Write<T> write = writes.get(place);
        recall.saw(write.message(), write.key(), judged.outcome(), erases, stored);
      }
    }
  }
}
