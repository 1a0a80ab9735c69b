package dev.tidemark.dynamodb;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.inbox.Handled;
import dev.tidemark.inbox.Handler;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.kernel.Text;
import dev.tidemark.kernel.Times;
import dev.tidemark.kernel.Unfinished;
import dev.tidemark.transaction.OpenTransactions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * An inbox of processed messages on DynamoDB, for handlers whose writes are no tracked entities.
 * The handler adds up to 99 writes; they and the record of the message are one {@code
 * TransactWriteItems}, so one request, also for a duplicate. The record is under subscriber and
 * message ID, so that several subscribers handle a message once each. What the handler publishes is
 * one of its writes. Safe for use by many threads.
 */
public final class DynamoDbInbox {
  private static final int MOST = 99;

  private final DynamoDbClient client;
  private final InboxRecords records;
  private final String subscriber;
  private final @Nullable Duration lease;

  private DynamoDbInbox(Builder builder) {
    this.client = builder.client;
    this.records = new InboxRecords(builder.table, builder.keptFor, builder.clock);
    this.subscriber = builder.subscriber;
    this.lease = builder.lease;
  }

  /**
   * An inbox with the defaults of {@link Builder}.
   *
   * @param client where the table is; its own retries repeat a transaction with its token
   * @param table its name; {@link #createTable} says what it must look like
   * @param subscriber who handles the messages; not empty
   * @return the inbox of that subscriber
   */
  public static DynamoDbInbox of(DynamoDbClient client, String table, String subscriber) {
    return builder(client, table, subscriber).build();
  }

  /**
   * An inbox with settings of one's own.
   *
   * @param client where the table is; its own retries repeat a transaction with its token
   * @param table its name; {@link #createTable} says what it must look like
   * @param subscriber who handles the messages; not empty
   * @return a builder
   */
  public static Builder builder(DynamoDbClient client, String table, String subscriber) {
    return new Builder(client, table, subscriber);
  }

  /**
   * Creates the table, with on-demand capacity, and waits until it is there. Time to live is
   * switched on for the attribute {@code expires}.
   *
   * @param client where
   * @param table its name
   */
  public static void createTable(DynamoDbClient client, String table) {
    InboxRecords.createTable(client, table);
  }

  /**
   * Handles a message, unless it is in the inbox.
   *
   * @param message its id
   * @param handler adds the writes; it is called once, before they are sent
   * @param <R> what the handler returns
   * @param <X> what the handler may throw
   * @return what came of it
   * @throws X what the handler threw; nothing is written, and a claim is given up, as it is where
   *     the answer is Refused
   * @throws dev.tidemark.ContentionException if other transactions or throttling outlasted the
   *     tries, or claims were answered when half of their lease was over; nothing is written, and a
   *     claim is given up
   * @throws dev.tidemark.OutcomeUnknownException if no answer came, and none could be read; a claim
   *     is given up, also one to which itself none came, so that a transaction that arrives later
   *     writes nothing
   * @throws IllegalStateException if a transaction of Spring is open on this thread, or if the
   *     handler returns a future or a publisher, whose writes would come later; nothing is written
   */
  public <R, X extends Exception> Handled<R> handle(
      MessageId message, Handler<TransactionWrites, R, X> handler) throws X {
    OpenTransactions.requireNone("a handler of the inbox");
    String key = Text.join(List.of(subscriber, message.value()));
    Keys.requireShort("a subscriber and a message's ID", key);
    TransactionWrites.Ids ids =
        (outbox, place) -> Outbox.id(outbox, records.table(), EntityKey.key(key), message, place);
    return lease == null
        ? sent(() -> records.handled(key, UUID.randomUUID().toString()), ids, handler)
        : claimed(new InboxClaim(client, records, key, lease), ids, handler);
  }

  /** Claims the message, runs the handler, and gives the claim up where nothing is written. */
  private <R, X extends Exception> Handled<R> claimed(
      InboxClaim claim, TransactionWrites.Ids ids, Handler<TransactionWrites, R, X> handler)
      throws X {
    try {
      Optional<Handled<R>> answer = claim.take();
      if (answer.isPresent()) {
        return answer.get();
      }
      Handled<R> handled = sent(claim::handled, ids, handler);
      if (handled instanceof Handled.Refused) {
        claim.giveUp(null);
      }
      return handled;
    } catch (Throwable e) { // a transaction that comes later is refused without the claim
      claim.giveUp(e);
      throw e;
    }
  }

  /**
   * Runs the handler and sends its writes.
   *
   * @param handled makes the record, which is kept from then on
   */
  private <R, X extends Exception> Handled<R> sent(
      Supplier<InboxPart> handled,
      TransactionWrites.Ids ids,
      Handler<TransactionWrites, R, X> handler)
      throws X {
    TransactionWrites writes = new TransactionWrites(MOST);
    R value = handler.handle(writes);
    writes.end();
    if (value != null) {
      Unfinished.requireNone("the handler", value);
    }
    InboxPart record = handled.get();
    Transactions.Ended ended =
        Transactions.send(client, List.of(record), List.of(), writes.items(ids, List.of()));
    if (ended.end() == Transactions.End.REFUSED) {
      return new Handled.Refused<>(ended.refused());
    }
    return record.isMade() ? new Handled.Applied<>(value) : record.answer();
  }

  /** Settings of an inbox. */
  public static final class Builder {
    private final DynamoDbClient client;
    private final String table;
    private final String subscriber;
    private Duration keptFor = Duration.ofDays(30);
    private @Nullable Duration lease;
    private Clock clock = Clock.systemUTC();

    private Builder(DynamoDbClient client, String table, String subscriber) {
      this.client = Objects.requireNonNull(client, "client");
      this.table = Objects.requireNonNull(table, "table");
      this.subscriber = Text.notEmpty("a subscriber", subscriber);
    }

    /**
     * How long a message is remembered, from when its handler has returned, and up to a second
     * longer: longer than it may be delivered again.
     *
     * @param keptFor at least a second, at most 36,525 days; 30 days unless given
     * @return this builder
     */
    public Builder keptFor(Duration keptFor) {
      if (keptFor.toSeconds() < 1) {
        throw new IllegalArgumentException("keptFor must be a second or more, was " + keptFor);
      }
      this.keptFor = Times.bounded("keptFor", keptFor);
      return this;
    }

    /**
     * Claims a message before its handler runs, by one request more, so that two handlers of one
     * message do not run at the same time: for handlers that are expensive. A crash leaves the
     * claim, and the message is {@link Handled.InFlight} until the lease has ended; a handler that
     * takes longer than half of its lease may be overtaken, and then writes nothing. At least half
     * of the lease is left when the handler begins: a claim that is answered later is made again.
     *
     * @param lease at least a millisecond, at most 36,525 days, by clocks that agree
     * @return this builder
     */
    public Builder claimingFor(Duration lease) {
      if (Times.positive("claimingFor", lease).toMillis() < 1) {
        throw new IllegalArgumentException("a lease must be a millisecond or more, was " + lease);
      }
      this.lease = lease;
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
    public DynamoDbInbox build() {
      return new DynamoDbInbox(this);
    }
  }
}
