package dev.tidemark.dynamodb;

import dev.tidemark.Message;
import dev.tidemark.kernel.Revision;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

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
  private final Note note;

  Processing(Message message, Note note) {
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
    return new Processing(message, new Note(new byte[Note.ALL]));
  }

  /**
   * The identity of the delivery.
   *
   * @return what was given
   */
  public Message message() {
    return message;
  }

  Note note() {
    return note;
  }

  /** Names the message. */
  @Override
  public String toString() {
    return "Processing[" + message + "]";
  }

  /**
   * What {@link TidemarkExtension} notes in a {@link Processing} of the write that it made last:
   * the write's token, and the table and class that it was made for. Extensions get attributes, not
   * entities, so the note is an array of bytes that the attribute and the entity share. May be
   * shared by threads; the latest write wins.
   */
  static final class Note {
    private static final int TOKEN = 16;
    private static final int ALL = 2 * TOKEN;

    private final byte[] bytes;

    /** A note in these bytes, which are all 0 until a write is noted. */
    private Note(byte[] bytes) {
      this.bytes = bytes;
    }

    /** The note in an attribute that {@link #toAttribute} made. */
    static Note of(AttributeValue attribute) {
      return new Note(attribute.b().asByteArrayUnsafe());
    }

    AttributeValue toAttribute() {
      return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes));
    }

    /** Notes a write that is about to be sent, and gives its token. */
    ByteBuffer renew(String table, Class<?> type) {
      ByteBuffer token = Revision.newToken();
      synchronized (bytes) {
        ByteBuffer.wrap(bytes).put(token.duplicate()).put(writer(table, type));
      }
      return token;
    }

    /** The token of the last write, if it was made for that table and class. */
    Optional<ByteBuffer> token(String table, Class<?> type) {
      byte[] noted;
      synchronized (bytes) {
        noted = bytes.clone();
      }
      byte[] writer = Arrays.copyOfRange(noted, TOKEN, ALL);
      return Arrays.equals(writer, writer(table, type))
          ? Optional.of(ByteBuffer.wrap(Arrays.copyOf(noted, TOKEN)))
          : Optional.empty();
    }

    private static byte[] writer(String table, Class<?> type) {
      String name = table + "/" + type.getName();
      UUID hash = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.allocate(TOKEN)
          .putLong(hash.getMostSignificantBits())
          .putLong(hash.getLeastSignificantBits())
          .array();
    }
  }
}
