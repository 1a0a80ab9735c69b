package dev.tidemark.kernel;

import dev.tidemark.Operation;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The two forms of a revision, which is the token of the write that left it. As bytes it says that
 * the entity is there and that anybody may write it blindly. As text it says that whoever writes
 * has to read first: the record is a tombstone, or the entity has marks of nearly as many sources
 * as one of its subscribers allows, which is named behind the digits then.
 */
public final class Revision {
  private static final Pattern TEXT = Pattern.compile("([0-9a-f]{32})(@.*)?", Pattern.DOTALL);

  private Revision() {}

  /**
   * A token, which never repeats: it tells a write from others, and is the entity's revision from
   * then on.
   *
   * @return 16 bytes
   */
  public static ByteBuffer newToken() {
    UUID random = UUID.randomUUID();
    ByteBuffer token = ByteBuffer.allocate(2 * Long.BYTES);
    token.putLong(random.getMostSignificantBits()).putLong(random.getLeastSignificantBits());
    return token.flip().asReadOnlyBuffer();
  }

  /**
   * The token in a revision of either form; null where something else is stored.
   *
   * @param stored the revision
   */
  static @Nullable ByteBuffer token(Object stored) {
    if (stored instanceof ByteBuffer bytes) {
      return bytes;
    }
    Matcher text = matcher(stored);
    return text.matches() ? ByteBuffer.wrap(HexFormat.of().parseHex(text.group(1))) : null;
  }

  /** The subscriber for which sources have to be counted, behind an at sign; empty if none. */
  static String full(@Nullable Object stored) {
    Matcher text = matcher(stored);
    return text.matches() && text.group(2) != null ? text.group(2) : "";
  }

  private static Matcher matcher(@Nullable Object stored) {
    return TEXT.matcher(stored instanceof String text ? text : "");
  }

  /** A revision that says to read first, for a reason that is empty on a tombstone. */
  static String text(ByteBuffer token, String full) {
    byte[] bytes = new byte[token.remaining()];
    token.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes) + full;
  }

  /**
   * The revision of a write that keeps what the one before says.
   *
   * @param before the revision that is replaced; null if there is none
   * @param token the write's token
   * @return bytes or text
   */
  public static Object after(@Nullable Object before, ByteBuffer token) {
    return matcher(before).matches() ? text(token, full(before)) : token;
  }

  /**
   * The revision that operations of a write assign, after those on marks.
   *
   * @param operations those of a {@link Marking}
   * @return bytes or text; empty text if there are none
   */
  public static Object in(List<Operation> operations) {
    return operations.isEmpty() ? "" : operations.get(operations.size() - 1).value();
  }
}
