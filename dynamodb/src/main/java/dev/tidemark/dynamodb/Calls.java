package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.OwnUpdate;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;
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
    CompletableFuture<R> made =
        observer != null
            ? Observed.tell(observer, method, observation -> call.apply(by(observation)))
            : Transport.start(() -> call.apply(batch ? by(null) : this));
    return made.exceptionallyCompose(
        error ->
            CompletableFuture.failedFuture(Faults.ofTable(Errors.unwrap(error), writes.table())));
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

  CompletableFuture<Outcome<T>> write(Write<T> write) {
    return write.action() instanceof Write.Action.Update<T> update
        ? update(write.message(), write.key(), update.update())
        : run(write.message(), write.key(), write.action());
  }

  CompletableFuture<Outcome<T>> update(Message message, EntityKey key, EntityUpdate update) {
    CompletableFuture<Outcome<T>> made =
        run(message, key, new Write.Action.Update<>(edit(key, update)));
    return update instanceof Change change
        ? made.exceptionallyCompose(
            error -> CompletableFuture.failedFuture(Faults.ofChange(Errors.unwrap(error), change)))
        : made;
  }

  CompletableFuture<Outcome<T>> update(
      Message message, UpdateItemEnhancedRequest<T> request, Rules rules) {
    return run(
        message,
        mapping().keyOf(request.item()),
        new Write.Action.Update<>(natives.edit(request, rules)));
  }

  /**
   * An update in the form in which it is written.
   *
   * @throws IllegalArgumentException if it is not for DynamoDB, or not for this table and key
   */
  Edit edit(EntityKey key, EntityUpdate update) {
    return update instanceof Change change
        ? Edit.of(change, mapping().properties())
        : natives.edit(update.in(DynamoDbNativeUpdate.class), key);
  }

  /** Does something for a message, once. */
  CompletableFuture<Outcome<T>> run(Message message, EntityKey given, Write.Action<T> action) {
    EntityKey key = recall.isOn() ? mapping().keys().canonical(given) : given;
    Runner<T> runner = runner(new Write<>(message, key, action, null));
    return transport.carry(runner).thenApply(over -> outcome(runner));
  }

  private Runner<T> runner(Write<T> write) {
    return runner(List.of(write), UnaryOperator.identity(), Runner.PATIENCE);
  }

  /**
   * What takes the steps of writes of one entity.
   *
   * @param form checks a write and gives it the form in which it is written
   */
  @SuppressWarnings("unchecked")
  Runner<T> runner(List<Write<T>> all, UnaryOperator<Write<T>> form, Patience patience) {
    EntityKey key = all.get(0).key();
    Object old = recall.stored(key);
    Run<T> run = new Run<>(all, tracking, mapping().names(), clock, form, recall, patience);
    if (old != null) {
      run.recalling(mapping().item(key, (Map<String, AttributeValue>) old));
    }
    return new Runner<>(writes, key, run);
  }

  private Outcome<T> outcome(Runner<T> runner) {
    Result<T> result = runner.ended().results().get(0);
    if (result instanceof Result.Failed<T> failed) {
      throw (RuntimeException) Faults.of(failed.fault(), runner.key());
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
      EntityKey key,
      OwnUpdate update,
      Map<String, AttributeValue> item,
      boolean uncertain) {
    Runner<T> runner = runner(Write.update(message, key, update));
    runner.resume(token, item, uncertain);
    return transport.carry(runner).thenApply(over -> outcome(runner));
  }

  /** Names the table, the class and the tracking. */
  String describe() {
    return "[%s, %s, %s]".formatted(writes.table(), mapping().type().getSimpleName(), tracking);
  }
}
