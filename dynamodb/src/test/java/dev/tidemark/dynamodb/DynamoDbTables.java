package dev.tidemark.dynamodb;

import dev.tidemark.Tracking.AttributeNames;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Clients of the store under test, and fresh tables in it. */
final class DynamoDbTables {
  private static final BackoffStrategy QUICK =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(2), Duration.ofMillis(20));

  private DynamoDbTables() {}

  /** A client that tries as often as it is told, soon. */
  static DynamoDbClient client(
      SdkHttpClient http,
      ExecutionInterceptor interceptor,
      int attempts,
      ExecutionInterceptor... more) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(DynamoDbEndpoint.CREDENTIALS)
        .httpClient(http)
        .overrideConfiguration(
            c -> {
              c.retryStrategy(retries(attempts)).addExecutionInterceptor(interceptor);
              Arrays.stream(more).forEach(c::addExecutionInterceptor);
            })
        .build();
  }

  private static StandardRetryStrategy retries(int attempts) {
    return AwsRetryStrategy.standardRetryStrategy().toBuilder()
        .maxAttempts(attempts)
        .backoffStrategy(QUICK)
        .throttlingBackoffStrategy(QUICK)
        .circuitBreakerEnabled(false)
        .build();
  }

  /** The same on an asynchronous client. */
  static DynamoDbAsyncClient asyncClient(
      SdkAsyncHttpClient http, ExecutionInterceptor interceptor, int attempts) {
    return DynamoDbAsyncClient.builder()
        .httpClient(http)
        .endpointOverride(endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(DynamoDbEndpoint.CREDENTIALS)
        .overrideConfiguration(
            c -> c.retryStrategy(retries(attempts)).addExecutionInterceptor(interceptor))
        .build();
  }

  static DynamoDbFaults faults() {
    return new DynamoDbFaults(UrlConnectionHttpClient.create());
  }

  static DynamoDbClient client() {
    return client(faults(), new Capacity(), 3);
  }

  static DynamoDbAsyncClient asyncClient(SdkAsyncHttpClient http) {
    return DynamoDbAsyncClient.builder()
        .httpClient(http)
        .endpointOverride(endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(DynamoDbEndpoint.CREDENTIALS)
        .build();
  }

  private static URI endpoint() {
    return DynamoDbEndpoint.get().uri();
  }

  /** Makes a table for the keys of a schema. */
  static String create(DynamoDbClient client, TableSchema<?> schema) {
    return create(client, schema, request -> {});
  }

  /** Makes a table for the keys of a schema, with the index of outgoing messages. */
  static String createWithOutbox(DynamoDbClient client, TableSchema<?> schema) {
    return create(
        client,
        schema,
        request -> {
          List<AttributeDefinition> attributes =
              new ArrayList<>(request.build().attributeDefinitions());
          attributes.addAll(DynamoDbOutbox.indexAttributes(AttributeNames.defaults()));
          request
              .attributeDefinitions(attributes)
              .globalSecondaryIndexes(DynamoDbOutbox.index(AttributeNames.defaults()));
        });
  }

  private static String create(
      DynamoDbClient client, TableSchema<?> schema, Consumer<CreateTableRequest.Builder> more) {
    String table = "t-" + UUID.randomUUID();
    List<KeySchemaElement> keys = new ArrayList<>();
    List<AttributeDefinition> attributes = new ArrayList<>();
    schema
        .tableMetadata()
        .primaryKeys()
        .forEach(
            key -> {
              KeyType type = keys.isEmpty() ? KeyType.HASH : KeyType.RANGE;
              keys.add(KeySchemaElement.builder().attributeName(key).keyType(type).build());
              attributes.add(
                  AttributeDefinition.builder()
                      .attributeName(key)
                      .attributeType(schema.tableMetadata().scalarAttributeType(key).orElseThrow())
                      .build());
            });
    client.createTable(
        r ->
            more.accept(
                r.tableName(table)
                    .keySchema(keys)
                    .attributeDefinitions(attributes)
                    .billingMode(BillingMode.PAY_PER_REQUEST)));
    client.waiter().waitUntilTableExists(r -> r.tableName(table)).matched().response();
    return table;
  }

  /** Asks for the capacity that requests consume, and adds it up. */
  static final class Capacity implements ExecutionInterceptor {
    private final DoubleAdder units = new DoubleAdder();

    double units() {
      return units.sum();
    }

    @Override
    public SdkRequest modifyRequest(
        Context.ModifyRequest context, ExecutionAttributes executionAttributes) {
      SdkRequest request = context.request();
      ReturnConsumedCapacity total = ReturnConsumedCapacity.TOTAL;
      if (request instanceof UpdateItemRequest update) {
        return update.toBuilder().returnConsumedCapacity(total).build();
      }
      if (request instanceof PutItemRequest put) {
        return put.toBuilder().returnConsumedCapacity(total).build();
      }
      if (request instanceof DeleteItemRequest delete) {
        return delete.toBuilder().returnConsumedCapacity(total).build();
      }
      return request instanceof GetItemRequest get
          ? get.toBuilder().returnConsumedCapacity(total).build()
          : request;
    }

    @Override
    public void afterExecution(
        Context.AfterExecution context, ExecutionAttributes executionAttributes) {
      ConsumedCapacity consumed =
          context.response() instanceof UpdateItemResponse update
              ? update.consumedCapacity()
              : context.response() instanceof PutItemResponse put
                  ? put.consumedCapacity()
                  : context.response() instanceof DeleteItemResponse delete
                      ? delete.consumedCapacity()
                      : context.response() instanceof GetItemResponse get
                          ? get.consumedCapacity()
                          : null;
      if (consumed != null && consumed.capacityUnits() != null) {
        units.add(consumed.capacityUnits());
      }
    }
  }
}
