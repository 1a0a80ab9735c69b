package dev.tidemark.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.benchmarks.dynamodb.DynamoDbStore;
import dev.tidemark.benchmarks.measure.Polls;
import dev.tidemark.benchmarks.measure.Probe;
import dev.tidemark.benchmarks.measure.Round;
import dev.tidemark.benchmarks.measure.Store;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.benchmarks.mongodb.MongoStore;
import dev.tidemark.benchmarks.report.Goals;
import dev.tidemark.benchmarks.report.Results;
import dev.tidemark.benchmarks.report.Row;
import dev.tidemark.benchmarks.server.DynamoDbServer;
import dev.tidemark.benchmarks.server.MongoServer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The techniques that are measured")
final class TechniquesTest {
  private static final int MESSAGES = 2;
  private static final Round ROUND = new Round(1, 1, 1, 1, 1, 1, 1);

  @Test
  @DisplayName("apply each message on DynamoDB, and a redelivered one only without a guard")
  void onDynamoDb() throws Exception {
    try (DynamoDbServer server = DynamoDbServer.start();
        Store store = new DynamoDbStore(server, true)) {
      each(store, 0.7);
    }
  }

  @Test
  @DisplayName("apply each message on MongoDB, and a redelivered one only without a guard")
  void onMongo() throws Exception {
    try (MongoServer server = MongoServer.start();
        Store store = new MongoStore(server)) {
      each(store, 0.05);
    }
  }

  /** What a consumer of Kafka polls takes so many requests a message, at most. */
  private static void each(Store store, double requests) throws Exception {
    Results results = new Results();
    for (Technique technique : store.techniques()) {
      Probe probe = Probe.of(store, technique, MESSAGES);
      boolean polls = technique.shape() instanceof Polls;
      assertTrue(
          !polls || probe.requests() <= requests, () -> technique.name() + " takes " + probe);
      results.add(new Row(store.name(), technique.name(), 1, List.of(ROUND, ROUND), probe));
    }
    assertEquals(List.of(), Goals.unmeasured(store.name(), results), "no technique is called so");
  }
}
