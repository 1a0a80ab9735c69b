package dev.tidemark.dynamodb;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * In place of a write: a function refused.
 *
 * @param recorded whether the message is to be recorded all the same
 */
record DynamoDbRefusal(boolean recorded) implements DynamoDbWrite {
  @Override
  public CompletableFuture<Map<String, AttributeValue>> send(DynamoDbAttempts attempts) {
    throw new IllegalStateException("a refusal is no request");
  }
}
