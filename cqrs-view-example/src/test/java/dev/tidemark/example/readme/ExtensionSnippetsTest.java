package dev.tidemark.example.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.Processing;
import dev.tidemark.dynamodb.TidemarkExtension;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.AtomicCounterExtension;
import software.amazon.awssdk.enhanced.dynamodb.extensions.VersionedRecordExtension;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

@DisplayName("The snippets of docs/dynamodb.md for existing Enhanced Client code")
class ExtensionSnippetsTest {
  private int acknowledged;

  @Test
  @DisplayName("table.updateItem(bean) applies a message once")
  void updateItem() {
    AmazonDynamoDBLocal server = DynamoDBEmbedded.create();
    try {
      DynamoDbClient client = server.dynamoDbClient();
      // snippet: extension-client
      DynamoDbEnhancedClient enhanced =
          DynamoDbEnhancedClient.builder()
              .dynamoDbClient(client)
              .extensions(
                  VersionedRecordExtension.builder().build(), // extensions(…) drops the defaults
                  AtomicCounterExtension.builder().build(),
                  TidemarkExtension.create())
              .build();
      // end
      DynamoDbTable<Invoice> table =
          enhanced.table("invoices", TableSchema.fromBean(Invoice.class));
      table.createTable();
      DynamoDbEntityStore<Invoice> invoices = DynamoDbEntityStore.of(client, table);
      Invoice invoice = new Invoice();
      invoice.setId("4711");
      invoice.setStatus("PAID");
      MessageId message = MessageId.of(UUID.randomUUID());

      update(table, invoices, invoice, message);
      assertEquals(1, acknowledged);
      update(table, invoices, invoice, message);
      assertEquals(2, acknowledged);
      assertEquals("PAID", table.getItem(invoice).getStatus());

      Invoice read = table.getItem(invoice);
      Invoice stale = table.getItem(invoice);
      read.setStatus("SENT");
      update(table, invoices, read, MessageId.of(UUID.randomUUID()));
      assertEquals(3, acknowledged);
      update(table, invoices, stale, MessageId.of(UUID.randomUUID()));
      assertEquals(3, acknowledged, "refused by its version: to be read again");
      assertEquals("SENT", table.getItem(invoice).getStatus());
    } finally {
      server.shutdown();
    }
  }

  private void acknowledge() {
    acknowledged++;
  }

  private void update(
      DynamoDbTable<Invoice> table,
      DynamoDbEntityStore<Invoice> invoices,
      Invoice invoice,
      Message message) {
    // snippet: extension-update
    invoice.setProcessing(Processing.of(message));
    UpdateItemEnhancedRequest<Invoice> request =
        UpdateItemEnhancedRequest.builder(Invoice.class).item(invoice).build();
    try {
      table.updateItem(request); // with guard and mark, in the same request
      acknowledge();
    } catch (ConditionalCheckFailedException refused) {
      Outcome<Invoice> outcome = invoices.outcomeOf(refused, request);
      if (outcome.isDone()) { // Duplicate, Stale; Applied if only the reply was lost
        acknowledge();
      }
    }
    // end
  }
}
