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
import dev.tidemark.StoreCall;
import dev.tidemark.StoreListener;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.StoreObserver;
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
final class DynamoDbEntities<T> {
  private final String table;
  private final TableSchema<T> schema;
  private final Tracking tracking;
  private final Clock clock;
  private final DynamoDbConcurrency concurrency;
  private final Recall recall;
  private final @Nullable StoreObserver observer;
  private final DynamoDbWrites<T> writes;
  private final DynamoDbNativeEdits<T> natives;
  private final DynamoDbCalls<T> calls;
  private final DynamoDbReads<T> reads;
  private final DynamoDbBatches<T> batches;

  DynamoDbEntities(
      DynamoDbTransport transport,
      String table,
      TableSchema<T> schema,
      DynamoDbMapping<T> mapping,
      Tracking tracking,
      Clock clock,
      DynamoDbConcurrency concurrency,
      @Nullable MarkCache cache,
      @Nullable StoreListener listener) {
    this.table = table;
    this.schema = schema;
    this.tracking = tracking;
    this.clock = clock;
    this.concurrency = concurrency;
    this.observer = listener == null ? null : new StoreObserver(listener, table);
    DynamoDbPressure pressure = new DynamoDbPressure(concurrency.most());
    this.writes = new DynamoDbWrites<>(transport, table, mapping, Names.flat(tracking), pressure);
    this.natives = new DynamoDbNativeEdits<>(table, mapping);
    this.recall = new Recall(cache, tracking, table);
    this.calls = new DynamoDbCalls<>(writes, tracking, clock, recall);
    this.reads = new DynamoDbReads<>(writes, tracking, clock);
    this.batches = new DynamoDbBatches<>(writes, tracking, concurrency, calls);
  }

  /** The same entities for one call, all of whose requests go by a transport of its own. */
  private DynamoDbEntities(DynamoDbEntities<T> all, DynamoDbTransport transport) {
    this.table = all.table;
    this.schema = all.schema;
    this.tracking = all.tracking;
    this.clock = all.clock;
    this.concurrency = all.concurrency;
    this.recall = all.recall;
    this.observer = null;
    this.writes = all.writes.by(transport);
    this.natives = all.natives;
    this.calls = new DynamoDbCalls<>(writes, tracking, clock, recall);
    this.reads = new DynamoDbReads<>(writes, tracking, clock);
    this.batches = new DynamoDbBatches<>(writes, tracking, concurrency, calls);
  }

  /** Makes a call; if there is a listener it is told of it. */
  <R> CompletableFuture<R> call(
      StoreCall.Method method, Function<DynamoDbEntities<T>, CompletableFuture<R>> call) {
    return DynamoDbTransport.then(
        DynamoDbTransport.start(() -> told(method, call)),
        CompletableFuture::completedFuture,
        error -> CompletableFuture.failedFuture(DynamoDbErrors.ofTable(error, table)));
  }

  private <R> CompletableFuture<R> told(
      StoreCall.Method method, Function<DynamoDbEntities<T>, CompletableFuture<R>> call) {
    return observer == null
        ? call.apply(this)
        : DynamoDbObserved.tell(
            observer,
            method,
            observation ->
                call.apply(
                    new DynamoDbEntities<>(this, new DynamoDbObserved(writes, observation))));
  }

  Tracking tracking() {
    return tracking;
  }

  CompletableFuture<Outcome<T>> update(Message message, Key key, Change change) {
    return DynamoDbTransport.start(
        () -> update(message, key, DynamoDbEdit.of(change, writes.mapping().properties())));
  }

  CompletableFuture<Outcome<T>> update(Message message, Key key, DynamoDbNativeUpdate update) {
    return DynamoDbTransport.start(
        () -> update(message, key, natives.edit(update, writes.mapping().keys().of(key))));
  }

  CompletableFuture<Outcome<T>> update(Message message, UpdateItemRequest request) {
    return DynamoDbTransport.start(
        () -> {
          Key key = writes.mapping().keys().keyOf(request.key());
          return update(message, key, DynamoDbNativeUpdate.of(request));
        });
  }

  CompletableFuture<Outcome<T>> update(
      Message message, UpdateItemEnhancedRequest<T> request, Change rules) {
    return DynamoDbTransport.start(
        () -> update(message, keyOf(request.item()), natives.edit(request, rules)));
  }

  private CompletableFuture<Outcome<T>> update(Message message, Key key, DynamoDbEdit edit) {
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
  <R> CompletableFuture<R> refused(
      Function<DynamoDbRefusedWrites<T>, CompletableFuture<R>> meaning) {
    return DynamoDbTransport.start(
        () ->
            meaning.apply(
                new DynamoDbRefusedWrites<>(table, schema, tracking, writes, natives, calls)));
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
