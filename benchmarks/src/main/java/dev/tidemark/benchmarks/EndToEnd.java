package dev.tidemark.benchmarks;

import dev.tidemark.benchmarks.dynamodb.DynamoDbStore;
import dev.tidemark.benchmarks.measure.Driver;
import dev.tidemark.benchmarks.measure.Machine;
import dev.tidemark.benchmarks.measure.Probe;
import dev.tidemark.benchmarks.measure.Round;
import dev.tidemark.benchmarks.measure.Series;
import dev.tidemark.benchmarks.measure.Store;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.benchmarks.mongodb.MongoStore;
import dev.tidemark.benchmarks.report.Bar;
import dev.tidemark.benchmarks.report.BarChart;
import dev.tidemark.benchmarks.report.Csv;
import dev.tidemark.benchmarks.report.Goals;
import dev.tidemark.benchmarks.report.Output;
import dev.tidemark.benchmarks.report.Page;
import dev.tidemark.benchmarks.report.Results;
import dev.tidemark.benchmarks.report.Row;
import dev.tidemark.benchmarks.report.Table;
import dev.tidemark.benchmarks.server.DynamoDbServer;
import dev.tidemark.benchmarks.server.MongoServer;
import dev.tidemark.benchmarks.stats.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All techniques on real processes, each store by itself. */
final class EndToEnd {
  private static final int THREADS = 4;

  /** Each technique has 38,400 messages before. */
  private static final int WARM_UPS = 12;

  /** Those that the page of the docs shows. */
  private static final int COLUMNS = 13;

  private final Options options;
  private final Results results = new Results();
  private final List<String> head = new ArrayList<>();

  EndToEnd(Options options) {
    this.options = options;
  }

  void run() throws Exception {
    say(Machine.describe());
    if (options.stores().contains("dynamodb")) {
      try (DynamoDbServer server = DynamoDbServer.start();
          Store metered = new DynamoDbStore(server, true);
          Store store = new DynamoDbStore(server, false)) {
        measure(store, metered);
      }
    }
    if (options.stores().contains("mongodb")) {
      try (MongoServer server = MongoServer.start();
          Store store = new MongoStore(server)) {
        measure(store, store);
      }
    }
    report();
  }

  private void say(String line) {
    System.out.println(line);
    head.add(line);
  }

  private void measure(Store store, Store metered) throws Exception {
    say(store.name() + ": " + store.server());
    Map<String, Probe> probes = new LinkedHashMap<>();
    for (Technique technique : chosen(metered)) {
      probes.put(technique.name(), Probe.of(metered, technique));
    }
    Driver driver = new Driver(store, THREADS);
    long start = System.nanoTime();
    Map<Technique, List<Round>> rounds =
        new Series(store, driver, WARM_UPS)
            .run(
                chosen(store),
                options.rounds(),
                round ->
                    System.out.printf(
                        "%s: round %d after %d s%n",
                        store.name(), round, (System.nanoTime() - start) / 1_000_000_000));
    rounds.forEach(
        (technique, all) -> {
          Probe probe = probes.get(technique.name());
          if (probe != null) {
            results.add(
                new Row(store.name(), technique.name(), driver.lanes(technique), all, probe));
          }
        });
  }

  private List<Technique> chosen(Store store) {
    return store.techniques().stream()
        .filter(technique -> options.names(technique.name()))
        .toList();
  }

  private void report() {
    Csv csv = Table.of(results.rows());
    Table.lines(csv).forEach(System.out::println);
    List<String> verdicts = new ArrayList<>(Goals.verdicts(results));
    results.rows().stream()
        .filter(row -> row.threads() > THREADS)
        .map(EndToEnd::limit)
        .forEach(verdicts::add);
    verdicts.forEach(System.out::println);
    Output output = new Output(options.publish());
    output.write("techniques.csv", csv.toString());
    output.page(
        "techniques",
        Page.printed(head) + "\n" + csv.markdown(COLUMNS) + "\n" + Page.printed(verdicts));
    for (String store : options.stores()) {
      output.write("techniques-" + store + ".svg", chart(store));
    }
  }

  /** What a technique that is not held up by its threads waits for. */
  private static String limit(Row row) {
    return ("limit: %s %s keeps %.2f of %d cores busy,"
            + " %.0f us of the client and %.0f us of the store a message")
        .formatted(
            row.store(),
            row.technique(),
            row.sample(Round::busyProcessors).median(),
            Runtime.getRuntime().availableProcessors(),
            row.sample(Round::clientCpu).median(),
            row.sample(Round::serverCpu).median());
  }

  private String chart(String store) {
    List<Bar> bars =
        results.rows().stream()
            .filter(row -> row.store().equals(store))
            .map(EndToEnd::bar)
            .toList();
    return new BarChart(
            (store.equals("dynamodb") ? "DynamoDB Local" : "MongoDB") + ", messages per second",
            "median of " + options.rounds() + " rounds, whiskers from the slowest to the fastest",
            bars)
        .render();
  }

  private static Bar bar(Row row) {
    Sample rate = row.sample(Round::messagesPerSecond);
    boolean ours = row.technique().startsWith("Tidemark");
    return new Bar(row.technique(), rate.median(), rate.min(), rate.max(), ours);
  }
}
