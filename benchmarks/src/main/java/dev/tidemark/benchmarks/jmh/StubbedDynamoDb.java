package dev.tidemark.benchmarks.jmh;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** A client that answers every update at once, with the entity where that is asked for. */
final class StubbedDynamoDb implements DynamoDbClient {
  private static final UpdateItemResponse EMPTY = UpdateItemResponse.builder().build();
  private static final UpdateItemResponse FULL =
      UpdateItemResponse.builder().attributes(item()).build();

  private static Map<String, AttributeValue> item() {
    Map<String, AttributeValue> item = new LinkedHashMap<>();
    item.put("id", fromS("4711"));
    item.put("status", fromS("STEP-17"));
    item.put("total", fromN("425"));
    item.put("customer", fromS("customer of 4711"));
    item.put("address", fromS("17 Harbour Street, Sea View, 04711 Somewhere by the Coast"));
    item.put("events.Order.4711", fromN("17"));
    item.put("_rev", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[16])));
    return item;
  }

  @Override
  public UpdateItemResponse updateItem(UpdateItemRequest request) {
    return request.returnValues() == ReturnValue.ALL_NEW ? FULL : EMPTY;
  }

  @Override
  public DynamoDbServiceClientConfiguration serviceClientConfiguration() {
    return CONFIGURATION;
  }

  private static final DynamoDbServiceClientConfiguration CONFIGURATION =
      DynamoDbServiceClientConfiguration.builder().build();

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {
    // holds nothing
  }
}
