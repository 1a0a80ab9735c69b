package dev.tidemark.dynamodb;

import dev.tidemark.Key;
import dev.tidemark.kernel.FoldedFunctions;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Stored;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What is stored under a key.
 *
 * @param mapping maps it
 * @param key the key
 * @param item the whole item; empty if there is none
 * @param found the same, decoded
 * @param <T> the entity's type
 */
record Item<T>(Mapping<T> mapping, Key key, Map<String, AttributeValue> item, Found<T> found)
    implements Stored<T> {
  @Override
  public FoldedFunctions<T> functions() {
    return new Functions<>(mapping, mapping.keys().of(key), this);
  }
}
