package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Key;
import dev.tidemark.MarkCache;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.metrics.StoreCall.Method;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.StoreObserver;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The entities of one table under one tracking: what both entity stores do, as futures. */
final class Entities<T> {
  /** What calls are made by, all of whose requests go by one transport. */
  record Parts<T>(
      Mapping<T> mapping,
      NativeEdits<T> natives,
      Calls<T> calls,
      Reads<T> reads,
      Batches<T> batches,
      RefusedWrites<T> refused) {

    CompletableFuture<Outcome<T>> update(Message message, Key key, Change change) {
      return calls.update(message, key, Edit.of(change, mapping.properties()));
    }

    CompletableFuture<Outcome<T>> update(Message message, Key key, DynamoDbNativeUpdate update) {
      return calls.update(message, key, natives.edit(update, mapping.keys().of(key)));
    }

    CompletableFuture<Outcome<T>> update(
        Message message, UpdateItemEnhancedRequest<T> request, Change rules) {
      return calls.update(message, mapping.keyOf(request.item()), natives.edit(request, rules));
    }

    CompletableFuture<Outcome<T>> run(Message message, Key key, Write.Action<T> action) {
      return calls.run(message, key, action);
    }
  }

  private final Transport transport;
  private final Writes<T> writes;
  private final Tracking tracking;
  private final Clock clock;
  private final Pressure pressure;
  private final Recall recall;
  private final NativeEdits<T> natives;
  private final @Nullable StoreObserver observer;
  private final Parts<T> unobserved;
  private final Parts<T> ofBatches;

  Entities(
      Transport transport,
      Writes<T> writes,
      Tracking tracking,
      Clock clock,
      Pressure pressure,
      @Nullable MarkCache cache,
      @Nullable StoreListener listener) {
    this.transport = transport;
    this.writes = writes;
    this.tracking = tracking;
    this.clock = clock;
    this.pressure = pressure;
    this.recall = new Recall(cache, tracking, writes.table());
    this.natives = new NativeEdits<>(writes.table(), writes.mapping());
    this.observer = listener == null ? null : new StoreObserver(listener, writes.table());
    this.unobserved = parts(transport);
    this.ofBatches = pressure.isOn() ? parts(observed(null)) : unobserved;
  }

  private Transport observed(@Nullable Observation observation) {
    Mapping<T> mapping = writes.mapping();
    return new Observed(transport, observation, pressure, mapping.keys(), mapping.names());
  }

  private Parts<T> parts(Transport by) {
    Mapping<T> mapping = writes.mapping();
    Calls<T> calls = new Calls<>(by, writes, tracking, clock, recall);
    return new Parts<>(
        mapping,
        natives,
        calls,
        new Reads<>(by, writes, tracking, clock),
        new Batches<>(by, writes, calls, pressure),
        new RefusedWrites<>(writes.table(), mapping, tracking, natives, calls));
  }

  /** Makes a call; if there is a listener it is told of it. */
  <R> CompletableFuture<R> call(Method method, Function<Parts<T>, CompletableFuture<R>> call) {
    return Transport.then(
        Transport.start(() -> told(method, call)),
        CompletableFuture::completedFuture,
        error -> CompletableFuture.failedFuture(Faults.ofTable(error, writes.table())));
  }

  private <R> CompletableFuture<R> told(
      Method method, Function<Parts<T>, CompletableFuture<R>> call) {
    return observer == null
        ? call.apply(method == Method.WRITE_ALL ? ofBatches : unobserved)
        : Observed.tell(observer, method, observation -> call.apply(parts(observed(observation))));
  }

  Tracking tracking() {
    return tracking;
  }

  Expression live() {
    return Expression.builder()
        .expression(
            "(attribute_not_exists(#tidemarkTombstone) OR #tidemarkTombstone = :tidemarkNull)")
        .expressionNames(Map.of("#tidemarkTombstone", tracking.attributeNames().tombstone()))
        .expressionValues(Map.of(":tidemarkNull", AttributeValue.fromNul(true)))
        .build();
  }

  /** Names the table, the class and the tracking. */
  String describe() {
    return "[%s, %s, %s]"
        .formatted(writes.table(), writes.mapping().type().getSimpleName(), tracking);
  }
}
