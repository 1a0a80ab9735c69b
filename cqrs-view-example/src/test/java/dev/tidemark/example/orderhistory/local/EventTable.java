package dev.tidemark.example.orderhistory.local;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** A table of events in DynamoDB Local, with a stream of new images. */
public final class EventTable implements AutoCloseable {
  private final DynamoDbClient client;
  private final DynamoDbStreamsClient streams;
  private final String name = "events-" + UUID.randomUUID();
  private final String stream;

  /** Makes a table that nobody else has. */
  public EventTable() {
    LocalDynamoDb server = LocalStore.dynamoDb();
    client = server.client();
    streams =
        DynamoDbStreamsClient.builder()
            .endpointOverride(server.uri())
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(LocalDynamoDb.CREDENTIALS)
            .build();
    stream =
        client
            .createTable(
                table ->
                    table
                        .tableName(name)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .keySchema(
                            KeySchemaElement.builder()
                                .attributeName("id")
                                .keyType(KeyType.HASH)
                                .build())
                        .attributeDefinitions(
                            AttributeDefinition.builder()
                                .attributeName("id")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .streamSpecification(
                            spec ->
                                spec.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE)))
            .tableDescription()
            .latestStreamArn();
  }

  /** Stores an event. */
  public void put(Event event) {
    put(event, Map.of());
  }

  /** Stores an event with more attributes. */
  public void put(Event event, Map<String, AttributeValue> more) {
    Map<String, AttributeValue> item = new HashMap<>(more);
    String json = new String(EventJson.encode(event), StandardCharsets.UTF_8);
    item.put("event", AttributeValue.fromS(json));
    put(event.eventId(), item);
  }

  /** Stores an item. */
  public void put(String id, Map<String, AttributeValue> attributes) {
    Map<String, AttributeValue> item = new HashMap<>(attributes);
    item.put("id", AttributeValue.fromS(id));
    var unused = client.putItem(put -> put.tableName(name).item(item));
  }

  /** Deletes an event. */
  public void delete(Event event) {
    var unused =
        client.deleteItem(
            delete ->
                delete.tableName(name).key(Map.of("id", AttributeValue.fromS(event.eventId()))));
  }

  /** Starts a mapping of its stream to a function. */
  public StreamMapping mapping(UnaryOperator<String> function, int batchSize) {
    return new StreamMapping(streams, stream, function, batchSize);
  }

  @Override
  public void close() {
    streams.close();
    client.close();
  }
}
