package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.local.Folders;
import dev.tidemark.servers.MongoProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What {@code ./demo} runs: the {@link Proof}, one carrier, or carriers under faults. */
public final class Demo {
  private static final Duration WARMING = Duration.ofSeconds(3);

  /** Of which the median decides. */
  private static final int REPETITIONS = 3;

  private Demo() {}

  /**
   * Exits with 0 if everything is as promised, with 1 if that is not so or something could not be
   * run, with 2 if the arguments make no sense.
   *
   * @param args see {@code --help}
   */
  public static void main(String... args) {
    System.exit(exitStatus(args)); // the embedded servers have threads that would stay
  }

  private static int exitStatus(String... args) {
    if (List.of(args).contains("--help")) {
      System.out.println(Options.USAGE);
      return 0;
    }
    Options options;
    try {
      options = Options.of(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.println(Options.USAGE);
      return 2;
    }
    try {
      return run(options) ? 0 : 1;
    } catch (Exception e) {
      e.printStackTrace();
      return 1;
    }
  }

  /** Runs in a folder that is deleted afterwards. */
  private static boolean run(Options options) throws Exception {
    Path folder = Files.createTempDirectory("tidemark-demo");
    try {
      return options.mode() == Options.Mode.PROOF
          ? proof(options, folder)
          : new Cells(options, System.out, Clock.systemUTC()).run(folder);
    } finally {
      Folders.delete(folder);
    }
  }

  private static boolean proof(Options options, Path folder) throws Exception {
    Optional<String> missing =
        options.stores().contains("mongodb") ? MongoProgram.missing() : Optional.empty();
    if (missing.isPresent()) {
      System.err.println(missing.get());
      return false;
    }
    Proof proof = new Proof(options, WARMING, REPETITIONS, System.out, Clock.systemUTC());
    List<ProofResult> results = proof.run(folder);
    proof.report(results);
    return results.stream().allMatch(ProofResult::asPromised);
  }
}
