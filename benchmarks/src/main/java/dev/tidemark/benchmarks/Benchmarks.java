package dev.tidemark.benchmarks;

import dev.tidemark.benchmarks.dynamodb.DynamoDbStore;
import dev.tidemark.benchmarks.dynamodb.DynamoDbTarget;
import dev.tidemark.benchmarks.growth.Growth;
import dev.tidemark.benchmarks.jmh.LibraryTime;
import dev.tidemark.benchmarks.mongodb.MongoStore;
import dev.tidemark.benchmarks.mongodb.MongoTarget;
import dev.tidemark.benchmarks.outgoing.DynamoDbWays;
import dev.tidemark.benchmarks.outgoing.MongoWays;
import dev.tidemark.benchmarks.outgoing.OutgoingCost;
import dev.tidemark.benchmarks.relay.DynamoDbRelays;
import dev.tidemark.benchmarks.relay.MongoRelays;
import dev.tidemark.benchmarks.relay.Relaying;
import dev.tidemark.benchmarks.report.Output;
import dev.tidemark.benchmarks.server.DynamoDbServer;
import dev.tidemark.benchmarks.server.MongoServer;

/** Measures what the command line asks for. */
public final class Benchmarks {
  private Benchmarks() {}

  /**
   * Runs one measurement.
   *
   * @param arguments see {@code benchmarks/run}
   * @throws Exception if a technique fails, which fails the run
   */
  public static void main(String... arguments) throws Exception {
    Options options;
    try {
      options = Options.of(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + Options.USAGE);
      System.exit(2);
      return;
    }
    switch (options.mode()) {
      case TECHNIQUES -> new EndToEnd(options).run();
      case JMH -> new LibraryTime().run(new Output(options.publish()));
      case GROWTH -> growth(options);
      case RELAY -> relay(options);
      case OUTBOX -> outbox(options);
    }
  }

  private static void relay(Options options) throws InterruptedException {
    Relaying relaying = new Relaying();
    if (options.stores().contains("dynamodb")) {
      try (DynamoDbServer server = DynamoDbServer.start();
          DynamoDbRelays relays = new DynamoDbRelays(server)) {
        relaying.measure(relays);
      }
    }
    if (options.stores().contains("mongodb")) {
      try (MongoServer server = MongoServer.start();
          MongoRelays relays = new MongoRelays(server)) {
        relaying.measure(relays);
      }
    }
    relaying.report(new Output(options.publish()));
  }

  private static void outbox(Options options) {
    OutgoingCost cost = new OutgoingCost();
    if (options.stores().contains("dynamodb")) {
      try (DynamoDbServer server = DynamoDbServer.start();
          DynamoDbWays ways = new DynamoDbWays(server)) {
        cost.measure(ways);
      }
    }
    if (options.stores().contains("mongodb")) {
      try (MongoServer server = MongoServer.start();
          MongoWays ways = new MongoWays(server)) {
        cost.measure(ways);
      }
    }
    cost.report(new Output(options.publish()));
  }

  private static void growth(Options options) {
    Growth growth = new Growth(options.most());
    if (options.stores().contains("dynamodb")) {
      try (DynamoDbServer server = DynamoDbServer.start();
          DynamoDbStore store = new DynamoDbStore(server, true)) {
        growth.measure(new DynamoDbTarget(store));
      }
    }
    if (options.stores().contains("mongodb")) {
      try (MongoServer server = MongoServer.start();
          MongoStore store = new MongoStore(server)) {
        growth.measure(new MongoTarget(store));
      }
    }
    growth.report(new Output(options.publish()));
  }
}
