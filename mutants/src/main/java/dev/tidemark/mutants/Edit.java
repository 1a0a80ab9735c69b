package dev.tidemark.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A few words of a source that stand for others.
 *
 * @param source the file, from the folder of the module that runs the tests
 * @param sound text that it has once
 * @param wrong what stands in its place
 */
public record Edit(Path source, String sound, String wrong) {
  /** Writes the source with what is wrong into a folder, and returns the file. */
  Path into(Path folder) throws IOException {
    String text = Files.readString(source);
    int first = text.indexOf(sound);
    if (first < 0 || first != text.lastIndexOf(sound)) {
      throw new IllegalStateException(
          source
              + " no longer has once '"
              + sound
              + "'; let the mutant replace what does the same");
    }
    return Files.writeString(folder.resolve(source.getFileName()), text.replace(sound, wrong));
  }
}
