package dev.tidemark.benchmarks.outgoing;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table of rows that are written with the entity, and queried and deleted once they are sent. */
final class TransactionsByHand {
  /** What BatchWriteItem takes. */
  private static final int MOST = 25;

  private final DynamoDbClient client;
  private final String entities;
  private final String outbox;
  private long version;

  TransactionsByHand(DynamoDbClient client, String entities, String outbox) {
    this.client = client;
    this.entities = entities;
    this.outbox = outbox;
  }

  void publish(int entity) {
    version++;
    Items.write(
        client,
        Items.entity(entities, entity, version),
        Items.row(
            outbox,
            Map.of(
                "pk", Items.text("waiting"),
                "sk", Items.text(String.format(Locale.ROOT, "%019d", version)),
                "text", Items.text(DynamoDbWays.TEXT))));
  }

  int send() {
    List<Map<String, AttributeValue>> rows =
        client
            .query(
                query ->
                    query
                        .tableName(outbox)
                        .consistentRead(true)
                        .limit(MOST)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", Items.text("waiting"))))
            .items();
    List<Map<String, AttributeValue>> keys =
        rows.stream().map(row -> Map.of("pk", row.get("pk"), "sk", row.get("sk"))).toList();
    Items.delete(client, outbox, keys);
    return rows.size();
  }
}
