package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
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

  /** Makes one write; if there is a listener it is told of it. */
  CompletableFuture<Outcome<T>> make(Write<T> write) {
    return Transport.start(() -> make(StoreObserver.method(write), all -> all.write(write)));
  }

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

  /** The same for parts of a transaction. */
  Calls<T> inTransaction() {
    Writes<T> parts = writes.inTransaction();
    return new Calls<>(transport, parts, natives, tracking, clock, recall, pressure, observer);
  }

  Mapping<T> mapping() {
    return writes.mapping();
  }

  CompletableFuture<Outcome<T>> write(Write<T> given) {
    return outcome(given, runner(given));
  }

  /** What takes the steps of one write. */
  Runner<T> runner(Write<T> given) {
    Write<T> formed =
        given.action() instanceof Write.Action.Update<T> update
            ? formed(given, edit(given.key(), update.update()))
            : given;
    return single(canonical(formed));
  }

  /** The same write with the key as the item spells it, so that one entity has one key. */
  Write<T> canonical(Write<T> write) {
    EntityKey key = mapping().keys().canonical(write.key());
    return new Write<>(write.message(), key, write.action(), write.laneOrNull());
  }

  /** The same write with its update in the form in which it is sent. */
  static <T> Write<T> formed(Write<T> write, Edit edit) {
    Write.Action<T> action = new Write.Action.Update<>(edit);
    return new Write<>(write.message(), write.key(), action, write.laneOrNull());
  }

  /**
   * An update in the form in which it is written.
   *
   * @throws IllegalArgumentException if it is not for DynamoDB, or not for this table and key
   */
  Edit edit(EntityKey key, EntityUpdate update) {
    if (update instanceof Edit ready) {
      return ready;
    }
    return update instanceof Change change
        ? Edit.of(change, mapping().properties())
        : natives.edit(update.in(DynamoDbNativeUpdate.class), key);
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
    if (writes.transacted()) {
      run.joining();
    }
    return new Runner<>(writes, key, run);
  }

  private Runner<T> single(Write<T> write) {
    return runner(List.of(write), UnaryOperator.identity(), Runner.PATIENCE);
  }

  private CompletableFuture<Outcome<T>> outcome(Write<T> given, Runner<T> runner) {
    return transport
        .carry(runner)
        .thenApply(
            over -> {
              Result<T> result = runner.ended().results().get(0);
              if (result instanceof Result.Failed<T> failed) {
                throw Faults.of(failed.fault(), runner.key(), given.action());
              }
              return ((Result.Judged<T>) result).outcome();
            });
  }

  /**
   * Goes on after a write of somebody else's, with the given token, that was refused.
   *
   * @param item what refused it; empty if it has to be read
   */
  CompletableFuture<Outcome<T>> resume(
      Write<T> refused, ByteBuffer token, Map<String, AttributeValue> item, boolean uncertain) {
    Runner<T> runner = single(refused);
    runner.resume(token, item, uncertain);
    return outcome(refused, runner);
  }

  /** Names the table, the class and the tracking. */
  String describe() {
    return "[%s, %s, %s]".formatted(writes.table(), mapping().type().getSimpleName(), tracking);
  }
}
