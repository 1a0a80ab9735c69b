package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.tidemark.kafka.KafkaDeadLetters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

@DisplayName("The Kafka carrier")
class KafkaCarrierTest {
  private final KafkaFixture kafka = new KafkaFixture();

  @AfterEach
  void close() {
    kafka.close();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("brings the events of three topics into the views, however often they come")
  void happy(LocalStore store) {
    try (Generations generations = store.prepared()) {
      List<Event> events = Orders.delivered(0, 20);
      kafka.send(events);
      var member = kafka.start(Views.serving(generations));
      kafka.awaitAllCommitted();
      kafka.send(events);
      kafka.awaitAllCommitted();
      Orders.assertDelivered(generations.current(), 0, 20);
      assertEquals(List.of(), kafka.dead());
      assertEquals(0, member.deadLetters());
      Health health = member.health();
      assertEquals(Health.up().withDetail("waiting", List.of()).build(), health);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("sends poison to the dead letters, with reason and origin, and goes on behind it")
  void poison(LocalStore store) {
    try (Generations generations = store.prepared()) {
      String topic = kafka.topic("Order");
      String halfACharacter = text(EventJson.encode(tip(2))).replace("order-1", "\\ud800");
      byte[] garbage = "{\"card\":\"4111\"".getBytes(StandardCharsets.UTF_8);
      byte[] huge = new byte[1_048_400]; // no room for headers
      Event before = Samples.created("order-1", "consumer-1", 0);
      Event after = Samples.created("order-2", "consumer-2", 0);
      kafka.send(topic, 0, "a", EventJson.encode(before));
      kafka.send(topic, 0, "b", garbage);
      kafka.send(topic, 0, "c", null);
      kafka.send(topic, 0, "d", halfACharacter.getBytes(StandardCharsets.UTF_8));
      kafka.send(topic, 0, "e", huge);
      kafka.send(topic, 0, "f", EventJson.encode(after));
      var member = kafka.start(Views.serving(generations));
      kafka.awaitAllCommitted();
      assertEquals(4, member.deadLetters());
      assertTrue(generations.current().orders().find(key("order-1")).isPresent());
      assertTrue(generations.current().orders().find(key("order-2")).isPresent());
      List<ConsumerRecord<String, byte[]>> dead = kafka.dead();
      assertEquals(
          List.of("b 1", "c 2", "d 3", "e 4"),
          dead.stream().map(r -> r.key() + " " + header(r, KafkaDeadLetters.OFFSET)).toList());
      for (ConsumerRecord<String, byte[]> letter : dead) {
        assertEquals(topic, header(letter, KafkaDeadLetters.TOPIC));
        assertEquals("0", header(letter, KafkaDeadLetters.PARTITION));
        String reason = header(letter, KafkaDeadLetters.REASON);
        assertTrue(reason.startsWith("IllegalArgumentException: "), reason);
        assertTrue(!reason.contains("4111"), reason);
      }
      assertEquals(new String(garbage, StandardCharsets.UTF_8), text(dead.get(0).value()));
      assertNull(dead.get(3).value());
      assertEquals("true", header(dead.get(3), KafkaDeadLetters.LEFT_OUT));
    }
  }

  private static String header(ConsumerRecord<String, byte[]> record, String name) {
    return text(record.headers().lastHeader(name).value());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("waits at a gap with its partition, and no other, until what is missing has come")
  void gap(LocalStore store) {
    String topic = kafka.topic("Order");
    TopicPartition gapped = new TopicPartition(topic, 0);
    try (Generations generations = store.prepared()) {
      for (int version = 2; version <= 40; version++) {
        kafka.send(topic, 0, "order-1", EventJson.encode(tip(version)));
      }
      Listeners member = kafka.start(Views.serving(generations));
      Await.until(
          "the partition waits",
          () -> List.of(gapped.toString()).equals(member.health().getDetails().get("waiting")));
      assertEquals(Status.UP, member.health().getStatus());

      kafka.send(Orders.delivered(5, 8)); // others go on
      kafka.send(
          topic, 1, "order-1", EventJson.encode(Samples.created("order-1", "consumer-1", 0)));
      kafka.awaitAllCommitted();
      OrderView row = generations.current().orders().find(key("order-1")).orElseThrow();
      assertEquals(39, row.tips);
      assertEquals(1_739, row.total);
      assertEquals(List.of(), kafka.dead());
      Orders.assertDelivered(generations.current(), 5, 8);
    }
  }

  private static TipGiven tip(int version) {
    return new TipGiven(
        UUID.randomUUID().toString(), "order-1", version, Samples.at(version), "consumer-1", 1);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("finishes the batch in hand when it is stopped, and commits it")
  void stop(LocalStore store) throws InterruptedException {
    try (Generations generations = store.prepared()) {
      Views views = new Views(generations.current());
      CountDownLatch inHand = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      List<Integer> batches = new ArrayList<>();
      kafka.send(Orders.delivered(0, 1));
      var member =
          kafka.start(
              deliveries -> {
                batches.add(deliveries.size());
                inHand.countDown();
                awaitLatch(goOn);
                return views.apply(deliveries);
              });
      assertTrue(inHand.await(1, TimeUnit.MINUTES));
      kafka.send(Orders.delivered(1, 2)); // comes too late
      var containers = member.bean(KafkaListenerEndpointRegistry.class);
      CompletableFuture<Void> end = CompletableFuture.runAsync(member::close);
      Await.until("it is told to stop", () -> !containers.isRunning());
      goOn.countDown();
      end.orTimeout(1, TimeUnit.MINUTES).join();
      assertEquals(1, batches.size());
      long committed = kafka.committed().values().stream().mapToLong(offset -> offset).sum();
      assertEquals(batches.get(0).longValue(), committed);
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertTrue(latch.await(1, TimeUnit.MINUTES));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
