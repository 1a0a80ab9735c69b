package dev.tidemark.dynamodb;

import dev.tidemark.MessageId;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table of an inbox, and an account that handlers of a message add to. */
abstract class InboxScene {
  static final DynamoDbFaults FAULTS = DynamoDbTables.faults();

  static DynamoDbClient client;
  static String records;
  static String accounts;

  final MovableClock clock = MovableClock.later();
  final MessageId message = MessageId.of(UUID.randomUUID());
  final String account = "account-" + UUID.randomUUID();
  final DynamoDbInbox inbox = inbox("billing");

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client(FAULTS, new DynamoDbTables.Capacity(), 3);
    records = "inbox-" + UUID.randomUUID();
    DynamoDbInbox.createTable(client, records);
    accounts = DynamoDbTables.create(client, DynamoDbBackend.schema(false));
  }

  @AfterAll
  static void close() {
    client.close();
    FAULTS.close();
  }

  final DynamoDbInbox.Builder builder(String subscriber) {
    return DynamoDbInbox.builder(client, records, subscriber)
        .keptFor(Duration.ofDays(1))
        .clock(clock);
  }

  final DynamoDbInbox inbox(String subscriber) {
    return builder(subscriber).build();
  }

  final Map<String, AttributeValue> id() {
    return Map.of("id", AttributeValue.fromS(account));
  }

  final String add(TransactionWrites writes) {
    writes.update(
        update ->
            update
                .tableName(accounts)
                .key(id())
                .updateExpression("ADD amount :one")
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
    return "added";
  }

  /** A write that only an account without an amount allows. */
  final String open(TransactionWrites writes) {
    writes.update(
        update ->
            update
                .tableName(accounts)
                .key(id())
                .updateExpression("ADD amount :one")
                .conditionExpression("attribute_not_exists(amount)")
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
    return "opened";
  }

  final int amount() {
    AttributeValue amount =
        client
            .getItem(r -> r.tableName(accounts).key(id()).consistentRead(true))
            .item()
            .get("amount");
    return amount == null ? 0 : Integer.parseInt(amount.n());
  }
}
