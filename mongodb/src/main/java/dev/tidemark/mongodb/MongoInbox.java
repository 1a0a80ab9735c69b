package dev.tidemark.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.inbox.Handled;
import dev.tidemark.inbox.Handler;
import dev.tidemark.kernel.Text;
import dev.tidemark.kernel.Times;
import dev.tidemark.kernel.Unfinished;
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.transaction.OpenTransactions;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * An inbox of processed messages on MongoDB, for handlers whose writes are no tracked entities. The
 * record of the message is the first write of a transaction, the handler's own come after it: three
 * commands for one write of the handler. A handler whose message is in the inbox does not run, and
 * the loser of a race does not go on. Needs a replica set or a sharded cluster. Safe for use by
 * many threads.
 */
public final class MongoInbox {
  static final String ID = "_id";
  static final String NONCE = "nonce";
  static final String EXPIRES = "expires";

  /** On claims alone. */
  static final String LEASE = "lease";

  /**
   * How much longer a record is kept than was said, from before its handler runs: one that takes no
   * longer needs no command more by which the record is kept from when it returned.
   */
  private static final Duration SLACK = Duration.ofMillis(500);

  private final Transactions transactions;
  private final MongoDatabase database;
  private final OwnCollection<Document> records;
  private final String subscriber;
  private final Duration keptFor;
  private final @Nullable Duration lease;
  private final Clock clock;

  private MongoInbox(Builder builder) {
    this.transactions = new Transactions(builder.client, builder.patience);
    this.database = builder.database;
    this.records = OwnCollection.of(database, builder.collection);
    this.subscriber = builder.subscriber;
    this.keptFor = builder.keptFor;
    this.lease = builder.lease;
    this.clock = builder.clock;
  }

  /**
   * An inbox with the defaults of {@link Builder}.
   *
   * @param client runs the transactions
   * @param database where the handlers write, of the same client
   * @param collection of that database, for the records alone; {@link #createIndex} says what it
   *     needs
   * @param subscriber who handles the messages; not empty
   * @return the inbox of that subscriber
   */
  public static MongoInbox of(
      MongoClient client, MongoDatabase database, String collection, String subscriber) {
    return builder(client, database, collection, subscriber).build();
  }

  /**
   * An inbox with settings of one's own.
   *
   * @param client runs the transactions
   * @param database where the handlers write, of the same client
   * @param collection of that database, for the records alone; {@link #createIndex} says what it
   *     needs
   * @param subscriber who handles the messages; not empty
   * @return a builder
   */
  public static Builder builder(
      MongoClient client, MongoDatabase database, String collection, String subscriber) {
    return new Builder(client, database, collection, subscriber);
  }

  /**
   * Creates the collection and the index that removes expired records. Calls after the first change
   * nothing.
   *
   * @param database where
   * @param collection its name
   * @throws IllegalStateException if it has a default collation, is capped, a time series or a view
   */
  public static void createIndex(MongoDatabase database, String collection) {
    OwnCollection.of(database, collection)
        .get()
        .createIndex(
            Indexes.ascending(EXPIRES), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
  }

  /**
   * Handles a message, unless it is in the inbox.
   *
   * @param message its id
   * @param handler writes through the view that it is given; it runs again where others came in
   *     between, so it must keep nothing from one run to the next
   * @param <R> what the handler returns
   * @param <X> what the handler may throw
   * @return Applied or Duplicate; InFlight where another inbox of the subscriber has claimed it
   * @throws X what the handler threw; nothing is written, and a claim is given up. The first error
   *     that a call of the handler met, such as a duplicate key, a time limit or a document that is
   *     too large, is thrown also where the handler has caught it, since it has ended the
   *     transaction; the handler runs again where that may do, as after a lost connection or a
   *     conflict, also where it has thrown another exception in place of that error
   * @throws dev.tidemark.ContentionException if other transactions or failures went on for longer
   *     than the inbox is patient, if the thread was interrupted before the handler had returned,
   *     or if claims were answered when half of their lease was over; nothing is written, and a
   *     claim is given up
   * @throws dev.tidemark.OutcomeUnknownException if no answer came to the commit, and none could be
   *     read; or none to a claim, which is then given up
   * @throws IllegalStateException if the server is standalone, or a transaction of Spring is open
   *     on this thread, or the collection of the records has a default collation, is capped, a time
   *     series or a view, or the handler returns a future or a publisher, whose writes would come
   *     later; nothing is written
   */
  public <R, X extends Exception> Handled<R> handle(
      MessageId message, Handler<SessionDatabase, R, X> handler) throws X {
    OpenTransactions.requireNone("a handler of the inbox");
    var unused = Uninterrupted.call(() -> ReadTries.read(Calls.MOST_TRIES, records::get));
    String key = key(message);
    String nonce = UUID.randomUUID().toString();
    if (lease == null) {
      return inTransaction(message, nonce, null, handler);
    }
    transactions.requireTransactions();
    InboxClaim claim = new InboxClaim(records.get(), clock, key, nonce, lease, keptFor);
    if (!claim.take()) {
      return inTheWay(key);
    }
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    try {
      return inTransaction(message, nonce, claim, noting(handler, thrown));
    } catch (Throwable e) {
      // a commit without an answer may go on, and nobody waits for its documents
      if (e == thrown.get() || !(e instanceof OutcomeUnknownException)) {
        claim.giveUp(e);
      }
      throw e;
    }
  }

  /** Notes what a handler throws: then its transaction is aborted, whatever that is. */
  private static <R, X extends Exception> Handler<SessionDatabase, R, X> noting(
      Handler<SessionDatabase, R, X> handler, AtomicReference<@Nullable Throwable> thrown) {
    return writes -> {
      try {
        return handler.handle(writes);
      } catch (Throwable e) {
        thrown.set(e);
        throw e;
      }
    };
  }

  private <R, X extends Exception> Handled<R> inTransaction(
      MessageId message,
      String nonce,
      @Nullable InboxClaim claim,
      Handler<SessionDatabase, R, X> handler)
      throws X {
    String key = key(message);
    return transactions.run(
        scope -> handled(scope, message, nonce, claim, handler), () -> isDone(key, nonce));
  }

  private <R, X extends Exception> Handled<R> handled(
      SessionScope scope,
      MessageId message,
      String nonce,
      @Nullable InboxClaim claim,
      Handler<SessionDatabase, R, X> handler)
      throws X {
    ClientSession session = scope.session();
    String key = key(message);
    Date expires = end();
    if (claim != null && !claim.confirm(session, expires)) {
      scope.abort();
      return inTheWay(key);
    }
    Date now = now();
    Document before = claim != null ? null : record(session, key, nonce, now, expires);
    if (before != null && !isFree(before, now)) {
      scope.abort();
      return answer(before);
    }
    String inbox = records.name();
    TransactionMessages messages = TransactionMessages.of(scope, inbox, key, message);
    R value = handler.handle(new SessionDatabase(database, scope, messages));
    if (value != null) {
      Unfinished.requireNone("the handler", value);
    }
    if (expires.toInstant().isBefore(clock.instant().plus(keptFor))) {
      Uninterrupted.run(
          () -> records.get().updateOne(session, Filters.eq(ID, key), Updates.set(EXPIRES, end())));
    }
    return new Handled.Applied<>(value);
  }

  private String key(MessageId message) {
    return Text.join(List.of(subscriber, message.value()));
  }

  /**
   * Records the message first, unless it is in the inbox or claimed, as what was stored before
   * tells: one command in each case.
   */
  private @Nullable Document record(
      ClientSession session, String key, String nonce, Date now, Date expires) {
    Document recorded =
        new Document(ID, "$_id")
            .append(NONCE, new Document("$literal", nonce))
            .append(EXPIRES, expires);
    Document free =
        new Document(
            "$or",
            List.of(
                new Document("$eq", List.of(type(NONCE), "missing")),
                before(EXPIRES, "$lte", now),
                before(LEASE, "$lt", now)));
    Document kept = new Document("$cond", List.of(free, recorded, "$$ROOT"));
    return records
        .get()
        .findOneAndUpdate(
            session,
            Filters.eq(ID, key),
            List.of(new Document("$replaceWith", kept)),
            new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.BEFORE));
  }

  private static Document before(String field, String comparison, Date now) {
    Document compared = new Document(comparison, List.of("$" + field, now));
    return new Document(
        "$and", List.of(new Document("$eq", List.of(type(field), "date")), compared));
  }

  private static Document type(String field) {
    return new Document("$type", "$" + field);
  }

  /** The same as the server has found. */
  private static boolean isFree(Document before, Date now) {
    return !before.containsKey(NONCE)
        || (before.get(EXPIRES) instanceof Date expires
            && !expires.toInstant().isAfter(now.toInstant()))
        || (before.get(LEASE) instanceof Date lease && lease.toInstant().isBefore(now.toInstant()));
  }

  /** When a message may be forgotten whose handler has returned, or does so at once. */
  private Date end() {
    return Date.from(clock.instant().plus(keptFor).plus(SLACK));
  }

  private Date now() {
    return Date.from(clock.instant());
  }

  /** What is in the way of a claim; as good as free where it has gone by now. */
  private <R> Handled<R> inTheWay(String key) {
    Document found = Uninterrupted.call(() -> ReadTries.read(Calls.MOST_TRIES, () -> found(key)));
    return answer(found == null ? new Document(LEASE, now()) : found);
  }

  /** What a record says to those who come later. */
  private <R> Handled<R> answer(Document found) {
    Date end = RecordFields.date(found, LEASE);
    if (end == null) {
      return new Handled.Duplicate<>();
    }
    Duration left = Duration.between(clock.instant(), end.toInstant()).plusMillis(1);
    return new Handled.InFlight<>(left.isNegative() ? Duration.ZERO : left);
  }

  private @Nullable Document found(String key) {
    return records.get().find(Filters.eq(ID, key)).first();
  }

  private boolean isDone(String key, String nonce) {
    Document found = found(key);
    return found != null && nonce.equals(found.get(NONCE)) && !found.containsKey(LEASE);
  }

  /** Settings of an inbox. */
  public static final class Builder {
    private final MongoClient client;
    private final MongoDatabase database;
    private final String collection;
    private final String subscriber;
    private Duration keptFor = Duration.ofDays(30);
    private Duration patience = Duration.ofSeconds(30);
    private @Nullable Duration lease;
    private Clock clock = Clock.systemUTC();

    private Builder(
        MongoClient client, MongoDatabase database, String collection, String subscriber) {
      this.client = Objects.requireNonNull(client, "client");
      this.database = Objects.requireNonNull(database, "database");
      this.collection = Objects.requireNonNull(collection, "collection");
      this.subscriber = Text.notEmpty("a subscriber", subscriber);
    }

    /**
     * How long a message is remembered, from when its handler has returned, and up to half a second
     * longer: longer than it may be delivered again. A handler that takes more than half a second
     * costs one command more, by which its record is kept for longer.
     *
     * @param keptFor more than 0, at most 36,525 days; 30 days unless given
     * @return this builder
     */
    public Builder keptFor(Duration keptFor) {
      this.keptFor = Times.positive("keptFor", keptFor);
      return this;
    }

    /**
     * How long a transaction is tried again where others are in its way.
     *
     * @param patience more than 0, at most 36,525 days; 30 seconds unless given
     * @return this builder
     */
    public Builder patience(Duration patience) {
      this.patience = Times.positive("patience", patience);
      return this;
    }

    /**
     * Claims a message before its handler runs, by one command more, so that two handlers of one
     * message do not run at the same time: for handlers that are expensive. A crash leaves the
     * claim, and the message is {@link Handled.InFlight} until the lease has ended; a handler that
     * takes longer than half of its lease may be overtaken, and then writes nothing. At least half
     * of the lease is left when the handler begins: a claim that is answered later is made again.
     *
     * @param lease more than 0, at most 36,525 days, by clocks that agree
     * @return this builder
     */
    public Builder claimingFor(Duration lease) {
      this.lease = Times.positive("lease", lease);
      return this;
    }

    /**
     * The clock that tells expiry and leases.
     *
     * @param clock the system's unless given
     * @return this builder
     */
    public Builder clock(Clock clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Makes the inbox.
     *
     * @return the inbox of the subscriber
     */
    public MongoInbox build() {
      return new MongoInbox(this);
    }
  }
}
