package dev.tidemark.spring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The records that one intake has given up and that are not committed yet, since another intake of
 * their listener has not done them, or the listener has thrown. They come again, and the intake has
 * them done already: were it to count their failures anew, two intakes might take turns for ever.
 * At most the records of a poll for each partition. For any number of threads.
 */
final class KeptLetters {
  private final Map<TopicPartition, ConcurrentNavigableMap<Long, Object>> places =
      new ConcurrentHashMap<>();

  /** The place of a record; its last two tell a topic from the one that was deleted. */
  static Object place(ConsumerRecord<?, ?> record) {
    return List.of(
        ListenerCall.partition(record), record.offset(), record.leaderEpoch(), record.timestamp());
  }

  void add(ConsumerRecord<?, ?> record) {
    of(ListenerCall.partition(record)).put(record.offset(), place(record));
  }

  boolean has(ConsumerRecord<?, ?> record) {
    return place(record).equals(of(ListenerCall.partition(record)).get(record.offset()));
  }

  /** Forgets what is committed, and so does not come again. */
  void forgetBefore(TopicPartition partition, long offset) {
    of(partition).headMap(offset).clear();
  }

  private ConcurrentNavigableMap<Long, Object> of(TopicPartition partition) {
    return places.computeIfAbsent(partition, same -> new ConcurrentSkipListMap<>());
  }
}
