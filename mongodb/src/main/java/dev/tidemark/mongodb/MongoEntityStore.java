package dev.tidemark.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.StoreObserver;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.metrics.StoreCall.Method;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Entities of one MongoDB collection, mapped by the collection's own codecs: POJOs, records, {@code
 * Document}. Safe for use by many threads; it holds no state but what it learnt of the server.
 *
 * <p>What is stored beside the entity's own fields:
 *
 * <pre>{@code
 * {
 *   "_id": "4711",
 *   "status": "PAID",                                  // the entity's own
 *   "messageIDs": ["m-1", UUID("…")],                  // ids, in the open slot
 *   "messageIDs#since": 1767225600000,                 // when that slot was opened
 *   "messageIDs#1": ["…"], "messageIDs#closed": [1767225600000, 0],
 *   "events": {"Order": {"4711": 17}},
 *   "_rev": UUID("…"),                                 // new with each tracked write; text on tombstones
 *   "_born": UUID("…"),                                // the write that created it
 *   "deletedUntil": ISODate("…")                       // on tombstones alone: for a TTL index
 * }
 * }</pre>
 *
 * <p>Do not remove the ids, {@code events}, {@code _rev} and {@code deletedUntil}: without them old
 * messages apply again, or updates are lost.
 *
 * <ol>
 *   <li>A portable change or delete is one update with a pipeline: guard, condition and the shape
 *       that the change needs stand in one {@code $cond} around the whole document. Where late
 *       events are dropped, an error is raised whose text tells what refused the write. Else it is
 *       a {@code findOneAndUpdate}: the image after it, reduced to what concerns the message, has
 *       the request's token if the write was made, or tells what refused it. Alone it upserts only
 *       where nothing but a race can refuse it; in a batch always, so that a missing document is an
 *       error too.
 *   <li>A {@linkplain MongoNativeUpdate user's own operators} go with the guard as a filter. The
 *       write brings an image only where the outcome needs what was stored; where the filter
 *       matched nothing, one read tells why.
 *   <li>A fresh message that a blind write cannot record (a slot has to be closed, a window
 *       compacted, a tombstone revived or added to) is written on the condition of the revision
 *       that was read.
 *   <li>In a batch the writes of all entities stand in one unordered bulk of each kind of write. A
 *       guard that is false is an error there, by which the reply names the write; one find then
 *       reads all that were refused. Native updates under a false guard match nothing, and the
 *       reply tells their number alone: if one is missing, a find sees which of them have left
 *       their token.
 *   <li>Contention and failures without an answer are tried again with the same token, about 40
 *       times with jitter.
 * </ol>
 *
 * <p>Requests: a portable change and {@code delete} 1, whatever the outcome. 2 where a slot is
 * closed or a window compacted (at most once in 20 writes), where {@code otherwiseSkip()} records a
 * refusal, and where an event of a dense source is recorded on a tombstone; 2 or 3 where the change
 * does not fit the entity; 2 for an entity that tracking has not written yet, or that has marks of
 * nearly as many sources as are allowed, 3 for a new source of that. Native: applied 1, all else 2;
 * 3 after a lost create race, and where an applied portable change takes 2. {@code apply} a read
 * and a write, {@code forget} a read and a delete.
 *
 * <p>{@code created()} costs no request, so it is not always exact. It is also true of an upsert
 * that asked for an image and met a document that has its key alone and was not written by
 * tracking: a pipeline cannot tell such a document from a missing one. Images are asked for by
 * message IDs, windows and {@code returning()}.
 *
 * <p>{@code find(key, notBefore(…).within(…))} that waits: 4 reads in the first 35 ms; if more than
 * about half a second is left, one change stream for this call (an aggregation, a request of at
 * most a second at a time that waits at the server, and its end), one read when it is open, one
 * after each change of the entity, and one or two at the end. Such a call holds a connection of the
 * client's pool, and sees an interrupt within a second; at most 8 calls of a store do so at a time,
 * and others read after pauses of up to 250 ms. All calls do where the server has no change streams
 * (found out once, and logged), the user may not read them, the client has a {@code timeoutMS}, or
 * the stream breaks: no failure of a stream reaches the caller.
 *
 * <p>Writes wait for a majority; reads that decide are of the primary, of what a majority has. The
 * server's retryable writes, left on, settle most lost replies; the attempt token settles the rest,
 * or all on a server without retryable writes. Strings compare as bytes; a collection with a
 * collation of its own, for which different message IDs may be equal, is refused when the store is
 * made. So are capped collections, which drop entities with their marks, time series and views.
 * Binary values can be compared for equality alone.
 *
 * <p>Keys, and values of changes and conditions, are stored by the codec of the property that they
 * stand for, as {@code apply} stores them; one that the codec could not read back is an {@link
 * IllegalArgumentException} before anything is sent.
 *
 * @param <T> the entity's type
 */
public final class MongoEntityStore<T> implements EntityStore<T> {
  private final Context<T> context;
  private final @Nullable StoreObserver observer;
  private final @Nullable MongoAmbient ambient;

  private MongoEntityStore(
      Context<T> context, @Nullable StoreObserver observer, @Nullable MongoAmbient ambient) {
    this.context = context;
    this.observer = observer;
    this.ambient = ambient;
  }

  /**
   * A store with the tracking that the collection's class asks for by {@link dev.tidemark.Tracked}.
   *
   * @param collection with write and read concern left at their defaults, or majority
   * @param <T> the entity's type
   * @return the store
   * @throws IllegalArgumentException if the collection is not fit for tracked writes, see {@link
   *     Builder#build()}
   */
  public static <T> MongoEntityStore<T> of(MongoCollection<T> collection) {
    return builder(collection).build();
  }

  /**
   * Starts a builder, for a {@link Tracking} or a {@link Clock} of your own.
   *
   * @param collection the collection
   * @param <T> the entity's type
   * @return a builder, for one thread
   */
  public static <T> Builder<T> builder(MongoCollection<T> collection) {
    return new Builder<>(collection);
  }

  @Override
  public Tracking tracking() {
    return context.tracking();
  }

  /**
   * Changes an existing entity by MongoDB's own operators.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param operators as {@code com.mongodb.client.model.Updates} makes them
   * @return what it did
   * @throws IllegalArgumentException if an operator touches the key or what tracking owns
   */
  public Outcome<T> update(Message message, EntityKey key, Bson operators) {
    return update(message, key, MongoNativeUpdate.of(operators));
  }

  /**
   * Makes a write. A portable change and one in MongoDB's own words ({@link MongoNativeUpdate}) are
   * one command with guard and mark.
   *
   * @param write what to do
   * @return what it did
   * @throws IllegalArgumentException if an update touches the key or what tracking owns, or is for
   *     another store
   */
  @Override
  public Outcome<T> write(Write<T> write) {
    return call(StoreObserver.method(write), observed -> observed.calls().write(write));
  }

  @Override
  public List<Result<T>> writeAll(List<Write<T>> writes) {
    return call(Method.WRITE_ALL, observed -> observed.calls().writeAll(writes, observed));
  }

  @Override
  public Optional<T> find(EntityKey key) {
    return call(Method.FIND, observed -> Lookups.find(observed.context, key));
  }

  @Override
  public Freshness<T> find(EntityKey key, NotBefore notBefore) {
    return call(Method.FIND, observed -> Waits.find(observed.context, key, notBefore));
  }

  /**
   * The filter that leaves out deleted entities, for queries of one's own and for the {@code
   * partialFilterExpression} of unique indexes: two tombstones would collide there. An equality
   * with null, since partial indexes take no {@code $exists: false}.
   *
   * @return a filter on the tombstone's field
   */
  public Bson live() {
    return new BsonDocument(context.names().tombstone(), BsonNull.VALUE);
  }

  /**
   * The same store in a transaction of the caller's. Each write reads first and then writes over
   * what it has read, both in the transaction: two commands. What it answers is true once the
   * transaction is committed; the transaction goes on whatever the outcome, unless the caller ends
   * it. What is Applied or Recorded, or Refused and recorded, has written, and so has an event of a
   * dense source that met a deleted entity. An error of the server has aborted the transaction, and
   * is thrown as the driver has it, with its label where all of it may be run again; that of a
   * limit is thrown as it is outside of a transaction. No listener is told, and no cache is asked
   * or filled; but the entity of a write that takes marks away is taken out of it. A read that
   * waits throws {@link IllegalStateException}, since the transaction never sees what it would wait
   * for.
   *
   * @param session with a transaction that has been started, of the collection's own client
   * @return a store for that transaction and its thread
   * @throws IllegalArgumentException if the session has no transaction
   */
  public MongoEntityStore<T> in(ClientSession session) {
    if (!session.hasActiveTransaction()) {
      throw new IllegalArgumentException("the session has no transaction; start one first");
    }
    return new MongoEntityStore<>(context.in(session), null, null);
  }

  /** The collection's name. */
  String name() {
    return context.transport().name();
  }

  /** Equal for keys of one document. */
  Object identity(EntityKey key) {
    return context.mapping().identity(key);
  }

  /** The same for keys of one document. */
  EntityKey stored(EntityKey key) {
    return context.mapping().stored(key);
  }

  private Calls<T> calls() {
    return new Calls<>(context);
  }

  /** Makes a write in a transaction, and tells the token that it leaves, if it is made. */
  Outcome<T> write(ClientSession session, Write<T> write, Consumer<ByteBuffer> tokens) {
    return in(session).calls().write(write, tokens);
  }

  /** Whether an entity is deleted, as a transaction sees it. */
  boolean isDeleted(ClientSession session, Write<T> write) {
    Instant now = context.clock().instant();
    return new Lookups<>(context.in(session))
            .look(write.key(), write.message(), now)
            .found()
            .state(context.names(), now)
        == Found.State.DELETED;
  }

  /** Notes that a transaction has ended, in which a write may have been made. */
  void ended(Write<T> write) {
    context.recall().ended(write);
  }

  /** Whether an entity's revision is the token of a write. */
  boolean has(EntityKey key, ByteBuffer token) {
    return new Lookups<>(context).revisions(List.of(key)).contains(token);
  }

  /** Names the collection, the class and the tracking. */
  @Override
  public String toString() {
    return "MongoEntityStore[" + context.describe() + "]";
  }

  /** Makes a call, in the transaction in which the thread is, or by itself. */
  private <R> R call(Method method, Function<MongoEntityStore<T>, R> call) {
    MongoAmbient transactions = ambient;
    Optional<ClientSession> joined =
        transactions == null ? Optional.empty() : transactions.session();
    return transactions == null || joined.isEmpty()
        ? alone(method, call)
        : join(transactions, joined.get(), call);
  }

  private <R> R join(
      MongoAmbient transactions, ClientSession session, Function<MongoEntityStore<T>, R> call) {
    R result;
    try {
      result = call.apply(in(session));
    } catch (RuntimeException | Error e) {
      transactions.refuse();
      throw e;
    }
    if (!isDone(result)) {
      transactions.refuse();
    }
    return result;
  }

  /** Whether the message, or each one of a batch, is done; reads are. */
  private static boolean isDone(Object result) {
    if (result instanceof Outcome<?> outcome) {
      return outcome.isDone();
    }
    return !(result instanceof List<?> batch)
        || batch.stream().allMatch(one -> ((Result<?>) one).isDone());
  }

  /** Makes a call; if there is a listener it is told of it, and not of the calls inside it. */
  private <R> R alone(Method method, Function<MongoEntityStore<T>, R> call) {
    if (observer == null) {
      return call.apply(this);
    }
    Observation observation = observer.start(method);
    try (Ongoing.Scope unused = observation.enter()) {
      R result;
      try {
        result = call.apply(new MongoEntityStore<>(context.observedBy(observation), null, null));
      } catch (RuntimeException | Error e) {
        observation.failed(e);
        throw e;
      }
      observation.ended(result);
      return result;
    }
  }

  /**
   * Makes a store. For one thread.
   *
   * @param <T> the entity's type
   */
  public static final class Builder<T> extends StoreBuilder<T, Builder<T>> {
    private Builder(MongoCollection<T> collection) {
      super(collection);
    }

    @Override
    Builder<T> self() {
      return this;
    }

    /**
     * Makes the store, and asks the server by three commands what kind of collection it is and what
     * the server can evaluate. A collection that does not exist yet passes: the server will make it
     * a plain one. One that is made or replaced later, otherwise than by a write, is not looked at
     * again.
     *
     * @return the store
     * @throws IllegalArgumentException if the collection asks for less than majority, has a default
     *     collation, is capped, a time series or a view, or a property has a name that tracking
     *     owns; also if the server does not say which kind it is, and {@link
     *     #assumePlainCollection()} was not said
     * @throws com.mongodb.MongoException if the server cannot be reached
     */
    public MongoEntityStore<T> build() {
      return new MongoEntityStore<>(context(), observer(), ambient());
    }
  }
}
