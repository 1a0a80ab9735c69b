package dev.tidemark.lab.command;

import dev.tidemark.servers.MongoProgram;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a command runs, and with which numbers: options of all commands. For one thread. */
public final class StoreOptions {
  @Option(
      names = "--store",
      description = "One of ${COMPLETION-CANDIDATES}; both if it is left out.")
  private List<StoreOption> stores = List.of(StoreOption.values());

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Chooses whatever a run has at random; ${DEFAULT-VALUE} at first.")
  private long seed;

  /** For picocli. */
  public StoreOptions() {}

  /**
   * Where to run.
   *
   * @return at least one
   */
  public List<StoreOption> stores() {
    return stores;
  }

  /**
   * What chooses whatever is random.
   *
   * @return any number
   */
  public long seed() {
    return seed;
  }

  /**
   * Whether a server is asked for that this machine does not have; says so.
   *
   * @return true if the command cannot run
   */
  public boolean isServerMissing() {
    Optional<String> missing =
        stores.contains(StoreOption.mongodb) ? MongoProgram.missing() : Optional.empty();
    missing.ifPresent(System.err::println);
    return missing.isPresent();
  }
}
