package dev.tidemark.lab.checkout;

import dev.tidemark.example.orderhistory.local.LocalMongo;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code ./demo --checkout} runs. */
@Command(
    name = "demo --checkout",
    mixinStandardHelpOptions = true,
    description = "Counts charges while checkouts come twice and their service is killed.")
public final class CheckoutCommand implements Callable<Integer> {
  /** The stores that can be had. */
  enum Store {
    dynamodb,
    mongodb
  }

  @Option(
      names = "--store",
      description = "One of ${COMPLETION-CANDIDATES}; both if it is left out.")
  private List<Store> stores = List.of(Store.values());

  @Option(
      names = "--keys",
      defaultValue = "10000",
      description = "How many checkouts in each store; ${DEFAULT-VALUE} if it is left out.")
  private int keys;

  @Option(
      names = "--kills",
      defaultValue = "40",
      description = "How many processes die in each store; ${DEFAULT-VALUE} if it is left out.")
  private int kills;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Chooses duplicates, and where processes die; ${DEFAULT-VALUE} at first.")
  private long seed;

  /**
   * Exits with 0 if every key ended with one charge in every store, with 1 if that is not so or a
   * run was not possible, with 2 if the arguments make no sense.
   *
   * @param args see {@code --help}
   */
  public static void main(String... args) {
    System.exit(new CommandLine(new CheckoutCommand()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (stores.contains(Store.mongodb) && LocalMongo.program().isEmpty()) {
      System.err.println(
          "a MongoDB server is missing: `export MONGOD=$(dev/mongod)` fetches one; the embedded one"
              + " is not what the service meets");
      return 1;
    }
    Settings settings = new Settings(keys, kills, seed);
    List<CheckoutResult> results = new ArrayList<>();
    for (Store store : stores) {
      results.add(run(store, settings, System.out));
    }
    results.forEach(result -> System.out.println(result.line()));
    return results.stream().allMatch(CheckoutResult::holds) ? 0 : 1;
  }

  static CheckoutResult run(Store store, Settings settings, PrintStream out)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("tidemark-checkout");
    CheckoutResult result = run(store, settings, folder, out);
    if (result.holds()) {
      delete(folder);
    } else {
      out.println("  the services' logs and the ledger of the payments are in " + folder);
    }
    return result;
  }

  private static CheckoutResult run(Store store, Settings settings, Path folder, PrintStream out)
      throws IOException, InterruptedException {
    try (Place place = open(store, Files.createDirectory(folder.resolve("store")));
        CheckoutRun run = new CheckoutRun(place, settings, folder, out, Clock.systemUTC())) {
      out.println(place.store() + ": " + place.origin());
      return run.run();
    }
  }

  private static Place open(Store store, Path folder) {
    return store == Store.dynamodb ? new DynamoDbPlace() : new MongoPlace(folder);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
