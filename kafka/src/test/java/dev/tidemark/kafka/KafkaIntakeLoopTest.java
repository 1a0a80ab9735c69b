package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.tck.MovableClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A loop over a Kafka consumer, whose faults are made by Kafka's own mock of it,")
class KafkaIntakeLoopTest {
  private static final TopicPartition LEFT = new TopicPartition("orders", 0);
  private static final TopicPartition RIGHT = new TopicPartition("orders", 1);

  private final Ledger ledger = new Ledger();
  private final List<String> letters = new ArrayList<>();
  private final List<Exception> letterFaults = new ArrayList<>();
  private final MovableClock clock = new MovableClock();
  private final AtomicLong nanos = new AtomicLong();
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
  private final KafkaIntake<String, byte[]> intake =
      KafkaIntake.of(
              ledger.intake(
                  (record, reason) -> {
                    if (!letterFaults.isEmpty()) {
                      throw letterFaults.remove(0);
                    }
                    letters.add(new String(record.value(), UTF_8));
                  }))
          .pauses(Duration.ofSeconds(1), Duration.ofSeconds(10))
          .time(clock, nanos::get);
  private final KafkaIntakeLoop<String, byte[]> loop =
      KafkaIntakeLoop.of(consumer, List.of("orders"), intake);

  @BeforeEach
  void assign() {
    consumer.updateBeginningOffsets(Map.of(LEFT, 0L, RIGHT, 0L));
    consumer.schedulePollTask(() -> consumer.rebalance(List.of(LEFT, RIGHT)));
  }

  private void record(TopicPartition partition, long offset, String value) {
    consumer.addRecord(
        new ConsumerRecord<>(
            partition.topic(), partition.partition(), offset, "key", value.getBytes(UTF_8)));
  }

  private long committed(TopicPartition partition) {
    return commits.stream().mapToLong(commit -> commit.getOrDefault(partition, 0L)).max().orElse(0);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    clock.move(time);
  }

  private void then(Runnable task) {
    consumer.schedulePollTask(task);
  }

  @Test
  @DisplayName("commits what is handled, and closes the consumer when it is stopped")
  void handles() {
    then(
        () -> {
          record(LEFT, 0, "a 1");
          record(LEFT, 1, "a 2");
          record(RIGHT, 0, "b 1");
        });
    then(loop::stop);
    loop.run();
    assertEquals("12", ledger.texts("a"));
    assertEquals(List.of(2L, 1L), List.of(committed(LEFT), committed(RIGHT)));
    assertTrue(consumer.closed());
    assertThrows(IllegalStateException.class, loop::run);
  }

  @Test
  @DisplayName("commits nothing of what its process died of")
  void crash() {
    KafkaIntake<String, byte[]> dying =
        KafkaIntake.of(KafkaIntake.<String, byte[]>builder(Crash.DECODER, ledger::handle).build());
    then(() -> record(LEFT, 0, "a 1"));
    KafkaIntakeLoop<String, byte[]> dead = KafkaIntakeLoop.of(consumer, List.of("orders"), dying);
    assertThrows(Crash.class, dead::run);
    assertInstanceOf(Crash.class, dead.fault().orElseThrow().getCause());
    assertEquals(List.of(), commits);
    assertTrue(consumer.closed());
  }

  @Test
  @DisplayName("holds back a partition at a record that is not done, longer each time, no other")
  void pauses() {
    ledger.failing.add("2");
    Runnable batch =
        () -> {
          record(LEFT, 1, "a 2");
          record(LEFT, 2, "b 3");
        };
    then(
        () -> {
          record(LEFT, 0, "a 1");
          batch.run();
          record(RIGHT, 0, "c 1");
        });
    then(
        () -> {
          assertEquals(List.of(1L, 1L), List.of(committed(LEFT), committed(RIGHT)));
          assertEquals(Set.of(LEFT), consumer.paused());
          assertEquals(1, consumer.position(LEFT));
          PausedPartition paused = loop.paused().get(0);
          assertEquals("NullPointerException", paused.reason());
          assertEquals(List.of(1, 1L), List.of(paused.attempts(), paused.pause().toSeconds()));
          record(RIGHT, 1, "c 4"); // goes on beside it
          pass(Duration.ofMillis(999));
        });
    then(
        () -> {
          assertEquals(2, committed(RIGHT));
          assertEquals(Set.of(LEFT), consumer.paused());
          pass(Duration.ofMillis(1));
        });
    then(batch);
    then(
        () -> {
          PausedPartition paused = loop.paused().get(0);
          assertEquals(List.of(2, 2L), List.of(paused.attempts(), paused.pause().toSeconds()));
          assertEquals(1, clock.instant().getEpochSecond() - paused.since().getEpochSecond());
          ledger.failing.clear();
          pass(Duration.ofSeconds(2));
        });
    then(batch);
    then(
        () -> {
          assertEquals(Set.of(), consumer.paused());
          assertEquals(List.of(), loop.paused());
          loop.stop();
        });
    loop.run();
    assertEquals(3, committed(LEFT));
    assertEquals("12", ledger.texts("a"));
    assertEquals("3", ledger.texts("b"));
    long tries = ledger.batches.stream().filter(texts -> texts.contains("3")).count();
    assertEquals(1, tries, "what is done behind it is not handled again");
  }

  @Test
  @DisplayName("goes on behind poison that the dead letters have, and waits while they do not")
  void deadLetters() {
    letterFaults.add(new TimeoutException("no broker"));
    Runnable batch =
        () -> {
          record(LEFT, 0, "poison");
          record(LEFT, 1, "a 1");
        };
    then(batch);
    then(
        () -> {
          assertEquals(0, committed(LEFT));
          assertEquals(
              "the dead letters did not take it: TimeoutException", loop.paused().get(0).reason());
          pass(Duration.ofSeconds(1));
        });
    then(batch);
    then(loop::stop);
    loop.run();
    assertEquals(2, committed(LEFT));
    assertEquals(List.of("poison"), letters);
    assertEquals("1", ledger.texts("a"));
  }

  @Test
  @DisplayName("pauses all partitions of a batch whose handler throws, and stays in its group")
  void storeAway() {
    ledger.outages.add(new IllegalStateException("card 4111"));
    then(
        () -> {
          record(LEFT, 0, "a 1");
          record(RIGHT, 0, "b 1");
        });
    then(
        () -> {
          assertEquals(Set.of(LEFT, RIGHT), consumer.paused());
          loop.paused().forEach(paused -> assertEquals("IllegalStateException", paused.reason()));
          assertEquals(0, committed(LEFT) + committed(RIGHT));
          pass(Duration.ofSeconds(1));
        });
    then(
        () -> {
          record(LEFT, 0, "a 1");
          record(RIGHT, 0, "b 1");
        });
    then(loop::stop);
    loop.run();
    assertEquals(2, committed(LEFT) + committed(RIGHT));
  }

  @Test
  @DisplayName("goes on after an error that another attempt may mend, and tells of it meanwhile")
  void retriable() {
    then(() -> consumer.setPollException(new TimeoutException("no answer")));
    then(
        () -> {
          assertInstanceOf(TimeoutException.class, loop.fault().orElseThrow());
          record(LEFT, 0, "a 1");
        });
    then(loop::stop);
    loop.run();
    assertEquals(1, committed(LEFT));
    assertTrue(loop.fault().isEmpty());
  }

  @Test
  @DisplayName("ends by what a listener throws, and skips nothing, though Kafka calls it retriable")
  void listener() {
    ledger.failing.add("1");
    KafkaIntake<String, byte[]> told =
        KafkaIntake.of(
            ledger
                .builder((record, reason) -> {})
                .listener(
                    taken -> {
                      throw new TimeoutException("topic of alarms");
                    })
                .build());
    then(() -> record(LEFT, 0, "a 1"));
    then(() -> record(LEFT, 1, "b 2"));
    KafkaIntakeLoop<String, byte[]> telling = KafkaIntakeLoop.of(consumer, List.of("orders"), told);
    then(telling::stop);
    assertThrows(TimeoutException.class, telling::run);
    assertEquals(0, committed(LEFT));
    assertTrue(consumer.closed());
  }

  @Test
  @DisplayName("ends by an error that another attempt would not mend, and closes the consumer")
  void fatal() {
    then(() -> consumer.setPollException(new TopicAuthorizationException("orders")));
    assertThrows(TopicAuthorizationException.class, loop::run);
    assertTrue(consumer.closed());
    assertInstanceOf(TopicAuthorizationException.class, loop.fault().orElseThrow());
  }

  @Test
  @DisplayName("says what to do where the consumer's own deserializer cannot read a record")
  void deserializer() {
    KafkaException unread =
        new RecordDeserializationException(
            RecordDeserializationException.DeserializationExceptionOrigin.VALUE,
            LEFT,
            7,
            0,
            TimestampType.CREATE_TIME,
            ByteBuffer.allocate(0),
            ByteBuffer.allocate(0),
            new RecordHeaders(),
            "unreadable",
            new IllegalStateException());
    then(() -> consumer.setPollException(unread));
    Exception told = assertThrows(IllegalStateException.class, loop::run);
    String text = String.valueOf(told.getMessage());
    assertTrue(text.contains("offset 7 of orders-0") && text.contains("decoder"), text);
  }

  @Test
  @DisplayName("commits with the next batch what could not be committed")
  void commitsLater() {
    then(
        () -> {
          commitFaults.add(new RetriableCommitFailedException("not now"));
          commitFaults.add(new RebalanceInProgressException("not now"));
          record(LEFT, 0, "a 1");
        });
    then(() -> assertEquals(0, committed(LEFT)));
    then(() -> record(RIGHT, 0, "b 1"));
    then(loop::stop);
    loop.run();
    assertEquals(List.of(1L, 1L), List.of(committed(LEFT), committed(RIGHT)));
  }

  @Test
  @DisplayName("commits before a partition is revoked what could not be committed")
  void commitsOnRevoke() {
    then(
        () -> {
          commitFaults.add(new CommitFailedException("not now"));
          record(LEFT, 0, "a 1");
        });
    then(
        () -> {
          assertEquals(0, committed(LEFT));
          consumer.rebalance(List.of(RIGHT));
          loop.stop();
        });
    loop.run();
    assertEquals(1, committed(LEFT));
  }

  @Test
  @DisplayName("commits nothing of a partition that is lost, and forgets that it waits")
  void lost() {
    Commits lost = new Commits(consumer, intake);
    lost.add(Map.of(LEFT, new OffsetAndMetadata(7), RIGHT, new OffsetAndMetadata(8)));
    lost.onPartitionsLost(List.of(LEFT));
    consumer.subscribe(List.of("orders"));
    consumer.rebalance(List.of(LEFT, RIGHT));
    consumer.seek(LEFT, 7);
    consumer.seek(RIGHT, 8);
    lost.commit();
    assertEquals(List.of(Map.of(RIGHT, 8L)), commits);
  }

  @Test
  @DisplayName("reads a partition that waited and was given back at once, from what is committed")
  void givenBack() {
    ledger.failing.add("1");
    then(() -> record(LEFT, 0, "a 1"));
    then(() -> consumer.rebalance(List.of(RIGHT)));
    then(
        () -> {
          assertEquals(List.of(), loop.paused());
          ledger.failing.clear();
          consumer.rebalance(List.of(LEFT, RIGHT));
        });
    then(
        () -> {
          assertEquals(Set.of(), consumer.paused());
          record(LEFT, 0, "a 1");
        });
    then(loop::stop);
    loop.run();
    assertEquals(1, committed(LEFT));
  }

  @Test
  @DisplayName("ends by an interrupt with what is done committed, and the interrupt set")
  void interrupted() {
    then(
        () -> {
          commitFaults.add(new RebalanceInProgressException("not now"));
          record(LEFT, 0, "a 1");
        });
    then(() -> consumer.setPollException(new InterruptException("interrupted")));
    loop.run();
    assertTrue(Thread.interrupted());
    assertTrue(consumer.closed());
    consumer.close();
  }

  @Test
  @DisplayName("ends by the consumer's wakeup too")
  void wakeup() {
    then(consumer::wakeup);
    then(() -> {});
    loop.run();
    assertTrue(consumer.closed());
    assertFalse(Thread.interrupted());
  }
}
