package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Message;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A write of a {@link Run}, and its result once it has one. A task equals itself alone. */
final class Task<T> {
  final Write<T> write;

  /** Null while the task is open. */
  @Nullable Result<T> result;

  /** What a cache answers of the message; null if the store has to be asked. */
  @Nullable Result<T> cached;

  private Task(Write<T> write, @Nullable Result<T> result) {
    this.write = write;
    this.result = result;
  }

  /**
   * A task of which nothing is done yet. A write that cannot be formed has failed.
   *
   * @param form checks the write, and gives it the store's own form
   */
  static <T> Task<T> of(Write<T> write, Tracking tracking, UnaryOperator<Write<T>> form) {
    try {
      Verdict.requirePosition(write.message(), tracking);
      requireFew(write.action().rules().published().size(), tracking.maxWaiting());
      return new Task<>(form.apply(write), null);
    } catch (Throwable e) { // of a codec of the caller's, whatever it throws
      RuntimeException fault = Faults.withKey(Faults.unchecked(e), write.key());
      return new Task<>(write, new Result.Failed<>(fault));
    }
  }

  private static void requireFew(int published, int most) {
    if (published > most) {
      throw new IllegalArgumentException(
          "a change publishes %d messages, and maxWaiting is %d".formatted(published, most));
    }
  }

  Message message() {
    return write.message();
  }

  /** What the write does apart from what it changes. */
  Rules rules() {
    return write.action().rules();
  }

  boolean deletes() {
    return write.action() instanceof Write.Action.Delete;
  }

  boolean forgets() {
    return write.action() instanceof Write.Action.Forget;
  }

  /** What an update changes; null for another write. */
  @Nullable EntityUpdate update() {
    return write.action() instanceof Write.Action.Update<T> update ? update.update() : null;
  }

  /** An update in the store's own words; null for another write. */
  @Nullable OwnUpdate own() {
    return update() instanceof OwnUpdate own ? own : null;
  }

  /** Whether the write can stand in one request with others. */
  boolean folds() {
    return write.action() instanceof Write.Action.Apply || Composition.takes(update());
  }

  /** Whether the write takes the mark of its own message away. */
  boolean erasesItself() {
    return forgets() || Ids.isOf(message(), rules().retired());
  }

  /** What an update that stands alone does to the record. */
  Effect<T> effect() {
    EntityUpdate update = update();
    return update instanceof Change change
        ? new Effect.Changes<>(change)
        : new Effect.Own<>((OwnUpdate) Objects.requireNonNull(update));
  }

  /** Whether a write of an entity that is there does nothing but record its message. */
  boolean onlyRecords() {
    EntityUpdate update = update();
    return update instanceof OwnUpdate own
        ? own.recordsOnly()
        : Composition.onlyRecords(update) && rules().retired().isEmpty();
  }
}
