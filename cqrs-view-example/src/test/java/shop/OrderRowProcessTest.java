package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.local.LocalStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The test of docs/start.md on MongoDB passes where MONGODB_URI names a server")
class OrderRowProcessTest {
  /** Runs it in a process of its own: none can set what it has in its environment. */
  @Test
  @DisplayName("and passes again on what it has left there")
  void passes(@TempDir Path folder) throws Exception {
    Path said = folder.resolve("said");
    ProcessBuilder process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OrderRowProcessTest.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    process.environment().put("MONGODB_URI", LocalStore.mongo().uri());
    int status = process.start().waitFor();
    assertEquals(0, status, Files.readString(said));
  }

  /** What the process does. */
  public static void main(String... args) {
    for (int run = 0; run < 2; run++) {
      new OrderRowTest().anEventThatIsDeliveredTwiceIsAppliedOnce();
    }
  }
}
