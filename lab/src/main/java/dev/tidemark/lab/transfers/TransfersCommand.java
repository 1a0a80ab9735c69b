package dev.tidemark.lab.transfers;

import dev.tidemark.example.orderhistory.local.Folders;
import dev.tidemark.lab.command.StoreOption;
import dev.tidemark.lab.command.StoreOptions;
import dev.tidemark.lab.storm.Settings;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code ./demo --transfers} runs. */
@Command(
    name = "demo --transfers",
    mixinStandardHelpOptions = true,
    description =
        "Audits transfers by transactions and by the inbox, through lost replies and cuts.")
public final class TransfersCommand implements Callable<Integer> {
  @Mixin private StoreOptions options = new StoreOptions();

  @Option(
      names = "--deliveries",
      defaultValue = "20000",
      description = "How many in each store; ${DEFAULT-VALUE} if it is left out.")
  private long deliveries;

  @Option(
      names = "--rounds",
      defaultValue = "10",
      description =
          "How often what is not done is delivered again in vain; ${DEFAULT-VALUE} at first.")
  private int rounds;

  /**
   * Exits with 0 if all is done and nothing wrong in every store, with 1 if that is not so or they
   * could not be run, with 2 if the arguments make no sense.
   *
   * @param args see {@code --help}
   */
  public static void main(String... args) {
    System.exit(new CommandLine(new TransfersCommand()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (options.isServerMissing()) {
      return 1;
    }
    Settings settings = new Settings(deliveries, options.seed(), rounds);
    List<TransfersResult> results = new ArrayList<>();
    for (StoreOption store : options.stores()) {
      Path folder = Files.createTempDirectory("tidemark-transfers");
      try (Bank bank = open(store, folder)) {
        results.add(run(bank, settings, System.out));
      } finally {
        Folders.delete(folder);
      }
    }
    results.forEach(result -> System.out.println(result.line()));
    return results.stream().allMatch(TransfersResult::holds) ? 0 : 1;
  }

  private static TransfersResult run(Bank bank, Settings settings, PrintStream out)
      throws InterruptedException {
    out.println(bank.store() + ": " + bank.origin());
    try (Transfers transfers =
        new Transfers(bank, settings, UnaryOperator.identity(), out, Clock.systemUTC())) {
      return transfers.run();
    }
  }

  static Bank open(StoreOption store, Path folder) {
    return store == StoreOption.dynamodb ? new DynamoDbBank() : new MongoBank(folder);
  }
}
