package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Marking;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What {@link TidemarkExtension} notes in a {@link Processing} of the write that it made last: the
 * write's token, and the table and class that it was made for. Extensions get attributes, not
 * entities, so the note is an array of bytes that the attribute and the entity share. May be shared
 * by threads; the latest write wins.
 */
final class ProcessingNote {
  private static final int TOKEN = 16;
  private static final int ALL = 2 * TOKEN;

  private final byte[] bytes;

  private ProcessingNote(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The note of a Processing that was not written yet. */
  static ProcessingNote empty() {
    return new ProcessingNote(new byte[ALL]);
  }

  /** The note in an attribute that {@link #toAttribute} made. */
  static ProcessingNote of(AttributeValue attribute) {
    return new ProcessingNote(attribute.b().asByteArrayUnsafe());
  }

  AttributeValue toAttribute() {
    return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes));
  }

  /** Notes a write that is about to be sent, and gives its token. */
  ByteBuffer renew(String table, Class<?> type) {
    ByteBuffer token = Marking.newToken();
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
