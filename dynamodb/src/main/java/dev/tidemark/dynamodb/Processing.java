package dev.tidemark.dynamodb;

import dev.tidemark.Message;
import dev.tidemark.kernel.Marking;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The message that an entity is being written for: a property of the entity's class, with
 * {@code @DynamoDbConvertedBy(ProcessingConverter.class)}, by which {@link TidemarkExtension} makes
 * {@code table.updateItem(entity)} idempotent. It also carries the token of the attempt, so set a
 * new one for each delivery. It is never stored. Immutable.
 */
public final class Processing {
  private final Message message;
  private final ByteBuffer token;

  private Processing(Message message, ByteBuffer token) {
    this.message = Objects.requireNonNull(message, "message");
    this.token = token;
  }

  /**
   * One delivery of a message.
   *
   * @param message its identity
   * @return the delivery, with a token of its own
   */
  public static Processing of(Message message) {
    return new Processing(message, Marking.newToken());
  }

  static Processing of(Message message, ByteBuffer token) {
    return new Processing(message, token);
  }

  /**
   * The identity of the delivery.
   *
   * @return what was given
   */
  public Message message() {
    return message;
  }

  ByteBuffer token() {
    return token.duplicate();
  }

  /** Names the message. */
  @Override
  public String toString() {
    return "Processing[" + message + "]";
  }
}
