package dev.tidemark.kernel;

import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The two forms in which a message ID is stored: as a string, or as bytes. */
public final class Ids {
  private static final byte NOT_A_UUID = (byte) 0xFF;
  private static final int UUID_BYTES = 16;

  private Ids() {}

  static Object stored(MessageId id, boolean compact) {
    return compact ? bytes(id) : id.value();
  }

  /**
   * What may be stored of an id.
   *
   * @param id the id
   * @return the string and the bytes
   */
  public static List<Object> allForms(MessageId id) {
    return List.of(id.value(), bytes(id));
  }

  /** 16 bytes of a UUID; else UTF-8 behind one 0xFF, or two where one would give 16 bytes. */
  private static ByteBuffer bytes(MessageId id) {
    if (id.uuid().isPresent()) {
      UUID uuid = id.uuid().get();
      ByteBuffer buffer = ByteBuffer.allocate(UUID_BYTES);
      buffer.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
      return buffer.flip().asReadOnlyBuffer();
    }
    byte[] text = id.value().getBytes(StandardCharsets.UTF_8);
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
