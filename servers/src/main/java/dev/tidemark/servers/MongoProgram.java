package dev.tidemark.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The {@code mongod} of this machine. */
public final class MongoProgram {
  private static @Nullable String found;
  private static @Nullable String failed;

  private MongoProgram() {}

  /**
   * Finds it: {@code MONGOD} names it, or it is on the {@code PATH}, or {@code dev/mongod} fetches
   * it once and keeps it. For any number of threads.
   *
   * @return a program that runs
   * @throws IllegalStateException if there is none, and none can be fetched
   */
  public static synchronized String find() {
    String named = System.getenv().getOrDefault("MONGOD", "");
    String program = named.isEmpty() ? found : named;
    if (program == null && failed != null) {
      throw new IllegalStateException(failed); // asking again would only take its time
    }
    if (program == null) {
      try {
        program = asked();
      } catch (IllegalStateException e) {
        failed = e.getMessage();
        throw e;
      }
      found = program;
    }
    return program;
  }

  /**
   * Says why there is none.
   *
   * @return a sentence; empty if {@link #find} finds one
   */
  public static Optional<String> missing() {
    try {
      var unused = find();
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** What the script prints, which looks on the path and in its cache first. */
  private static String asked() {
    Path here = Path.of("").toAbsolutePath();
    Path script =
        Stream.iterate(here, folder -> folder != null, Path::getParent)
            .map(folder -> folder.resolve("dev").resolve("mongod"))
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(() -> missing(here + " is in no clone that has dev/mongod"));
    try {
      Path said = Files.createTempFile("tidemark-mongod", ".log");
      try {
        Process process =
            new ProcessBuilder(script.toString()).redirectError(said.toFile()).start();
        String printed =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
          List<String> lines = Files.readAllLines(said);
          throw missing(lines.isEmpty() ? "it says nothing" : lines.get(lines.size() - 1));
        }
        return printed;
      } finally {
        Files.delete(said);
      }
    } catch (IOException e) { // as where it is no program, on Windows
      throw missing(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static IllegalStateException missing(String why) {
    return new IllegalStateException(
        "there is no MongoDB server: set MONGOD to a mongod, put one on the PATH, or mend what"
            + " keeps dev/mongod from fetching one: "
            + why);
  }
}
