package dev.tidemark.spring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One call of a container's listener, and what each intake that the listener asked has not done. A
 * record is done if every intake that was given it says so, and the listener itself has returned:
 * what a listener has not come to is not done. A listener that has asked no intake has done
 * nothing. For one thread, that of the container.
 */
final class ListenerCall {
  private static final ThreadLocal<@Nullable ListenerCall> CURRENT = new ThreadLocal<>();

  private static final String UNSAID = "given to an intake that has not said what became of it";

  private static final String UNASKED =
      "the listener has returned and has not called take on its own thread: call it for each poll,"
          + " before the listener returns, with an empty list if no record of the poll is for the"
          + " intake";

  private final IdentityHashMap<KeptLetters, Undone> undone = new IdentityHashMap<>();

  private ListenerCall() {}

  /** What one intake has not done, with the reason. Nothing of a partition passes that. */
  static final class Undone {
    private final Map<TopicPartition, NavigableMap<Long, String>> reasons = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final KeptLetters letters;

    private Undone(KeptLetters letters) {
      this.letters = letters;
    }

    /**
     * What may be handed over: all but dead letters, and what is not in front of the first record
     * that an earlier call has not done. Until {@link #tell} says otherwise, none of it is done.
     */
    <K, V> List<ConsumerRecord<K, V>> open(List<ConsumerRecord<K, V>> records) {
      List<ConsumerRecord<K, V>> open = new ArrayList<>();
      for (ConsumerRecord<K, V> record : records) {
        ends.merge(partition(record), record.offset() + 1, Math::max);
        if (letters.has(record)) {
          continue;
        }
        NavigableMap<Long, String> undone = of(record);
        if (undone.isEmpty() || record.offset() < undone.firstKey()) {
          open.add(record);
        } else {
          var unused = undone.putIfAbsent(record.offset(), "behind a record that is not done");
        }
      }
      open.forEach(record -> tell(record, UNSAID));
      return open;
    }

    void tell(ConsumerRecord<?, ?> record, String reason) {
      of(record).put(record.offset(), reason);
    }

    void done(ConsumerRecord<?, ?> record) {
      of(record).remove(record.offset());
    }

    private NavigableMap<Long, String> of(ConsumerRecord<?, ?> record) {
      return reasons.computeIfAbsent(partition(record), same -> new TreeMap<>());
    }
  }

  static TopicPartition partition(ConsumerRecord<?, ?> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /**
   * What an intake has not done of the call that is under way on this thread.
   *
   * @param letters the intake's own, by which it is known
   * @throws Error by which a container ends, instead of going on without its records
   */
  static Undone of(KeptLetters letters) {
    ListenerCall call = CURRENT.get();
    if (call == null) {
      throw new Error(
          "a KafkaIntakeListener is called outside of its containers, which commit nothing that is"
              + " not done: say @KafkaListener(containerFactory = KafkaIntakeListener.FACTORY), and"
              + " call take on the listener's thread");
    }
    return call.undone.computeIfAbsent(letters, Undone::new);
  }

  /**
   * Calls a listener.
   *
   * @param records what the listener gets
   * @throws UndoneRecordsException if an intake that it asked has not done what it was given, or if
   *     it asked none
   */
  static void run(Iterable<? extends ConsumerRecord<?, ?>> records, Runnable listener) {
    ListenerCall call = new ListenerCall();
    CURRENT.set(call);
    try {
      listener.run();
    } finally {
      CURRENT.remove();
    }
    if (call.undone.isEmpty()) {
      Undone nobody = call.undone.computeIfAbsent(new KeptLetters(), Undone::new);
      records.forEach(record -> nobody.tell(record, UNASKED));
    }
    call.requireDone();
  }

  private void requireDone() {
    Map<TopicPartition, Long> first = new HashMap<>();
    List<String> reasons = new ArrayList<>();
    for (Undone each : undone.values()) {
      each.reasons.forEach(
          (partition, of) -> {
            if (!of.isEmpty()) {
              first.merge(partition, of.firstKey(), Math::min);
              reasons.add(partition + "@" + of.firstKey() + ": " + of.firstEntry().getValue());
            }
          });
    }
    for (Undone each : undone.values()) { // what is in front of that is committed next
      each.ends.forEach((p, end) -> each.letters.forgetBefore(p, first.getOrDefault(p, end)));
    }
    if (!first.isEmpty()) {
      throw new UndoneRecordsException(first, Collections.min(reasons));
    }
  }
}
