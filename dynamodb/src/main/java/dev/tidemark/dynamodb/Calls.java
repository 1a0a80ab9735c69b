package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.Run;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The tracked calls of one store, on either client: runs of one write. */
final class Calls<T> {
  private final Writes<T> writes;
  private final Tracking tracking;
  private final Names names;
  private final Clock clock;
  private final Recall recall;

  Calls(Writes<T> writes, Tracking tracking, Clock clock, Recall recall) {
    this.writes = writes;
    this.tracking = tracking;
    this.names = Names.flat(tracking);
    this.clock = clock;
    this.recall = recall;
  }

  /** Makes an update for a message, once. */
  CompletableFuture<Outcome<T>> update(Message message, Key key, Edit edit) {
    Effect.Own<T> own =
        new Effect.Own<>(edit, edit.rules(), edit.conditional(), true, edit.recordsOnly());
    return run(message, key, new Write.Action.Update<>(edit.rules()), own);
  }

  /** Does something else for a message, once. */
  CompletableFuture<Outcome<T>> run(Message message, Key key, Write.Action<T> action) {
    return run(message, key, action, null);
  }

  private CompletableFuture<Outcome<T>> run(
      Message message, Key given, Write.Action<T> action, Effect.@Nullable Own<T> own) {
    return Transport.start(
        () -> {
          Key key = recall.isOn() ? writes.canonical(given) : given;
          Runner<T> runner = runner(new Write<>(message, key, action, null), own);
          return runner.go().thenApply(over -> outcome(runner, rules(action, own)));
        });
  }

  private Runner<T> runner(Write<T> write, Effect.@Nullable Own<T> own) {
    return runner(List.of(write), own, unchecked -> {}, Runner.PATIENCE);
  }

  /**
   * What takes the steps of writes of one entity.
   *
   * @param own the only write in DynamoDB's words; null if all are portable
   * @param check throws what is wrong with a write, whatever is stored
   */
  @SuppressWarnings("unchecked")
  Runner<T> runner(
      List<Write<T>> all,
      Effect.@Nullable Own<T> own,
      Consumer<Write<T>> check,
      Patience patience) {
    Key key = all.get(0).key();
    Object old = recall.stored(key);
    Run<T> run = new Run<>(all, own, tracking, names, clock, check, recall, patience);
    if (old != null) {
      run.recalling(writes.mapping().stored(key, (Map<String, AttributeValue>) old));
    }
    return new Runner<>(writes, key, run);
  }

  private static Change rules(Write.Action<?> action, Effect.@Nullable Own<?> own) {
    return own != null
        ? own.rules()
        : action instanceof Write.Action.Update<?> update ? update.change() : Change.change();
  }

  private Outcome<T> outcome(Runner<T> runner, Change rules) {
    runner.run().remember(runner.item());
    Result<T> result = runner.run().results().get(0);
    if (result instanceof Result.Failed<T> failed) {
      Throwable fault = Errors.ofChange(failed.fault(), rules);
      throw (RuntimeException) Faults.withKey(fault, runner.key());
    }
    return ((Result.Judged<T>) result).outcome();
  }

  /** Goes on after a write of somebody else's, with the given token, that was refused. */
  CompletableFuture<Outcome<T>> resume(
      Message message,
      ByteBuffer token,
      Key key,
      Effect.Own<T> own,
      @Nullable Item<T> stored,
      boolean uncertain) {
    Write<T> write = Write.update(message, key, own.rules());
    Runner<T> runner = runner(write, own);
    runner.run().resuming(token);
    return runner.resume(stored, uncertain).thenApply(over -> outcome(runner, own.rules()));
  }
}
