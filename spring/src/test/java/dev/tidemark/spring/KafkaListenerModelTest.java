package dev.tidemark.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ListenerContainerPauseService;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A container in its outlines: it polls, calls a listener as the factory's containers do, commits
 * all of a poll where the call returns, and asks the factory's error handler where it throws. Its
 * process crashes now and then, so that it begins where it has committed.
 */
@DisplayName("A listener's container in a wild world")
final class KafkaListenerModelTest {
  private static final int RUNS = 80;
  private static final int LANES = 4;
  private static final int WILD_POLLS = 150;
  private static final int CALM_POLLS = 3_000;
  private static final int MOST = 12;

  /** How a listener hands over what it has: the ways that users have. */
  private enum Way {
    ONE_INTAKE,
    ONE_BY_ONE,
    IN_PARTS,
    EACH_ITS_OWN,
    BOTH_THE_SAME
  }

  /** Pauses that the model ends. */
  private static final class Pauses extends ListenerContainerPauseService {
    Pauses() {
      super(null, new ThreadPoolTaskScheduler());
    }

    @Override
    public void pausePartition(
        MessageListenerContainer container, TopicPartition partition, Duration pause) {
      container.pausePartition(partition);
    }
  }

  private static final class Run extends MockConsumer<String, String> {
    private final CarrierWorld world;
    private final CarrierWorld other;
    private final Way way;
    private KafkaIntakeListener<String, String> one;
    private KafkaIntakeListener<String, String> two;
    private final Map<TopicPartition, Long> committed = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final ConcurrentMessageListenerContainer<String, String> container =
        new ConcurrentMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(Map.of()), new ContainerProperties("lanes"));
    private final IntakeErrorHandler handler;

    Run(long seed) {
      super("earliest");
      world = new CarrierWorld(seed, LANES, true);
      other = world.twin();
      way = List.of(Way.values()).get(world.random().nextInt(Way.values().length));
      one = listener(world);
      two = listener(way == Way.BOTH_THE_SAME ? other : world);
      handler = new IntakeErrorHandler(new Pauses());
    }

    /** Its process has ended, and the next one begins. */
    private void restart() {
      positions.clear();
      one = listener(world);
      two = listener(way == Way.BOTH_THE_SAME ? other : world);
    }

    private KafkaIntakeListener<String, String> listener(CarrierWorld of) {
      return new KafkaIntakeListener<>(
          KafkaIntakeListener.<String, String>builder(
                  record -> of.decode(record.value()), of::handle)
              .deadLetters((record, reason) -> of.keep(record.value()))
              .parkAfter(2)
              .listener(taken -> {})
              .build(),
          world.random());
    }

    /** Tells by its last draw which life it was. */
    long live() {
      for (int i = 0; i < WILD_POLLS; i++) {
        if (world.happens(2)) {
          world.send(world.random().nextInt(8));
        }
        if (world.happens(40)) {
          createAnew();
        }
        if (world.happens(25)) {
          restart();
        }
        poll();
      }
      world.calm();
      other.calm();
      for (int i = 0; i < CALM_POLLS && !isOver(); i++) {
        poll();
      }
      judged().forEach(CarrierWorld::judge);
      return world.random().nextLong();
    }

    private boolean isOver() {
      return judged().stream().allMatch(CarrierWorld::isOver);
    }

    /** The second intake has records only where the listener gives it some. */
    private List<CarrierWorld> judged() {
      return way == Way.BOTH_THE_SAME ? List.of(world, other) : List.of(world);
    }

    private void createAnew() {
      String lane = world.lanes().get(world.random().nextInt(LANES));
      world.createAnew(lane);
      committed.remove(new TopicPartition(lane, 0));
      positions.remove(new TopicPartition(lane, 0));
    }

    private void poll() {
      Map<TopicPartition, List<ConsumerRecord<String, String>>> polled = new HashMap<>();
      Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
      for (String lane : world.lanes()) {
        TopicPartition partition = new TopicPartition(lane, 0);
        boolean waits = container.isPartitionPauseRequested(partition);
        if (waits && world.random().nextInt(4) == 0) {
          container.resumePartition(partition); // its pause is over
        }
        List<ConsumerRecord<String, String>> records = waits ? List.of() : records(partition);
        if (!records.isEmpty()) {
          long end = records.get(records.size() - 1).offset() + 1;
          polled.put(partition, records);
          next.put(partition, new OffsetAndMetadata(end));
          positions.put(partition, end);
        } else if (world.happens(5)) {
          polled.put(partition, List.of()); // as an interceptor may that has left all out
        }
      }
      if (!next.isEmpty()) {
        handle(new ConsumerRecords<>(polled, next));
      }
    }

    private List<ConsumerRecord<String, String>> records(TopicPartition partition) {
      List<Mail> log = world.log(partition.topic());
      long from = positions.getOrDefault(partition, committed.getOrDefault(partition, 0L));
      List<ConsumerRecord<String, String>> records = new ArrayList<>();
      for (Mail mail : log.subList((int) from, (int) Math.min(from + MOST, log.size()))) {
        records.add(record(mail));
      }
      return records;
    }

    private static ConsumerRecord<String, String> record(Mail mail) {
      return new ConsumerRecord<>(
          mail.lane(),
          0,
          mail.offset(),
          7,
          TimestampType.CREATE_TIME,
          3,
          mail.text().length(),
          "key",
          mail.text(),
          new RecordHeaders(),
          Optional.of(mail.life()));
    }

    private void handle(ConsumerRecords<String, String> polled) {
      List<ConsumerRecord<String, String>> all = new ArrayList<>();
      polled.forEach(all::add);
      try {
        ListenerCall.run(all, () -> listen(all));
      } catch (RuntimeException e) {
        handler.handleBatch(
            new ListenerExecutionFailedException("thrown", e), polled, this, container, () -> {});
        return;
      }
      if (world.happens(15)) {
        restart(); // before the commit
      } else {
        commitSync(polled.nextOffsets(), Duration.ZERO);
      }
    }

    private void listen(List<ConsumerRecord<String, String>> all) {
      if (world.happens(12)) {
        throw new IllegalStateException("a listener has failed before its intakes");
      }
      if (world.happens(12)) {
        return; // it has handed its records to another thread, which comes to nothing
      }
      switch (way) {
        case ONE_INTAKE -> one.take(all);
        case ONE_BY_ONE -> all.forEach(record -> one.take(List.of(record)));
        case IN_PARTS -> {
          one.take(all.stream().filter(record -> isOfFirst(record)).toList());
          one.take(all.stream().filter(record -> !isOfFirst(record)).toList());
        }
        case EACH_ITS_OWN -> {
          one.take(all.stream().filter(record -> isLeft(record)).toList());
          two.take(all.stream().filter(record -> !isLeft(record)).toList());
        }
        case BOTH_THE_SAME -> {
          one.take(all);
          if (world.happens(12)) {
            throw new IllegalStateException("a listener has failed between its intakes");
          }
          two.take(all);
        }
      }
      if (world.happens(12)) {
        throw new IllegalStateException("a listener has failed after its intakes");
      }
    }

    private static boolean isOfFirst(ConsumerRecord<?, String> record) {
      return Mail.of(record.value()).entity().endsWith("-0");
    }

    private static boolean isLeft(ConsumerRecord<?, ?> record) {
      return record.topic().endsWith("0") || record.topic().endsWith("1");
    }

    @Override
    public synchronized void seek(TopicPartition partition, long offset) {
      positions.put(partition, offset);
    }

    @Override
    public synchronized void commitSync(
        Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
      Set<CarrierWorld> judges = new HashSet<>(judged());
      offsets.forEach(
          (partition, to) -> {
            judges.forEach(judge -> judge.committed(partition.topic(), to.offset()));
            committed.put(partition, to.offset());
          });
    }
  }

  @Test
  @DisplayName("commits nothing that is not done, and all of it in the end")
  void container() {
    for (long seed = 0; seed < RUNS; seed++) {
      try {
        var unused = new Run(seed).live();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @Test
  @DisplayName("lives the same life again by its seed")
  void repeatable() {
    for (long seed = 0; seed < 4; seed++) {
      assertEquals(new Run(seed).live(), new Run(seed).live());
    }
  }
}
