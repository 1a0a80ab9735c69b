package dev.tidemark.example.orderhistory.store;

import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Sorts.descending;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Views that remember how far a change stream was read")
class ResumableViewsTest {
  private static List<Delivery> deliveries(List<Event> events) {
    return events.stream().map(event -> Delivery.of(event.place(), event)).toList();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("tell the last token that came with a batch, or by itself")
  void remember(LocalStore store) {
    try (Generations generations = store.prepared()) {
      ResumableViews views = generations.resumable();
      List<Event> events = Samples.delivered("order-1", "consumer-1");
      assertEquals(Optional.empty(), views.resumeToken());
      assertTrue(views.apply(deliveries(events.subList(0, 3)), null).isDone());
      assertEquals(Optional.empty(), views.resumeToken());
      assertTrue(views.apply(deliveries(events.subList(3, 4)), "82A1").isDone());
      assertEquals(Optional.of("82A1"), generations.resumable().resumeToken());
      assertTrue(views.apply(List.of(), "82A2").isDone());
      assertEquals(Optional.of("82A2"), generations.resumable().resumeToken());
      assertTrue(views.apply(deliveries(events.subList(4, 7)), "82A3").isDone());
      assertEquals(Optional.of("82A3"), generations.resumable().resumeToken());
    }
  }

  @Test
  @DisplayName("keep it, on MongoDB, in the row that the batch writes, by whatever kind of change")
  void inTheRow() {
    try (Generations generations = LocalStore.MONGODB.prepared()) {
      List<Event> events = Samples.delivered("order-1", "consumer-1");
      for (int i = 0; i < events.size(); i++) {
        String token = "82A" + i;
        assertTrue(
            generations.resumable().apply(deliveries(events.subList(i, i + 1)), token).isDone());
        assertEquals(
            token, generations.current().orders().find(key("order-1")).orElseThrow().resumeToken);
      }
    }
  }

  @Test
  @DisplayName("find the greatest token of all rows by an index")
  void index() {
    needsServer();
    String name = LocalStore.freshName();
    try (Generations generations = LocalStore.MONGODB.open(name, Clock.systemUTC());
        MongoClient client = MongoClients.create(LocalStore.mongo().uri())) {
      generations.prepare(1);
      for (int i = 0; i < 9; i++) {
        Event created = Samples.created("order-" + i, "consumer-1", i);
        String token = "82A" + (i * 5 % 9);
        assertTrue(generations.resumable().apply(deliveries(List.of(created)), token).isDone());
      }
      assertEquals(Optional.of("82A8"), generations.resumable().resumeToken());
      Document plan =
          client
              .getDatabase(name)
              .getCollection("order-history-1")
              .find(exists("resumeToken"))
              .sort(descending("resumeToken"))
              .limit(1)
              .explain();
      assertEquals(
          1,
          plan.get("executionStats", Document.class).getInteger("totalDocsExamined"),
          "rows that were looked at");
    }
  }

  @Test
  @DisplayName("get tokens from the server that compare as strings in the stream's order")
  void tokensCompare() {
    needsServer();
    try (MongoClient client = MongoClients.create(LocalStore.mongo().uri());
        ClientSession session = client.startSession()) {
      MongoCollection<Document> events =
          client.getDatabase(LocalStore.freshName()).getCollection("events");
      List<String> tokens = new ArrayList<>();
      try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
          events.watch().cursor()) {
        for (int i = 0; i < 20; i++) {
          var one = events.insertOne(new Document("_id", "z" + (99 - i)));
          assertTrue(one.wasAcknowledged());
        }
        assertTrue(events.insertMany(documents("many-")).wasAcknowledged());
        session.startTransaction(); // one time for all of it
        assertTrue(events.insertMany(session, documents("together-")).wasAcknowledged());
        session.commitTransaction();
        while (tokens.size() < 60) {
          ChangeStreamDocument<Document> insert = stream.next();
          tokens.add(insert.getResumeToken().getString("_data").getValue());
        }
      }
      assertEquals(tokens.stream().sorted().distinct().toList(), tokens);
    }
  }

  private static List<Document> documents(String prefix) {
    return IntStream.range(0, 20).mapToObj(i -> new Document("_id", prefix + (99 - i))).toList();
  }

  private static void needsServer() {
    assumeFalse(
        LocalStore.mongo().isEmbedded(),
        "missing capability: CHANGE_STREAMS: mongo-java-server has none");
  }
}
