package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.contract.Examples;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("Records of an inbox on DynamoDB are stored as storage-format.md shows, and read so")
final class InboxRecordsTest {
  private static final MessageId MESSAGE = MessageId.of("3f2c");
  private static final String NONCE = "6f9e4b0e-9d0c-4a1f-8f5c-6b7d2e3c1a00";

  private final MovableClock clock = MovableClock.later();
  private final String table = "inbox-" + UUID.randomUUID();

  private void holds(DynamoDbClient client, String example) {
    Map<String, AttributeValue> key = Map.of("key", AttributeValue.fromS("/billing/3f2c"));
    Map<String, AttributeValue> stored =
        client.getItem(r -> r.tableName(table).key(key).consistentRead(true)).item();
    String nonce = Objects.requireNonNull(stored.get("nonce")).s();
    String json = Examples.json("dynamodb", example).replace(NONCE, nonce);
    assertEquals(Optional.empty(), DynamoDbJson.beside(client, table, json));
  }

  private void put(DynamoDbClient client, String example) {
    Map<String, AttributeValue> item = DynamoDbJson.item(Examples.json("dynamodb", example));
    client.putItem(r -> r.tableName(table).item(item));
  }

  @Test
  @DisplayName("examples inbox and inbox-claim")
  void examples() {
    try (DynamoDbClient client = DynamoDbTables.client()) {
      DynamoDbInbox.createTable(client, table);
      DynamoDbInbox inbox =
          DynamoDbInbox.builder(client, table, "billing")
              .clock(clock)
              .claimingFor(Duration.ofMinutes(1))
              .build();
      Handled<String> handled =
          inbox.handle(
              MESSAGE,
              writes -> {
                holds(client, "inbox-claim");
                return "";
              });
      assertTrue(handled.isDone());
      holds(client, "inbox");
      put(client, "inbox-claim");
      assertInstanceOf(Handled.InFlight.class, inbox.handle(MESSAGE, writes -> ""));
      put(client, "inbox");
      assertInstanceOf(Handled.Duplicate.class, inbox.handle(MESSAGE, writes -> ""));
    }
  }
}
