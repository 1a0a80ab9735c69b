package dev.tidemark.benchmarks.outgoing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.benchmarks.outgoing.OutgoingCost.Costs;
import dev.tidemark.benchmarks.server.DynamoDbServer;
import dev.tidemark.benchmarks.server.MongoServer;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an outgoing message takes")
final class OutgoingCostTest {
  /** Publishing costs no request; what it all takes is known of each way. */
  private static void holds(Ways ways, List<Double> requests, List<Double> writes) {
    List<Costs> all = ways.all().stream().map(way -> OutgoingCost.costs(ways, way)).toList();
    assertEquals(all.get(0).publish().requests(), all.get(1).publish().requests());
    assertEquals(requests, sums(all, Bill::requests));
    assertEquals(writes, sums(all, Bill::writes));
  }

  private static List<Double> sums(List<Costs> all, ToDoubleFunction<Bill> of) {
    return all.stream()
        .map(one -> of.applyAsDouble(one.publish()) + of.applyAsDouble(one.send()))
        .map(sum -> Math.round(sum * 1_000) / 1_000.0)
        .toList();
  }

  @Test
  @DisplayName("on DynamoDB is counted in requests and units")
  void onDynamoDb() {
    try (DynamoDbServer server = DynamoDbServer.start();
        Ways ways = new DynamoDbWays(server)) {
      // of four shards, all of which have some of 20 entities: a query, a read; one write for all
      holds(ways, List.of(1.0, 1 + 9 / 20.0, 1 + 2 / 20.0, 4.0), List.of(1.0, 4.0, 5.0, 8.0));
      assertTrue(ways.bill().reads() > 0);
    }
  }

  @Test
  @DisplayName("on MongoDB is counted in commands")
  void onMongo() {
    try (MongoServer server = MongoServer.start();
        Ways ways = new MongoWays(server)) {
      List<Double> none = List.of(0.0, 0.0, 0.0, 0.0);
      holds(ways, List.of(1.0, 1 + 5 / 20.0, 3 + 2 / 20.0, 14 + 1 / 20.0), none);
    }
  }
}
