package dev.tidemark.dynamodb;

import dev.tidemark.Message;
import java.util.Objects;

/**
 * The message that an entity is being written for: a property of the entity's class, with
 * {@code @DynamoDbConvertedBy(ProcessingConverter.class)}, by which {@link TidemarkExtension} makes
 * {@code table.updateItem(entity)} idempotent. Set a new one for each delivery. It is never stored.
 *
 * <p>It also holds a note of the last write that the extension made with it, from which {@code
 * outcomeOf} tells that write from others: one that is used for a second write is no longer that of
 * the first. May be shared by threads.
 */
public final class Processing {
  private final Message message;
  private final ProcessingNote note;

  private Processing(Message message, ProcessingNote note) {
    this.message = Objects.requireNonNull(message, "message");
    this.note = note;
  }

  /**
   * One delivery of a message.
   *
   * @param message its identity
   * @return the delivery, not written yet
   */
  public static Processing of(Message message) {
    return new Processing(message, ProcessingNote.empty());
  }

  static Processing of(Message message, ProcessingNote note) {
    return new Processing(message, note);
  }

  /**
   * The identity of the delivery.
   *
   * @return what was given
   */
  public Message message() {
    return message;
  }

  ProcessingNote note() {
    return note;
  }

  /** Names the message. */
  @Override
  public String toString() {
    return "Processing[" + message + "]";
  }
}
