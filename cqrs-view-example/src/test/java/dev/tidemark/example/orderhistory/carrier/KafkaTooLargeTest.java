package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.kafka.KafkaIntake;
import dev.tidemark.kafka.KafkaIntakeLoop;
import dev.tidemark.kafka.KafkaRedrive;
import dev.tidemark.kafka.KafkaRedrive.Redriven;
import dev.tidemark.kafka.KafkaSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A record that is too large for a topic")
class KafkaTooLargeTest {
  private static final Reason REASON = new Reason("Bug", true, 1);

  private final KafkaFixture kafka = new KafkaFixture();
  private final KafkaProducer<String, byte[]> letters =
      new KafkaProducer<>(KafkaSender.requireSafe(KafkaFixture.producerSettings()));

  @AfterEach
  void close() {
    letters.close();
    kafka.close();
  }

  private static byte[] value(int number, int size) {
    byte[] value = new byte[size];
    value[0] = (byte) number;
    return value;
  }

  /** Topics that take less than a producer puts into a batch, and others. */
  @ParameterizedTest(name = "by a topic of {0} bytes, and requests of {1}")
  @CsvSource({"40000, 1048576, 50000", "2000, 1048576, 5000", "1048588, 20000, 25000"})
  @DisplayName("stays a dead letter, is counted, and keeps no other from being put back")
  void redrive(int ofTopic, int ofRequest, int large) throws Exception {
    String narrow = kafka.topic("Order") + "-narrow";
    kafka.create(narrow, Map.of("max.message.bytes", "" + ofTopic));
    KafkaDeadLetters<String, byte[]> dead = KafkaDeadLetters.of(letters, kafka.deadLetters());
    List<Integer> fit = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < 120; i++) { // which are two polls of a redrive
      boolean isLarge = i % 50 == 7 || i == 8;
      byte[] value = value(i, isLarge ? large : 100);
      dead.keep(new ConsumerRecord<>(narrow, 0, i, "key", value), REASON);
      all.add(i);
      if (!isLarge) {
        fit.add(i);
      }
    }
    Map<String, Object> connection =
        Map.of("bootstrap.servers", KafkaFixture.bootstrapServers(), "max.request.size", ofRequest);
    assertEquals(new Redriven(116, 4), KafkaRedrive.run(connection, kafka.deadLetters()));
    assertEquals(new Redriven(0, 0), KafkaRedrive.run(connection, kafka.deadLetters()));
    assertEquals(fit, numbers(kafka.committedRecords(narrow)));
    assertEquals(all, numbers(kafka.dead()));
  }

  @Test
  @DisplayName("of a producer by Kafka's defaults is put back where its own topic takes it")
  void redriveOfLarge() throws Exception {
    String wide = kafka.topic("Order") + "-wide";
    String letters = wide + "-letters";
    kafka.create(wide, Map.of("max.message.bytes", "5000000"));
    kafka.create(letters, Map.of("max.message.bytes", "5100000"));
    Map<String, Object> settings = new HashMap<>(KafkaFixture.producerSettings());
    settings.put("max.request.size", 5_100_000);
    try (var large = new KafkaProducer<String, byte[]>(KafkaSender.requireSafe(settings))) {
      KafkaDeadLetters.of(large, letters)
          .keep(new ConsumerRecord<>(wide, 0, 0, "key", value(7, 2_000_000)), REASON);
    }
    Map<String, Object> connection = Map.of("bootstrap.servers", KafkaFixture.bootstrapServers());
    assertEquals(new Redriven(1, 0), KafkaRedrive.run(connection, letters));
    assertEquals(List.of(7), numbers(kafka.committedRecords(wide)));
  }

  private static List<Integer> numbers(List<ConsumerRecord<String, byte[]>> records) {
    return records.stream().map(record -> (int) record.value()[0]).toList();
  }

  @Test
  @DisplayName("is a dead letter without its value; without room for that it comes again, alone")
  void deadLetter() throws Exception {
    String narrow = kafka.deadLetters() + "-narrow";
    kafka.create(narrow, Map.of("max.message.bytes", "2000"));
    TopicPartition waiting = new TopicPartition(kafka.topic("Order"), 1);
    byte[] poison = value('x', 5000);
    String key = "key".repeat(1000);
    kafka.send(waiting.topic(), waiting.partition(), "garbage", poison);
    kafka.send(waiting.topic(), waiting.partition(), key, poison);
    kafka.send(Orders.delivered(0, 5));
    try (Generations generations = LocalStore.DYNAMODB.prepared()) {
      KafkaIntake<String, byte[]> intake =
          KafkaIntake.of(
                  KafkaIntake.<String, byte[]>builder(
                          record -> EventJson.decode(record.value()).delivery(),
                          new Views(generations.current()))
                      .deadLetters(KafkaDeadLetters.of(letters, narrow))
                      .build())
              .pauses(Duration.ofMillis(20), Duration.ofMillis(200));
      KafkaIntakeLoop<String, byte[]> loop =
          KafkaIntakeLoop.of(kafka.consumer(), kafka.topics(), intake);
      CompletableFuture<Void> end = CompletableFuture.runAsync(loop);
      try {
        Map<TopicPartition, Long> expected = new HashMap<>(kafka.ends());
        expected.put(waiting, 1L);
        expected.values().removeIf(offset -> offset == 0);
        Await.until("all but what waits is done", () -> kafka.committed().equals(expected));
        assertEquals(
            "the dead letters did not take it: RecordTooLargeException",
            loop.paused().get(0).reason());
        kafka.limit(narrow, 1_000_000);
        kafka.awaitAllCommitted();
        Orders.assertDelivered(generations.current(), 0, 5);
      } finally {
        loop.stop();
        end.get(1, TimeUnit.MINUTES);
      }
    }
    List<ConsumerRecord<String, byte[]>> kept = kafka.committedRecords(narrow);
    assertEquals(List.of("garbage", key), kept.stream().map(ConsumerRecord::key).toList());
    assertNull(kept.get(0).value());
    assertTrue(kept.get(0).headers().lastHeader(KafkaDeadLetters.LEFT_OUT) != null);
    assertArrayEquals(poison, kept.get(1).value());
    Map<String, Object> connection = Map.of("bootstrap.servers", KafkaFixture.bootstrapServers());
    assertEquals(new Redriven(1, 1), KafkaRedrive.run(connection, narrow));
  }
}
