package dev.tidemark.dynamodb;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The outgoing messages of a DynamoDB table, for a relay: those that its entities keep, or those
 * that {@link DynamoDbTransaction} and {@link DynamoDbInbox} put into a table of their own. The
 * table may have any primary key. It needs the index {@code outbox}, in which an item is only while
 * it keeps messages: {@link #index} for the definition of a new table, {@link #createIndex} for a
 * table that is there, {@link #createTable} for a table of records of their own.
 *
 * <ul>
 *   <li>{@link #due} and {@link #parked} make one {@code Query} of the index, and only where that
 *       finds keys a consistent {@code BatchGetItem} for each hundred of them, of the messages
 *       alone. DynamoDB bills half a read unit for a query that finds nothing. A record whose
 *       messages cannot be read does not keep others back; where there are no others, the call ends
 *       with {@link dev.tidemark.CorruptRecordException}.
 *   <li>{@link #readAll}, too, makes one {@code BatchGetItem} for each hundred.
 *   <li>{@link #write} makes one {@code BatchExecuteStatement} for 25 records, whatever number of
 *       messages it takes from them, so a client needs {@code dynamodb:PartiQLUpdate} and {@code
 *       dynamodb:PartiQLDelete}. DynamoDB bills each record as one write, refused or not. Very many
 *       messages of one record, more than 30, are taken by several writes: where a later one of
 *       them is refused, those before it are made. A fault of a request as a whole, such as a
 *       missing permission, is thrown; then nothing is known of its changes.
 * </ul>
 *
 * <p>Safe for use by many threads.
 */
public final class DynamoDbOutbox implements OutboxRecords {
  private final DynamoDbClient client;
  private final String table;
  private final OutboxItems items;
  private final OutboxReads reads;
  private final Clock clock;

  /** Asked for once, where a stream has no images. */
  private volatile List<String> keyAttributes = List.of();

  private DynamoDbOutbox(DynamoDbClient client, String table, Tracking tracking, Clock clock) {
    this.client = Objects.requireNonNull(client, "client");
    this.table = Objects.requireNonNull(table, "table");
    this.items = OutboxItems.of(tracking);
    this.reads = new OutboxReads(client, table, items, Transactions::pause);
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /** Equal for one table by one client, whatever the settings. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DynamoDbOutbox same
        && client == same.client
        && table.equals(same.table);
  }

  @Override
  public int hashCode() {
    return table.hashCode();
  }

  /**
   * The messages of a table whose tracking has the defaults, by the system's clock.
   *
   * @param client where the table is
   * @param table its name
   * @return its messages
   */
  public static DynamoDbOutbox of(DynamoDbClient client, String table) {
    return of(client, table, Tracking.defaults(), Clock.systemUTC());
  }

  /**
   * The messages of a table.
   *
   * @param client where the table is
   * @param table its name
   * @param tracking that of the table's store, for the names of attributes and the number of shards
   * @param clock tells what is due
   * @return its messages
   */
  public static DynamoDbOutbox of(
      DynamoDbClient client, String table, Tracking tracking, Clock clock) {
    return new DynamoDbOutbox(client, table, tracking, clock);
  }

  /**
   * The index that a table needs, for the request that creates the table. Its key attributes are
   * {@link #indexAttributes}. A table with provisioned capacity has to add some for it.
   *
   * @param names those of the store's tracking
   * @return the definition of the index {@code outbox}
   */
  public static GlobalSecondaryIndex index(AttributeNames names) {
    return OutboxIndex.definition(names);
  }

  /**
   * The key attributes of the index, which the request that creates the table has to define beside
   * those of the table's key.
   *
   * @param names those of the store's tracking
   * @return two numbers
   */
  public static List<AttributeDefinition> indexAttributes(AttributeNames names) {
    return OutboxIndex.attributes(names);
  }

  /**
   * Adds the index to a table, unless it has one of that name, with the table's own capacity where
   * that is provisioned. Returns at once; DynamoDB fills the index in the background, and nothing
   * can be looked for until {@code DescribeTable} calls it active.
   *
   * @param client where the table is
   * @param table its name
   * @param names those of the store's tracking
   */
  public static void createIndex(DynamoDbClient client, String table, AttributeNames names) {
    OutboxIndex.create(client, table, names);
  }

  /**
   * Creates a table for records of their own, with the usual names, its index and on-demand
   * capacity, and waits until it is there. Its partition key is the string {@code id}. It needs no
   * time to live: what is sent is deleted.
   *
   * @param client where
   * @param table its name
   */
  public static void createTable(DynamoDbClient client, String table) {
    OutboxIndex.createTable(client, table, AttributeNames.defaults());
  }

  /**
   * The key of a record as {@link OutboxRecord#key} has it.
   *
   * @param attributes the attributes of the item's primary key, others are not allowed
   * @return a key for {@link #read}, or for a relay to look at next
   */
  public Object key(Map<String, AttributeValue> attributes) {
    return items.key(attributes);
  }

  OutboxItems items() {
    return items;
  }

  /** The latest stream of the table, which may be switched off; null if it never had one. */
  @Nullable String stream() {
    return described().latestStreamArn();
  }

  /** The attributes of the table's primary key, the partition key first. */
  List<String> keyAttributes() {
    List<String> known = keyAttributes;
    if (known.isEmpty()) {
      known =
          described().keySchema().stream()
              .sorted(Comparator.comparing(key -> key.keyType() != KeyType.HASH))
              .map(KeySchemaElement::attributeName)
              .toList();
      keyAttributes = known;
    }
    return known;
  }

  private TableDescription described() {
    return client.describeTable(describe -> describe.tableName(table)).table();
  }

  /** What stores a message that has an ID in a record of its own. */
  TransactWriteItem put(OutgoingMessage message, Collection<String> clusters) {
    Map<String, AttributeValue> item = items.own(message, clock.instant(), clusters);
    return TransactWriteItem.builder().put(put -> put.tableName(table).item(item)).build();
  }

  @Override
  public String name() {
    return table;
  }

  @Override
  public int shards() {
    return items.shards();
  }

  @Override
  public Look look(int shard, long from, long until, int most, long size) {
    return reads.find(
        shard,
        from,
        until,
        one -> !one.waiting().isEmpty() && one.due() >= from && one.due() <= until,
        most,
        size);
  }

  @Override
  public List<OutboxRecord> parked(int shard, int most) {
    Look look =
        reads.find(
            -1L - shard,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            record -> record.waiting().isEmpty() && !record.parked().isEmpty(),
            most,
            Long.MAX_VALUE);
    if (look.records().isEmpty() && look.error() != null) {
      throw look.error();
    }
    return look.records();
  }

  @Override
  public Optional<OutboxRecord> read(Object key) {
    return Optional.ofNullable(reads.read(own(key).attributes()));
  }

  @Override
  public Object bare(Object key) {
    return key instanceof OutboxKey own ? items.key(own.attributes()) : key;
  }

  private OutboxKey own(Object key) {
    if (key instanceof OutboxKey own) {
      return own;
    }
    throw new IllegalArgumentException(
        "key must be that of a record of " + name() + ", as key(attributes) makes it");
  }

  @Override
  public List<OutboxRecord> readAll(Collection<?> keys, long size) {
    return reads.readAll(keys.stream().map(this::own).toList(), size);
  }

  @Override
  public List<Answer> write(List<OutboxChange> changes) {
    return new OutboxWrites(client, new OutboxStatements(table, items), reads).write(changes);
  }

  @Override
  public Clock clock() {
    return clock;
  }
}
