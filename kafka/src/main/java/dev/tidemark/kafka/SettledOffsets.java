package dev.tidemark.kafka;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * What is done behind records that are not, so that it is not handled again while they are tried
 * again. At most the records of a poll for each partition, since each is read again from its first
 * record that is not done. For one thread.
 */
final class SettledOffsets {
  private final Map<TopicPartition, Set<Long>> offsets = new HashMap<>();

  void add(TopicPartition partition, long offset) {
    offsets.computeIfAbsent(partition, same -> new HashSet<>()).add(offset);
  }

  boolean has(TopicPartition partition, long offset) {
    return offsets.getOrDefault(partition, Set.of()).contains(offset);
  }

  /** Forgets what is committed, and so does not come again. */
  void forgetBefore(TopicPartition partition, long offset) {
    Set<Long> known = offsets.get(partition);
    if (known != null && known.removeIf(each -> each < offset) && known.isEmpty()) {
      offsets.remove(partition);
    }
  }

  void forget(TopicPartition partition) {
    offsets.remove(partition);
  }
}
