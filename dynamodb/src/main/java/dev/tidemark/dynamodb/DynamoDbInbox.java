package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.inbox.Handled;
import dev.tidemark.inbox.Handler;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * An inbox of processed messages on DynamoDB, for handlers whose writes are no tracked entities.
 * The handler adds up to 99 writes; they and the record of the message are one {@code
 * TransactWriteItems}, so one request, also for a duplicate. The record is under subscriber and
 * message ID, so that several subscribers handle a message once each. Safe for use by many threads.
 */
public final class DynamoDbInbox {
  private static final String KEY = "key";
  private static final String NONCE = "nonce";
  private static final String EXPIRES = "expires";

  /** On claims alone. */
  private static final String LEASE = "lease";

  /** That there is no record, or one whose time is over, or a claim whose lease is. */
  private static final String FREE =
      "attribute_not_exists(#key) OR #expires <= :now OR #lease < :millis";

  private static final Map<String, String> FREE_NAMES =
      Map.of("#key", KEY, "#expires", EXPIRES, "#lease", LEASE);

  private static final int MOST = 99;

  private final DynamoDbClient client;
  private final Transactions transactions;
  private final String table;
  private final String subscriber;
  private final Duration keptFor;
  private final @Nullable Duration lease;
  private final Clock clock;

  private DynamoDbInbox(Builder builder) {
    this.client = builder.client;
    this.transactions = new Transactions(client);
    this.table = builder.table;
    this.subscriber = builder.subscriber;
    this.keptFor = builder.keptFor;
    this.lease = builder.lease;
    this.clock = builder.clock;
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
    client.createTable(
        create ->
            create
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName(KEY)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(
                    KeySchemaElement.builder().attributeName(KEY).keyType(KeyType.HASH).build()));
    client.waiter().waitUntilTableExists(r -> r.tableName(table));
    client.updateTimeToLive(
        r ->
            r.tableName(table)
                .timeToLiveSpecification(ttl -> ttl.attributeName(EXPIRES).enabled(true)));
  }

  /**
   * Handles a message, unless it is in the inbox.
   *
   * @param message its id
   * @param handler adds the writes; it is called once, before they are sent
   * @param <R> what the handler returns
   * @param <X> what the handler may throw
   * @return what came of it
   * @throws X what the handler threw; nothing is written, and a claim is given up
   * @throws dev.tidemark.ContentionException if other transactions or throttling outlasted the
   *     tries; nothing is written
   * @throws dev.tidemark.OutcomeUnknownException if no answer came, and none could be read
   */
  public <R, X extends Exception> Handled<R> handle(
      MessageId message, Handler<TransactionWrites, R, X> handler) throws X {
    String key = MessageId.of(subscriber, message.value()).value();
    String nonce = UUID.randomUUID().toString();
    return lease == null ? sent(key, nonce, false, handler) : claimed(key, nonce, lease, handler);
  }

  /** Claims the message, runs the handler, and gives the claim up where it throws. */
  private <R, X extends Exception> Handled<R> claimed(
      String key, String nonce, Duration lease, Handler<TransactionWrites, R, X> handler) throws X {
    Map<String, AttributeValue> found = claim(key, nonce, lease);
    if (found != null) {
      return answer(found);
    }
    try {
      return sent(key, nonce, true, handler);
    } catch (ContentionException | OutcomeUnknownException e) {
      throw e; // the claim ends by itself
    } catch (Throwable e) {
      giveUp(key, nonce, e);
      throw e;
    }
  }

  private <R, X extends Exception> Handled<R> sent(
      String key, String nonce, boolean claimed, Handler<TransactionWrites, R, X> handler)
      throws X {
    TransactionWrites writes = new TransactionWrites(MOST);
    R value = handler.handle(writes);
    List<TransactWriteItem> items = new ArrayList<>(writes.items());
    items.add(TransactWriteItem.builder().put(record(key, nonce, claimed)).build());
    Transactions.Cancelled cancelled =
        transactions.send(items, nonce, () -> isDone(nonce, read(key)));
    if (cancelled == null) {
      return new Handled.Applied<>(value);
    }
    int record = items.size() - 1;
    Map<String, AttributeValue> found = refuser(cancelled, record, key);
    return isDone(nonce, found)
        ? new Handled.Applied<>(value) // by an attempt whose reply was lost
        : refused(cancelled, record, found);
  }

  private Put record(String key, String nonce, boolean claimed) {
    Map<String, AttributeValue> item = item(key, nonce);
    Put.Builder put =
        Put.builder()
            .tableName(table)
            .item(item)
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    return claimed
        ? put.conditionExpression("#nonce = :nonce AND attribute_exists(#lease)")
            .expressionAttributeNames(Map.of("#nonce", NONCE, "#lease", LEASE))
            .expressionAttributeValues(Map.of(":nonce", AttributeValue.fromS(nonce)))
            .build()
        : put.conditionExpression(FREE)
            .expressionAttributeNames(FREE_NAMES)
            .expressionAttributeValues(free())
            .build();
  }

  private Map<String, AttributeValue> item(String key, String nonce) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(KEY, AttributeValue.fromS(key));
    item.put(NONCE, AttributeValue.fromS(nonce));
    item.put(EXPIRES, number(clock.millis() / 1000 + keptFor.toSeconds() + 1));
    return item;
  }

  private Map<String, AttributeValue> free() {
    long now = clock.millis();
    return Map.of(":now", number(now / 1000), ":millis", number(now));
  }

  /** Claims a message: null, or what is in the way. */
  private @Nullable Map<String, AttributeValue> claim(String key, String nonce, Duration lease) {
    Map<String, AttributeValue> item = item(key, nonce);
    item.put(LEASE, number(clock.millis() + lease.toMillis()));
    Put put =
        Put.builder()
            .tableName(table)
            .item(item)
            .conditionExpression(FREE)
            .expressionAttributeNames(FREE_NAMES)
            .expressionAttributeValues(free())
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    TransactWriteItem only = TransactWriteItem.builder().put(put).build();
    Transactions.Cancelled cancelled =
        transactions.send(
            List.of(only), UUID.randomUUID().toString(), () -> nonce.equals(nonce(read(key))));
    if (cancelled == null) {
      return null;
    }
    Map<String, AttributeValue> there = inTheWay(cancelled, 0, key);
    return nonce.equals(nonce(there)) ? null : there;
  }

  private void giveUp(String key, String nonce, Throwable error) {
    try {
      client.deleteItem(
          delete ->
              delete
                  .tableName(table)
                  .key(Map.of(KEY, AttributeValue.fromS(key)))
                  .conditionExpression("#nonce = :nonce AND attribute_exists(#lease)")
                  .expressionAttributeNames(Map.of("#nonce", NONCE, "#lease", LEASE))
                  .expressionAttributeValues(Map.of(":nonce", AttributeValue.fromS(nonce))));
    } catch (RuntimeException e) {
      error.addSuppressed(e); // the claim ends by itself
    }
  }

  /** Whether a record says that the message was handled under that nonce. */
  private static boolean isDone(String nonce, @Nullable Map<String, AttributeValue> item) {
    return item != null && nonce.equals(nonce(item)) && !item.containsKey(LEASE);
  }

  /**
   * The record that decides, wherever it stands among the reasons; empty if none does. Where it is
   * only in conflict, a condition of the handler's may be false because of the same message: a read
   * tells.
   */
  private Map<String, AttributeValue> refuser(
      Transactions.Cancelled cancelled, int record, String key) {
    boolean accepted = "None".equals(cancelled.reasons().get(record).code());
    return accepted ? Map.of() : inTheWay(cancelled, record, key);
  }

  private <R> Handled<R> refused(
      Transactions.Cancelled cancelled, int record, Map<String, AttributeValue> found) {
    if (!found.isEmpty()) {
      return answer(found);
    }
    List<Integer> writes = IntStream.range(0, record).filter(cancelled::hasFailed).boxed().toList();
    return writes.isEmpty()
        ? new Handled.InFlight<>(Duration.ZERO) // what was in the way has gone by now
        : new Handled.Refused<>(writes);
  }

  /** The record that refused a write; it is read where the reason does not bring it. */
  private Map<String, AttributeValue> inTheWay(
      Transactions.Cancelled cancelled, int record, String key) {
    Map<String, AttributeValue> item = cancelled.reasons().get(record).item();
    return item == null || item.isEmpty() ? read(key) : item;
  }

  /** What a record says to those who come later. */
  private <R> Handled<R> answer(Map<String, AttributeValue> found) {
    AttributeValue lease = found.get(LEASE);
    if (lease == null || lease.n() == null) {
      return new Handled.Duplicate<>();
    }
    long left = Long.parseLong(lease.n()) - clock.millis() + 1;
    return new Handled.InFlight<>(Duration.ofMillis(Math.max(0, left)));
  }

  /** A record that is in the inbox, and not expired; empty if there is none. */
  private Map<String, AttributeValue> read(String key) {
    Map<String, AttributeValue> item =
        client
            .getItem(
                r ->
                    r.tableName(table)
                        .key(Map.of(KEY, AttributeValue.fromS(key)))
                        .consistentRead(true))
            .item();
    AttributeValue expires = item.get(EXPIRES);
    boolean expired =
        expires != null
            && expires.n() != null
            && Long.parseLong(expires.n()) <= clock.millis() / 1000;
    return expired ? Map.of() : item;
  }

  private static String nonce(Map<String, AttributeValue> item) {
    AttributeValue nonce = item.get(NONCE);
    return nonce == null || nonce.s() == null ? "" : nonce.s();
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
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
      this.subscriber = subscriber;
      if (subscriber.isEmpty()) {
        throw new IllegalArgumentException("a subscriber must not be empty");
      }
    }

    /**
     * How long a message is remembered: longer than it may be delivered again.
     *
     * @param keptFor at least a second; 30 days unless given
     * @return this builder
     */
    public Builder keptFor(Duration keptFor) {
      if (keptFor.toSeconds() < 1) {
        throw new IllegalArgumentException("keptFor must be a second or more, was " + keptFor);
      }
      this.keptFor = keptFor;
      return this;
    }

    /**
     * Claims a message before its handler runs, by one request more, so that two handlers of one
     * message do not run at the same time: for handlers that are expensive. A crash leaves the
     * claim, and the message is {@link Handled.InFlight} until the lease has ended; a handler that
     * takes longer than its lease may be overtaken, and then writes nothing.
     *
     * @param lease at least a millisecond, by clocks that agree
     * @return this builder
     */
    public Builder claimingFor(Duration lease) {
      if (lease.toMillis() < 1) {
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
