package dev.tidemark.example.orderhistory.lambda;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.carrier.Recorded;
import dev.tidemark.example.orderhistory.carrier.Truth;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.FlakyStore;
import dev.tidemark.example.orderhistory.local.KafkaMapping;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.lambda.KafkaBatchResponse;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sqs.model.Message;

@DisplayName("The function behind topics of Kafka")
class KafkaHandlerTest {
  private static final Map<String, Object> KAFKA =
      Map.of("bootstrap.servers", EmbeddedKafka.shared().bootstrapServers());

  private static KafkaProducer<String, byte[]> producer;

  @BeforeAll
  static void start() {
    producer = new KafkaProducer<>(KAFKA, new StringSerializer(), new ByteArraySerializer());
  }

  @AfterAll
  static void end() {
    producer.close();
  }

  static Stream<Arguments> everywhere() {
    return Stream.of(LocalStore.values())
        .flatMap(store -> Stream.of(true, false).map(reports -> Arguments.of(store, reports)));
  }

  private static LocalQueue deadLetters() {
    return LocalQueue.fresh("", Duration.ofMinutes(1));
  }

  private static UnaryOperator<String> function(
      Function<List<Delivery>, BatchOutcome<?>> views, LocalQueue dead, boolean reports) {
    return new LambdaRuntime<>(
        new KafkaHandler(views, SqsDeadLetters.of(dead.client(), dead.url()), reports),
        KafkaEvent.class,
        KafkaBatchResponse.class);
  }

  /** A topic of two partitions. */
  private static String topic() throws Exception {
    String topic = "events-" + UUID.randomUUID();
    try (Admin admin = Admin.create(KAFKA)) {
      admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
    }
    return topic;
  }

  private static void send(String topic, int partition, Event event) throws Exception {
    send(topic, partition, EventJson.encode(event));
  }

  private static void send(String topic, int partition, byte @Nullable [] value) throws Exception {
    var unused = producer.send(new ProducerRecord<>(topic, partition, "key", value)).get();
  }

  private static KafkaMapping mapping(String topic, UnaryOperator<String> function) {
    return new KafkaMapping(
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                EmbeddedKafka.shared().bootstrapServers(),
                "group.id",
                topic,
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer()),
        List.of(topic),
        function);
  }

  private static void awaitAll(String topic, long first, long second) throws Exception {
    try (Admin admin = Admin.create(KAFKA)) {
      Await.until("all is committed", () -> committed(admin, topic) == first + second);
    }
  }

  private static long committed(Admin admin, String group) {
    try {
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .values()
          .stream()
          .mapToLong(offset -> offset.offset())
          .sum();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest(name = "{0}, reports failures: {1}")
  @MethodSource("everywhere")
  @DisplayName("brings every event to the views once, though each stands there twice")
  void twice(LocalStore store, boolean reports) throws Exception {
    String topic = topic();
    LocalQueue dead = deadLetters();
    try (Generations generations = store.prepared()) {
      for (Event event : Truth.events(6)) {
        int partition = Math.floorMod(event.orderId().hashCode(), 2);
        send(topic, partition, event);
        send(topic, partition, event);
      }
      try (var mapping = mapping(topic, function(Views.serving(generations), dead, reports))) {
        awaitAll(topic, 42, 42);
        assertEquals(0, mapping.errors());
      }
      Truth.check(generations.current(), 6);
      assertEquals(List.of(), dead.drain());
    }
  }

  @ParameterizedTest(name = "{0}, reports failures: {1}")
  @MethodSource("everywhere")
  @DisplayName("names the first of each partition that is not done, or throws, and loses nothing")
  void partial(LocalStore store, boolean reports) throws Exception {
    String topic = topic();
    LocalQueue dead = deadLetters();
    try (Generations generations = store.prepared()) {
      FlakyStore flaky = new FlakyStore(generations.current());
      flaky.down.add(key("order-1"));
      for (Event event : Truth.events(3)) {
        send(topic, event.orderId().equals("order-2") ? 1 : 0, event);
      }
      UnaryOperator<String> function = function(new Views(flaky.views()), dead, reports);
      try (var mapping = mapping(topic, function);
          Admin admin = Admin.create(KAFKA)) {
        Await.until("it is held up", () -> mapping.partial() + mapping.errors() > 2);
        assertTrue(generations.current().orders().find(key("order-1")).isEmpty());
        if (reports) {
          Await.until("the rest is committed", () -> committed(admin, topic) == 7 + 7);
          assertEquals(0, mapping.errors());
        } else {
          assertEquals(0, mapping.partial());
        }
        flaky.down.clear();
        awaitAll(topic, 14, 7);
      }
      Truth.check(generations.current(), 3);
      assertEquals(List.of(), dead.drain());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("takes poison out with the reason, and goes on behind it")
  void poison(LocalStore store) throws Exception {
    String topic = topic();
    LocalQueue dead = deadLetters();
    try (Generations generations = store.prepared()) {
      for (Event event : Truth.events(1)) {
        send(topic, 0, event);
        if (event.version() == 3) {
          send(topic, 0, new byte[] {-1, 0});
          send(topic, 0, (byte[]) null);
        }
      }
      Views views = new Views(generations.current());
      try (var mapping = mapping(topic, function(views, dead, false))) {
        awaitAll(topic, 9, 0);
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
              "/wA=", "IllegalArgumentException: not an event: JsonParseException",
              "see the record at this offset",
                  "IllegalArgumentException: not an event: there is no value"),
          reasons);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("that dies between write and answer gets the batch again, and knows it")
  void error(LocalStore store) throws Exception {
    String topic = topic();
    LocalQueue dead = deadLetters();
    try (Generations generations = store.prepared()) {
      Recorded views = new Recorded(new Views(generations.current()));
      UnaryOperator<String> function = function(views, dead, false);
      AtomicInteger calls = new AtomicInteger();
      UnaryOperator<String> dying =
          event -> {
            String answer = function.apply(event);
            if (calls.incrementAndGet() == 1) {
              throw new IllegalStateException("killed");
            }
            return answer;
          };
      send(topic, 0, Samples.created("order-1", "consumer-1", 0));
      try (var mapping = mapping(topic, dying)) {
        awaitAll(topic, 1, 0);
        assertEquals(1, mapping.errors());
      }
      assertEquals(List.of("Applied", "Duplicate"), views.results);
      assertEquals(1_700, generations.current().orders().find(key("order-1")).orElseThrow().total);
    }
  }
}
