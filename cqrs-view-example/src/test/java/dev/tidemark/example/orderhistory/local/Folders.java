package dev.tidemark.example.orderhistory.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders of servers and commands, which leave none behind. */
public final class Folders {
  private Folders() {}

  /**
   * Closes a server when the JVM ends, and deletes its folder then.
   *
   * @param server running
   * @param folder its own
   */
  static void deleteAtEnd(AutoCloseable server, Path folder) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    server.close();
                    delete(folder);
                  } catch (Exception e) {
                    System.err.println(folder + " is left: " + e);
                  }
                }));
  }

  /**
   * Deletes a folder with all that is in it.
   *
   * @param folder there
   * @throws IOException if that is not possible
   */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
