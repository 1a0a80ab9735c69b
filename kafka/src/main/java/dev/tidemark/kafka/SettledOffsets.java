package dev.tidemark.kafka;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * What is done behind records that are not, so that it is not handled again while they are tried
 * again. At most the records of a poll for each partition, since each is read again from its first
 * record that is not done. A record of a topic that was created anew is another one, whatever its
 * offset. For one thread.
 */
final class SettledOffsets {
  private final Map<TopicPartition, Set<RecordPlace>> places = new HashMap<>();

  void add(RecordPlace place) {
    places.computeIfAbsent(place.partition(), same -> new HashSet<>()).add(place);
  }

  boolean has(RecordPlace place) {
    return places.getOrDefault(place.partition(), Set.of()).contains(place);
  }

  /** Forgets what is committed, and so does not come again. */
  void forgetBefore(TopicPartition partition, long offset) {
    Set<RecordPlace> known = places.get(partition);
    if (known != null && known.removeIf(each -> each.offset() < offset) && known.isEmpty()) {
      places.remove(partition);
    }
  }

  void forget(TopicPartition partition) {
    places.remove(partition);
  }
}
