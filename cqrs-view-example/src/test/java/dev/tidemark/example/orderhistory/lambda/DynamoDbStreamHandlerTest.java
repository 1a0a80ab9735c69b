package dev.tidemark.example.orderhistory.lambda;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.carrier.Recorded;
import dev.tidemark.example.orderhistory.carrier.Truth;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EventTable;
import dev.tidemark.example.orderhistory.local.FlakyStore;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.Message;

@DisplayName("The function behind the stream of a DynamoDB table")
class DynamoDbStreamHandlerTest {
  private static LocalQueue deadLetters() {
    return LocalQueue.fresh("", Duration.ofMinutes(1));
  }

  private static UnaryOperator<String> function(
      Function<List<Delivery>, BatchOutcome<?>> views, LocalQueue dead) {
    return new LambdaRuntime<>(
        new DynamoDbStreamHandler(views, SqsDeadLetters.of(dead.client(), dead.url())),
        DynamodbEvent.class,
        StreamsEventResponse.class);
  }

  private static void awaitApplied(Recorded views, int count) {
    Await.until(
        "all events are applied",
        () -> views.batches.stream().flatMap(List::stream).distinct().count() == count);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("brings every item that is inserted to the views, and no change or delete of it")
  void inserts(LocalStore store) {
    LocalQueue dead = deadLetters();
    try (Generations generations = store.prepared();
        EventTable table = new EventTable()) {
      Recorded views = new Recorded(Views.serving(generations));
      List<Event> events = Truth.events(4);
      events.forEach(table::put);
      table.put(events.get(0), Map.of("seen", AttributeValue.fromN("1")));
      table.delete(events.get(1));
      Event last = Samples.created("order-last", "consumer-last", 0);
      table.put(last);
      try (var mapping = table.mapping(function(views, dead), 10)) {
        awaitApplied(views, events.size() + 1);
        assertEquals(0, mapping.errors());
        assertEquals(0, mapping.partial());
      }
      Truth.check(generations.current(), 4);
      assertEquals(events.size() + 1, views.results.size());
      assertEquals(List.of(), dead.drain());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("names the first record that is not done, and gets it and what follows again")
  void partial(LocalStore store) {
    LocalQueue dead = deadLetters();
    try (Generations generations = store.prepared();
        EventTable table = new EventTable()) {
      FlakyStore flaky = new FlakyStore(generations.current());
      flaky.down.add(key("order-1"));
      Recorded views = new Recorded(new Views(flaky.views()));
      Truth.events(3).forEach(table::put);
      try (var mapping = table.mapping(function(views, dead), 10)) {
        Await.until("the shard is held up", () -> mapping.partial() > 1);
        assertTrue(generations.current().orders().find(key("order-1")).isEmpty());
        Await.until(
            "other rows go on",
            () -> generations.current().orders().find(key("order-2")).isPresent());
        int held = mapping.partial();
        Await.until("it is read again from there", () -> mapping.partial() > held);
        flaky.down.clear();
        Await.until(
            "it goes on", () -> generations.current().orders().find(key("order-1")).isPresent());
        awaitApplied(views, 21);
        assertEquals(0, mapping.errors());
      }
      Truth.check(generations.current(), 3);
      assertEquals(List.of(), dead.drain());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("takes poison out with the reason, and goes on behind it")
  void poison(LocalStore store) {
    LocalQueue dead = deadLetters();
    try (Generations generations = store.prepared();
        EventTable table = new EventTable()) {
      List<Event> events = Truth.events(1);
      events.subList(0, 2).forEach(table::put);
      table.put("poison-1", Map.of("event", AttributeValue.fromS("no event\u0001")));
      table.put("poison-2", Map.of("other", AttributeValue.fromS("…")));
      events.subList(2, 7).forEach(table::put);
      Recorded views = new Recorded(new Views(generations.current()));
      try (var mapping = table.mapping(function(views, dead), 10)) {
        awaitApplied(views, 7);
        assertEquals(0, mapping.errors());
      }
      Truth.check(generations.current(), 1);
      Map<String, String> reasons =
          dead.drain().stream()
              .collect(
                  Collectors.toMap(
                      Message::body,
                      letter -> LocalQueue.attribute(letter, SqsDeadLetters.REASON)));
      assertEquals(
          Map.of(
              "no event?", "IllegalArgumentException: not an event: JsonParseException",
              "see the record of this number",
                  "IllegalArgumentException: not an event: the item has no text named event"),
          reasons);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("that dies between write and answer gets the batch again, and knows it")
  void error(LocalStore store) {
    LocalQueue dead = deadLetters();
    try (Generations generations = store.prepared();
        EventTable table = new EventTable()) {
      Recorded views = new Recorded(new Views(generations.current()));
      UnaryOperator<String> function = function(views, dead);
      AtomicInteger calls = new AtomicInteger();
      UnaryOperator<String> dying =
          event -> {
            String answer = function.apply(event);
            if (calls.incrementAndGet() == 1) {
              throw new IllegalStateException("killed");
            }
            return answer;
          };
      table.put(Samples.created("order-1", "consumer-1", 0));
      try (var mapping = table.mapping(dying, 10)) {
        Await.until("it came twice", () -> views.results.size() == 2);
        assertEquals(1, mapping.errors());
      }
      assertEquals(List.of("Applied", "Duplicate"), views.results);
      assertEquals(1_700, generations.current().orders().find(key("order-1")).orElseThrow().total);
    }
  }
}
