package dev.tidemark.benchmarks.jmh;

import dev.tidemark.benchmarks.report.Csv;
import dev.tidemark.benchmarks.report.Goals;
import dev.tidemark.benchmarks.report.Output;
import dev.tidemark.benchmarks.report.Page;
import dev.tidemark.benchmarks.report.Results;
import dev.tidemark.benchmarks.stats.Estimate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs the JMH benchmarks and tells what the library adds to a write by hand. */
@SuppressWarnings("rawtypes") // JMH's results
public final class LibraryTime {
  private static final int COLUMNS = 6;
  private static final double P50 = 50;
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private final Results results = new Results();
  private Csv csv =
      Csv.of("benchmark", "p50_us", "p99_us", "bytes_per_op", "beyond_us", "beyond_bytes");

  private record Cost(Statistics times, double bytes) {
    double micros(double percentile) {
      return times.getPercentile(percentile);
    }
  }

  /**
   * Runs them.
   *
   * @param output where the results go
   * @throws Exception if a benchmark fails
   */
  public void run(Output output) throws Exception {
    pure();
    stores();
    for (int line = 0; line < csv.size(); line++) {
      System.out.println(csv.padded(line, 44, 8, 8, 12, 10, 12));
    }
    List<String> verdicts = Goals.verdicts(results);
    verdicts.forEach(System.out::println);
    output.write("library.csv", csv.toString());
    output.page("library", csv.markdown(COLUMNS) + "\n" + Page.printed(verdicts));
  }

  private void pure() throws Exception {
    for (RunResult result : new Runner(options(Mode.AverageTime, "JudgeBenchmark").build()).run()) {
      Result<?> time = result.getPrimaryResult();
      String name = name(result) + ' ' + result.getParams().getParam("kind");
      csv = csv.with(name, time.getScore(), "-", bytes(result), "-", "-");
    }
  }

  private void stores() throws Exception {
    OptionsBuilder options = options(Mode.SampleTime, "(DynamoDb|Mongo)Benchmark");
    options.jvmArgsAppend(
        RecordedImages.record().entrySet().stream()
            .map(image -> "-D" + image.getKey() + "=" + image.getValue())
            .toArray(String[]::new));
    Map<String, Cost> costs = costs(new Runner(options.build()).run());
    for (Map.Entry<String, Cost> entry : costs.entrySet()) {
      tell(entry.getKey(), entry.getValue(), baseline(costs, entry.getKey()));
    }
    promise("dynamodb", costs, "DynamoDbBenchmark.nativeUpdate");
    promise("mongodb", costs, "MongoBenchmark.nativeUpdate");
  }

  private static OptionsBuilder options(Mode mode, String include) {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(include)
        .mode(mode)
        .timeUnit(TimeUnit.MICROSECONDS)
        .forks(1)
        .warmupIterations(4)
        .warmupTime(TimeValue.seconds(1))
        .measurementIterations(4)
        .measurementTime(TimeValue.seconds(1))
        .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC")
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    return options;
  }

  private static Map<String, Cost> costs(Collection<RunResult> all) {
    Map<String, Cost> costs = new TreeMap<>();
    for (RunResult result : all) {
      Statistics times = result.getPrimaryResult().getStatistics();
      costs.put(name(result), new Cost(times, bytes(result)));
    }
    return costs;
  }

  private static String name(RunResult result) {
    return result.getParams().getBenchmark().replaceAll(".*\\.jmh\\.", "");
  }

  private static double bytes(RunResult result) {
    return result.getSecondaryResults().entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(ALLOCATED))
        .mapToDouble(entry -> entry.getValue().getScore())
        .findFirst()
        .orElseThrow();
  }

  private static Cost baseline(Map<String, Cost> costs, String name) {
    String own = name.endsWith("extension") ? ".enhancedClient" : ".byHand";
    Cost baseline = costs.get(name.substring(0, name.indexOf('.')) + own);
    if (baseline == null) {
      throw new IllegalStateException("no baseline for " + name);
    }
    return baseline;
  }

  private void tell(String name, Cost cost, Cost baseline) {
    csv =
        csv.with(
            name,
            cost.micros(P50),
            cost.micros(99),
            cost.bytes(),
            cost.micros(P50) - baseline.micros(P50),
            cost.bytes() - baseline.bytes());
  }

  private void promise(String store, Map<String, Cost> costs, String name) {
    Cost cost = costs.get(name);
    if (cost == null) {
      throw new IllegalStateException(name + " was not measured");
    }
    Cost baseline = baseline(costs, name);
    double micros = cost.micros(P50) - baseline.micros(P50);
    results.add(store + " library us", Estimate.exactly(micros));
    results.add(store + " library bytes", Estimate.exactly(cost.bytes() - baseline.bytes()));
  }
}
