package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The short proof: the events of many orders come through Kafka under hard delivery, to each store
 * with tracking and without, and every row is compared with the truth.
 */
final class Proof {
  private final Options options;
  private final PrintStream out;
  private final Clock clock;

  Proof(Options options, PrintStream out, Clock clock) {
    this.options = options;
    this.out = out;
    this.clock = clock;
  }

  /** Runs everything; what the servers keep is in that folder. */
  List<ProofResult> run(Path folder) throws Exception {
    List<Event> events = new OrderLives(options.seed(), clock).events(options.orders());
    List<Event> sent = Sending.withRepeats(events, options.seed());
    out.printf(
        "%,d orders of seed %d: %,d events%n", options.orders(), options.seed(), events.size());
    List<ProofResult> results = new ArrayList<>();
    try (EmbeddedKafka kafka = new EmbeddedKafka(folder.resolve("kafka"));
        KafkaFeed feed = new KafkaFeed(kafka.bootstrapServers(), "proof")) {
      feed.send(sent.stream().map(Letter::of).toList());
      out.printf(
          "Kafka, in this process: %,d records in three topics; one event in five is sent twice%n",
          sent.size());
      for (String store : options.stores()) {
        Path data = Files.createDirectory(folder.resolve(store));
        try (StoreServer server = StoreServer.start(store, data)) {
          out.println(store + ": " + server.origin());
          results.add(run(server, true, feed, new Truth(events), sent.size()));
          results.add(run(server, false, feed, new Truth(events), sent.size()));
        }
      }
    }
    return results;
  }

  private ProofResult run(
      StoreServer server, boolean tracking, KafkaFeed feed, Truth truth, int records)
      throws InterruptedException {
    String name = server.store() + " tracking " + (tracking ? "on" : "off");
    out.println(name);
    Instant start = clock.instant();
    Place place = server.place(tracking ? "tracked" : "untracked");
    Tally tally = deliver(place, tracking, feed, records);
    Duration took = Duration.between(start, clock.instant());
    List<Truth.Wrong> wrong = truth.wrong(place.rows());
    out.printf(
        "  %,7d deliveries  done: %,d of %,d rows are wrong%n",
        tally.deliveries(), wrong.size(), truth.size());
    return new ProofResult(server.store(), tracking, tally, wrong, took);
  }

  private Tally deliver(Place place, boolean tracking, KafkaFeed feed, int records)
      throws InterruptedException {
    Tally tally = new Tally();
    try (OpenViews views = place.open(tracking, tally::add)) {
      new HardDelivery(
              feed,
              place.store() + "-" + place.name(),
              views,
              tally,
              Trouble.schedule(records),
              new Progress(out, clock))
          .run();
    }
    return tally;
  }

  /** Prints what is wrong, a table, and a line for each run. */
  void report(List<ProofResult> results) {
    out.println();
    for (ProofResult result : results) {
      result.wrong().stream()
          .min(Comparator.comparing(wrong -> wrong.difference().length()))
          .ifPresent(wrong -> out.println(result.example(wrong)));
    }
    out.println();
    out.println(ProofResult.tableHead());
    results.forEach(result -> out.println(result.tableRow()));
    out.println();
    results.forEach(result -> out.println(result.line()));
  }
}
