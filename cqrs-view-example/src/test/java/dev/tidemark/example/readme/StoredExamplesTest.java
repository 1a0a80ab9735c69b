package dev.tidemark.example.readme;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What pages show as stored")
final class StoredExamplesTest {
  private static final String FENCE = "```";

  @Test
  @DisplayName("is an example of the storage format, which the stores are held to")
  void same() throws Exception {
    String format = Files.readString(Path.of("../docs/storage-format.md"));
    for (String page : List.of("idempotency-keys.md", "inbox.md", "transactions.md")) {
      String text = Files.readString(Path.of("../docs", page));
      int start = text.indexOf(FENCE + "json\n");
      assertTrue(start > 0, () -> page + " shows nothing");
      while (start > 0) {
        int from = text.indexOf('\n', start);
        String example = text.substring(from, text.indexOf(FENCE, from));
        assertTrue(format.contains(example), () -> page + " shows another record:" + example);
        start = text.indexOf(FENCE + "json\n", from);
      }
    }
  }
}
