package dev.tidemark.dynamodb;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The key of a record that keeps outgoing messages, as {@link DynamoDbOutbox} gives it out. Equal
 * where the attributes of the primary key are; what else was read of the item is beside them, so
 * that a write can be made without another read.
 */
final class OutboxKey {
  private final Map<String, AttributeValue> attributes;
  private final long shard;
  private final @Nullable AttributeValue expiry;
  private final boolean own;
  private final Map<String, AttributeValue> stored;

  /**
   * A key.
   *
   * @param attributes of the primary key
   * @param shard under which the record is found while something waits
   * @param expiry of a deleted entity
   * @param own whether it is a record of its own, which is deleted once it keeps nothing
   * @param stored its messages as they are stored, by their IDs
   */
  OutboxKey(
      Map<String, AttributeValue> attributes,
      long shard,
      @Nullable AttributeValue expiry,
      boolean own,
      Map<String, AttributeValue> stored) {
    this.attributes = Map.copyOf(attributes);
    this.shard = shard;
    this.expiry = expiry;
    this.own = own;
    this.stored = Map.copyOf(stored);
  }

  Map<String, AttributeValue> attributes() {
    return attributes;
  }

  long shard() {
    return shard;
  }

  @Nullable AttributeValue expiry() {
    return expiry;
  }

  boolean isOwn() {
    return own;
  }

  /** A message as it is stored; null if it was not read. */
  @Nullable AttributeValue stored(String id) {
    return stored.get(id);
  }

  /** Whether the same was read of the item beside its key. */
  boolean hasSameState(OutboxKey key) {
    return shard == key.shard && own == key.own && Objects.equals(expiry, key.expiry);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OutboxKey key && key.attributes.equals(attributes);
  }

  @Override
  public int hashCode() {
    return attributes.hashCode();
  }

  /** Names the attributes, never their values. */
  @Override
  public String toString() {
    return "OutboxKey" + attributes.keySet();
  }
}
