package dev.tidemark.mongodb;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.StoreObserver;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.metrics.StoreListener;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a store is made of. For one thread.
 *
 * @param <T> the entity's type
 * @param <B> the builder
 */
abstract class StoreBuilder<T, B> {
  /** The oldest with which the tests pass. */
  static final String LEAST = "5.2.0";

  private static final String LATEST_CLASS = "com.mongodb.MongoOperationTimeoutException";

  private final MongoCollection<T> collection;
  private @Nullable Tracking tracking;
  private Clock clock = Clock.systemUTC();
  private @Nullable MarkCache cache;
  private List<String> keyFields = List.of();
  private boolean weaker;
  private boolean plain;
  private boolean unmapped;
  private @Nullable StoreListener listener;
  private @Nullable MongoAmbient ambient;

  StoreBuilder(MongoCollection<T> collection) {
    checkDriver(StoreBuilder.class.getClassLoader());
    this.collection = Objects.requireNonNull(collection, "collection");
  }

  abstract B self();

  /**
   * Says what entities remember, instead of their class.
   *
   * @param tracking the policies
   * @return this builder
   */
  public B tracking(Tracking tracking) {
    this.tracking = Objects.requireNonNull(tracking, "tracking");
    return self();
  }

  /**
   * Gives the writer's clock.
   *
   * @param clock the system's by default
   * @return this builder
   */
  public B clock(Clock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return self();
  }

  /**
   * Makes {@code _id} a document of two fields, for keys of two values.
   *
   * @param first the name of the first value
   * @param second the name of the second value
   * @return this builder
   */
  public B compoundId(String first, String second) {
    this.keyFields = List.of(first, second);
    return self();
  }

  /**
   * Accepts a collection that asks for less than majority, and uses it so: a failover can then take
   * back what was Applied.
   *
   * @return this builder
   */
  public B allowWeakerConcern() {
    this.weaker = true;
    return self();
  }

  /**
   * Lets changes and conditions name attributes that the entity's class does not map. Without this
   * such a name is refused, since it is a slip of the pen more often than not. The caller's own
   * operators may name any attribute, and so may all of a store of {@code Document}s. A class's own
   * codec that asks for more fields than a key and one value is not asked about the value then.
   *
   * @return this builder
   */
  public B unmappedAttributes() {
    this.unmapped = true;
    return self();
  }

  /**
   * Takes the caller's word that the collection has no default collation, and is neither capped,
   * nor a time series, nor a view: nothing is sent when the store is made. For users who may not
   * ask the server (it takes the actions {@code listIndexes} and {@code collStats}), for clients
   * with a strict Stable API, which has no question for capped collections, and for processes that
   * start before their database. If the word is wrong, messages are taken for duplicates that were
   * never applied, or marks are lost.
   *
   * @return this builder
   */
  public B assumePlainCollection() {
    this.plain = true;
    return self();
  }

  /**
   * Answers sure duplicates without a request, and lets functions of source events be applied to
   * what {@code apply} wrote last without reading it.
   *
   * @param cache for this store alone; none by default
   * @return this builder
   */
  public B markCache(MarkCache cache) {
    this.cache = Objects.requireNonNull(cache, "cache");
    return self();
  }

  /**
   * Gives a listener, which is told of every call once it has ended. Commands that bring marks then
   * ask the server for the sizes of documents, by {@code $bsonSize}: as a document is after the
   * write. A native update that is applied, and a bulk, bring no marks and tell no size. Marks of
   * other subscribers count as the entity's own.
   *
   * @param listener none by default; {@link StoreListener#and} joins several
   * @return this builder
   */
  public B listener(StoreListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return self();
  }

  /**
   * Lets calls join the transaction that a framework has begun on the calling thread, as {@link
   * MongoEntityStore#in} does for a session that is at hand. A call in a transaction that throws,
   * or whose outcome is not done, lets nothing of that transaction be committed.
   *
   * @param ambient finds transactions, of the collection's own client; none by default
   * @return this builder
   */
  public B joining(MongoAmbient ambient) {
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    return self();
  }

  @Nullable MongoAmbient ambient() {
    return ambient;
  }

  Context<T> context() {
    Tracking policies = tracking == null ? Tracking.of(collection.getDocumentClass()) : tracking;
    Names names = Names.nested(policies);
    Mapping<T> mapping =
        new Mapping<>(
            collection.getDocumentClass(),
            collection.getCodecRegistry(),
            names,
            keyFields,
            unmapped);
    Transport transport = new Transport(collection, weaker);
    if (!plain) {
      CollectionKind.requirePlain(collection);
      transport.learn();
    }
    Recall recall = new Recall(cache, policies, transport.name(), mapping::identity);
    return new Context<>(transport, mapping, policies, names, clock, recall);
  }

  @Nullable StoreObserver observer() {
    String name = collection.getNamespace().getCollectionName();
    return listener == null ? null : new StoreObserver(listener, name);
  }

  /**
   * Checks that the driver on the class path is new enough: an older one would fail with a class
   * that is not there, at some later call.
   *
   * @throws IllegalStateException if the class that came last is missing
   */
  static void checkDriver(ClassLoader loader) {
    try {
      Object unused = Class.forName(LATEST_CLASS, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalStateException(
          "the MongoDB driver on the class path is older than "
              + LEAST
              + ": it has no "
              + LATEST_CLASS
              + "; use mongodb-driver-sync of "
              + LEAST
              + " or later",
          e);
    }
  }
}
