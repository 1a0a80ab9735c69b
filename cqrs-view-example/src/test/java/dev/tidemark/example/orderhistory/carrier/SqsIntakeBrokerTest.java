package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.aws.SqsIntake;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.intake.Intake;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

@DisplayName("An intake of a queue on a server")
class SqsIntakeBrokerTest {
  private static final LocalSqs SQS = new LocalSqs();

  private final SqsClient client = SQS.client();
  private final String name = "intake-" + UUID.randomUUID();
  private final ExecutorService workers = Executors.newCachedThreadPool();
  private final List<SqsIntake> intakes = new ArrayList<>();

  @AfterAll
  static void end() {
    SQS.close();
  }

  @AfterEach
  void stop() throws InterruptedException {
    intakes.forEach(SqsIntake::stop);
    workers.shutdown();
    assertTrue(workers.awaitTermination(1, TimeUnit.MINUTES), "a worker does not stop");
    client.close();
  }

  private LocalQueue queue(String suffix, Duration visibility) {
    return new LocalQueue(client, SQS.queue(name + suffix, visibility));
  }

  private SqsIntake consume(
      LocalQueue from, String lettersUrl, Function<List<Delivery>, BatchOutcome<?>> views) {
    String url = from.url();
    // snippet: sqs-intake
    Intake<Message> intake =
        SqsIntake.builder(url, message -> EventJson.decode(message.body()).delivery(), views)
            .deadLetters(SqsDeadLetters.of(client, lettersUrl))
            .build();
    SqsIntake queue = SqsIntake.of(client, url, intake).longPoll(Duration.ofSeconds(1));
    workers.execute(queue);
    workers.execute(queue); // two workers; queue.stop() lets both return
    // end
    intakes.add(queue);
    return queue;
  }

  @ParameterizedTest(name = "queue{0}")
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("brings what two workers share into a view, however often it comes, past poison")
  void truth(String kind) {
    for (LocalStore store : LocalStore.values()) {
      try (Generations generations = store.prepared()) {
        LocalQueue queue = queue(store.name() + kind, Duration.ofMinutes(1));
        LocalQueue letters = queue(store.name() + "-dead" + kind, Duration.ofMinutes(1));
        List<Event> events = Truth.events(5);
        events.forEach(queue::send);
        queue.send("poison", "order-1");
        events.forEach(queue::send);
        SqsIntake intake = consume(queue, letters.url(), new Views(generations.current()));
        Await.until("all are deleted", () -> queue.size() == 0);
        Truth.check(generations.current(), 5);
        assertTrue(intake.fault().isEmpty());
        List<Message> dead = letters.drain();
        assertEquals(List.of("poison"), dead.stream().map(Message::body).toList());
        assertEquals("order", LocalQueue.attribute(dead.get(0), LocalQueue.KIND));
        assertEquals("undecodable", LocalQueue.attribute(dead.get(0), SqsDeadLetters.KIND));
        assertTrue(!LocalQueue.attribute(dead.get(0), SqsDeadLetters.ID).isEmpty());
      }
    }
  }

  @ParameterizedTest(name = "queue{0}")
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("keeps what it works on for longer than the visibility timeout, by its heartbeat")
  void heartbeat(String kind) throws InterruptedException {
    CountDownLatch inHand = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Generations generations = LocalStore.DYNAMODB.prepared()) {
      LocalQueue queue = queue(kind, Duration.ofSeconds(6));
      Views views = new Views(generations.current());
      Recorded recorded =
          new Recorded(
              deliveries -> {
                inHand.countDown();
                awaited(go);
                return views.apply(deliveries);
              });
      queue.send(Samples.created("order-1", "consumer-1", 0));
      consume(queue, queue.url(), recorded);
      inHand.await();
      assertEquals(List.of(), queue.receive(9));
      go.countDown();
      Await.until("it is deleted", () -> queue.size() == 0);
      assertEquals(List.of("Applied"), recorded.results);
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest(name = "queue{0}")
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("outlasts SQS that is away, and a bad deploy, which fills no dead letters")
  void outages(String kind) {
    try (Generations generations = LocalStore.MONGODB.prepared()) {
      LocalQueue queue = queue(kind, Duration.ofSeconds(2));
      LocalQueue letters = queue("-dead" + kind, Duration.ofMinutes(1));
      Views views = new Views(generations.current());
      AtomicInteger calls = new AtomicInteger();
      Truth.events(2).forEach(queue::send);
      SqsIntake intake =
          consume(
              queue,
              letters.url(),
              deliveries -> {
                if (calls.incrementAndGet() < 6) {
                  throw new IllegalStateException("a bug");
                }
                return views.apply(deliveries);
              });
      Await.until("some fail", () -> calls.get() > 1);
      SQS.stop();
      Await.until("it tells", () -> intake.fault().isPresent());
      SQS.start();
      Await.until("all are deleted", () -> queue.size() == 0);
      Truth.check(generations.current(), 2);
      assertEquals(0, letters.size());
    }
  }

  @ParameterizedTest(name = "queue{0}")
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("deletes no poison whose dead letter cannot be kept, and goes on once it can")
  void lettersAway(String kind) {
    try (Generations generations = LocalStore.DYNAMODB.prepared()) {
      LocalQueue queue = queue(kind, Duration.ofMinutes(1));
      queue.send("poison", "order-0");
      Truth.events(2).forEach(queue::send);
      String missing = name + "-late" + kind;
      ViewStore views = generations.current();
      consume(queue, queue.url().replaceAll("[^/]+$", missing), new Views(views));
      Await.until("the others are handled", () -> isDelivered(views, "order-1"));
      if (!kind.isEmpty()) { // nobody knows of which order of its group the poison is
        assertEquals(Optional.empty(), views.orders().find(key("order-0")));
      }
      assertTrue(queue.size() >= 1);
      LocalQueue letters = new LocalQueue(client, SQS.queue(missing, Duration.ofMinutes(1)));
      Await.until("all are deleted", () -> queue.size() == 0);
      Truth.check(views, 2);
      assertEquals(1, letters.size());
    }
  }

  private static boolean isDelivered(ViewStore views, String order) {
    return views
        .orders()
        .find(key(order))
        .filter(row -> "DELIVERED".equals(row.status))
        .isPresent();
  }
}
