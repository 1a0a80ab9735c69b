package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Found;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What is stored under a key.
 *
 * @param item the whole item; empty if there is none
 * @param found the same, decoded
 * @param <T> the entity's type
 */
record DynamoDbStored<T>(Map<String, AttributeValue> item, Found<T> found) {}
