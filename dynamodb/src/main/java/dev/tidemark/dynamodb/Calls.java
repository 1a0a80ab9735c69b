package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.StoreObserver;
import dev.tidemark.metrics.StoreCall.Method;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The calls of one store, on either client: what both entity stores do, as futures. A single call
 * is a run of one write.
 *
 * @param transport what the requests go by
 * @param writes the table and its mapping
 * @param natives reads updates in DynamoDB's words
 * @param tracking the policies
 * @param clock the writer's clock
 * @param recall answers sure duplicates
 * @param pressure on how many entities of its batches the store works at the same time
 * @param observer is told of every call; null if nobody listens
 */
record Calls<T>(
    Transport transport,
    Writes<T> writes,
    NativeEdits<T> natives,
    Tracking tracking,
    Clock clock,
    Recall recall,
    Pressure pressure,
    @Nullable StoreObserver observer) {

  /** Makes a call; if there is a listener it is told of it. */
  <R> CompletableFuture<R> make(Method method, Function<Calls<T>, CompletableFuture<R>> call) {
    boolean batch = method == Method.WRITE_ALL && pressure.isOn();
    return Transport.then(
        observer != null
            ? Observed.tell(observer, method, observation -> call.apply(by(observation)))
            : Transport.start(() -> call.apply(batch ? by(null) : this)),
        CompletableFuture::completedFuture,
        error -> CompletableFuture.failedFuture(Faults.ofTable(error, writes.table())));
  }

  /** The same with requests that are observed. */
  private Calls<T> by(@Nullable Observation observation) {
    Transport observed =
        new Observed(transport, observation, pressure, mapping().keys(), mapping().names());
    return new Calls<>(observed, writes, natives, tracking, clock, recall, pressure, null);
  }

  Mapping<T> mapping() {
    return writes.mapping();
  }

  Reads<T> reads() {
    return new Reads<>(transport, writes, tracking, clock);
  }

  Batches<T> batches() {
    return new Batches<>(this);
  }

  RefusedWrites<T> refused() {
    return new RefusedWrites<>(this);
  }

  CompletableFuture<Outcome<T>> update(Message message, Key key, Change change) {
    return update(message, key, Edit.of(change, mapping().properties()));
  }

  CompletableFuture<Outcome<T>> update(Message message, Key key, DynamoDbNativeUpdate update) {
    return update(message, key, natives.edit(update, mapping().keys().of(key)));
  }

  CompletableFuture<Outcome<T>> update(
      Message message, UpdateItemEnhancedRequest<T> request, Change rules) {
    return update(message, mapping().keyOf(request.item()), natives.edit(request, rules));
  }

  private CompletableFuture<Outcome<T>> update(Message message, Key key, Edit edit) {
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
    Key key = recall.isOn() ? mapping().keys().canonical(given) : given;
    Runner<T> runner = runner(new Write<>(message, key, action, null), own);
    return runner.go().thenApply(over -> outcome(runner, own));
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
    Run<T> run = new Run<>(all, own, tracking, mapping().names(), clock, check, recall, patience);
    if (old != null) {
      run.recalling(mapping().item(key, (Map<String, AttributeValue>) old));
    }
    return new Runner<>(transport, writes, key, run);
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
    Item<T> refusal = item.isEmpty() ? null : mapping().item(key, item);
    return runner.resume(token, refusal, uncertain).thenApply(over -> outcome(runner, own));
  }

  /** Names the table, the class and the tracking. */
  String describe() {
    return "[%s, %s, %s]".formatted(writes.table(), mapping().type().getSimpleName(), tracking);
  }
}
