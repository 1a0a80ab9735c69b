package dev.tidemark.tck.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The examples of storage-format.md, which the kit's jar carries. */
public final class Examples {
  private static final String PAGE = "/dev/tidemark/tck/storage-format.md";

  private Examples() {}

  /**
   * The JSON of the code block that is opened by {@code ```json format name}.
   *
   * @param format of the store
   * @param name of the example
   * @return the block
   */
  public static String json(String format, String name) {
    String page = page();
    String head = "```json " + format + " " + name + "\n";
    int start = page.indexOf(head);
    if (start < 0) {
      throw new AssertionError("storage-format.md has no example '" + format + " " + name + "'");
    }
    int from = start + head.length();
    return page.substring(from, page.indexOf("```", from));
  }

  private static String page() {
    try (InputStream page =
        Objects.requireNonNull(Examples.class.getResourceAsStream(PAGE), PAGE)) {
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
