package dev.tidemark.lab.checkout;

import dev.tidemark.example.orderhistory.local.Folders;
import dev.tidemark.lab.command.StoreOption;
import dev.tidemark.lab.command.StoreOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code ./demo --checkout} runs. */
@Command(
    name = "demo --checkout",
    mixinStandardHelpOptions = true,
    description = "Counts charges while checkouts come twice and their service is killed.")
public final class CheckoutCommand implements Callable<Integer> {
  @Mixin private StoreOptions options = new StoreOptions();

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
    if (options.isServerMissing()) {
      return 1;
    }
    Settings settings = new Settings(keys, kills, options.seed());
    List<CheckoutResult> results = new ArrayList<>();
    for (StoreOption store : options.stores()) {
      results.add(run(store, settings, System.out));
    }
    results.forEach(result -> System.out.println(result.line()));
    return results.stream().allMatch(CheckoutResult::holds) ? 0 : 1;
  }

  static CheckoutResult run(StoreOption store, Settings settings, PrintStream out)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("tidemark-checkout");
    CheckoutResult result = run(store, settings, folder, out);
    if (result.holds()) {
      Folders.delete(folder);
    } else {
      out.println("  the services' logs and the ledger of the payments are in " + folder);
    }
    return result;
  }

  private static CheckoutResult run(
      StoreOption store, Settings settings, Path folder, PrintStream out)
      throws IOException, InterruptedException {
    try (Place place = open(store, Files.createDirectory(folder.resolve("store")));
        CheckoutRun run = new CheckoutRun(place, settings, folder, out, Clock.systemUTC())) {
      out.println(place.store() + ": " + place.origin());
      return run.run();
    }
  }

  private static Place open(StoreOption store, Path folder) {
    return store == StoreOption.dynamodb ? new DynamoDbPlace() : new MongoPlace(folder);
  }
}
