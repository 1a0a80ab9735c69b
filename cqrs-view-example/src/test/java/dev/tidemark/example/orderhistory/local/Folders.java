package dev.tidemark.lab.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders that a command has made. */
public final class Folders {
  private Folders() {}

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
