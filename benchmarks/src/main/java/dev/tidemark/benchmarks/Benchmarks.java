package dev.tidemark.benchmarks;

import dev.tidemark.benchmarks.dynamodb.DynamoDbStore;
import dev.tidemark.benchmarks.measure.*;
import dev.tidemark.benchmarks.server.DynamoDbServer;

/** Measures. */
public final class Benchmarks {
  private Benchmarks() {}

  /**
   * Runs.
   *
   * @param arguments options
   * @throws Exception if a technique fails
   */
  public static void main(String... arguments) throws Exception {
    try (DynamoDbServer server = DynamoDbServer.start();
        DynamoDbStore metered = new DynamoDbStore(server, true);
        DynamoDbStore store = new DynamoDbStore(server, false)) {
      for (Technique t : metered.techniques()) {
        System.out.println(t.name() + " " + Probe.of(metered, t));
      }
      Driver driver = new Driver(store, 4);
      for (int i = 0; i < 4; i++) {
        store.reset();
        for (Technique t : store.techniques()) {
          Round r = driver.run(t, "r" + i + t.name().replace(' ', '-'));
          System.out.printf(
              "%s %.0f/s p50 %.2f p99 %.2f req %.2f client %.0f us server %.0f us busy %.2f%n",
              t.name(),
              r.messagesPerSecond(),
              r.p50(),
              r.p99(),
              (double) r.requests() / r.messages(),
              r.clientCpu(),
              r.serverCpu(),
              r.busyProcessors());
        }
      }
    }
  }
}
