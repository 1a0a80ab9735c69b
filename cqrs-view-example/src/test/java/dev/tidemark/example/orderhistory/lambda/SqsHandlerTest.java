package dev.tidemark.example.orderhistory.lambda;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.carrier.Recorded;
import dev.tidemark.example.orderhistory.carrier.Truth;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EventSourceMapping;
import dev.tidemark.example.orderhistory.local.FlakyStore;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

@DisplayName("The function behind an SQS queue")
class SqsHandlerTest {
  private static final EventSourceMapping.Settings ONE_AT_A_TIME =
      new EventSourceMapping.Settings(10, Duration.ofSeconds(1), 1);
  private static final EventSourceMapping.Settings TWO_AT_A_TIME =
      new EventSourceMapping.Settings(25, Duration.ofMillis(200), 2);

  static Stream<Arguments> everywhere() {
    return Stream.of(LocalStore.values())
        .flatMap(store -> Stream.of("", ".fifo").map(kind -> Arguments.of(store, kind)));
  }

  /** Where nothing fails, no message comes back, however slow the machine is. */
  private static final Duration NEVER_BACK = Duration.ofHours(1);

  /** Where a batch fails, its messages come back soon: the test waits for them. */
  private static final Duration SOON_BACK = Duration.ofSeconds(2);

  private static LocalQueue queue(String kind, Duration visibilityTimeout) {
    return LocalQueue.fresh(kind, visibilityTimeout);
  }

  private static UnaryOperator<String> function(
      Function<List<Delivery>, BatchOutcome<?>> views, LocalQueue dead) {
    return new LambdaRuntime<>(
        new SqsHandler(views, SqsDeadLetters.of(dead.client(), dead.url())),
        SQSEvent.class,
        SQSBatchResponse.class);
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("brings every event to the views once, two batches at a time and all sent twice")
  void twice(LocalStore store, String kind) {
    LocalQueue queue = queue(kind, NEVER_BACK);
    LocalQueue dead = queue(kind, NEVER_BACK);
    try (Generations generations = store.prepared()) {
      for (Event event : Truth.events(8)) {
        queue.send(event);
        queue.send(event);
      }
      UnaryOperator<String> function = function(Views.serving(generations), dead);
      try (var mapping = new EventSourceMapping(queue, function, TWO_AT_A_TIME)) {
        Await.until("all are deleted", () -> queue.size() == 0);
        assertEquals(0, mapping.errors());
      }
      Truth.check(generations.current(), 8);
      assertEquals(List.of(), dead.drain());
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("returns what is not done, and what follows it in its group; others are deleted")
  void partial(LocalStore store, String kind) {
    LocalQueue queue = queue(kind, SOON_BACK);
    LocalQueue dead = queue(kind, SOON_BACK);
    try (Generations generations = store.prepared()) {
      FlakyStore flaky = new FlakyStore(generations.current());
      flaky.down.add(key("order-1"));
      Recorded views = new Recorded(new Views(flaky.views()));
      List<Event> events = Truth.events(3);
      events.forEach(queue::send);
      try (var mapping = new EventSourceMapping(queue, function(views, dead), ONE_AT_A_TIME)) {
        Await.until("only those of order 1 are left", () -> queue.size() == 7);
        assertTrue(generations.current().orders().find(key("order-1")).isEmpty());
        flaky.down.clear();
        Await.until("they are deleted too", () -> queue.size() == 0);
        assertEquals(0, mapping.errors());
      }
      Truth.check(generations.current(), 3);
      assertEquals(List.of(), dead.drain());
      if (queue.isFifo()) {
        inOrder(views, events);
      }
    }
  }

  /**
   * In each batch the events of order 1 stand in order, and begin with the first or a later one.
   */
  private static void inOrder(Recorded views, List<Event> events) {
    List<Event> order = events.stream().filter(e -> e.orderId().equals("order-1")).toList();
    for (List<Event> batch : views.batches) {
      List<Event> part = batch.stream().filter(e -> e.orderId().equals("order-1")).toList();
      if (!part.isEmpty()) {
        int first = order.indexOf(part.get(0));
        assertEquals(order.subList(first, first + part.size()), part);
      }
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("takes poison out with the reason and its attributes, and goes on behind it")
  void poison(LocalStore store, String kind) {
    LocalQueue queue = queue(kind, NEVER_BACK);
    LocalQueue dead = queue(kind, NEVER_BACK);
    try (Generations generations = store.prepared()) {
      List<Event> events = Truth.events(1);
      events.subList(0, 3).forEach(queue::send);
      queue.send("no event", "order-0");
      events.subList(3, 7).forEach(queue::send);
      UnaryOperator<String> function = function(new Views(generations.current()), dead);
      try (var mapping = new EventSourceMapping(queue, function, ONE_AT_A_TIME)) {
        Await.until("all are deleted", () -> queue.size() == 0);
        assertEquals(0, mapping.errors());
      }
      Truth.check(generations.current(), 1);
      List<Message> letters = dead.drain();
      assertEquals(List.of("no event"), letters.stream().map(Message::body).toList());
      assertEquals(
          "IllegalArgumentException: not an event: JsonParseException",
          LocalQueue.attribute(letters.get(0), SqsDeadLetters.REASON));
      assertEquals("order", LocalQueue.attribute(letters.get(0), LocalQueue.KIND));
      if (queue.isFifo()) {
        var attributes = letters.get(0).attributes();
        assertEquals("order-0", attributes.get(MessageSystemAttributeName.MESSAGE_GROUP_ID));
      }
    }
  }

  private static String receipt(String event) {
    try {
      return new ObjectMapper().readTree(event).at("/Records/0/receiptHandle").asText();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("that dies between write and answer gets the batch again, and knows it")
  void error(LocalStore store, String kind) {
    LocalQueue queue = queue(kind, NEVER_BACK);
    LocalQueue dead = queue(kind, NEVER_BACK);
    try (Generations generations = store.prepared()) {
      Recorded views = new Recorded(new Views(generations.current()));
      UnaryOperator<String> function = function(views, dead);
      AtomicInteger calls = new AtomicInteger();
      UnaryOperator<String> dying =
          event -> {
            String answer = function.apply(event);
            if (calls.incrementAndGet() == 1) {
              queue.release(receipt(event));
              throw new IllegalStateException("killed");
            }
            return answer;
          };
      queue.send(Samples.created("order-1", "consumer-1", 0));
      try (var mapping = new EventSourceMapping(queue, dying, ONE_AT_A_TIME)) {
        Await.until("it is deleted", () -> queue.size() == 0);
        assertEquals(1, mapping.errors());
        assertEquals(2, mapping.invocations());
      }
      assertEquals(List.of("Applied", "Duplicate"), views.results);
      assertEquals(1_700, generations.current().orders().find(key("order-1")).orElseThrow().total);
    }
  }
}
