package dev.tidemark.kernel;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The two forms in which a message ID is stored: as a string, or as bytes. */
public final class Ids {
  private static final byte NOT_A_UUID = (byte) 0xFF;
  private static final int UUID_BYTES = 16;
  private static final int UUID_CHARACTERS = 36;

  private Ids() {}

  /**
   * What is stored of an id.
   *
   * @param id the id
   * @param compact whether as bytes
   * @return a string or bytes
   */
  public static Object stored(MessageId id, boolean compact) {
    return compact ? bytes(id.value()) : id.value();
  }

  /**
   * The same id in one of the forms.
   *
   * @param name where it is stored
   * @throws CorruptRecordException if it is none
   */
  static Object inForm(String name, Object stored, boolean compact) {
    if (stored instanceof String text) {
      return compact ? bytes(text) : text;
    }
    if (!(stored instanceof ByteBuffer bytes)) {
      throw new CorruptRecordException("'" + name + "' is not a set of message IDs", null, null);
    }
    return compact ? bytes : text(name, bytes.duplicate());
  }

  private static String text(String name, ByteBuffer bytes) {
    if (bytes.remaining() == UUID_BYTES) {
      return new UUID(bytes.getLong(), bytes.getLong()).toString();
    }
    int prefix = 0;
    while (bytes.hasRemaining() && bytes.get(bytes.position()) == NOT_A_UUID) {
      bytes.get();
      prefix++;
    }
    if (prefix == 0) {
      throw new CorruptRecordException("'" + name + "' has bytes of no message ID", null, null);
    }
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  /**
   * What may be stored of an id.
   *
   * @param id the id
   * @return the string and the bytes
   */
  public static List<Object> allForms(MessageId id) {
    return List.of(id.value(), bytes(id.value()));
  }

  /**
   * The UUID of version 8, which is of one's own making, that follows from a hash.
   *
   * @param hash at least 16 bytes
   * @return the same for the same hash
   */
  public static UUID uuid(byte[] hash) {
    ByteBuffer bits = ByteBuffer.wrap(hash);
    long high = (bits.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
    long low = (bits.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  /** 16 bytes of a UUID; else UTF-8 behind one 0xFF, or two where one would give 16 bytes. */
  private static ByteBuffer bytes(String value) {
    Optional<UUID> known = // joined once more, a text may be longer than IDs are
        value.length() == UUID_CHARACTERS ? MessageId.of(value).uuid() : Optional.empty();
    if (known.isPresent()) {
      UUID uuid = known.get();
      ByteBuffer buffer = ByteBuffer.allocate(UUID_BYTES);
      buffer.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
      return buffer.flip().asReadOnlyBuffer();
    }
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    int prefix = text.length + 1 == UUID_BYTES ? 2 : 1;
    ByteBuffer buffer = ByteBuffer.allocate(text.length + prefix);
    for (int i = 0; i < prefix; i++) {
      buffer.put(NOT_A_UUID);
    }
    return buffer.put(text).flip().asReadOnlyBuffer();
  }

  /**
   * A message as exceptions name it: the id of a source may be an entity's key, which none does.
   */
  static String withoutSource(Message message) {
    return message instanceof SourceEvent event
        ? "event " + event.position() + " of a source of type " + event.source().type()
        : message.toString();
  }

  /** Whether a message is an event of one of the sources, of whatever generation. */
  static boolean isOf(Message message, Set<Source> sources) {
    return !sources.isEmpty()
        && message instanceof SourceEvent event
        && sources.stream()
            .anyMatch(source -> source.generation(0).equals(event.source().generation(0)));
  }
}
