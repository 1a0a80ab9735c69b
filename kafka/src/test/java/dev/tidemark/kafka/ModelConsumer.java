package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * A member of the group that reads the lanes of a {@link CarrierWorld}, each a topic of one
 * partition. What the group has committed is shared by all members, and told to the world's judge.
 */
final class ModelConsumer extends MockConsumer<String, byte[]> {
  /** What ends the process of a member. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** What the group's coordinator knows. */
  static final class Group {
    final Map<TopicPartition, Long> committed = new HashMap<>();

    /** Topics that were deleted, and whose creation is not known to a member that commits. */
    final Set<TopicPartition> unknown = new HashSet<>();

    final List<ModelConsumer> members = new ArrayList<>();

    /** A topic is deleted and created anew, and whoever reads it begins at its first record. */
    void createAnew(TopicPartition partition) {
      committed.remove(partition);
      unknown.add(partition);
      members.forEach(member -> member.positions.computeIfPresent(partition, (same, old) -> 0L));
    }
  }

  private final CarrierWorld world;
  private final Group group;
  private final boolean epochsTell;
  private final int most;
  private final Runnable beforePoll;
  private final Map<TopicPartition, Long> positions =
      new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
  private final Set<TopicPartition> waiting = new HashSet<>();
  private @Nullable ConsumerRebalanceListener listener;
  private boolean isDead;

  ModelConsumer(
      CarrierWorld world, Group group, boolean epochsTell, int most, Runnable beforePoll) {
    super("earliest");
    this.world = world;
    this.group = group;
    this.epochsTell = epochsTell;
    this.most = most;
    this.beforePoll = beforePoll;
    group.members.add(this);
  }

  static TopicPartition partition(String lane) {
    return new TopicPartition(lane, 0);
  }

  @Override
  public synchronized void subscribe(Collection<String> topics, ConsumerRebalanceListener told) {
    listener = told;
  }

  /** Partitions come, and begin where the group has committed them. */
  void assign(Set<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      positions.put(partition, group.committed.getOrDefault(partition, 0L));
    }
    Objects.requireNonNull(listener).onPartitionsAssigned(partitions);
  }

  /** Partitions go, as the listener is told; lost ones have gone before. */
  void revoke(Set<TopicPartition> partitions, boolean isLost) {
    ConsumerRebalanceListener told = Objects.requireNonNull(listener);
    if (isLost) {
      positions.keySet().removeAll(partitions);
      told.onPartitionsLost(partitions);
    } else {
      told.onPartitionsRevoked(partitions);
      positions.keySet().removeAll(partitions);
    }
    waiting.removeAll(partitions);
  }

  void die() {
    isDead = true;
    throw new Crash();
  }

  @Override
  public synchronized ConsumerRecords<String, byte[]> poll(Duration timeout) {
    beforePoll.run();
    if (world.happens(20)) {
      throw new TimeoutException("no answer to a poll");
    }
    Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> polled = new HashMap<>();
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    for (TopicPartition partition : List.copyOf(positions.keySet())) {
      if (!waiting.contains(partition)) {
        List<ConsumerRecord<String, byte[]>> records = records(partition);
        if (!records.isEmpty()) {
          long end = records.get(records.size() - 1).offset() + 1;
          polled.put(partition, records);
          next.put(partition, new OffsetAndMetadata(end));
          positions.put(partition, end);
        }
      }
    }
    return new ConsumerRecords<>(polled, next);
  }

  private List<ConsumerRecord<String, byte[]>> records(TopicPartition partition) {
    List<Mail> log = world.log(partition.topic());
    long position = positions.getOrDefault(partition, 0L);
    int from = position > log.size() ? 0 : (int) position; // out of range: the earliest
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    log.subList(from, Math.min(from + most, log.size())).forEach(mail -> records.add(record(mail)));
    return records;
  }

  private ConsumerRecord<String, byte[]> record(Mail mail) {
    byte[] bytes = mail.text().getBytes(UTF_8);
    return new ConsumerRecord<>(
        mail.lane(),
        0,
        mail.offset(),
        epochsTell ? 7 : mail.life(),
        TimestampType.CREATE_TIME,
        3,
        bytes.length,
        "key",
        bytes,
        new RecordHeaders(),
        epochsTell ? Optional.of(mail.life()) : Optional.empty());
  }

  @Override
  public synchronized void commitSync(
      Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
    if (world.happens(8)) {
      throw switch (world.random().nextInt(3)) {
        case 0 -> new TimeoutException("not committed");
        case 1 -> new RebalanceInProgressException();
        default -> new CommitFailedException();
      };
    }
    if (offsets.keySet().stream().anyMatch(group.unknown::remove)) {
      throw new UnknownTopicOrPartitionException();
    }
    offsets.forEach(
        (partition, to) -> {
          if (!positions.containsKey(partition)) {
            throw new AssertionError("a commit of " + partition + ", which is another member's");
          }
          world.committed(partition.topic(), to.offset());
          group.committed.put(partition, to.offset());
        });
    if (world.happens(10)) {
      throw new TimeoutException("committed, and the answer is lost");
    }
  }

  @Override
  public synchronized void seek(TopicPartition partition, long offset) {
    positions.put(partition, offset);
  }

  @Override
  public synchronized long position(TopicPartition partition, Duration timeout) {
    return Objects.requireNonNull(positions.get(partition));
  }

  @Override
  public synchronized void pause(Collection<TopicPartition> partitions) {
    waiting.addAll(partitions);
  }

  @Override
  public synchronized void resume(Collection<TopicPartition> partitions) {
    waiting.removeAll(partitions);
  }

  @Override
  public synchronized Set<TopicPartition> paused() {
    return Set.copyOf(waiting);
  }

  @Override
  public synchronized Set<TopicPartition> assignment() {
    return Set.copyOf(positions.keySet());
  }

  @Override
  public synchronized void close() {
    if (!isDead && listener != null) {
      revoke(assignment(), false);
    }
  }
}
