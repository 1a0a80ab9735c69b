package dev.tidemark.lab.clusters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Counts what clusters send twice, or not at all, in virtual time. */
@Command(
    name = "demo --clusters",
    mixinStandardHelpOptions = true,
    description =
        "Counts what relays of several clusters send twice, in virtual time, beside the published"
            + " algorithm.")
public final class ClustersCommand implements Callable<Integer> {
  private static final String LEGEND =
      """
      Each run is a line; docs/clusters.md says what happens in it. D, the maximum delay, is 20 s.
        lost, disorder, pending  messages that nobody got, that came before an earlier one of their
                                 entity, and records that wait at the end: each has to be 0
        copies, bound            messages that consumers got again, and how many there may be
        takeovers                messages that a cluster sent in place of another
        delay_p99                from publishing to sending, of all but one in a hundred
        relays, longest_gap      how many relays ran; the longest time from one pass to the next. Runs
                                 of functions have a new relay for each pass, those with "pause" gaps
                                 longer than D: a run fails that does not come to that
      """;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--clusters",
      split = ",",
      defaultValue = "2,3,5",
      description = "How many clusters there are; ${DEFAULT-VALUE} if it is left out.")
  private List<Integer> clusters = List.of();

  @Option(
      names = "--messages",
      defaultValue = "100000",
      description = "How many in each run; ${DEFAULT-VALUE} if it is left out.")
  private int messages;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Chooses all that is random; ${DEFAULT-VALUE} if it is left out.")
  private long seed;

  @Option(names = "--run", description = "Names of runs; all if it is left out.")
  private List<String> runs = List.of();

  /**
   * Exits with 0 if nothing is lost and copies are within their bound in every run, with 1 if not,
   * with 2 if the arguments make no sense.
   *
   * @param args see {@code --help}
   */
  public static void main(String... args) {
    System.exit(new CommandLine(new ClustersCommand()).execute(args));
  }

  @Override
  public Integer call() {
    List<Plan> all =
        clusters.stream().flatMap(count -> new Plans(messages, seed).of(count).stream()).toList();
    List<String> names = all.stream().map(Plan::name).distinct().toList();
    if (!names.containsAll(runs)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "no run is named as one of %s; there are %s".formatted(runs, names));
    }
    List<Plan> plans =
        all.stream().filter(plan -> runs.isEmpty() || runs.contains(plan.name())).toList();
    System.out.print(LEGEND);
    List<Boolean> held = new ArrayList<>();
    for (Plan plan : plans) {
      List<Simulation.Result> results =
          (plan.runs().areHard() ? Stream.of(false) : Stream.of(false, true).parallel())
              .map(isPublished -> new Simulation(plan, isPublished).run())
              .toList();
      System.out.println(results.get(0).line());
      for (Simulation.Result published : results.subList(1, results.size())) {
        System.out.printf(
            "  published algorithm: lost=%d copies=%d delay_p99=%.1fs%n",
            published.lost(), published.copies(), published.delay() / 1_000.0);
      }
      held.add(results.get(0).holds());
    }
    long holds = held.stream().filter(one -> one).count();
    System.out.printf("%d of %d hold%n", holds, held.size());
    return holds == held.size() ? 0 : 1;
  }
}
