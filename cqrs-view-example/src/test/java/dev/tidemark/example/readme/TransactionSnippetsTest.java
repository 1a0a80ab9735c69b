package dev.tidemark.example.readme;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.Message;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbTransaction;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoTransaction;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.servers.MongoProcess;
import dev.tidemark.transaction.Committed;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("The snippets about transactions")
class TransactionSnippetsTest {
  private static final TableSchema<EnhancedDocument> ACCOUNTS =
      TableSchema.documentSchemaBuilder()
          .addIndexPartitionKey(TableMetadata.primaryIndexName(), "id", AttributeValueType.S)
          .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
          .build();

  private static Committed transfer(
      DynamoDbClient client, DynamoDbEntityStore<EnhancedDocument> accounts) {
    Map<String, AttributeValue> entry = Map.of("id", AttributeValue.fromS("entry-17"));
    // snippet: transaction-dynamodb
    SourceEvent transferred = SourceEvent.of("Transfer", "t-1", 1);

    Committed committed =
        DynamoDbTransaction.on(client)
            .write(accounts, Write.update(transferred, key("alice"), change().add("cents", -2500)))
            .write(accounts, Write.update(transferred, key("bob"), change().add("cents", 2500)))
            .add(writes -> writes.put(put -> put.tableName("accounts").item(entry)))
            .commit();

    if (committed.isDone()) { // now, or by an earlier delivery
      acknowledge();
    }
    // end
    return committed;
  }

  private static void acknowledge() {}

  @Test
  @DisplayName("on DynamoDB")
  void dynamoDb() {
    AmazonDynamoDBLocal server = DynamoDBEmbedded.create();
    try (DynamoDbClient client = server.dynamoDbClient()) {
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
                      KeySchemaElement.builder()
                          .attributeName("id")
                          .keyType(KeyType.HASH)
                          .build()));
      DynamoDbEntityStore<EnhancedDocument> accounts =
          DynamoDbEntityStore.of(client, "accounts", ACCOUNTS);
      SourceEvent opened = SourceEvent.of("Account", "a", 1);
      for (String account : new String[] {"alice", "bob"}) {
        assertTrue(
            accounts
                .update(opened, key(account), change().set("cents", 0).createIfMissing())
                .isDone());
      }
      assertTrue(transfer(client, accounts).isCommitted());
      Committed again = transfer(client, accounts);
      assertEquals(false, again.isCommitted());
      assertTrue(again.isDone());
      DynamoDbOutbox.createTable(client, "outgoing");
      assertTrue(publish(client, accounts, SourceEvent.of("Transfer", "t-3", 1)).isCommitted());
      assertEquals(1, client.scan(scan -> scan.tableName("outgoing")).count());
      projected(client, accounts);
    } finally {
      server.shutdownNow();
    }
  }

  private static Committed publish(
      DynamoDbClient client,
      DynamoDbEntityStore<EnhancedDocument> accounts,
      SourceEvent transferred) {
    String json = "{}";
    // snippet: transaction-publish-dynamodb
    DynamoDbOutbox outgoing = DynamoDbOutbox.of(client, "outgoing");

    Committed committed =
        DynamoDbTransaction.on(client)
            .write(accounts, Write.update(transferred, key("alice"), change().add("cents", -2500)))
            .write(accounts, Write.update(transferred, key("bob"), change().add("cents", 2500)))
            .publish(outgoing, OutgoingMessage.to("transfers", json).type("Transferred"))
            .commit();
    // end
    return committed;
  }

  /** An event that moves money from one account to another. */
  record Transferred(String from, String to, int cents) {}

  /** An event that closes an account. */
  record Closed(String account) {}

  private static void projected(
      DynamoDbClient client, DynamoDbEntityStore<EnhancedDocument> accounts) {
    // snippet: transaction-projector
    Projector<EnhancedDocument> balances =
        Projector.into(accounts)
            .transacting(
                Transferred.class,
                (e, message) ->
                    DynamoDbTransaction.on(client)
                        .write(accounts, added(message, e.from(), -e.cents()))
                        .write(accounts, added(message, e.to(), e.cents()))
                        .commit())
            .deleting(Closed.class, e -> key(e.account()))
            .build();
    // end
    Delivery delivery =
        Delivery.of(SourceEvent.of("Transfer", "t-2", 1), new Transferred("bob", "alice", 500));
    Delivery closed = Delivery.of(SourceEvent.of("Account", "a", 2), new Closed("bob"));
    assertEquals(true, balances.handle(delivery).isApplied());
    assertEquals(false, balances.handle(delivery).isApplied());
    assertTrue(balances.handle(List.of(delivery, closed)).isDone());
    assertEquals(-4500, accounts.find(key("alice")).orElseThrow().getNumber("cents").intValue());
    assertTrue(accounts.find(key("bob")).isEmpty());
  }

  private static Write<EnhancedDocument> added(Message message, String account, int cents) {
    return Write.update(message, key(account), change().add("cents", cents));
  }

  private static Committed transfer(
      MongoClient client, MongoDatabase bank, MongoEntityStore<Document> accounts) {
    SourceEvent transferred = SourceEvent.of("Transfer", "t-1", 1);
    // snippet: transaction-mongodb
    Committed committed =
        MongoTransaction.on(client)
            .write(accounts, Write.update(transferred, key("alice"), change().add("cents", -2500)))
            .write(accounts, Write.update(transferred, key("bob"), change().add("cents", 2500)))
            .add(bank, all -> all.collection("entries").insertOne(new Document("cents", 2500)))
            .commit();
    // end
    return committed;
  }

  @Test
  @DisplayName("on MongoDB, and the fault of a server without transactions")
  void mongoDb() {
    MongoProcess server = LocalStore.mongo();
    try (MongoClient client = MongoClients.create(server.uri())) {
      MongoDatabase bank = client.getDatabase("bank" + System.nanoTime());
      MongoEntityStore<Document> accounts = MongoEntityStore.of(bank.getCollection("accounts"));
      SourceEvent opened = SourceEvent.of("Account", "a", 1);
      for (String account : new String[] {"alice", "bob"}) {
        assertTrue(
            accounts
                .update(opened, key(account), change().set("cents", 0).createIfMissing())
                .isDone());
      }
      assertTrue(transfer(client, bank, accounts).isCommitted());
      assertTrue(transfer(client, bank, accounts).isDone());
      assertEquals(1, bank.getCollection("entries").countDocuments());
      assertTrue(publish(client, bank, accounts).isCommitted());
      assertTrue(publish(client, bank, accounts).isDone());
      assertEquals(1, bank.getCollection("outgoing").countDocuments());
    }
  }

  private static Committed publish(
      MongoClient client, MongoDatabase bank, MongoEntityStore<Document> accounts) {
    SourceEvent transferred = SourceEvent.of("Transfer", "t-2", 1);
    String json = "{}";
    // snippet: transaction-publish-mongodb
    MongoOutbox outgoing = MongoOutbox.of(bank.getCollection("outgoing"));

    Committed committed =
        MongoTransaction.on(client)
            .write(accounts, Write.update(transferred, key("alice"), change().add("cents", -2500)))
            .write(accounts, Write.update(transferred, key("bob"), change().add("cents", 2500)))
            .publish(outgoing, OutgoingMessage.to("transfers", json).type("Transferred"))
            .commit();
    // end
    return committed;
  }
}
