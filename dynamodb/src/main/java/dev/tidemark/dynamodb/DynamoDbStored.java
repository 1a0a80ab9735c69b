package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Found;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What is stored under a key.
 *
 * @param item the whole item; empty if there is none
 * @param found the same, decoded
 * @param isOfRefusal whether a write was refused over it, and not over what came before it
 * @param <T> the entity's type
 */
record DynamoDbStored<T>(Map<String, AttributeValue> item, Found<T> found, boolean isOfRefusal) {
  DynamoDbStored(Map<String, AttributeValue> item, Found<T> found) {
    this(item, found, false);
  }

  /** The same, which came with the refusal of a write. */
  DynamoDbStored<T> ofRefusal() {
    return new DynamoDbStored<>(item, found, true);
  }
}
