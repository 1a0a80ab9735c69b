package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.projector.Delivery;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The short proof: the events of many orders come through Kafka under hard delivery, to each store
 * by each technique, and every row is compared with the truth. The techniques take turns, several
 * times, once all of them are warm; what is told of one is its run of the median time.
 */
final class Proof {
  private static final int WARM_ORDERS = 50;
  private static final int BATCH = 50;

  private final Options options;
  private final Duration warming;
  private final int repetitions;
  private final PrintStream out;
  private final Clock clock;

  /**
   * A proof that has not run yet.
   *
   * @param warming for how long at least each technique works on each store before it is timed
   * @param repetitions how often each technique runs on each store; odd
   */
  Proof(Options options, Duration warming, int repetitions, PrintStream out, Clock clock) {
    this.options = options;
    this.warming = warming;
    this.repetitions = repetitions;
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
          results.addAll(run(server, feed, new Truth(events), sent.size()));
        }
      }
    }
    return results;
  }

  private List<ProofResult> run(StoreServer server, KafkaFeed feed, Truth truth, int records)
      throws InterruptedException {
    for (Technique technique : Technique.values()) {
      warm(server, technique);
    }
    List<ProofResult> results = new ArrayList<>();
    for (int repetition = 0; repetition < repetitions; repetition++) {
      for (Technique technique : Technique.inTurn(repetition)) {
        Place place = server.place(technique.label() + "-" + repetition);
        results.add(run(place, technique, feed, truth, records));
      }
    }
    return results;
  }

  /** Runs a technique past Kafka, so that it is compiled when its time is taken. */
  private void warm(StoreServer server, Technique technique) {
    List<Delivery> deliveries =
        new OrderLives(-options.seed(), clock)
            .events(WARM_ORDERS).stream().map(event -> Delivery.of(event.place(), event)).toList();
    Instant end = clock.instant().plus(warming);
    int pass = 0;
    do {
      pass++;
      Place place = server.place("warm-" + technique.label() + "-" + pass);
      try (OpenViews views = place.open(technique, counts -> {}, new LongAdder())) {
        Views handler = new Views(views.store());
        for (int from = 0; from < deliveries.size(); from += BATCH) {
          int to = Math.min(deliveries.size(), from + BATCH);
          var unused = handler.apply(deliveries.subList(from, to));
        }
      }
    } while (clock.instant().isBefore(end));
  }

  private ProofResult run(
      Place place, Technique technique, KafkaFeed feed, Truth truth, int records)
      throws InterruptedException {
    out.println(place.store() + " tracking " + technique.label());
    Tally tally = new Tally();
    LongAdder requests = new LongAdder();
    try (OpenViews views = place.open(technique, tally::add, requests)) {
      new HardDelivery(
              feed,
              place.store() + "-" + place.name(),
              views,
              tally,
              Trouble.schedule(records),
              new Progress(out, clock))
          .run();
    }
    List<Truth.Wrong> wrong = truth.wrong(place.rows());
    out.printf(
        "  %,7d deliveries  done: %,d of %,d rows are wrong%n",
        tally.deliveries(), wrong.size(), truth.size());
    return new ProofResult(place.store(), technique, tally, wrong, requests.sum());
  }

  /** Prints what is wrong, a table, and a line for each technique on each store. */
  void report(List<ProofResult> results) {
    out.println();
    List<ProofResult> medians = new ArrayList<>();
    for (String store : options.stores()) {
      for (Technique technique : Technique.values()) {
        medians.add(ProofResult.median(results, store, technique));
      }
    }
    for (ProofResult result : medians) {
      result.wrong().stream()
          .min(Comparator.comparing(wrong -> wrong.difference().length()))
          .ifPresent(wrong -> out.println(result.example(wrong)));
    }
    out.println();
    out.println(ProofResult.tableHead());
    results.forEach(result -> out.println(result.tableRow()));
    out.println();
    options.stores().forEach(store -> out.println(ProofResult.compared(results, store)));
    out.println();
    medians.forEach(result -> out.println(result.line()));
  }
}
