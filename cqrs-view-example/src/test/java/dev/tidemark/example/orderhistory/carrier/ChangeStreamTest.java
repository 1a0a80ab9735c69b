package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.example.orderhistory.local.LocalStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Status;

@DisplayName("The change stream of a collection of events")
class ChangeStreamTest {
  private final String name = LocalStore.freshName();
  private final MongoClient client = MongoClients.create(LocalStore.mongo().uri());
  private final MongoDatabase database = client.getDatabase(name);

  @AfterEach
  void close() {
    client.close();
  }

  private Listeners open(Generations generations) {
    return Listeners.open(
            Views.serving(generations),
            Map.of(
                "CARRIER",
                "change-stream",
                "EVENTS_MONGODB_URI",
                LocalStore.mongo().uri(),
                "EVENTS_DATABASE",
                name))
        .start();
  }

  private void insert(List<? extends Event> events) {
    for (Event event : events) {
      insert(event.eventId(), new String(EventJson.encode(event), StandardCharsets.UTF_8));
    }
  }

  private void insert(String id, Object event) {
    var unused =
        database
            .getCollection(ChangeStream.EVENTS)
            .insertOne(new Document("_id", id).append("event", event));
  }

  private static void await(Generations generations, String order, Predicate<OrderView> is) {
    Await.until(
        order + " is as it should be",
        () -> generations.current().orders().find(key(order)).filter(is).isPresent());
  }

  private static void awaitDelivered(Generations generations, int from, int to) {
    for (int i = from; i < to; i++) {
      await(generations, "order-" + i, row -> row.timeline.size() == 6 && row.total == 1_950);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("is read from its start, followed, and gone on with by the next process")
  void follows(LocalStore store) {
    try (Generations generations = store.prepared()) {
      insert(Orders.delivered(0, 3));
      try (Listeners first = open(generations)) {
        awaitDelivered(generations, 0, 3);
        insert(Orders.delivered(3, 5));
        awaitDelivered(generations, 3, 5);
        assertEquals(Status.UP, first.health().getStatus());
      }
      insert(Orders.delivered(5, 7));
      try (Listeners second = open(generations)) {
        awaitDelivered(generations, 5, 7);
        assertEquals(0, second.deadLetters());
      }
      Orders.assertDelivered(generations.current(), 0, 7);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("goes on behind poison, and beside events that wait for others")
  void waits(LocalStore store) {
    MongoCollection<Document> letters = database.getCollection(ChangeStream.DEAD_LETTERS);
    try (Generations generations = store.prepared()) {
      try (Listeners consumer = open(generations)) {
        insert(tips());
        insert("bad-1", "{\"x\":4111");
        insert("bad-2", 7);
        insert(Orders.delivered(0, 1));
        awaitDelivered(generations, 0, 1);
        Await.until(
            "tips wait", () -> !List.of().equals(consumer.health().getDetails().get("waiting")));
        Await.until("poison is kept", () -> letters.countDocuments() == 2);
        // What is both read and streamed counts twice.
        Await.until("poison is counted", () -> consumer.deadLetters() >= 2);
      }
      try (Listeners consumer = open(generations)) {
        insert(List.of(Samples.created("order-9", "consumer-9", 0)));
        await(generations, "order-9", row -> row.tips == 39);
      }
      assertEquals(2, letters.countDocuments());
      for (Document letter : letters.find()) {
        assertTrue(letter.get("document", Document.class).getString("_id").startsWith("bad-"));
        assertTrue(!letter.getString("reason").contains("4111"), letter::toJson);
      }
    }
  }

  /** More than a row takes ahead of the event that creates it. */
  private static List<Event> tips() {
    List<Event> tips = new ArrayList<>();
    for (int version = 2; version <= 40; version++) {
      tips.add(
          new TipGiven("tip-" + version, "order-9", version, Samples.at(version), "consumer-9", 1));
    }
    return tips;
  }
}
