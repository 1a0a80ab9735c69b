package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Effect;
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
record Calls<T>(
    Transport transport, Writes<T> writes, Tracking tracking, Clock clock, Recall recall) {

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
    Key key = recall.isOn() ? writes.mapping().keys().canonical(given) : given;
    Runner<T> runner = runner(new Write<>(message, key, action, null), own);
    return runner.go().thenApply(over -> outcome(runner, own));
  }

  private Runner<T> runner(Write<T> write, Effect.@Nullable Own<T> own) {
    Run<T> run = run(List.of(write), own, unchecked -> {}, Runner.PATIENCE);
    return new Runner<>(transport, writes, write.key(), run);
  }

  /**
   * A run of writes of one entity.
   *
   * @param own the only write in DynamoDB's words; null if all are portable
   * @param check throws what is wrong with a write, whatever is stored
   */
  @SuppressWarnings("unchecked")
  Run<T> run(
      List<Write<T>> all,
      Effect.@Nullable Own<T> own,
      Consumer<Write<T>> check,
      Patience patience) {
    Mapping<T> mapping = writes.mapping();
    Key key = all.get(0).key();
    Object old = recall.stored(key);
    Run<T> run = new Run<>(all, own, tracking, mapping.names(), clock, check, recall, patience);
    if (old != null) {
      run.recalling(mapping.item(key, (Map<String, AttributeValue>) old));
    }
    return run;
  }

  private Outcome<T> outcome(Runner<T> runner, Effect.@Nullable Own<T> own) {
    Result<T> result = runner.ended().results().get(0);
    if (result instanceof Result.Failed<T> failed) {
      Change rules = own == null ? Change.change() : own.rules();
      throw (RuntimeException) Faults.of(Faults.ofChange(failed.fault(), rules), runner.key());
    }
    return ((Result.Judged<T>) result).outcome();
  }

  /**
   * Goes on after a write of somebody else's, with the given token, that was refused.
   *
   * @param item what refused it; empty if it has to be read
   */
  CompletableFuture<Outcome<T>> resume(
      Message message,
      ByteBuffer token,
      Key key,
      Effect.Own<T> own,
      Map<String, AttributeValue> item,
      boolean uncertain) {
    Runner<T> runner = runner(Write.update(message, key, own.rules()), own);
    Item<T> refusal = item.isEmpty() ? null : writes.mapping().item(key, item);
    return runner.resume(token, refusal, uncertain).thenApply(over -> outcome(runner, own));
  }
}
