package dev.tidemark.example.migration;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.empty;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Projections.include;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityStore;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.mongodb.MongoEntityStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A migration from a hand-written mark on MongoDB")
class MongoOwnMarkTest extends OwnMarkScene<Document> {
  @SuppressWarnings("NullAway.Init")
  private static MongoClient client;

  @SuppressWarnings("NullAway.Init")
  private static MongoCollection<Document> rows;

  @BeforeAll
  static void start() {
    client = MongoClients.create(LocalStore.mongo().uri());
    rows = client.getDatabase("marks" + System.nanoTime()).getCollection("orders");
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  @Override
  EntityStore<Document> orders(Tracking tracking) {
    return MongoEntityStore.builder(rows).tracking(tracking).build();
  }

  @Override
  void place(String orderId) {
    rows.insertOne(new Document("_id", orderId).append("total", 0L));
  }

  @Override
  boolean old(String orderId, long version) {
    return rows.updateOne(
                and(
                    eq("_id", orderId),
                    or(exists("lastVersion", false), lt("lastVersion", version))),
                combine(inc("total", 1L), set("lastVersion", version)))
            .getMatchedCount()
        == 1;
  }

  @Override
  void seed(EntityStore<Document> orders) {
    List<String> failed = new ArrayList<>();
    for (Document row : rows.find(exists("lastVersion")).projection(include("lastVersion"))) {
      String id = row.getString("_id");
      long version = row.getLong("lastVersion");
      if (!orders.skip(SourceEvent.of("Order", id, version), key(id)).isDone()) {
        failed.add(id);
      }
    }
    assertEquals(List.of(), failed);
  }

  @Override
  void clean() {
    rows.updateMany(empty(), unset("lastVersion"));
  }

  @Override
  long total(String orderId) {
    return row(orderId).getLong("total");
  }

  @Override
  boolean hasOwnMark(String orderId) {
    return row(orderId).containsKey("lastVersion");
  }

  private static Document row(String orderId) {
    return Objects.requireNonNull(rows.find(eq("_id", orderId)).first());
  }
}
