package dev.tidemark.benchmarks;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.benchmarks.dynamodb.DynamoDbStore;
import dev.tidemark.benchmarks.measure.Probe;
import dev.tidemark.benchmarks.measure.Store;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.benchmarks.mongodb.MongoStore;
import dev.tidemark.benchmarks.server.DynamoDbServer;
import dev.tidemark.benchmarks.server.MongoServer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The techniques that are measured")
final class TechniquesTest {
  private static final int MESSAGES = 2;

  @Test
  @DisplayName("apply each message on DynamoDB, and a redelivered one if they have no guard")
  void onDynamoDb() throws Exception {
    try (DynamoDbServer server = DynamoDbServer.start();
        Store store = new DynamoDbStore(server, true)) {
      each(store);
    }
  }

  @Test
  @DisplayName("apply each message on MongoDB, and a redelivered one if they have no guard")
  void onMongo() throws Exception {
    assumeTrue(MongoServer.program().isPresent(), "no mongod: set MONGOD, or PATH");
    try (MongoServer server = MongoServer.start();
        Store store = new MongoStore(server)) {
      each(store);
    }
  }

  private static void each(Store store) throws Exception {
    List<Technique> techniques = store.techniques();
    assertFalse(techniques.isEmpty());
    for (Technique technique : techniques) {
      Probe unused = Probe.of(store, technique, MESSAGES);
    }
  }
}
