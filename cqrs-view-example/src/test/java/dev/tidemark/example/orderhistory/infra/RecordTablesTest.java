package dev.tidemark.example.orderhistory.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.StoredExecutions;
import dev.tidemark.inbox.Handled;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.ParkedMessages;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

@DisplayName("Tables of records in infra")
class RecordTablesTest {
  private static final Contract CONTRACT = Contract.read();
  private static final Contract.Table EXECUTIONS =
      Objects.requireNonNull(CONTRACT.records().get("executions"));
  private static final Contract.Table INBOX =
      Objects.requireNonNull(CONTRACT.records().get("inbox"));
  private static final Contract.Table OUTBOX =
      Objects.requireNonNull(CONTRACT.records().get("outbox"));

  private static LocalDynamoDb server;
  private static DynamoDbClient client;
  private static Calls calls;

  @BeforeAll
  static void start() {
    server = new LocalDynamoDb();
    try (DynamoDbClient maker = server.client()) {
      DynamoDbRecordStore.createTable(maker, EXECUTIONS.name());
      DynamoDbInbox.createTable(maker, INBOX.name());
      DynamoDbOutbox.createTable(maker, OUTBOX.name());
    }
    calls = new Calls(UnaryOperator.identity());
    client =
        DynamoDbClient.builder()
            .endpointOverride(server.uri())
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(LocalDynamoDb.CREDENTIALS)
            .overrideConfiguration(c -> c.addExecutionInterceptor(calls))
            .build();
  }

  @AfterAll
  static void end() {
    client.close();
    server.close();
  }

  private static Map<KeyType, String> keys(List<KeySchemaElement> schema) {
    return schema.stream()
        .collect(Collectors.toMap(KeySchemaElement::keyType, KeySchemaElement::attributeName));
  }

  private static TableDescription holds(Contract.Table table) {
    try (DynamoDbClient reader = server.client()) {
      TableDescription made = reader.describeTable(r -> r.tableName(table.name())).table();
      assertEquals(Map.of(KeyType.HASH, table.key()), keys(made.keySchema()));
      assertEquals(BillingMode.PAY_PER_REQUEST, made.billingModeSummary().billingMode());
      assertEquals(
          table.ttl(),
          reader
              .describeTimeToLive(r -> r.tableName(table.name()))
              .timeToLiveDescription()
              .attributeName());
      return made;
    }
  }

  private static Map<String, String> attributes(TableDescription made) {
    return made.attributeDefinitions().stream()
        .collect(
            Collectors.toMap(
                AttributeDefinition::attributeName, AttributeDefinition::attributeTypeAsString));
  }

  private static void holdsIndex(Contract.Table table, TableDescription described) {
    Contract.Index wanted = Objects.requireNonNull(table.index());
    GlobalSecondaryIndexDescription made = described.globalSecondaryIndexes().get(0);
    assertEquals(wanted.name(), made.indexName());
    assertEquals(
        Map.of(KeyType.HASH, wanted.key(), KeyType.RANGE, wanted.sortKey()),
        keys(made.keySchema()));
    assertEquals(wanted.projection(), made.projection().projectionTypeAsString());
    assertEquals("N", wanted.sortKeyType());
    Map<String, String> attributes = new TreeMap<>(wanted.attributes());
    attributes.put(table.key(), "S");
    assertEquals(attributes, attributes(described));
  }

  @Test
  @DisplayName("have the keys, the index and the expiry of those that the code makes")
  void tables() {
    holdsIndex(EXECUTIONS, holds(EXECUTIONS));
    holdsIndex(OUTBOX, holds(OUTBOX));
    TableDescription inbox = holds(INBOX);
    assertFalse(inbox.hasGlobalSecondaryIndexes());
    assertEquals(Map.of(INBOX.key(), "S"), attributes(inbox));
  }

  @Test
  @DisplayName("grant exactly the calls that the code makes")
  void rights() {
    execute();
    handle();
    relay();
    Map<String, Set<String>> made = calls.made();
    // an inbox reads where a refusal comes without the record, which this server sends along
    Objects.requireNonNull(made.get("inbox")).add("dynamodb:GetItem");
    Map<String, Set<String>> wanted = new TreeMap<>();
    CONTRACT.recordRights().values().forEach(wanted::putAll);
    assertEquals(wanted, made);
  }

  /** A flow that throws, is found and resumed; a parked key that is found and forgotten. */
  private static void execute() {
    DynamoDbRecordStore records = DynamoDbRecordStore.of(client, EXECUTIONS.name());
    Executions orders = Executions.of("orders", records);
    boolean[] throwing = {true};
    Flow<String, String> flow =
        orders.flow(
            "pay",
            String.class,
            String.class,
            (request, steps) -> {
              if (throwing[0]) {
                throwing[0] = false;
                throw new IllegalStateException("stopped");
              }
              return request;
            });
    assertThrows(IllegalStateException.class, () -> flow.run("1", "now"));
    Clock later = Clock.fixed(Instant.now().plus(Duration.ofMinutes(5)), ZoneOffset.UTC);
    Executions resuming =
        Executions.of("orders", DynamoDbRecordStore.of(client, EXECUTIONS.name(), later));
    Flow<String, String> same =
        resuming.flow("pay", String.class, String.class, (request, steps) -> request);
    assertEquals(1, same.resume(10).ended());
    assertEquals(List.of(), StoredExecutions.of("orders", records).parked(10));
    assertTrue(orders.forget("1"));
  }

  private static void handle() {
    DynamoDbInbox inbox =
        DynamoDbInbox.builder(client, INBOX.name(), "billing")
            .claimingFor(Duration.ofSeconds(30))
            .build();
    MessageId message = MessageId.of("m");
    assertThrows(
        IllegalStateException.class,
        () ->
            inbox.handle(
                message,
                writes -> {
                  throw new IllegalStateException("no");
                }));
    Handled<String> handled = inbox.handle(message, writes -> "");
    assertTrue(handled.isDone());
  }

  /** A message that is sent, one that is parked and released, and leases of a relay. */
  private static void relay() {
    DynamoDbOutbox outbox = DynamoDbOutbox.of(client, OUTBOX.name());
    DynamoDbInbox inbox = DynamoDbInbox.of(client, INBOX.name(), "mailing");
    Handled<String> handled =
        inbox.handle(
            MessageId.of("n"),
            writes -> {
              writes.publish(outbox, OutgoingMessage.to("mail", "poison"));
              writes.publish(outbox, OutgoingMessage.to("mail", "fine"));
              return "";
            });
    assertTrue(handled.isDone());
    Sender sender =
        Sender.each(
            message -> {
              if (message.message().text().orElseThrow().equals("poison")) {
                throw new IllegalArgumentException("poison");
              }
            });
    Relay relay =
        Relay.builder(outbox, sender)
            .parkAfter(1)
            .sharedBy(DynamoDbRecordStore.of(client, EXECUTIONS.name()))
            .build();
    RelayPass pass = relay.sweep();
    relay.stop();
    assertEquals(List.of(1, 1), List.of(pass.sent(), pass.parked()));
    ParkedMessages parked = ParkedMessages.of(outbox);
    for (int shard = 0; shard < outbox.shards(); shard++) {
      for (OutboxRecord record : parked.list(shard, 10)) {
        assertEquals(1, parked.release(record.key(), Set.of(record.parked().get(0).id())));
      }
    }
  }
}
