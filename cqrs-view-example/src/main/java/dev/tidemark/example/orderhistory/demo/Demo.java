package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.Delivery;
import dev.tidemark.Outcome;
import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderHistory;
import dev.tidemark.example.orderhistory.OrderView;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Projects the events of many orders into views under hard delivery, on each store with tracking
 * and without, and compares every view with the truth.
 */
public final class Demo {
  private final Options options;
  private final PrintStream out;
  private final Clock clock;

  Demo(Options options, PrintStream out, Clock clock) {
    this.options = options;
    this.out = out;
    this.clock = clock;
  }

  /**
   * Exits with 0 if every tracked view is right and untracked ones are not, with 1 if that is not
   * so or something could not be run, with 2 if the arguments make no sense.
   *
   * @param args see {@code --help}
   */
  public static void main(String... args) {
    System.exit(exitStatus(args)); // the embedded stores have threads that would stay
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
      return exitStatus(options);
    } catch (Exception e) {
      e.printStackTrace();
      return 1;
    }
  }

  private static int exitStatus(Options options) throws Exception {
    Demo demo = new Demo(options, System.out, Clock.systemUTC());
    List<Result> results = demo.run();
    demo.report(results);
    return results.stream().allMatch(Result::asPromised) ? 0 : 1;
  }

  /** Runs everything, in a folder that is deleted afterwards. */
  List<Result> run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("tidemark-demo");
    List<OrderEvent> events = new OrderLives(options.seed()).events(options.orders());
    List<OrderEvent> sent = Topic.withRepeats(events, options.seed());
    out.printf(
        "%,d orders of seed %d: %,d events%n", options.orders(), options.seed(), events.size());
    List<Result> results = new ArrayList<>();
    try (EmbeddedKafka kafka = new EmbeddedKafka(folder.resolve("kafka"));
        Topic topic = new Topic(kafka.bootstrapServers())) {
      topic.send(sent);
      out.printf(
          "Kafka, in this process: %,d records, since one event in five is sent twice%n",
          sent.size());
      for (String store : options.stores()) {
        try (Orders orders = start(store, folder)) {
          out.println(store + ": " + orders.origin());
          results.add(run(orders, true, topic, new Truth(events), sent.size()));
          results.add(run(orders, false, topic, new Truth(events), sent.size()));
        }
      }
    } finally {
      delete(folder);
    }
    return results;
  }

  private static Orders start(String store, Path folder) throws IOException {
    return store.equals("dynamodb")
        ? new DynamoDbOrders()
        : new MongoOrders(Files.createDirectory(folder.resolve("mongodb")));
  }

  private Result run(Orders orders, boolean tracking, Topic topic, Truth truth, int records)
      throws InterruptedException {
    String name = orders.store() + " tracking " + (tracking ? "on" : "off");
    out.println(name);
    Instant start = clock.instant();
    Tally tally =
        new HardDelivery(
                topic,
                name.replace(' ', '-'),
                tracking ? OrderHistory.into(orders.tracked())::handle : untracked(orders),
                Trouble.schedule(records),
                new Progress(out, clock))
            .run();
    Duration took = Duration.between(start, clock.instant());
    List<Truth.Wrong> wrong = truth.wrong(orders.views(tracking));
    out.printf(
        "  %,7d deliveries  done: %,d of %,d views are wrong%n",
        tally.deliveries(), wrong.size(), truth.orders());
    return new Result(orders.store(), tracking, tally, wrong, took);
  }

  private static Function<Delivery, Outcome<OrderView>> untracked(Orders orders) {
    Consumer<OrderEvent> handler = orders.untracked();
    return delivery -> {
      handler.accept((OrderEvent) delivery.event());
      return new Outcome.Applied<>(null, false, null);
    };
  }

  void report(List<Result> results) {
    out.println();
    for (Result result : results) {
      result.wrong().stream().limit(1).forEach(wrong -> out.println(result.example(wrong)));
    }
    out.println();
    out.println(Result.tableHead());
    results.forEach(result -> out.println(result.tableRow()));
    out.println();
    results.forEach(result -> out.println(result.line()));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
