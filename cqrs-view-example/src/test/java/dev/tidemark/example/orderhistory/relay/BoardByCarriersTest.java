package dev.tidemark.example.orderhistory.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.Told;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.carrier.Carrier;
import dev.tidemark.example.orderhistory.carrier.KafkaCarrier;
import dev.tidemark.example.orderhistory.carrier.SqsCarrier;
import dev.tidemark.example.orderhistory.carrier.SqsOptions;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.store.Settings;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Changes of statuses reach the board")
class BoardByCarriersTest {
  private static final int ORDERS = 20;

  private static Carrier kafka(StatusTopic topic, Function<List<Delivery>, BatchOutcome<?>> board) {
    String servers = EmbeddedKafka.shared().bootstrapServers();
    return new KafkaCarrier(
        new KafkaConsumer<>(KafkaCarrier.settings(servers, topic.name())),
        List.of(topic.name()),
        new KafkaProducer<>(KafkaCarrier.deadLetterSettings(servers)),
        topic.name() + "-dead",
        board,
        Clock.systemUTC());
  }

  private static Carrier sqs(LocalQueue queue, Function<List<Delivery>, BatchOutcome<?>> board) {
    LocalQueue dead = LocalQueue.fresh("", Duration.ofSeconds(30));
    return new SqsCarrier(queue.client(), queue.url(), dead.url(), board, SqsOptions.DEFAULT);
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
      var board = new Settings(Map.of("VIEWS", "board")).handler(generations);
      List<Carrier> carriers = List.of(kafka(topic, board), sqs(queue, board));
      StatusRelay relay = StatusRelay.of(generations, sender, pass -> {});
      List<Thread> threads =
          List.of(new Thread(relay), new Thread(carriers.get(0)), new Thread(carriers.get(1)));
      threads.forEach(Thread::start);
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
      relay.stop();
      threads.get(0).join();
      carriers.forEach(Carrier::stop);
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(rows, Told.board(generations));
      assertEquals(0, carriers.stream().mapToLong(Carrier::deadLetters).sum());
      assertTrue(topic.arrived().size() > ORDERS);
    }
  }
}
