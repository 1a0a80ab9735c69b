package dev.tidemark.mongodb;

import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The key of a document that keeps outgoing messages, with the document's fields as they were read.
 * Equal for the same document, whatever was read of it.
 */
final class OutboxKey {
  private final BsonDocument id;
  private final BsonDocument image;

  /**
   * A key.
   *
   * @param id {@code _id}, and the fields that route it
   * @param image the outbox as it was read; empty if it was not
   */
  OutboxKey(BsonDocument id, BsonDocument image) {
    this.id = id;
    this.image = image;
  }

  /** {@code _id}, and the fields that route it. */
  BsonDocument id() {
    return id;
  }

  /** The outbox as it was read. */
  BsonDocument image() {
    return image;
  }

  /** The key alone. */
  OutboxKey bare() {
    return new OutboxKey(id, new BsonDocument());
  }

  /** Whether the document is there for its messages alone. */
  boolean isOwn(String field) {
    return BsonBoolean.TRUE.equals(image.get(field));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OutboxKey key && id.equals(key.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** Names fields, never values. */
  @Override
  public String toString() {
    return "OutboxKey" + id.keySet();
  }
}
