package dev.tidemark.kafka;

import dev.tidemark.intake.Intake;
import dev.tidemark.intake.Taken;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.kernel.LaneGate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/** The records of one poll on their way through an intake. For one thread. */
final class Step<K, V> {
  /** So many records go to the handler together, so that time is looked at in between. */
  private static final int MOST = 100;

  private final Intake<ConsumerRecord<K, V>> intake;
  private final SettledOffsets settled;
  private final ConsumerRecords<K, V> polled;
  private final Random random;
  private final Map<ConsumerRecord<K, V>, String> undone = new HashMap<>();
  private final LaneGate<TopicPartition, ConsumerRecord<K, V>> gate = new LaneGate<>();

  Step(
      Intake<ConsumerRecord<K, V>> intake,
      SettledOffsets settled,
      ConsumerRecords<K, V> polled,
      Random random) {
    this.intake = intake;
    this.settled = settled;
    this.polled = polled;
    this.random = random;
  }

  static TopicPartition partition(ConsumerRecord<?, ?> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /**
   * Hands over what is not done yet, at least one batch of it.
   *
   * @param goesOn whether there is time for another batch
   */
  void take(BooleanSupplier goesOn) {
    List<ConsumerRecord<K, V>> open = open();
    for (int from = 0; from < open.size(); from += MOST) {
      if (from > 0 && !goesOn.getAsBoolean()) {
        return;
      }
      // What follows a record that is not done must not overtake it in another batch: the handler
      // holds back the later records of its entity only within one.
      List<ConsumerRecord<K, V>> batch =
          open.subList(from, Math.min(from + MOST, open.size())).stream()
              .filter(record -> gate.ahead(partition(record)) == null)
              .toList();
      if (!batch.isEmpty()) {
        tell(intake.take(batch));
      }
    }
  }

  /** Each partition's records in their order, the partitions in another order each time. */
  private List<ConsumerRecord<K, V>> open() {
    List<TopicPartition> partitions = new ArrayList<>(polled.partitions());
    Collections.shuffle(partitions, random); // so that none waits for ever behind what waits for it
    List<ConsumerRecord<K, V>> open = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      polled.records(partition).stream().filter(record -> !isSettled(record)).forEach(open::add);
    }
    return open;
  }

  private boolean isSettled(ConsumerRecord<K, V> record) {
    return settled.has(RecordPlace.of(record));
  }

  private void tell(Taken<ConsumerRecord<K, V>> taken) {
    for (Fate<ConsumerRecord<K, V>> fate : taken.fates()) {
      ConsumerRecord<K, V> record = fate.message();
      if (fate.handled()) {
        settled.add(RecordPlace.of(record));
      }
      if (fate.kind() == Kind.AGAIN && !fate.handled()) {
        undone.put(record, fate.reason());
        gate.stop(partition(record), record);
      }
    }
  }

  /** The first record of a partition that is not done. */
  Optional<ConsumerRecord<K, V>> firstUndone(TopicPartition partition) {
    return polled.records(partition).stream().filter(record -> !isSettled(record)).findFirst();
  }

  /** Why a record is not done; empty if there was no time for it. */
  Optional<String> reason(ConsumerRecord<K, V> record) {
    return Optional.ofNullable(undone.get(record));
  }
}
