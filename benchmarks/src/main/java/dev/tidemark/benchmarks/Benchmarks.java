package dev.tidemark.benchmarks;

import dev.tidemark.benchmarks.dynamodb.DynamoDbStore;
import dev.tidemark.benchmarks.dynamodb.DynamoDbTarget;
import dev.tidemark.benchmarks.growth.Growth;
import dev.tidemark.benchmarks.jmh.LibraryTime;
import dev.tidemark.benchmarks.mongodb.MongoStore;
import dev.tidemark.benchmarks.mongodb.MongoTarget;
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
    }
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
