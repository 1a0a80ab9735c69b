package dev.tidemark.lab.storm;

import dev.tidemark.example.orderhistory.local.Folders;
import dev.tidemark.lab.command.StoreOption;
import dev.tidemark.lab.command.StoreOptions;
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

/** What {@code ./demo --storm} runs. */
@Command(
    name = "demo --storm",
    mixinStandardHelpOptions = true,
    description = "Counts the effects of deliveries in disorder, twice, and through lost replies.")
public final class StormCommand implements Callable<Integer> {
  @Mixin private StoreOptions options = new StoreOptions();

  @Option(
      names = "--deliveries",
      defaultValue = "200000",
      description = "How many in each store; ${DEFAULT-VALUE} if it is left out.")
  private long deliveries;

  @Option(
      names = "--rounds",
      defaultValue = "10",
      description =
          "How often what is not done is delivered again in vain; ${DEFAULT-VALUE} at first.")
  private int rounds;

  /**
   * Exits with 0 if all is done and nothing wrong in every store, with 1 if that is not so or a
   * storm could not be run, with 2 if the arguments make no sense.
   *
   * @param args see {@code --help}
   */
  public static void main(String... args) {
    System.exit(new CommandLine(new StormCommand()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (options.isServerMissing()) {
      return 1;
    }
    Settings settings = new Settings(deliveries, options.seed(), rounds);
    List<StormResult> results = new ArrayList<>();
    for (StoreOption store : options.stores()) {
      Path folder = Files.createTempDirectory("tidemark-storm");
      try (Place place = open(store, folder)) {
        results.add(run(place, settings, System.out));
      } finally {
        Folders.delete(folder);
      }
    }
    results.forEach(result -> System.out.println(result.line()));
    return results.stream().allMatch(StormResult::holds) ? 0 : 1;
  }

  private static StormResult run(Place place, Settings settings, PrintStream out)
      throws InterruptedException {
    out.println(place.store() + ": " + place.origin());
    try (Storm storm =
        new Storm(place, settings, UnaryOperator.identity(), out, Clock.systemUTC())) {
      return storm.run();
    }
  }

  static Place open(StoreOption store, Path folder) {
    return store == StoreOption.dynamodb ? new DynamoDbPlace() : new MongoPlace(folder);
  }
}
