package dev.tidemark.example.migration;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbTransaction;
import dev.tidemark.inbox.Handled;
import dev.tidemark.transaction.Committed;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

@DisplayName("A migration from a table of handled messages on DynamoDB")
class DynamoDbHandledTableTest extends HandledTableScene {
  @SuppressWarnings("NullAway.Init")
  private static AmazonDynamoDBLocal server;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbClient client;

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    client = server.dynamoDbClient();
    Tables.create(client, "orders", "id");
    Tables.create(client, "handled", "id");
    DynamoDbInbox.createTable(client, "inbox");
  }

  @AfterAll
  static void stop() {
    server.shutdown();
  }

  @Override
  void place() {
    Map<String, AttributeValue> row =
        Map.of("id", AttributeValue.fromS(orderId), "total", AttributeValue.fromN("0"));
    client.putItem(put -> put.tableName("orders").item(row));
  }

  private static Put.Builder note(Put.Builder put, String messageId) {
    return put.tableName("handled")
        .item(Tables.id(messageId))
        .conditionExpression("attribute_not_exists(id)");
  }

  private Update.Builder add(Update.Builder update) {
    return update
        .tableName("orders")
        .key(Tables.id(orderId))
        .updateExpression("ADD #total :one")
        .expressionAttributeNames(Map.of("#total", "total"))
        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")));
  }

  @Override
  boolean old(String messageId) {
    try {
      TransactWriteItem note = TransactWriteItem.builder().put(put -> note(put, messageId)).build();
      TransactWriteItem effect = TransactWriteItem.builder().update(this::add).build();
      client.transactWriteItems(write -> write.transactItems(note, effect));
      return true;
    } catch (TransactionCanceledException e) {
      if (e.cancellationReasons().get(0).code().equals("ConditionalCheckFailed")) {
        return false;
      }
      throw e;
    }
  }

  @Override
  boolean bothByInbox(String messageId) {
    DynamoDbInbox inbox = DynamoDbInbox.of(client, "inbox", "billing");
    // snippet: migration-handled-inbox
    Handled<String> handled =
        inbox.handle(
            MessageId.of(messageId),
            writes -> {
              writes.put(put -> note(put, messageId)); // as before, if it is not there
              writes.update(this::add);
              return "added";
            });
    // end
    boolean isDone =
        handled.isDone()
            || (handled instanceof Handled.Refused<String> known && known.writes().contains(0));
    return isDone;
  }

  @Override
  boolean nextByInbox(String messageId) {
    return DynamoDbInbox.of(client, "inbox", "billing")
        .handle(
            MessageId.of(messageId),
            writes -> {
              writes.update(this::add);
              return "added";
            })
        .isDone();
  }

  private static DynamoDbEntityStore<EnhancedDocument> orders() {
    return DynamoDbEntityStore.of(client, "orders", Tables.documents("id"));
  }

  @Override
  boolean bothByMarks(String messageId) {
    DynamoDbEntityStore<EnhancedDocument> orders = orders();
    Committed committed =
        DynamoDbTransaction.on(client)
            .write(
                orders,
                Write.update(MessageId.of(messageId), key(orderId), change().add("total", 1)))
            .add(writes -> writes.put(put -> note(put, messageId)))
            .commit();
    boolean isDone = committed.isDone() || committed.refused().contains(0);
    return isDone;
  }

  @Override
  boolean nextByMarks(String messageId) {
    return orders()
        .update(MessageId.of(messageId), key(orderId), change().add("total", 1))
        .isDone();
  }

  @Override
  long total() {
    return Tables.row(Tables.table(client, "orders", "id"), orderId).getNumber("total").longValue();
  }
}
