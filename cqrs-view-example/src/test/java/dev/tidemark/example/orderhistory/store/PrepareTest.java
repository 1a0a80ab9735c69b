package dev.tidemark.example.orderhistory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The command that prepares MongoDB")
class PrepareTest {
  private final String name = LocalStore.freshName();

  @Test
  @DisplayName("makes the indexes by which rows are listed and relayed, and may be run again")
  void prepares() {
    Settings settings =
        Settings.of(
            Map.of(
                "STORE",
                "mongodb",
                "MONGODB_URI",
                LocalStore.mongo().uri(),
                "MONGODB_DATABASE",
                name));
    Prepare.run(settings);
    Prepare.run(settings);
    assertTrue(indexes("order-history-1").contains(OrderView.BY_CONSUMER));
    for (String expiring : List.of("order-history-1", "consumer-spending-1", "restaurant-board")) {
      assertTrue(indexes(expiring).contains("deletedUntil_1"), expiring);
    }
    assertTrue(indexes("executions").size() > 1);
    try (Generations generations = LocalStore.MONGODB.open(name, Clock.systemUTC(), true)) {
      var deliveries = Samples.delivered("order-1", "ada").stream().map(Event::delivery).toList();
      assertTrue(new Views(generations.current()).apply(deliveries).isDone());
      OutboxRecords outbox = generations.outboxes().get(0);
      int waiting = 0;
      for (int shard = 0; shard < outbox.shards(); shard++) {
        waiting += outbox.due(shard, Long.MAX_VALUE, 100).size();
      }
      assertEquals(1, waiting);
    }
  }

  private List<String> indexes(String collection) {
    try (MongoClient client = MongoClients.create(LocalStore.mongo().uri())) {
      return client
          .getDatabase(name)
          .getCollection(collection)
          .listIndexes()
          .map((Document index) -> index.getString("name"))
          .into(new ArrayList<>());
    }
  }

  @Test
  @DisplayName("refuses another store")
  void another() {
    assertThrows(IllegalArgumentException.class, () -> Prepare.run(Settings.of(Map.of())));
  }
}
