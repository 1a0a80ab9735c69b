package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.intake.DeadLetters;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Keeps dead letters in a Kafka topic: the record's key, value and headers, and further headers
 * that say why it is there and where it came from. {@link KafkaRedrive} puts letters back by them.
 * A record that dies again after that keeps the place where it was first. A record of another
 * topic, or with another key or value, that only has the headers of one that was put back, since
 * its producer handed them on, gets the place of its own. Keys and values are compared where both
 * are bytes or texts; those of other types are taken for the same.
 *
 * <p>A record is kept once the broker has told its offset, with a producer of safe settings:
 *
 * <pre>{@code
 * var producer = new KafkaProducer<>(KafkaSender.requireSafe(settings), new StringSerializer(), new ByteArraySerializer());
 * intake.deadLetters(KafkaDeadLetters.of(producer, "orders-dead-letters"));
 * }</pre>
 *
 * <p>The producer has to make of a key and a value the bytes that the consumer read them from. The
 * bytes of texts and of arrays are counted, and not compared: other ones of the same number pass. A
 * producer that makes more or fewer, as a JSON serializer does, is refused: the record is not done,
 * and its letter is in the topic once for each start. After a key, or a value, with as many as its
 * record had, the producer is trusted: a letter with more or fewer is kept, and told in the log
 * with its type, record and sizes ({@link System.Logger}, this class, warning). A redrive leaves
 * letters with more or fewer.
 *
 * <p>The intake waits for it: {@code max.block.ms} and {@code delivery.timeout.ms} together have to
 * be shorter than the consumer's {@code max.poll.interval.ms}, as Kafka's defaults are.
 *
 * <p>Let the topic take records somewhat larger than the others do ({@code max.message.bytes}). A
 * record that is too large for it is kept without its value, and marked so by the header {@value
 * #LEFT_OUT}; the value is in the topic where it came from for as long as that keeps it.
 *
 * <p>Let the consumer read bytes, as {@code ByteArrayDeserializer} does. A text deserializer loses
 * bytes that are no text of its charset. A letter whose key or value has lost some is marked by the
 * header {@value #BYTES_LOST}, and a redrive leaves it. The loss is seen by the record's length, so
 * it is not where a lost character took as many bytes as the one in its place does: three in UTF-8.
 * A sound text of another charset that has this very character passes for one that has lost some,
 * unless {@link #charset} says the charset.
 *
 * <p>Marks are headers: whoever copies a letter by other means than a redrive has to copy these
 * too, and to leave marked ones. A marked letter that was copied with its headers, and dies again,
 * is marked again.
 *
 * <p>Threads may share it.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class KafkaDeadLetters<K, V> implements DeadLetters<ConsumerRecord<K, V>> {
  /** The header with the topic where the record was first. */
  public static final String TOPIC = "tidemark-dead-topic";

  /** The header with the partition where the record was first. */
  public static final String PARTITION = "tidemark-dead-partition";

  /** The header with the offset where the record was first. */
  public static final String OFFSET = "tidemark-dead-offset";

  /** The header with the record's own timestamp, in milliseconds since 1970. */
  public static final String TIME = "tidemark-dead-time";

  /**
   * The header that tells the record from others that are made of it with its headers: a digest of
   * key and value, where both are bytes or texts; empty where they are not.
   */
  public static final String DIGEST = "tidemark-dead-digest";

  /**
   * The header with the bytes that the record's key and value had, such as {@code 5 17}, and -1 for
   * none, where both are bytes or texts; empty where they are not, or nobody knows.
   */
  public static final String SIZES = "tidemark-dead-sizes";

  /** The header that says why it is a dead letter. */
  public static final String REASON = "tidemark-dead-reason";

  /** The header that says {@code undecodable}, or {@code parked} after failures. */
  public static final String KIND = "tidemark-dead-kind";

  /** The header with the number of failures. */
  public static final String TRIES = "tidemark-dead-tries";

  /** The header that marks a letter without the record's value, for which there was no room. */
  public static final String LEFT_OUT = "tidemark-dead-value-left-out";

  /**
   * The header that marks a letter whose key or value has not the bytes of the record, since a
   * deserializer could not read them.
   */
  public static final String BYTES_LOST = "tidemark-dead-bytes-lost";

  /** What a charset has in place of bytes that it cannot read. */
  private static final char REPLACEMENT = '\uFFFD';

  private final Producer<K, V> producer;
  private final String topic;
  private final Charset charset;
  private final boolean hasReplacement;
  private final LetterSizes letterSizes = new LetterSizes();

  private KafkaDeadLetters(Producer<K, V> producer, String topic, Charset charset) {
    this.producer = Objects.requireNonNull(producer, "producer");
    this.topic = Objects.requireNonNull(topic, "topic");
    this.charset = Objects.requireNonNull(charset, "charset");
    this.hasReplacement = charset.canEncode() && charset.newEncoder().canEncode(REPLACEMENT);
  }

  /**
   * Keeps them in a topic.
   *
   * @param producer stays the caller's, who closes it; see {@link KafkaSender#requireSafe}
   * @param topic of dead letters alone; a record of this very topic is refused, since its letter
   *     would come again without end
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return for any number of threads
   */
  public static <K, V> KafkaDeadLetters<K, V> of(Producer<K, V> producer, String topic) {
    return new KafkaDeadLetters<>(producer, topic, UTF_8);
  }

  /**
   * Says in which charset the consumer's deserializers read texts.
   *
   * @param charset as their {@code deserializer.encoding}; UTF-8 unless given. UTF-16BE or UTF-16LE
   *     where texts have no byte-order mark
   * @return others, for any number of threads
   */
  public KafkaDeadLetters<K, V> charset(Charset charset) {
    return new KafkaDeadLetters<>(producer, topic, charset);
  }

  @Override
  public void keep(ConsumerRecord<K, V> record, Reason reason) throws Exception {
    if (record.topic().equals(topic)) {
      throw new IllegalArgumentException(
          "the record that cannot be handled is from the topic of dead letters "
              + topic
              + " itself, where its letter would come again without end: give another topic for"
              + " dead letters");
    }
    if (letterSizes.isThere(record)) {
      return;
    }
    Map<String, String> told = new LinkedHashMap<>();
    told.put(REASON, reason.text());
    told.put(KIND, reason.undecodable() ? "undecodable" : "parked");
    told.put(TRIES, "" + reason.tries());
    boolean isRedriven = KafkaIntake.isRedriven(record);
    if (!isRedriven) { // others may have handed on the headers of one
      told.put(TOPIC, record.topic());
      told.put(PARTITION, "" + record.partition());
      told.put(OFFSET, "" + record.offset());
      told.put(TIME, "" + record.timestamp());
      told.put(DIGEST, digest(record));
    }
    told.put(SIZES, sizes(record)); // a consumer of objects does not tell those of bytes
    if (isLost(record.key(), record.serializedKeySize())
        || isLost(record.value(), record.serializedValueSize())
        || ((isRedriven || isSame(record)) && header(record, BYTES_LOST).isPresent())) {
      told.put(BYTES_LOST, "true");
    }
    if (record.value() == null && header(record, LEFT_OUT).isPresent()) {
      told.put(LEFT_OUT, "true");
    }
    try {
      send(record, letter(record, record.value(), told));
    } catch (RecordTooLargeException e) {
      told.put(LEFT_OUT, "true");
      send(record, letter(record, null, told));
    }
  }

  /**
   * Whether a key or a value lacks bytes that its record had. Only a text that has lost something,
   * or had it before, has the replacement character; and no charset without it has it before.
   */
  private boolean isLost(@Nullable Object part, int size) {
    return part == null
        ? size >= 0
        : part instanceof String text
            && text.indexOf(REPLACEMENT) >= 0
            && size >= 0
            && (!hasReplacement || text.getBytes(charset).length != size);
  }

  /** Whether it has the key and the value of the letter whose headers it has. */
  private static boolean isSame(ConsumerRecord<?, ?> record) {
    String own = digest(record);
    return !own.isEmpty() && header(record, DIGEST).equals(Optional.of(own));
  }

  /** The digest of key and value; empty where they are not both bytes or texts. */
  static String digest(ConsumerRecord<?, ?> record) {
    byte[] key = bytes(record.key());
    byte[] value = bytes(record.value());
    return key == null || value == null
        ? ""
        : UUID.nameUUIDFromBytes(
                ByteBuffer.allocate(Integer.BYTES + key.length + value.length)
                    .putInt(key.length)
                    .put(key)
                    .put(value)
                    .array())
            .toString();
  }

  private static String sizes(ConsumerRecord<?, ?> record) {
    return isSized(record.key(), record.serializedKeySize())
            && isSized(record.value(), record.serializedValueSize())
        ? record.serializedKeySize() + " " + record.serializedValueSize()
        : "";
  }

  static boolean isSized(@Nullable Object part, int size) {
    return part == null || (size >= 0 && bytes(part) != null);
  }

  private static byte @Nullable [] bytes(@Nullable Object part) {
    if (part == null) {
      return new byte[0];
    }
    return part instanceof byte[] bytes
        ? bytes
        : part instanceof String text ? text.getBytes(UTF_8) : null;
  }

  /** The last header of a name, as text. */
  static Optional<String> header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), UTF_8));
  }

  private ProducerRecord<K, V> letter(
      ConsumerRecord<K, V> record, @Nullable V value, Map<String, String> told) {
    ProducerRecord<K, V> letter =
        new ProducerRecord<>(topic, null, record.key(), value, record.headers());
    letter.headers().remove(LEFT_OUT).remove(BYTES_LOST); // of a letter that it was made of
    told.forEach((name, text) -> replace(letter.headers(), name, text));
    return letter;
  }

  private static void replace(Headers headers, String name, String text) {
    headers.remove(name).add(name, text.getBytes(UTF_8));
  }

  private void send(ConsumerRecord<K, V> record, ProducerRecord<K, V> letter) throws Exception {
    try {
      RecordMetadata place = producer.send(letter).get();
      if (!place.hasOffset()) {
        throw new IllegalStateException(
            "the broker has told no offset, so nobody knows that it has the dead letter: the"
                + " producer needs acks=all");
      }
      if (letter.headers().lastHeader(BYTES_LOST) == null) {
        letterSizes.check(record, letter.value(), place);
      }
    } catch (ExecutionException e) {
      throw FatalStates.told(e.getCause() == null ? e : e.getCause());
    }
  }
}
