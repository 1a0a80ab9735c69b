package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LocalStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The carrier of a change stream")
class ChangeStreamCarrierTest {
  /** The most bytes that MongoDB takes as one document. */
  private static final int LARGEST = 16 * 1024 * 1024;

  private final StreamFixture stream = new StreamFixture();

  @BeforeEach
  void needsStreams() {
    assumeFalse(
        LocalStore.mongo().isEmbedded(),
        "missing capability: CHANGE_STREAMS: mongo-java-server has none");
  }

  @AfterEach
  void close() {
    stream.close();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("brings what is in the collection, and then what is inserted, and nothing else")
  void happy(LocalStore store) {
    try (Generations generations = store.prepared()) {
      stream.insert(Orders.delivered(0, 10));
      var carrier = stream.start(generations.resumable(), Clock.systemUTC());
      stream.awaitDelivered(generations, 0, 10);
      var unused = stream.events().updateMany(Filters.empty(), Updates.set("seen", true));
      var deleted = stream.events().deleteMany(Filters.empty());
      assertEquals(70, deleted.getDeletedCount());
      stream.insert(Orders.delivered(10, 20));
      stream.awaitDelivered(generations, 10, 20);
      carrier.stop();
      Orders.assertDelivered(generations.current(), 0, 20);
      assertEquals(0, stream.deadLetters().countDocuments());
      assertEquals(Optional.empty(), carrier.carrier().held());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("loses nothing that is inserted right after the collection was read")
  void between(LocalStore store) {
    try (Generations generations = store.prepared()) {
      stream.insert(Orders.delivered(0, 2));
      stream.afterNextFind(() -> stream.insert(Orders.delivered(2, 4)));
      var carrier = stream.start(generations.resumable(), Clock.systemUTC());
      stream.awaitDelivered(generations, 0, 4);
      carrier.stop();
      assertEquals(1, stream.reads());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("goes on after a restart where it was, without reading the collection again")
  void resumes(LocalStore store) {
    try (Generations generations = store.prepared()) {
      stream.insert(Orders.delivered(0, 5));
      var first = stream.start(generations.resumable(), Clock.systemUTC());
      stream.awaitDelivered(generations, 0, 5);
      stream.insert(Orders.delivered(5, 6));
      stream.awaitDelivered(generations, 5, 6);
      first.stop();
      assertEquals(1, stream.reads());
      stream.insert(Orders.delivered(6, 8));
      String token = generations.resumable().resumeToken().orElseThrow();
      var second = stream.start(generations.resumable(), Clock.systemUTC());
      stream.awaitDelivered(generations, 6, 8);
      second.stop();
      assertEquals(1, stream.reads());
      assertEquals(List.of(token), stream.resumed());
      Orders.assertDelivered(generations.current(), 0, 8);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("gets again, after a crash, what was written and whose token was not stored")
  void crash(LocalStore store) {
    try (Generations generations = store.prepared()) {
      var first = stream.start(generations.resumable(), Clock.systemUTC());
      stream.insert(Orders.delivered(0, 2));
      stream.awaitDelivered(generations, 0, 2);
      first.stop();
      var dying = stream.start(new Dying(generations.resumable()), Clock.systemUTC());
      stream.insert(Orders.delivered(2, 4));
      Await.until("it has crashed", dying.end()::isDone);
      assertTrue(dying.end().isCompletedExceptionally());
      stream.insert(Orders.delivered(4, 5));
      var next = stream.start(generations.resumable(), Clock.systemUTC());
      stream.awaitDelivered(generations, 2, 5);
      next.stop();
      assertEquals(1, stream.reads());
      Orders.assertDelivered(generations.current(), 0, 5);
    }
  }

  @ParameterizedTest
  @CsvSource({"DYNAMODB, 286", "MONGODB, 286", "MONGODB, 280"})
  @DisplayName("reads the collection again where the oplog does not reach back to the token")
  void historyLost(LocalStore store, int code) {
    try (Generations generations = store.prepared()) {
      var first = stream.start(generations.resumable(), Clock.systemUTC());
      stream.insert(Orders.delivered(0, 5));
      stream.awaitDelivered(generations, 0, 5);
      first.stop();
      stream.insert(Orders.delivered(5, 6));
      stream.failNextAggregate(code);
      var second = stream.start(generations.resumable(), Clock.systemUTC());
      stream.awaitDelivered(generations, 5, 6);
      stream.insert(Orders.delivered(6, 7));
      stream.awaitDelivered(generations, 6, 7);
      second.stop();
      assertEquals(1, stream.resumed().size());
      assertEquals(2, stream.reads());
      Orders.assertDelivered(generations.current(), 0, 7);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("goes on where it was after a fault that another attempt mends")
  void transientFault(LocalStore store) {
    try (Generations generations = store.prepared()) {
      var first = stream.start(generations.resumable(), Clock.systemUTC());
      stream.insert(Orders.delivered(0, 1));
      stream.awaitDelivered(generations, 0, 1);
      first.stop();
      stream.insert(Orders.delivered(1, 2));
      stream.failNextAggregate(8_000);
      var second = stream.start(generations.resumable(), Clock.systemUTC());
      stream.awaitDelivered(generations, 1, 2);
      second.stop();
      assertEquals(2, stream.resumed().size());
      assertEquals(1, stream.reads());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("keeps poison with its reason, and goes on behind it")
  void poison(LocalStore store) {
    try (Generations generations = store.prepared()) {
      stream.insert(Orders.delivered(0, 1));
      var first =
          stream.events().insertOne(new Document("_id", "bad-1").append("event", "{\"x\":4111"));
      assertTrue(first.wasAcknowledged());
      var carrier = stream.start(generations.resumable(), Clock.systemUTC());
      stream.awaitDelivered(generations, 0, 1);
      var second = stream.events().insertOne(new Document("_id", "bad-2").append("event", 7));
      String huge = "x".repeat(LARGEST - 100);
      var third = stream.events().insertOne(new Document("_id", "bad-3").append("event", huge));
      assertTrue(second.wasAcknowledged() && third.wasAcknowledged());
      stream.insert(Orders.delivered(1, 2));
      stream.awaitDelivered(generations, 1, 2);
      carrier.stop();
      assertEquals(3, carrier.carrier().deadLetters());
      List<Document> dead =
          stream.deadLetters().find().sort(new Document("_id", 1)).into(new ArrayList<>());
      assertEquals(
          List.of("bad-1", "bad-2", "bad-3"), dead.stream().map(d -> d.getString("_id")).toList());
      for (Document letter : dead) {
        assertTrue(letter.getString("reason").startsWith("IllegalArgumentException: not an event"));
        assertFalse(letter.getString("reason").contains("4111"));
      }
      for (Document letter : dead.subList(0, 2)) {
        assertEquals(letter.get("_id"), letter.get("document", Document.class).get("_id"));
      }
      assertFalse(dead.get(2).containsKey("document"), "no room for it");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("holds an event behind a gap, stores no token beyond it, and does others meanwhile")
  void gap(LocalStore store) {
    try (Generations generations = store.prepared()) {
      var carrier = stream.start(generations.resumable(), Clock.systemUTC());
      stream.insert(Orders.delivered(0, 1));
      stream.awaitDelivered(generations, 0, 1);
      List<Event> tips = new ArrayList<>();
      for (int version = 2; version <= 40; version++) {
        String id = UUID.randomUUID().toString();
        tips.add(new TipGiven(id, "order-9", version, Samples.at(version), "consumer-9", 1));
      }
      stream.insert(tips);
      Await.until("events are held", () -> carrier.carrier().held().isPresent());
      HeldEvents held = carrier.carrier().held().orElseThrow();
      assertTrue(held.reason().startsWith("Gap["), held.reason());
      stream.insert(Orders.delivered(1, 3));
      stream.awaitDelivered(generations, 1, 3);
      carrier.stop(); // and starts again before the gap: what is held is not lost
      var second = stream.start(generations.resumable(), Clock.systemUTC());
      Await.until("events are held", () -> second.carrier().held().isPresent());
      stream.insert(List.of(Samples.created("order-9", "consumer-9", 0)));
      Await.until(
          "all tips are in",
          () ->
              generations
                  .current()
                  .orders()
                  .find(key("order-9"))
                  .filter(row -> row.total == 1_739)
                  .isPresent());
      second.stop();
      OrderView row = generations.current().orders().find(key("order-9")).orElseThrow();
      assertEquals(39, row.tips);
      Orders.assertDelivered(generations.current(), 0, 3);
      assertEquals(1, stream.reads());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("follows a collection that was dropped and made again")
  void dropped(LocalStore store) {
    try (Generations generations = store.prepared()) {
      var carrier = stream.start(generations.resumable(), Clock.systemUTC());
      stream.insert(Orders.delivered(0, 1));
      stream.awaitDelivered(generations, 0, 1);
      stream.events().drop();
      stream.insert(Orders.delivered(1, 2));
      stream.awaitDelivered(generations, 1, 2);
      carrier.stop();
    }
  }
}
