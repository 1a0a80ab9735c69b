package dev.tidemark.dynamodb;

import dev.tidemark.AsyncEntityStore;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.metrics.StoreCall.Method;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * {@link DynamoDbEntityStore} on an asynchronous client: the same requests, stored items, outcomes
 * and faults, as futures. Functions run on the SDK's completion threads, and after a pause on the
 * common pool, so they must not block. A batch works on up to {@link Builder#maxConcurrency}
 * entities at the same time. May be shared by threads.
 *
 * @param <T> the entity's class
 */
public final class DynamoDbAsyncEntityStore<T> implements AsyncEntityStore<T> {
  private static final int DEFAULT_CONCURRENCY = 64;

  private final Calls<T> calls;

  DynamoDbAsyncEntityStore(Calls<T> calls) {
    this.calls = calls;
  }

  /**
   * The entities of a table, tracked as their class says by {@link dev.tidemark.Tracked}.
   *
   * @param client the client; not closed by the store
   * @param table the table's name
   * @param schema maps the entities
   * @param <T> the entity's class
   * @return the store
   * @throws IllegalArgumentException if the schema maps what tracking owns, or generates UUIDs
   */
  public static <T> DynamoDbAsyncEntityStore<T> of(
      DynamoDbAsyncClient client, String table, TableSchema<T> schema) {
    return builder(client, table, schema).build();
  }

  /**
   * The entities of an Enhanced Client's table, whose schema and name are used.
   *
   * @param client the client under the Enhanced one
   * @param table the table
   * @param <T> the entity's class
   * @return the store
   */
  public static <T> DynamoDbAsyncEntityStore<T> of(
      DynamoDbAsyncClient client, DynamoDbAsyncTable<T> table) {
    return of(client, table.tableName(), table.tableSchema());
  }

  /**
   * Starts a builder, for a {@link Tracking} or a {@link Clock} of your own.
   *
   * @param client the client; not closed by the store
   * @param table the table's name
   * @param schema maps the entities
   * @param <T> the entity's class
   * @return a builder, for one thread
   */
  public static <T> Builder<T> builder(
      DynamoDbAsyncClient client, String table, TableSchema<T> schema) {
    return new Builder<>(new Transport.Asynchronous(client), table, schema);
  }

  /**
   * Starts a builder for an Enhanced Client's table.
   *
   * @param client the client under the Enhanced one
   * @param table the table
   * @param <T> the entity's class
   * @return a builder, for one thread
   */
  public static <T> Builder<T> builder(DynamoDbAsyncClient client, DynamoDbAsyncTable<T> table) {
    return builder(client, table.tableName(), table.tableSchema());
  }

  @Override
  public Tracking tracking() {
    return calls.tracking();
  }

  @Override
  public CompletableFuture<Outcome<T>> write(Write<T> write) {
    return calls.make(write);
  }

  /**
   * See {@link DynamoDbEntityStore#update(Message, UpdateItemRequest)}.
   *
   * @param message the identity of the delivery
   * @param request table, key and expressions
   * @return what it did
   */
  public CompletableFuture<Outcome<T>> update(Message message, UpdateItemRequest request) {
    return calls.make(
        Method.UPDATE,
        all -> {
          EntityKey key = all.mapping().keys().keyOf(request.key());
          return all.write(Write.update(message, key, DynamoDbNativeUpdate.of(request)));
        });
  }

  /**
   * See {@link DynamoDbEntityStore#update(Message, UpdateItemEnhancedRequest)}.
   *
   * @param message the identity of the delivery
   * @param request the request
   * @return what it did
   */
  public CompletableFuture<Outcome<T>> update(
      Message message, UpdateItemEnhancedRequest<T> request) {
    return update(message, request, Rules.defaults().returning());
  }

  /**
   * See {@link DynamoDbEntityStore#updateOrCreate(Message, UpdateItemEnhancedRequest)}.
   *
   * @param message the identity of the delivery
   * @param request the request
   * @return what it did
   */
  public CompletableFuture<Outcome<T>> updateOrCreate(
      Message message, UpdateItemEnhancedRequest<T> request) {
    return update(message, request, Rules.defaults().returning().createIfMissing());
  }

  private CompletableFuture<Outcome<T>> update(
      Message message, UpdateItemEnhancedRequest<T> request, Rules rules) {
    return calls.make(
        Method.UPDATE,
        all -> {
          EntityKey key = all.mapping().keyOf(request.item());
          return all.write(Write.update(message, key, all.natives().edit(request, rules)));
        });
  }

  /**
   * See {@link DynamoDbEntityStore#outcomeOf(ConditionalCheckFailedException,
   * UpdateItemEnhancedRequest)}.
   *
   * @param refused what the Enhanced Client threw
   * @param request the request that was refused, with its entity's {@link Processing}
   * @return what the delivery did
   */
  public CompletableFuture<Outcome<T>> outcomeOf(
      ConditionalCheckFailedException refused, UpdateItemEnhancedRequest<T> request) {
    return calls.make(Method.OUTCOME_OF, all -> new RefusedWrites<>(all).update(refused, request));
  }

  /**
   * The same for {@code table.putItem(request)}, of which nothing is written again.
   *
   * @param refused what the Enhanced Client threw
   * @param request the request
   * @return what the delivery did
   */
  public CompletableFuture<Outcome<T>> outcomeOf(
      ConditionalCheckFailedException refused, PutItemEnhancedRequest<T> request) {
    return calls.make(Method.OUTCOME_OF, all -> new RefusedWrites<>(all).put(refused, request));
  }

  /**
   * See {@link DynamoDbEntityStore#outcomeOf(TransactionCanceledException, int, Object)}.
   *
   * @param cancelled what the Enhanced Client threw
   * @param item which of the transaction's items it was, from 0
   * @param entity the entity of that item
   * @return what the delivery did; empty if another item stopped the transaction
   */
  public CompletableFuture<Optional<Outcome<T>>> outcomeOf(
      TransactionCanceledException cancelled, int item, T entity) {
    return calls.make(
        Method.OUTCOME_OF, all -> new RefusedWrites<>(all).transacted(cancelled, item, entity));
  }

  @Override
  public CompletableFuture<List<Result<T>>> writeAll(List<Write<T>> writes) {
    return calls.make(Method.WRITE_ALL, all -> new Batches<>(all).writeAll(writes));
  }

  @Override
  public CompletableFuture<Optional<T>> find(EntityKey key) {
    return calls.make(Method.FIND, all -> new Reads<>(all).find(key));
  }

  @Override
  public CompletableFuture<Freshness<T>> find(EntityKey key, NotBefore notBefore) {
    return calls.make(Method.FIND, all -> new Reads<>(all).find(key, notBefore));
  }

  /**
   * See {@link DynamoDbEntityStore#live()}.
   *
   * @return an expression of the Enhanced Client, with its names
   */
  public Expression live() {
    return Expression.builder()
        .expression(
            "NOT (attribute_exists(#tidemarkTombstone) AND #tidemarkTombstone <> :tidemarkNull)")
        .expressionNames(Map.of("#tidemarkTombstone", tracking().names().tombstone()))
        .expressionValues(Map.of(":tidemarkNull", AttributeValue.fromNul(true)))
        .build();
  }

  /** Names the table, the class and the tracking. */
  @Override
  public String toString() {
    return "DynamoDbAsyncEntityStore" + calls.describe();
  }

  /**
   * Makes a store. For one thread.
   *
   * @param <T> the entity's class
   */
  public static final class Builder<T> extends StoreBuilder<T, Builder<T>> {
    private Builder(Transport transport, String table, TableSchema<T> schema) {
      super(transport, table, schema, new Pressure(DEFAULT_CONCURRENCY, null));
    }

    /**
     * Says on how many entities of a batch the store works at the same time; fewer when DynamoDB
     * throttles, more again when it does not.
     *
     * @param entities how many at most, 1 to 10,000; 64 by default
     * @return this builder
     * @throws IllegalArgumentException if the number is out of that range
     */
    public Builder<T> maxConcurrency(int entities) {
      return pressure(new Pressure(entities, null));
    }

    /**
     * Makes the store; nothing is sent.
     *
     * @return the store
     * @throws IllegalArgumentException if the schema maps what tracking owns, or generates UUIDs
     */
    public DynamoDbAsyncEntityStore<T> build() {
      return new DynamoDbAsyncEntityStore<>(calls());
    }
  }
}
