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
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Tidemark's native update without the library: its request is made once, and filled in by hand for
 * each message. Between the hand-written guard and this stand the longer guard and the revision,
 * between this and the native update the time in the library.
 */
final class Peeled {
  private static final Event SAMPLE = new Event("sample", 1_000_003, "sample");
  private static final Event OTHER = new Event("other", 1_000_033, "other");
  private static final int TRIES = 20;
  private static final SdkBytes NO_TOKEN = SdkBytes.fromByteArray(new byte[0]);

  private final DynamoDbClient client;
  private final UpdateItemRequest sample = recorded(SAMPLE);

  Peeled(DynamoDbClient client) {
    this.client = client;
    UpdateItemRequest own = withoutToken(recorded(OTHER));
    UpdateItemRequest filled = withoutToken(filled(OTHER));
    if (!filled.equals(own)) {
      throw new IllegalStateException("Tidemark sends " + own + ", which is not " + filled);
    }
  }

  /** The request of most writes: some count the entity's sources, and ask for the item. */
  private static UpdateItemRequest recorded(Event event) {
    Recorder recorder = new Recorder();
    WithTidemark tidemark = new WithTidemark(recorder);
    for (int i = 0; i < TRIES; i++) {
      tidemark.nativeUpdate(event);
      if (recorder.request.returnValues() == ReturnValue.NONE) {
        return recorder.request;
      }
    }
    throw new IllegalStateException("each of " + TRIES + " writes asks for the item");
  }

  private static UpdateItemRequest withoutToken(UpdateItemRequest request) {
    Map<String, AttributeValue> values = new HashMap<>(request.expressionAttributeValues());
    values.replaceAll((alias, value) -> value.b() == null ? value : fromB(NO_TOKEN));
    return request.toBuilder().expressionAttributeValues(values).build();
  }

  boolean request(Event event) {
    try {
      client.updateItem(filled(event));
      return true;
    } catch (ConditionalCheckFailedException refused) {
      return false;
    }
  }

  /** Tidemark's request for another event: another key and mark, other values. */
  private UpdateItemRequest filled(Event event) {
    Map<String, String> names = new HashMap<>();
    sample
        .expressionAttributeNames()
        .forEach((alias, name) -> names.put(alias, name.replace(SAMPLE.entity(), event.entity())));
    Map<String, AttributeValue> values = new HashMap<>();
    sample
        .expressionAttributeValues()
        .forEach((alias, value) -> values.put(alias, filled(value, event)));
    return UpdateItemRequest.builder()
        .tableName(sample.tableName())
        .key(Tables.key(event.entity()))
        .updateExpression(sample.updateExpression())
        .conditionExpression(sample.conditionExpression())
        .expressionAttributeNames(names)
        .expressionAttributeValues(values)
        .returnValues(sample.returnValues())
        .returnValuesOnConditionCheckFailure(sample.returnValuesOnConditionCheckFailure())
        .build();
  }

  /** What a call fills in; constants of the guard stay. */
  private static AttributeValue filled(AttributeValue value, Event event) {
    if (value.b() != null) {
      return fromB(SdkBytes.fromByteArrayUnsafe(token()));
    }
    if (SAMPLE.status().equals(value.s())) {
      return fromS(event.status());
    }
    return Long.toString(SAMPLE.position()).equals(value.n())
        ? fromN(Long.toString(event.position()))
        : value;
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
