package dev.tidemark.example.orderhistory.rebuild;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** A topic in memory, of one partition, and its only consumer, which may read it again. */
final class EventLog extends MockConsumer<String, byte[]> {
  static final String TOPIC = "orders";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);

  private final List<byte[]> records = new ArrayList<>();
  private final Map<Integer, Runnable> beforeEnds = new HashMap<>();
  private final Map<Integer, Runnable> afterEnds = new HashMap<>();
  private int asked;
  private boolean mayPause = true;

  EventLog() {
    super("earliest");
    updatePartitions(TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, new Node[0], new Node[0])));
    updateBeginningOffsets(Map.of(PARTITION, 0L));
    add(new byte[0][]);
  }

  void add(Event event) {
    add(EventJson.encode(event));
  }

  void add(byte[]... values) {
    records.addAll(List.of(values));
    updateEndOffsets(Map.of(PARTITION, (long) records.size()));
  }

  /** What happens before it is asked for the topic's end, for the first time and so on. */
  void beforeEnd(int time, Runnable action) {
    beforeEnds.put(time, action);
  }

  /** What happens after that. */
  void afterEnd(int time, Runnable action) {
    afterEnds.put(time, action);
  }

  /** From now on, a poll while the partition is paused is an error: nobody will resume it. */
  void wantsNoPause() {
    mayPause = false;
  }

  @Override
  public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
    asked++;
    beforeEnds.getOrDefault(asked, () -> {}).run();
    Map<TopicPartition, Long> ends = Map.copyOf(super.endOffsets(partitions));
    afterEnds.getOrDefault(asked, () -> {}).run();
    return ends;
  }

  @Override
  public synchronized ConsumerRecords<String, byte[]> poll(Duration timeout) {
    assertTrue(mayPause || paused().isEmpty(), "the partition is paused for ever");
    if (!paused().contains(PARTITION)) {
      for (int i = (int) position(PARTITION); i < records.size(); i++) {
        addRecord(new ConsumerRecord<>(TOPIC, 0, i, "", records.get(i)));
      }
    }
    return super.poll(timeout);
  }
}
