package dev.tidemark.lab.checkout;

import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.store.RecordStore;
import java.util.Map;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Records in DynamoDB Local, in this process. */
final class DynamoDbPlace implements Place {
  private static final String TABLE = "executions";

  private final LocalDynamoDb server = new LocalDynamoDb();
  private final DynamoDbClient client =
      DynamoDbClient.builder()
          .endpointOverride(server.uri())
          .region(Region.EU_CENTRAL_1)
          .credentialsProvider(LocalDynamoDb.CREDENTIALS)
          .httpClientBuilder(Apache5HttpClient.builder())
          .build();

  DynamoDbPlace() {
    DynamoDbRecordStore.createTable(client, TABLE);
  }

  @Override
  public String store() {
    return "dynamodb";
  }

  @Override
  public String origin() {
    return "DynamoDB Local, in this process";
  }

  @Override
  public int port() {
    return server.uri().getPort();
  }

  @Override
  public Map<String, String> environment(int through) {
    return Map.of(
        "STORE", store(),
        "AWS_ENDPOINT_URL", "http://127.0.0.1:" + through,
        "AWS_REGION", "eu-central-1",
        "AWS_ACCESS_KEY_ID", "test",
        "AWS_SECRET_ACCESS_KEY", "test");
  }

  @Override
  public RecordStore records() {
    return DynamoDbRecordStore.of(client, TABLE);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
