package dev.tidemark.benchmarks.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromB;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.tidemark.benchmarks.measure.Event;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * What stands between the hand-written guard and Tidemark's native update, one thing more at a
 * time: its longer guard and its revision, the entity that comes back. What is left is the time in
 * the library.
 */
final class Peeled {
  private static final Event SAMPLE = new Event("sample", 1_000_003, "sample");

  private final DynamoDbClient client;
  private final UpdateItemRequest sample = recorded();

  Peeled(DynamoDbClient client) {
    this.client = client;
  }

  private static UpdateItemRequest recorded() {
    Recorder recorder = new Recorder();
    new WithTidemark(recorder).nativeUpdate(SAMPLE);
    return recorder.request;
  }

  /** The expressions of Tidemark's request, and nothing returned. */
  boolean guarded(Event event) {
    return send(request(event).returnValues((String) null));
  }

  /** The same with the entity as it is afterwards. */
  boolean returning(Event event) {
    return send(request(event));
  }

  private boolean send(UpdateItemRequest.Builder request) {
    try {
      client.updateItem(request.build());
      return true;
    } catch (ConditionalCheckFailedException refused) {
      return false;
    }
  }

  /** Tidemark's request for another event: other names of the source's marks, other values. */
  private UpdateItemRequest.Builder request(Event event) {
    Map<String, String> names = new HashMap<>();
    sample
        .expressionAttributeNames()
        .forEach((alias, name) -> names.put(alias, name.replace(SAMPLE.entity(), event.entity())));
    Map<String, AttributeValue> values = new HashMap<>();
    sample
        .expressionAttributeValues()
        .forEach((alias, value) -> values.put(alias, value(value, event)));
    return UpdateItemRequest.builder()
        .tableName(sample.tableName())
        .key(Tables.key(event.entity()))
        .updateExpression(sample.updateExpression())
        .conditionExpression(sample.conditionExpression())
        .expressionAttributeNames(names)
        .expressionAttributeValues(values)
        .returnValues(sample.returnValues())
        .returnValuesOnConditionCheckFailure(sample.returnValuesOnConditionCheckFailure());
  }

  private static AttributeValue value(AttributeValue of, Event event) {
    return switch (of.type()) {
      case S -> fromS(event.status());
      case B -> fromB(SdkBytes.fromByteArrayUnsafe(token()));
      default ->
          of.n().equals(String.valueOf(SAMPLE.position()))
              ? fromN(String.valueOf(event.position()))
              : of;
    };
  }

  private static byte[] token() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(random.nextLong())
        .putLong(random.nextLong())
        .array();
  }

  /** Keeps the request that it is given. */
  private static final class Recorder implements DynamoDbClient {
    private UpdateItemRequest request = UpdateItemRequest.builder().build();

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest given) {
      request = given;
      return UpdateItemResponse.builder().build();
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {
      // holds nothing
    }
  }
}
