package dev.tidemark.lambda;

import java.nio.ByteBuffer;

/** The bytes of a buffer, which others may read after that. */
final class Bytes {
  private Bytes() {}

  static byte[] of(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
