package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.Freshness;
import dev.tidemark.Key;
import dev.tidemark.MarkCache;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.StoreObserver;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The entities of one table under one tracking: what both entity stores do, as futures. */
final class Entities<T> {
  private final String table;
  private final TableSchema<T> schema;
  private final Tracking tracking;
  private final Clock clock;
  private final Concurrency concurrency;
  private final Recall recall;
  private final @Nullable StoreObserver observer;
  private final Writes<T> writes;
  private final NativeEdits<T> natives;
  private final Calls<T> calls;
  private final Reads<T> reads;
  private final Batches<T> batches;

  Entities(
      Transport transport,
      String table,
      TableSchema<T> schema,
      Mapping<T> mapping,
      Tracking tracking,
      Clock clock,
      Concurrency concurrency,
      @Nullable MarkCache cache,
      @Nullable StoreListener listener) {
    this.table = table;
    this.schema = schema;
    this.tracking = tracking;
    this.clock = clock;
    this.concurrency = concurrency;
    this.observer = listener == null ? null : new StoreObserver(listener, table);
    Pressure pressure = new Pressure(concurrency.most());
    this.writes = new Writes<>(transport, table, mapping, Names.flat(tracking), pressure);
    this.natives = new NativeEdits<>(table, mapping);
    this.recall = new Recall(cache, tracking, table);
    this.calls = new Calls<>(writes, tracking, clock, recall);
    this.reads = new Reads<>(writes, tracking, clock);
    this.batches = new Batches<>(writes, tracking, concurrency, calls);
  }

  /** The same entities for one call, all of whose requests go by a transport of its own. */
  private Entities(Entities<T> all, Transport transport) {
    this.table = all.table;
    this.schema = all.schema;
    this.tracking = all.tracking;
    this.clock = all.clock;
    this.concurrency = all.concurrency;
    this.recall = all.recall;
    this.observer = null;
    this.writes = all.writes.by(transport);
    this.natives = all.natives;
    this.calls = new Calls<>(writes, tracking, clock, recall);
    this.reads = new Reads<>(writes, tracking, clock);
    this.batches = new Batches<>(writes, tracking, concurrency, calls);
  }

  /** Makes a call; if there is a listener it is told of it. */
  <R> CompletableFuture<R> call(
      StoreCall.Method method, Function<Entities<T>, CompletableFuture<R>> call) {
    return Transport.then(
        Transport.start(() -> told(method, call)),
        CompletableFuture::completedFuture,
        error -> CompletableFuture.failedFuture(Errors.ofTable(error, table)));
  }

  private <R> CompletableFuture<R> told(
      StoreCall.Method method, Function<Entities<T>, CompletableFuture<R>> call) {
    return observer == null
        ? call.apply(this)
        : Observed.tell(
            observer,
            method,
            observation -> call.apply(new Entities<>(this, new Observed(writes, observation))));
  }

  Tracking tracking() {
    return tracking;
  }

  CompletableFuture<Outcome<T>> update(Message message, Key key, Change change) {
    return Transport.start(
        () -> update(message, key, Edit.of(change, writes.mapping().properties())));
  }

  CompletableFuture<Outcome<T>> update(Message message, Key key, DynamoDbNativeUpdate update) {
    return Transport.start(
        () -> update(message, key, natives.edit(update, writes.mapping().keys().of(key))));
  }

  CompletableFuture<Outcome<T>> update(Message message, UpdateItemRequest request) {
    return Transport.start(
        () -> {
          Key key = writes.mapping().keys().keyOf(request.key());
          return update(message, key, DynamoDbNativeUpdate.of(request));
        });
  }

  CompletableFuture<Outcome<T>> update(
      Message message, UpdateItemEnhancedRequest<T> request, Change rules) {
    return Transport.start(
        () -> update(message, keyOf(request.item()), natives.edit(request, rules)));
  }

  private CompletableFuture<Outcome<T>> update(Message message, Key key, Edit edit) {
    return calls.update(message, key, edit);
  }

  /** The request that {@code table.updateItem(entity)} makes. */
  UpdateItemEnhancedRequest<T> request(T entity) {
    return UpdateItemEnhancedRequest.builder(schema.itemType().rawClass()).item(entity).build();
  }

  private Key keyOf(T entity) {
    return writes.mapping().keys().keyOf(schema.itemToMap(entity, true));
  }

  /** What it means that a write of the Enhanced Client with the extension was refused. */
  <R> CompletableFuture<R> refused(Function<RefusedWrites<T>, CompletableFuture<R>> meaning) {
    return Transport.start(
        () -> meaning.apply(new RefusedWrites<>(table, schema, tracking, writes, natives, calls)));
  }

  CompletableFuture<Outcome<T>> decide(
      Message message, Key key, @Nullable Supplier<T> initial, Function<T, Decision<T>> function) {
    return calls.run(message, key, new Write.Action.Apply<>(initial, function));
  }

  CompletableFuture<Outcome<T>> delete(Message message, Key key, boolean mustExist) {
    return calls.run(message, key, new Write.Action.Delete<>(mustExist));
  }

  CompletableFuture<Outcome<T>> forget(Message message, Key key) {
    return calls.run(message, key, new Write.Action.Forget<>());
  }

  CompletableFuture<List<Result<T>>> writeAll(List<Write<T>> all) {
    return batches.writeAll(all);
  }

  CompletableFuture<Optional<T>> find(Key key) {
    return reads.find(key);
  }

  CompletableFuture<Freshness<T>> find(Key key, NotBefore notBefore) {
    return reads.find(key, notBefore);
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
    return table + ", " + schema.itemType().rawClass().getSimpleName() + ", " + tracking;
  }
}
