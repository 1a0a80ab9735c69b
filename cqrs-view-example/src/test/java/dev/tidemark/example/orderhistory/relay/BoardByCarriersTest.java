package dev.tidemark.example.orderhistory.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.Told;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.host.StatusRelays;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Changes of statuses reach the board")
class BoardByCarriersTest {
  private static final int ORDERS = 20;

  private static Listeners kafka(
      StatusTopic topic, Function<List<Delivery>, BatchOutcome<?>> board) {
    return Listeners.open(
        board,
        Map.of(
            "CARRIER", "kafka",
            "KAFKA_BOOTSTRAP_SERVERS", EmbeddedKafka.shared().bootstrapServers(),
            "KAFKA_GROUP", topic.name(),
            "KAFKA_TOPICS", topic.name(),
            "KAFKA_DEAD_LETTER_TOPIC", topic.name() + "-dead"));
  }

  private static Listeners sqs(LocalQueue queue, Function<List<Delivery>, BatchOutcome<?>> board) {
    LocalQueue dead = LocalQueue.fresh("", Duration.ofSeconds(30));
    return Listeners.open(
        board,
        Map.of("CARRIER", "sqs", "QUEUE_URL", queue.url(), "DEAD_LETTER_QUEUE_URL", dead.url()),
        Listeners.sqsAt(LocalSqs.shared().uri()));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("by Kafka and by SQS at once, and each counts once")
  void both(LocalStore store) throws InterruptedException {
    LocalQueue queue = LocalQueue.fresh("", Duration.ofSeconds(30));
    try (Generations generations = store.open(LocalStore.freshName(), Clock.systemUTC(), true);
        StatusTopic topic = new StatusTopic();
        StatusSender sender = StatusRelayTest.sender("kafka,sqs", topic, queue)) {
      generations.prepare(1);
      generations.prepareBoard();
      generations.prepareExecutions();
      var board = Settings.of(Map.of("VIEWS", "board")).handler(generations);
      List<Listeners> carriers = List.of(kafka(topic, board), sqs(queue, board));
      StatusRelays relays =
          new StatusRelays(
              generations,
              sender,
              pass -> {},
              Duration.ofSeconds(1),
              LocalStore.dynamoDb().streams());
      carriers.forEach(Listeners::start);
      List<Event> events = Orders.delivered(0, ORDERS);
      for (int from = 0; from < events.size(); from += 30) {
        var batch = events.subList(from, Math.min(events.size(), from + 30)).stream();
        assertTrue(
            new Views(generations.current()).apply(batch.map(Event::delivery).toList()).isDone());
      }
      Map<String, Long> rows =
          Told.rows(generations, IntStream.range(0, ORDERS).mapToObj(i -> "order-" + i));
      assertEquals(Map.of("The Wooden Spoon DELIVERED", (long) ORDERS), rows);
      Await.until(
          "the board says so, and the queue is empty",
          () -> Told.board(generations).equals(rows) && queue.size() == 0);
      relays.close();
      assertEquals(0, carriers.stream().mapToLong(Listeners::deadLetters).sum());
      carriers.forEach(Listeners::close);
      assertEquals(rows, Told.board(generations));
      Await.until("the topic has them, too", () -> topic.arrived().size() > ORDERS);
    }
  }
}
