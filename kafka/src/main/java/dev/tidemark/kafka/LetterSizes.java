package dev.tidemark.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Compares how many bytes a producer makes of keys and of values with those that they had in their
 * records. A letter with others is refused until one has had as many: its producer may make others
 * of all. Later ones are odd records, and are told in the log. Threads may share it.
 */
final class LetterSizes {
  private static final System.Logger LOG = System.getLogger(KafkaDeadLetters.class.getName());

  /** Keys or values, whichever has come out with the bytes of its record. */
  private final Set<String> proven = ConcurrentHashMap.newKeySet();

  /** Records whose letters were refused, and are in their topic. */
  private final Map<List<Object>, List<Odd>> refused = new ConcurrentHashMap<>();

  private record Odd(String name, String text) {}

  /**
   * Whether the record's letter is in its topic already, and was refused for its bytes.
   *
   * @throws IllegalStateException if it still is
   */
  boolean isThere(ConsumerRecord<?, ?> record) {
    List<Odd> odds = refused.get(place(record));
    if (odds == null) {
      return false;
    }
    judge(odds);
    refused.remove(place(record));
    return true;
  }

  /**
   * Compares them once the letter is sent.
   *
   * @param value the letter's, which may be left out
   * @param made the letter's bytes
   * @throws IllegalStateException if the producer may make other bytes of all records
   */
  void check(ConsumerRecord<?, ?> record, @Nullable Object value, RecordMetadata made) {
    List<Odd> odds = new ArrayList<>();
    compare(
        place(record),
        "key",
        record.key(),
        record.serializedKeySize(),
        made.serializedKeySize(),
        odds);
    compare(
        place(record),
        "value",
        value,
        record.serializedValueSize(),
        made.serializedValueSize(),
        odds);
    if (!odds.stream().allMatch(this::isProven)) {
      refused.put(place(record), odds);
    }
    judge(odds);
  }

  /** Kafka's {@code MockProducer} says 0 of all. */
  private void compare(
      Object place, String name, @Nullable Object part, int size, int made, List<Odd> odds) {
    if (made == 0 || !KafkaDeadLetters.isSized(part, size)) {
      return;
    }
    if (made != (part == null ? ConsumerRecord.NULL_SIZE : size)) {
      String type = part == null ? "null" : part.getClass().getName();
      odds.add(
          new Odd(
              name,
              "the producer of dead letters made %d bytes of a %s (%s) that had %d in its record, %s"
                  .formatted(made, name, type, size, place)));
    } else if (part != null) {
      proven.add(name);
    }
  }

  private boolean isProven(Odd odd) {
    return proven.contains(odd.name);
  }

  private void judge(List<Odd> odds) {
    for (Odd odd : odds) {
      if (!isProven(odd)) {
        throw new IllegalStateException(
            odd.text
                + ", so the letter is another record: give the producer the serializers that belong"
                + " to the consumer's deserializers, such as StringSerializer to StringDeserializer,"
                + " of one charset");
      }
    }
    for (Odd odd : odds) {
      LOG.log(
          System.Logger.Level.WARNING,
          odd.text + ", and as many of others: a redrive leaves this letter");
    }
  }

  private static List<Object> place(ConsumerRecord<?, ?> record) {
    return List.of(record.topic(), record.partition(), record.offset(), record.timestamp());
  }
}
