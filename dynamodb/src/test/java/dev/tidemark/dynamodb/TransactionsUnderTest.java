package dev.tidemark.dynamodb;

import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Transactions on DynamoDB as the contracts see them. */
final class TransactionsUnderTest implements Transactions {
  /** Tables of an inbox and of counters. */
  record Tables(DynamoDbClient client, String views, String inbox, String counters) {
    static Tables create(DynamoDbClient client, String views) {
      Tables tables =
          new Tables(client, views, "inbox-" + UUID.randomUUID(), "counters-" + UUID.randomUUID());
      DynamoDbInbox.createTable(client, tables.inbox);
      DynamoDbInbox.createTable(client, tables.counters);
      return tables;
    }

    private Map<String, AttributeValue> item(String table, String key) {
      return client
          .getItem(r -> r.tableName(table).key(TransactionsUnderTest.key(key)).consistentRead(true))
          .item();
    }
  }

  private final Tables tables;
  private final Clock clock;
  private final Map<Tracking, DynamoDbEntityStore<View>> stores = new HashMap<>();

  TransactionsUnderTest(Tables tables, Clock clock) {
    this.tables = tables;
    this.clock = clock;
  }

  private static Map<String, AttributeValue> key(String key) {
    return Map.of("key", AttributeValue.fromS(key));
  }

  private DynamoDbEntityStore<View> store(Tracking tracking) {
    return stores.computeIfAbsent(
        tracking,
        of ->
            DynamoDbEntityStore.builder(
                    tables.client(), tables.views(), DynamoDbBackend.schema(false))
                .unmappedAttributes()
                .tracking(of)
                .clock(clock)
                .build());
  }

  @Override
  public Committed commit(List<Tracked> tracked, @Nullable Count count) {
    DynamoDbTransaction transaction = DynamoDbTransaction.on(tables.client());
    tracked.forEach(one -> transaction.write(store(one.tracking()), one.write()));
    return (count == null ? transaction : transaction.add(writes -> add(count, writes))).commit();
  }

  private void add(Count count, TransactionWrites writes) {
    writes.update(
        update ->
            update
                .tableName(tables.counters())
                .key(key(count.name()))
                .updateExpression("ADD n :one")
                .conditionExpression("attribute_not_exists(n) OR n < :below")
                .expressionAttributeValues(
                    Map.of(
                        ":one",
                        AttributeValue.fromN("1"),
                        ":below",
                        AttributeValue.fromN("" + count.below()))));
  }

  @Override
  public Handled<String> handle(Delivered delivered, Runnable work, Count count) {
    DynamoDbInbox.Builder inbox =
        DynamoDbInbox.builder(tables.client(), tables.inbox(), delivered.subscriber())
            .keptFor(KEPT)
            .clock(clock);
    Duration claim = delivered.claim();
    return (claim == null ? inbox : inbox.claimingFor(claim))
        .build()
        .handle(
            delivered.message(),
            writes -> {
              work.run();
              add(count, writes);
              return "handled";
            });
  }

  @Override
  public int counted(String name) {
    AttributeValue n = tables.item(tables.counters(), name).get("n");
    return n == null ? 0 : Integer.parseInt(n.n());
  }

  @Override
  public Inboxed inboxed(String subscriber, MessageId message) {
    Map<String, AttributeValue> item =
        tables.item(tables.inbox(), MessageId.of(subscriber, message.value()).value());
    if (item.isEmpty()) {
      return Inboxed.NOTHING;
    }
    return item.containsKey("lease") ? Inboxed.CLAIM : Inboxed.RECORD;
  }
}
