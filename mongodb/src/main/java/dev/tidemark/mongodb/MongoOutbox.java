package dev.tidemark.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.UpdateOptions;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing messages of one collection: of the entities of a {@link MongoEntityStore}, or of
 * documents that are there for their messages alone. What a relay sends is found by a partial index
 * that has the documents with messages and no others; {@link #createIndex} makes it, and without it
 * nothing is looked for. Messages in documents of their own come from {@link
 * MongoTransaction#publish} and {@link SessionDatabase#publish}.
 *
 * <pre>{@code
 * {_id: "7", …,
 *  _outbox: [{id: "…", topic: "orders", payload: "{…}", key: "7", at: 1767225600000}],
 *  "_outbox#shard": 2,                // -1 less the shard where all messages are parked
 *  "_outbox#due": 1767225600000,      // from when on they are to be sent
 *  "_outbox#tries": 1,                // how often the first could not be sent
 *  "_outbox#parked": [{…}]}           // what a person has to look at
 * }</pre>
 *
 * <p>Looking for messages is one find, whatever the collection has. A change of many documents is
 * one bulk, and a delete beside it for documents that are there for their messages alone; where
 * messages came or went in between, one find more. Reads are made at the primary by majority,
 * writes wait for a majority. Neither touches the entity's own fields or its revision. Safe for use
 * by many threads.
 */
public final class MongoOutbox implements OutboxRecords {
  private static final System.Logger LOGGER = System.getLogger(MongoOutbox.class.getName());
  private static final BsonInt32 ASCENDING = new BsonInt32(1);

  /** A server says so of a hint to an index that is not there. */
  private static final int BAD_VALUE = 2;

  /** Of so many documents that cannot be read, those behind them are found all the same. */
  private static final int MOST_UNREADABLE = 1_000;

  private final Transport transport;
  private final OutboxFields fields;
  private final OutboxWrites writes;
  private final String cluster;
  private final Clock clock;
  private volatile boolean warned;

  private MongoOutbox(Builder builder) {
    this.transport = new Transport(builder.collection, builder.weaker);
    this.fields =
        new OutboxFields(
            Names.nested(builder.tracking), builder.routing, builder.tracking.outboxShards());
    this.writes = new OutboxWrites(transport, fields);
    this.cluster = builder.tracking.cluster();
    this.clock = builder.clock;
  }

  /**
   * Equal for one name of a collection, whatever the settings: the driver does not tell of which
   * server it is.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MongoOutbox same && name().equals(same.name());
  }

  @Override
  public int hashCode() {
    return name().hashCode();
  }

  /**
   * The outgoing messages of a collection, with the defaults of {@link Builder}.
   *
   * @param collection of the entities, or of documents for messages alone
   * @return its outbox
   * @throws IllegalArgumentException if the collection is none that tracked writes can use
   */
  public static MongoOutbox of(MongoCollection<?> collection) {
    return builder(collection).build();
  }

  /**
   * The outgoing messages of a collection, with settings of one's own.
   *
   * @param collection of the entities, or of documents for messages alone
   * @return a builder
   */
  public static Builder builder(MongoCollection<?> collection) {
    return new Builder(collection);
  }

  /**
   * Creates the index by which messages are found. It has the documents with messages alone, so it
   * is built and kept at next to no cost. Calls after the first change nothing.
   */
  public void createIndex() {
    BsonDocument kept =
        new BsonDocument(fields.shard(), new BsonDocument("$exists", BsonBoolean.TRUE));
    transport
        .writes()
        .createIndex(index(), new IndexOptions().name("outbox").partialFilterExpression(kept));
  }

  private BsonDocument index() {
    return new BsonDocument(fields.shard(), ASCENDING).append(fields.due(), ASCENDING);
  }

  @Override
  public String name() {
    return transport.name();
  }

  @Override
  public int shards() {
    return fields.shards();
  }

  @Override
  public Clock clock() {
    return clock;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the collection lacks the index
   */
  @Override
  public Look look(int shard, long from, long until, int most, long size) {
    // what has no time, or none that is a number, is due too
    BsonDocument due = new BsonDocument("$not", new BsonDocument("$gt", new BsonInt64(until)));
    if (from > Long.MIN_VALUE) {
      due.append("$gte", new BsonInt64(from));
    }
    BsonDocument any = new BsonDocument("$exists", BsonBoolean.TRUE);
    return indexed(
        shard,
        new BsonDocument(fields.due(), due).append(fields.waiting() + ".0", any),
        most,
        size);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the collection lacks the index
   */
  @Override
  public List<OutboxRecord> parked(int shard, int most) {
    return indexed(-1L - shard, new BsonDocument(), most, Long.MAX_VALUE).records();
  }

  /** Documents of the index; those that cannot be read hold back no others. */
  private Look indexed(long shard, BsonDocument more, int most, long size) {
    BsonDocument filter = new BsonDocument(fields.shard(), new BsonInt64(shard));
    filter.putAll(more);
    Map<BsonValue, CorruptRecordException> unreadable = new LinkedHashMap<>();
    List<OutboxRecord> readable = new ArrayList<>();
    boolean isCut = false;
    boolean goesOn = true;
    while (goesOn) {
      if (!unreadable.isEmpty()) {
        filter.put(
            "_id", new BsonDocument("$nin", new BsonArray(List.copyOf(unreadable.keySet()))));
      }
      readable.clear();
      int before = unreadable.size();
      isCut = page(filter, most, size, readable, unreadable);
      int found = readable.size() + unreadable.size() - before;
      goesOn = found == most && unreadable.size() > before && unreadable.size() < MOST_UNREADABLE;
    }
    CorruptRecordException error = unreadable.values().stream().findFirst().orElse(null);
    return new Look(readable, unreadable.size(), 0, isCut, error);
  }

  /** Sorts documents until there are enough; whether there are more, since these are large. */
  private boolean page(
      BsonDocument filter,
      int most,
      long size,
      List<OutboxRecord> readable,
      Map<BsonValue, CorruptRecordException> unreadable) {
    long taken = 0;
    try (MongoCursor<BsonDocument> found = find(filter, most)) {
      while (taken < size && found.hasNext()) {
        taken += sort(found.next(), readable, unreadable);
      }
      return taken >= size && found.hasNext();
    }
  }

  private MongoCursor<BsonDocument> find(BsonDocument filter, int most) {
    try {
      return transport
          .reads()
          .find(filter)
          .projection(fields.projection())
          .hint(index())
          .sort(new BsonDocument(fields.due(), ASCENDING))
          .limit(most)
          .batchSize(most)
          .iterator();
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != BAD_VALUE) {
        throw e;
      }
      throw new IllegalStateException(
          "collection "
              + name()
              + " has no index of outgoing messages, without which each look would read all of it;"
              + " call createIndex()",
          e);
    }
  }

  /** Says how much memory a document takes that can be read. */
  private long sort(
      BsonDocument document,
      List<OutboxRecord> readable,
      Map<BsonValue, CorruptRecordException> unreadable) {
    try {
      OutboxRecord record = fields.record(document);
      readable.add(record);
      return record.size();
    } catch (CorruptRecordException e) {
      unreadable.put(document.get("_id"), e);
      if (!warned) {
        warned = true;
        LOGGER.log(
            System.Logger.Level.ERROR,
            "Collection {0} has documents with outgoing messages that cannot be read and are not"
                + " sent: {1}. This is said once.",
            name(),
            e.getMessage());
      }
      return 0;
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws CorruptRecordException if what is stored cannot be read
   */
  @Override
  public Optional<OutboxRecord> read(Object key) {
    return writes.read(own(key));
  }

  @Override
  public Object bare(Object key) {
    return key instanceof OutboxKey own ? own.bare() : key;
  }

  private OutboxKey own(Object key) {
    if (key instanceof OutboxKey own) {
      return own;
    }
    throw new IllegalArgumentException("key must be that of a record of " + name());
  }

  @Override
  public List<OutboxRecord> readAll(Collection<?> keys, long size) {
    return writes.readAll(keys.stream().map(this::own).toList(), size);
  }

  @Override
  public List<Answer> write(List<OutboxChange> changes) {
    return writes.write(changes);
  }

  /**
   * What stores a message in a document of its own. One that is there under its ID is the same
   * message.
   *
   * @param session of the transaction that publishes it
   * @param message with its ID
   * @param clusters of the entities that it writes
   */
  Runnable publishing(ClientSession session, OutgoingMessage message, Collection<String> clusters) {
    if (fields.isRouted()) {
      throw new IllegalArgumentException(
          "collection "
              + name()
              + " is routed by the fields of its entities, which documents for messages alone do"
              + " not have; give these a collection of their own");
    }
    String id = message.id().orElseThrow();
    Instant now = clock.instant();
    BsonDocument own =
        fields.own(
            Values.mark(Outbox.stored(message, now, Outbox.cluster(cluster, clusters))),
            Outbox.shard(EntityKey.key(id), fields.shards()),
            now.toEpochMilli());
    return () ->
        transport
            .writes()
            .updateOne(
                session,
                new BsonDocument("_id", new BsonString(id)),
                new BsonDocument("$setOnInsert", own),
                new UpdateOptions().upsert(true));
  }

  /** What a stream of the collection is opened on. */
  MongoCollection<BsonDocument> watched() {
    return transport.reads().withReadConcern(ReadConcern.MAJORITY);
  }

  /** What a stream tells of. */
  OutboxEvents events() {
    return new OutboxEvents(fields);
  }

  /** Settings of an outbox. */
  public static final class Builder {
    private final MongoCollection<?> collection;
    private Tracking tracking = Tracking.defaults();
    private Clock clock = Clock.systemUTC();
    private List<String> routing = List.of();
    private boolean weaker;
    private boolean plain;

    private Builder(MongoCollection<?> collection) {
      this.collection = Objects.requireNonNull(collection, "collection");
    }

    /**
     * Says under which names messages are stored, and over how many shards of the index.
     *
     * @param tracking that of the store; {@link Tracking#defaults} unless given
     * @return this builder
     */
    public Builder tracking(Tracking tracking) {
      this.tracking = Objects.requireNonNull(tracking, "tracking");
      return this;
    }

    /**
     * The clock by which messages are due.
     *
     * @param clock the system's unless given
     * @return this builder
     */
    public Builder clock(Clock clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Names the fields of the shard key of a sharded collection, so that a write finds its shard.
     *
     * @param fields without {@code _id}; dots lead into documents
     * @return this builder
     */
    public Builder routedBy(String... fields) {
      this.routing = List.of(fields);
      if (routing.contains("_id")) {
        throw new IllegalArgumentException("_id is no routing field");
      }
      return this;
    }

    /**
     * Accepts a collection that asks for less than majority, and uses it so: a failover can then
     * bring back messages that were sent.
     *
     * @return this builder
     */
    public Builder allowWeakerConcern() {
      this.weaker = true;
      return this;
    }

    /**
     * Takes the caller's word that the collection has no default collation, and is neither capped,
     * nor a time series, nor a view: nothing is sent when the outbox is made. If the word is wrong,
     * messages may be cleared that were not sent.
     *
     * @return this builder
     */
    public Builder assumePlainCollection() {
      this.plain = true;
      return this;
    }

    /**
     * Makes the outbox.
     *
     * @return the outbox of the collection
     * @throws IllegalArgumentException if the collection asks for less than majority, has a default
     *     collation, is capped, a time series or a view
     */
    public MongoOutbox build() {
      if (!plain) {
        CollectionKind.requirePlain(collection);
      }
      return new MongoOutbox(this);
    }
  }
}
