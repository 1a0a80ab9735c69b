package dev.tidemark.example.readme;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.inbox.Handled;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.servers.MongoProcess;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("The snippets about inboxes")
class InboxSnippetsTest {
  private static final MessageId MESSAGE = MessageId.of("3f2c");

  private static void accounts(DynamoDbClient client) {
    client.createTable(
        create ->
            create
                .tableName("accounts")
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(
                    KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build()));
  }

  private static Map<String, AttributeValue> id(String account) {
    return Map.of("id", AttributeValue.fromS(account));
  }

  private static Map<String, AttributeValue> amount(int cents) {
    return Map.of(":cents", AttributeValue.fromN("" + cents));
  }

  @Test
  @DisplayName("on DynamoDB")
  void dynamoDb() {
    AmazonDynamoDBLocal server = DynamoDBEmbedded.create();
    try (DynamoDbClient client = server.dynamoDbClient()) {
      accounts(client);
      DynamoDbInbox.createTable(client, "inbox");
      // snippet: inbox-dynamodb
      DynamoDbInbox inbox = DynamoDbInbox.of(client, "inbox", "billing");

      Handled<String> handled =
          inbox.handle(
              MESSAGE,
              writes -> {
                writes.update(
                    update ->
                        update
                            .tableName("accounts")
                            .key(id("alice"))
                            .updateExpression("ADD amount :cents")
                            .expressionAttributeValues(amount(-2500)));
                writes.update(
                    update ->
                        update
                            .tableName("accounts")
                            .key(id("bob"))
                            .updateExpression("ADD amount :cents")
                            .expressionAttributeValues(amount(2500)));
                return "transferred";
              });
      // end
      assertEquals(new Handled.Applied<>("transferred"), handled);
      assertEquals(new Handled.Duplicate<>(), inbox.handle(MESSAGE, writes -> "again"));
      DynamoDbOutbox.createTable(client, "outgoing");
      assertEquals(new Handled.Applied<>("transferred"), publish(client));
      assertEquals(1, client.scan(scan -> scan.tableName("outgoing")).count());
    } finally {
      server.shutdownNow();
    }
  }

  private static Handled<String> publish(DynamoDbClient client) {
    DynamoDbInbox inbox = DynamoDbInbox.of(client, "inbox", "mailing");
    // snippet: inbox-publish-dynamodb
    DynamoDbOutbox outgoing = DynamoDbOutbox.of(client, "outgoing");

    Handled<String> handled =
        inbox.handle(
            MESSAGE,
            writes -> {
              writes.update(
                  update ->
                      update
                          .tableName("accounts")
                          .key(id("alice"))
                          .updateExpression("ADD amount :cents")
                          .expressionAttributeValues(amount(-2500)));
              writes.publish(outgoing, OutgoingMessage.to("transfers", "{}").key("alice"));
              return "transferred";
            });
    // end
    return handled;
  }

  private static Handled<String> transfer(MongoClient client, MongoDatabase database) {
    // snippet: inbox-mongodb
    MongoInbox inbox = MongoInbox.of(client, database, "inbox", "billing");

    Handled<String> handled =
        inbox.handle(
            MESSAGE,
            all -> {
              all.collection("accounts").updateOne(eq("_id", "alice"), inc("cents", -2500));
              all.collection("accounts").updateOne(eq("_id", "bob"), inc("cents", 2500));
              return "transferred";
            });
    // end
    return handled;
  }

  @Test
  @DisplayName("on MongoDB, and the fault of a server without transactions")
  void mongoDb() {
    MongoProcess server = LocalStore.mongo();
    try (MongoClient client = MongoClients.create(server.uri())) {
      MongoDatabase database = client.getDatabase("inboxes" + System.nanoTime());
      MongoInbox.createIndex(database, "inbox");
      assertEquals(new Handled.Applied<>("transferred"), transfer(client, database));
      assertEquals(new Handled.Duplicate<>(), transfer(client, database));
      assertEquals(new Handled.Applied<>("transferred"), publish(client, database));
      assertEquals(1, database.getCollection("outgoing").countDocuments());
    }
  }

  private static Handled<String> publish(MongoClient client, MongoDatabase database) {
    MongoInbox inbox = MongoInbox.of(client, database, "inbox", "mailing");
    // snippet: inbox-publish-mongodb
    MongoOutbox outgoing = MongoOutbox.of(database.getCollection("outgoing"));

    Handled<String> handled =
        inbox.handle(
            MESSAGE,
            all -> {
              all.collection("accounts").updateOne(eq("_id", "alice"), inc("cents", -2500));
              all.publish(outgoing, OutgoingMessage.to("transfers", "{}").key("alice"));
              return "transferred";
            });
    // end
    return handled;
  }
}
