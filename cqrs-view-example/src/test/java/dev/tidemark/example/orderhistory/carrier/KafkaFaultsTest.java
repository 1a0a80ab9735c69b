package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Kafka carrier meets faults of Kafka, made by Kafka's own mock clients:")
class KafkaFaultsTest {
  private static final TopicPartition LEFT = new TopicPartition("orders", 0);
  private static final TopicPartition RIGHT = new TopicPartition("orders", 1);

  private final Generations generations = LocalStore.DYNAMODB.prepared();
  private final MovableClock clock = new MovableClock();
  private final List<RuntimeException> commitFaults = new ArrayList<>();
  private final List<Map<TopicPartition, Long>> commits = new ArrayList<>();
  private final MockConsumer<String, byte[]> consumer =
      new MockConsumer<>("earliest") {
        @Override
        public synchronized void commitSync(
            Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
          if (!commitFaults.isEmpty()) {
            throw commitFaults.remove(0);
          }
          super.commitSync(offsets, timeout);
          Map<TopicPartition, Long> commit = new HashMap<>();
          offsets.forEach((partition, offset) -> commit.put(partition, offset.offset()));
          commits.add(commit);
        }
      };
  private final MockProducer<String, byte[]> producer =
      new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
  private KafkaCarrier carrier = carrier(new Views(generations.current()));

  private KafkaCarrier carrier(Function<List<Delivery>, BatchOutcome<?>> handler) {
    return new KafkaCarrier(consumer, List.of("orders"), producer, "dead", handler, clock);
  }

  @BeforeEach
  void assign() {
    consumer.updateBeginningOffsets(Map.of(LEFT, 0L, RIGHT, 0L));
    consumer.schedulePollTask(() -> consumer.rebalance(List.of(LEFT, RIGHT)));
  }

  @AfterEach
  void close() {
    generations.close();
  }

  private void event(TopicPartition partition, long offset) {
    String order = partition + "-" + offset;
    record(partition, offset, EventJson.encode(Samples.created(order, "consumer-1", 0)));
  }

  private void record(TopicPartition partition, long offset, byte[] value) {
    consumer.addRecord(
        new ConsumerRecord<>(partition.topic(), partition.partition(), offset, "key", value));
  }

  private long committed(TopicPartition partition) {
    return commits.stream().mapToLong(commit -> commit.getOrDefault(partition, 0L)).max().orElse(0);
  }

  @Test
  @DisplayName("goes on after one that another attempt may mend")
  void retriable() {
    consumer.schedulePollTask(() -> consumer.setPollException(new TimeoutException("no answer")));
    consumer.schedulePollTask(() -> event(LEFT, 0));
    consumer.schedulePollTask(carrier::stop);
    carrier.run();
    assertEquals(1, committed(LEFT));
    assertTrue(consumer.closed());
    assertTrue(producer.closed());
  }

  @Test
  @DisplayName("ends by one that another attempt would not mend, and closes both clients")
  void fatal() {
    consumer.schedulePollTask(
        () -> consumer.setPollException(new TopicAuthorizationException("orders")));
    assertThrows(TopicAuthorizationException.class, carrier::run);
    assertTrue(consumer.closed());
    assertTrue(producer.closed());
  }

  @Test
  @DisplayName("commits with the next batch what could not be committed")
  void commitsLater() {
    consumer.schedulePollTask(
        () -> {
          commitFaults.add(new RetriableCommitFailedException("not now"));
          event(LEFT, 0);
        });
    consumer.schedulePollTask(
        () -> {
          assertEquals(0, committed(LEFT));
          event(RIGHT, 0);
          carrier.stop();
        });
    carrier.run();
    assertEquals(List.of(1L, 1L), List.of(committed(LEFT), committed(RIGHT)));
  }

  @Test
  @DisplayName("commits before a partition is revoked what could not be committed")
  void commitsOnRevoke() {
    consumer.schedulePollTask(
        () -> {
          commitFaults.add(new RetriableCommitFailedException("not now"));
          event(LEFT, 0);
        });
    consumer.schedulePollTask(
        () -> {
          assertEquals(0, committed(LEFT));
          consumer.rebalance(List.of(RIGHT));
          carrier.stop();
        });
    carrier.run();
    assertEquals(List.of(Map.of(LEFT, 1L)), commits);
  }

  @Test
  @DisplayName("holds back the partition of poison that has no dead letter yet, and no other")
  void deadLetters() {
    producer.sendException = new RecordTooLargeException("too large");
    consumer.schedulePollTask(
        () -> {
          event(LEFT, 0);
          record(LEFT, 1, new byte[] {'x'});
          event(LEFT, 2);
          event(RIGHT, 0);
        });
    consumer.schedulePollTask(
        () -> {
          assertEquals(1, committed(LEFT));
          assertEquals(1, committed(RIGHT));
          assertEquals(Set.of(LEFT), consumer.paused());
          assertEquals(1, consumer.position(LEFT));
          PausedPartition paused = carrier.paused().get(0);
          assertEquals(
              "its dead letter could not be written: RecordTooLargeException", paused.reason());
          producer.sendException = null;
          clock.move(Duration.ofSeconds(1));
        });
    consumer.schedulePollTask(
        () -> {
          record(LEFT, 1, new byte[] {'x'});
          event(LEFT, 2);
        });
    consumer.schedulePollTask(carrier::stop);
    carrier.run();
    assertEquals(3, committed(LEFT));
    assertEquals(1, producer.history().size());
    assertEquals(1, carrier.deadLetters());
    assertTrue(carrier.paused().isEmpty());
  }

  @Test
  @DisplayName("buries poison once that comes again because something before it is not done")
  void buriesOnce() {
    List<RuntimeException> faults = new ArrayList<>(List.of(new IllegalStateException("away")));
    Views views = new Views(generations.current());
    carrier =
        carrier(
            deliveries -> {
              if (!faults.isEmpty()) {
                throw faults.remove(0);
              }
              return views.apply(deliveries);
            });
    Runnable batch =
        () -> {
          event(LEFT, 0);
          record(LEFT, 1, new byte[] {'x'});
        };
    consumer.schedulePollTask(batch);
    consumer.schedulePollTask(
        () -> {
          assertEquals(0, committed(LEFT));
          assertEquals(1, producer.history().size());
          clock.move(Duration.ofSeconds(1));
        });
    consumer.schedulePollTask(batch);
    consumer.schedulePollTask(carrier::stop);
    carrier.run();
    assertEquals(2, committed(LEFT));
    assertEquals(1, producer.history().size());
    assertEquals(1, carrier.deadLetters());
  }

  @Test
  @DisplayName("ends if it may not write dead letters, with the poison not committed")
  void forbidden() {
    producer.sendException = new TopicAuthorizationException("dead");
    consumer.schedulePollTask(() -> record(LEFT, 0, new byte[] {'x'}));
    assertThrows(TopicAuthorizationException.class, carrier::run);
    assertTrue(consumer.closed());
  }

  @Test
  @DisplayName("pauses all partitions of a batch whose handler throws, and tells why")
  void handlerThrows() {
    List<RuntimeException> faults =
        new ArrayList<>(List.of(new IllegalStateException("card 4111")));
    Views views = new Views(generations.current());
    carrier =
        carrier(
            deliveries -> {
              if (!faults.isEmpty()) {
                throw faults.remove(0);
              }
              return views.apply(deliveries);
            });
    consumer.schedulePollTask(
        () -> {
          event(LEFT, 0);
          event(RIGHT, 0);
        });
    consumer.schedulePollTask(
        () -> {
          assertEquals(Set.of(LEFT, RIGHT), consumer.paused());
          for (PausedPartition paused : carrier.paused()) {
            assertEquals("IllegalStateException", paused.reason());
          }
          assertFalse(carrier.paused().isEmpty());
          carrier.stop();
        });
    carrier.run();
    assertEquals(0, committed(LEFT) + committed(RIGHT));
  }
}
