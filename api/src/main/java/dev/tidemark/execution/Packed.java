package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.kernel.Faults;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Texts that are compressed where they are long. */
final class Packed {
  /** JSON never starts so. */
  private static final String START = "gzip:";

  private Packed() {}

  /** A text, compressed, unless it is already. */
  static String pack(String text) {
    if (text.startsWith(START)) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("memory was not written to", e);
    }
    return START + Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /**
   * A text as it was before {@link #pack}, or as it is if it never was packed.
   *
   * @param most how many bytes of UTF-8 it may unpack to
   */
  static String unpack(String text, int most) {
    if (!text.startsWith(START)) {
      return text;
    }
    byte[] bytes;
    try (GZIPInputStream in =
        new GZIPInputStream(
            new ByteArrayInputStream(Base64.getDecoder().decode(text.substring(START.length()))))) {
      bytes = in.readNBytes(most + 1); // and no further, however much there is
    } catch (IOException | IllegalArgumentException e) {
      throw new CorruptRecordException(
          "an execution's value cannot be unpacked", null, Faults.silent(e));
    }
    if (bytes.length > most) {
      throw new CorruptRecordException(
          "an execution's value unpacks to more than the %d bytes that are read".formatted(most),
          null,
          null);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
