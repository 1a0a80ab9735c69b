package dev.tidemark.dynamodb;

import static dev.tidemark.dynamodb.Transport.join;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Entities in a DynamoDB table, each of whose messages takes effect once: the duplicate check, the
 * mark and the change are one conditional {@code UpdateItem}.
 *
 * <pre>{@code
 * DynamoDbEntityStore<OrderView> orders =
 *     DynamoDbEntityStore.of(client, "orders", TableSchema.fromBean(OrderView.class));
 * Outcome<OrderView> outcome =
 *     orders.update(
 *         SourceEvent.of("Order", orderId, 17), key(orderId),
 *         change().set("status", "PAID").onlyIf(attribute("status").is("PLACED")));
 * }</pre>
 *
 * <p>Entities are mapped by the Enhanced Client's schema: beans, immutables, converters, nested and
 * flattened classes are stored as the Enhanced Client stores them. Versions ({@code
 * DynamoDbVersionAttribute}) and atomic counters are moved on by each tracked write; schemas with
 * generated times or UUIDs are refused.
 *
 * <p>An item as stored, after event 17 of order 4711 and one message ID:
 *
 * <pre>{@code
 * {
 *   "id":                {"S": "4711"},
 *   "status":            {"S": "PAID"},
 *   "events.Order.4711": {"N": "17"},
 *   "messageIDs":        {"SS": ["0b6c…"]},
 *   "messageIDs#since":  {"N": "1767225600000"},
 *   "_rev":              {"B": "…"}
 * }
 * }</pre>
 *
 * <p>The marks ({@code events…}, {@code messageIDs…}) decide what is a duplicate. {@code _rev} is
 * new with every tracked write and tells a call its own write after a lost reply; it is a string
 * where whoever writes has to read first, as on tombstones. {@code _born} comes with writes that
 * may create. {@code deletedUntil} is on tombstones alone, and is the table's TTL attribute: enable
 * TTL on it, and deleted entities are collected some time after their marks are no longer needed.
 * Expiry is tested in the conditions, so nothing depends on when.
 *
 * <p>How a message is applied:
 *
 * <ol>
 *   <li>An {@code UpdateItem} with the change and the mark, on the condition that the marks do not
 *       know the message, that the entity exists (unless the change creates) and is not deleted,
 *       and that the caller's own condition is true.
 *   <li>Accepted: Applied (Recorded, if there was nothing to change). The item comes back only
 *       where something of it is wanted: the entity, whether it was created, the marks of a window,
 *       the sources now and then, and always for a listener or a cache.
 *   <li>Refused: the error brings the item. Its revision is this call's token: Applied, the reply
 *       was lost. Its marks know the message: Duplicate, Stale, Gap or BeyondHorizon. There is no
 *       entity: Missing. It is a tombstone: Deleted. Else the caller's condition was false:
 *       Refused.
 *   <li>If marks have to be rewritten (pruned, say) or a deleted entity is revived: a second {@code
 *       UpdateItem} that knows the item, on the condition of its revision; again after contention.
 *       A fresh event of a dense source that finds a tombstone is recorded in the same way:
 *       Deleted.
 * </ol>
 *
 * <p>Cost of {@code update} and {@code skip}: one write request for every outcome; two for at most
 * one write in twenty of a bounded policy, where {@code otherwiseSkip()} records a refusal, where a
 * deleted entity is revived or an event of a dense source is recorded on a tombstone, for the first
 * write of a row that was there before tracking, and for an entity that comes close to the bound of
 * sources. {@code apply}, {@code delete} and {@code forget} read first. A refused write is billed
 * as a write; each write bills the whole item, marks included.
 *
 * <p>{@code find(key, notBefore(…))} is one eventually consistent read where that shows the
 * message, and a consistent one besides where not. One that waits goes on with consistent reads
 * after pauses that grow from 10 to 500 ms, with jitter: at most 15 in two seconds, 250 in a
 * minute. An interrupt ends it.
 *
 * <p>Faults: {@link dev.tidemark.ContentionException} after about 40 tries against other writers,
 * conflicting transactions or throttling, {@link dev.tidemark.OutcomeUnknownException}, {@link
 * dev.tidemark.TooLargeException}, {@link dev.tidemark.InvalidChangeException}, {@link
 * dev.tidemark.CorruptRecordException}; other exceptions of the SDK are thrown as they are. Values
 * that do not fit the property that the schema maps, or the key, are an {@code
 * IllegalArgumentException} before any request.
 *
 * <p>For tables in one region, or global tables with one writing region per entity. May be shared
 * by threads; works on the calling thread.
 *
 * @param <T> the entity's class
 */
public final class DynamoDbEntityStore<T> implements EntityStore<T> {
  private final Calls<T> calls;
  private final DynamoDbAsyncEntityStore<T> store;

  private DynamoDbEntityStore(Calls<T> calls) {
    this.calls = calls;
    this.store = new DynamoDbAsyncEntityStore<>(calls);
  }

  /** What a transaction makes its writes by. */
  Calls<T> calls() {
    return calls;
  }

  /**
   * The entities of a table, tracked as their class says by {@link dev.tidemark.Tracked}.
   *
   * @param client the client; not closed by the store
   * @param table the table's name
   * @param schema maps the entities
   * @param <T> the entity's class
   * @return the store
   * @throws IllegalArgumentException if the schema maps an attribute that tracking owns, or has
   *     generated attributes
   */
  public static <T> DynamoDbEntityStore<T> of(
      DynamoDbClient client, String table, TableSchema<T> schema) {
    return builder(client, table, schema).build();
  }

  /**
   * The entities of an Enhanced Client's table, whose schema and name are used. Its extensions are
   * not: the store writes by itself.
   *
   * @param client the client under the Enhanced one
   * @param table the table
   * @param <T> the entity's class
   * @return the store
   * @throws IllegalArgumentException as {@link #of(DynamoDbClient, String, TableSchema)}
   */
  public static <T> DynamoDbEntityStore<T> of(DynamoDbClient client, DynamoDbTable<T> table) {
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
  public static <T> Builder<T> builder(DynamoDbClient client, String table, TableSchema<T> schema) {
    return new Builder<>(new Transport.Blocking(client), table, schema);
  }

  /**
   * Starts a builder for an Enhanced Client's table.
   *
   * @param client the client under the Enhanced one
   * @param table the table
   * @param <T> the entity's class
   * @return a builder, for one thread
   */
  public static <T> Builder<T> builder(DynamoDbClient client, DynamoDbTable<T> table) {
    return builder(client, table.tableName(), table.tableSchema());
  }

  @Override
  public Tracking tracking() {
    return calls.tracking();
  }

  @Override
  public Outcome<T> write(Write<T> write) {
    return join(calls.make(write));
  }

  /**
   * Makes the change of a request of the SDK, of an entity that must exist. For one that creates
   * see {@link DynamoDbNativeUpdate#of(UpdateItemRequest)}.
   *
   * @param message the identity of the delivery
   * @param request table, key and expressions
   * @return what it did
   * @throws IllegalArgumentException as for a native update
   */
  public Outcome<T> update(Message message, UpdateItemRequest request) {
    return join(store.update(message, request));
  }

  /**
   * Makes the change of a request of the Enhanced Client, of an entity that must exist: what its
   * item, its treatment of nulls, its condition and a version in the item say.
   *
   * @param message the identity of the delivery
   * @param request the request
   * @return what it did
   */
  public Outcome<T> update(Message message, UpdateItemEnhancedRequest<T> request) {
    return join(store.update(message, request));
  }

  /**
   * As {@link #update(Message, UpdateItemEnhancedRequest)}, creating the entity where it is
   * missing; a deleted one stays deleted.
   *
   * @param message the identity of the delivery
   * @param request the request
   * @return what it did
   */
  public Outcome<T> updateOrCreate(Message message, UpdateItemEnhancedRequest<T> request) {
    return join(store.updateOrCreate(message, request));
  }

  /**
   * What it means that {@code table.updateItem(entity)} with {@link TidemarkExtension} was refused.
   * Free where the request asked for the old item, else one consistent read. Where the message
   * turns out to be fresh and only the marks had to be pruned first, the write is made now.
   *
   * @param refused what the Enhanced Client threw
   * @param entity the entity that was written, with its {@link Processing}
   * @return what the delivery did
   * @throws dev.tidemark.ContentionException if the message is fresh and another write came since
   *     the entity was read, as far as its {@link dev.tidemark.marks.Marks} tell: read it again
   * @throws IllegalArgumentException if the extension has not written the entity with this
   *     Processing to this table, or under another tracking than this store's
   */
  public Outcome<T> outcomeOf(ConditionalCheckFailedException refused, T entity) {
    return join(store.outcomeOf(refused, entity));
  }

  /**
   * The same for {@code table.updateItem(request)}.
   *
   * @param refused what the Enhanced Client threw
   * @param request the request
   * @return what the delivery did
   */
  public Outcome<T> outcomeOf(
      ConditionalCheckFailedException refused, UpdateItemEnhancedRequest<T> request) {
    return join(store.outcomeOf(refused, request));
  }

  /**
   * The same for {@code table.putItem(request)}, of which nothing is written again. A put is
   * contention also where a relay has sent messages of the entity since it was read.
   *
   * @param refused what the Enhanced Client threw
   * @param request the request
   * @return what the delivery did
   */
  public Outcome<T> outcomeOf(
      ConditionalCheckFailedException refused, PutItemEnhancedRequest<T> request) {
    return join(store.outcomeOf(refused, request));
  }

  /**
   * The same for an update or a put in a transaction, of which nothing is written again. A conflict
   * or throttling over the entity is a {@link dev.tidemark.ContentionException} too.
   *
   * @param cancelled what the Enhanced Client threw
   * @param item which of the transaction's items it was, from 0
   * @param entity the entity of that item
   * @return what the delivery did; empty if another item stopped the transaction
   */
  public Optional<Outcome<T>> outcomeOf(
      TransactionCanceledException cancelled, int item, T entity) {
    return join(store.outcomeOf(cancelled, item, entity));
  }

  @Override
  public List<Result<T>> writeAll(List<Write<T>> writes) {
    return join(store.writeAll(writes));
  }

  @Override
  public Optional<T> find(EntityKey key) {
    return join(store.find(key));
  }

  @Override
  public Freshness<T> find(EntityKey key, NotBefore notBefore) {
    return join(store.find(key, notBefore));
  }

  /**
   * The filter that leaves deleted entities out of a user's own queries and scans: {@code
   * QueryEnhancedRequest.builder().filterExpression(store.live())}.
   *
   * @return an expression of the Enhanced Client, with its names
   */
  public Expression live() {
    return store.live();
  }

  /** Names the table, the class and the tracking. */
  @Override
  public String toString() {
    return "DynamoDbEntityStore" + calls.describe();
  }

  /**
   * Makes a store. For one thread.
   *
   * @param <T> the entity's class
   */
  public static final class Builder<T> extends StoreBuilder<T, Builder<T>> {
    private Builder(Transport transport, String table, TableSchema<T> schema) {
      super(transport, table, schema, Pressure.none());
    }

    /**
     * Works on several entities of a batch at the same time; without this they take turns on the
     * calling thread. Fewer when DynamoDB throttles, more again when it does not.
     *
     * @param entities how many at most, 1 to 10,000
     * @param executor runs the work on each, which waits for DynamoDB: virtual threads where the
     *     JDK has them ({@code Executors.newVirtualThreadPerTaskExecutor()}), else a pool of that
     *     size. Not one whose threads themselves call this store with batches: they would wait for
     *     each other
     * @return this builder
     * @throws IllegalArgumentException if the number is out of that range
     */
    public Builder<T> maxConcurrency(int entities, Executor executor) {
      return pressure(new Pressure(entities, Objects.requireNonNull(executor, "executor")));
    }

    /**
     * Makes the store; nothing is sent.
     *
     * @return the store
     * @throws IllegalArgumentException if the schema maps an attribute that tracking owns, or has
     *     generated attributes
     */
    public DynamoDbEntityStore<T> build() {
      return new DynamoDbEntityStore<>(calls());
    }
  }
}
