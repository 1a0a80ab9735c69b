package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.FlakyStore;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.spring.SqsIntakeListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.Message;

@DisplayName("The SQS consumer")
class SqsCarrierTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  static Stream<Arguments> everywhere() {
    return Stream.of(LocalStore.values())
        .flatMap(store -> Stream.of("", ".fifo").map(kind -> Arguments.of(store, kind)));
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("brings every event to the views once, with two at work and all sent twice")
  void twice(LocalStore store, String kind) throws Exception {
    try (Generations generations = store.prepared();
        SqsRun run = new SqsRun(LocalSqs.shared(), kind, LONG)) {
      for (Event event : Truth.events(8)) {
        run.queue.send(event);
        run.queue.send(event);
      }
      run.consume(Views.serving(generations));
      Listeners second = run.consume(Views.serving(generations));
      MeterRegistry meters = second.bean(MeterRegistry.class);
      second.bean(QueueDepth.class).bindTo(meters);
      Await.until("all are deleted", () -> run.queue.size() == 0);
      Truth.check(generations.current(), 8);
      String depth = "orderhistory.queue.messages";
      assertEquals(0, meters.get(depth).tag("state", "inflight").gauge().value());
      assertEquals(List.of(), run.deadLetters.drain());
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("takes poison out, with the reason, and goes on behind it")
  void poison(LocalStore store, String kind) throws Exception {
    try (Generations generations = store.prepared();
        SqsRun run = new SqsRun(LocalSqs.shared(), kind, LONG)) {
      String noEvent = "{\"type\": \"OrderEaten\"}";
      String noName =
          new String(
                  EventJson.encode(Samples.created("order-x", "consumer-x", 0)),
                  StandardCharsets.UTF_8)
              .replace("\"Ramen\"", "null");
      List<Event> events = Truth.events(2);
      for (int i = 0; i < events.size(); i++) {
        if (i == 3) {
          run.queue.send(noEvent, events.get(i).orderId());
        }
        if (i == 10) {
          run.queue.send(noName, events.get(i).orderId());
        }
        run.queue.send(events.get(i));
      }
      var consumer = run.consume(new Views(generations.current()));
      Await.until("all are deleted", () -> run.queue.size() == 0);
      Truth.check(generations.current(), 2);
      assertEquals(2, consumer.deadLetters());
      List<Message> dead = run.deadLetters.drain();
      assertEquals(
          Set.of(noEvent, noName), dead.stream().map(Message::body).collect(Collectors.toSet()));
      assertEquals(2, dead.size());
      Set<String> reasons = new TreeSet<>();
      for (Message letter : dead) {
        reasons.add(LocalQueue.attribute(letter, SqsDeadLetters.REASON));
      }
      assertEquals(
          Set.of(
              "IllegalArgumentException: not an event: InvalidTypeIdException",
              "IllegalArgumentException: not an event: a line's name must have 1 to 200 characters,"
                  + " none of them control"),
          reasons);
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("deletes nothing that is not done, nor what follows it in its group; others go on")
  void notDone(LocalStore store, String kind) throws Exception {
    try (Generations generations = store.prepared();
        SqsRun run = new SqsRun(LocalSqs.shared(), kind, LONG)) {
      FlakyStore flaky = new FlakyStore(generations.current());
      flaky.down.add(key("order-1"));
      Truth.events(3).forEach(run.queue::send);
      ListAppender<ILoggingEvent> log = new ListAppender<>();
      log.list = new CopyOnWriteArrayList<>();
      log.start();
      logger(SqsIntakeListener.class.getName()).addAppender(log);
      logger("io.awspring").addAppender(log);
      run.consume(new Views(flaky.views()));
      Await.until("only those of order 1 are left", () -> run.queue.size() == 7);
      assertEquals(7, generations.current().orders().find(key("order-1")).isEmpty() ? 7 : 0);
      flaky.down.clear();
      Await.until("they are deleted too", () -> run.queue.size() == 0);
      Truth.check(generations.current(), 3);
      assertEquals(List.of(), run.deadLetters.drain());
      logger(SqsIntakeListener.class.getName()).detachAppender(log);
      logger("io.awspring").detachAppender(log);
      assertFalse(log.list.isEmpty());
      for (ILoggingEvent line : log.list) { // no error, and no stack trace
        assertTrue(
            line.getFormattedMessage().contains("are not done and come again"), line::toString);
        assertNull(line.getThrowableProxy());
      }
    }
  }

  private static Logger logger(String name) {
    Logger logger = (Logger) LoggerFactory.getLogger(name);
    logger.setLevel(Level.WARN);
    return logger;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("hides what is not done for a while, but not for the whole visibility timeout")
  void pause(String kind) throws Exception {
    try (SqsRun run = new SqsRun(LocalSqs.shared(), kind, Duration.ofHours(1))) {
      CountDownLatch called = new CountDownLatch(1);
      run.queue.send(Samples.created("order-1", "consumer-1", 0));
      Listeners consumer =
          run.consume(
              deliveries -> {
                called.countDown();
                throw new IllegalStateException("down");
              });
      called.await();
      consumer.close();
      assertEquals(1, run.queue.size());
      List<Message> again = run.queue.receive(20);
      assertEquals(1, again.size());
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("finishes the batch in hand when stopped, and deletes it")
  void stop(LocalStore store, String kind) throws Exception {
    try (Generations generations = store.prepared();
        SqsRun run = new SqsRun(LocalSqs.shared(), kind, LONG)) {
      Views views = new Views(generations.current());
      CountDownLatch inHand = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger handled = new AtomicInteger();
      Truth.events(1).forEach(run.queue::send);
      Listeners consumer =
          run.consume(
              deliveries -> {
                inHand.countDown();
                awaited(go);
                BatchOutcome<?> outcome = views.apply(deliveries);
                handled.addAndGet(deliveries.size());
                return outcome;
              });
      inHand.await();
      CompletableFuture<Void> end = CompletableFuture.runAsync(consumer::close);
      assertFalse(end.isDone(), "a batch is in hand");
      go.countDown();
      end.orTimeout(1, TimeUnit.MINUTES).join();
      assertTrue(handled.get() > 0);
      assertEquals(7 - handled.get(), run.queue.size(), "what is handled is deleted");
    }
  }

  static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
