package dev.tidemark.lab.outbox;

import dev.tidemark.example.orderhistory.local.Folders;
import dev.tidemark.lab.command.StoreOption;
import dev.tidemark.lab.command.StoreOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What {@code ./demo --outbox} runs. */
@Command(
    name = "demo --outbox",
    mixinStandardHelpOptions = true,
    description = "Counts messages while the relays that send them die, and brokers are away.")
public final class OutboxCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StoreOptions options = new StoreOptions();

  @Option(
      names = "--case",
      converter = ToCase.class,
      description =
          "One of kills, broker-down, two-relays, four-relays, stops, stream-lost, poison; of"
              + " mongodb history-lost, invalidated; of dynamodb shard-split, iterator-expired."
              + " All that the store has if it is left out.")
  private List<Case> cases = List.of(Case.values());

  @Option(
      names = "--messages",
      defaultValue = "5000",
      description = "How many are published in a case; ${DEFAULT-VALUE} at first.")
  private int messages;

  @Option(
      names = "--kills",
      defaultValue = "100",
      description =
          "How many relays are killed in the case 'kills', a fifth of it (rounded up) in others;"
              + " ${DEFAULT-VALUE} at first.")
  private int kills;

  @Option(
      names = "--down",
      defaultValue = "30",
      description = "For how many seconds the broker is away; ${DEFAULT-VALUE} at first.")
  private int down;

  /** Reads a case as it is written in results. */
  static final class ToCase implements ITypeConverter<Case> {
    @Override
    public Case convert(String name) {
      return Stream.of(Case.values())
          .filter(one -> one.toString().equals(name))
          .findFirst()
          .orElseThrow(
              () -> new CommandLine.TypeConversionException("no case is named '" + name + "'"));
    }
  }

  /**
   * Exits with 0 if nothing is lost, left or wrong in every case, with 1 if that is not so or they
   * could not be run, with 2 if the arguments make no sense.
   *
   * @param args see {@code --help}
   */
  public static void main(String... args) {
    System.exit(new CommandLine(new OutboxCommand()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (options.stores().stream().allMatch(store -> of(store, cases).isEmpty())) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "%s has no case %s; it has %s"
              .formatted(
                  options.stores().get(0),
                  cases.get(0),
                  of(options.stores().get(0), List.of(Case.values()))));
    }
    if (options.isServerMissing()) {
      return 1;
    }
    List<OutboxResult> results = new ArrayList<>();
    for (StoreOption store : options.stores()) {
      for (Case one : of(store, cases)) {
        OutboxResult result = run(store, one);
        System.out.println(result.line());
        results.add(result);
      }
    }
    long hold = results.stream().filter(OutboxResult::holds).count();
    System.out.println(hold + " of " + results.size() + " hold");
    return hold == results.size() ? 0 : 1;
  }

  private OutboxResult run(StoreOption store, Case one) throws IOException {
    Settings settings = new Settings(messages, kills(one), down, options.seed());
    Path folder = Files.createTempDirectory("tidemark-outbox");
    boolean holds = false;
    PrintStream out = System.out;
    try (Place place = open(store, one, Files.createDirectory(folder.resolve("data")))) {
      OutboxResult result = run(place, one, settings, folder, out);
      holds = result.holds();
      return result;
    } finally {
      if (holds) {
        Folders.delete(folder);
      } else {
        System.out.println("  the relays' logs are in " + folder);
      }
    }
  }

  private static List<Case> of(StoreOption store, List<Case> cases) {
    return cases.stream().filter(one -> one.isOf(store.name())).toList();
  }

  /** In each case some, if there are to be any: else nothing would go wrong in it. */
  int kills(Case one) {
    return one == Case.KILLS ? kills : (kills + 4) / 5;
  }

  private static OutboxResult run(
      Place place, Case one, Settings settings, Path folder, PrintStream out) {
    try (OutboxRun run = new OutboxRun(place, one, settings, folder, out)) {
      return run.run();
    }
  }

  static Place open(StoreOption store, Case what, Path data) {
    return store == StoreOption.dynamodb ? Place.dynamoDb() : Place.mongo(data, what);
  }
}
