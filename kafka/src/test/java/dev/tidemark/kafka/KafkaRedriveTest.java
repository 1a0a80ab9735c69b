package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.kafka.KafkaRedrive.Redriven;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A redrive of dead letters")
class KafkaRedriveTest {
  private static final TopicPartition DEAD = new TopicPartition("dead", 0);

  /**
   * As Kafka's: a record that its topic does not take lets no transaction with it be committed, and
   * all that is on its way fails as that record does.
   */
  private static final class Narrow extends MockProducer<byte[], byte[]> {
    private final List<CompletableFuture<RecordMetadata>> onTheirWay = new ArrayList<>();
    private final List<Integer> requests = new ArrayList<>();
    private int bytes;
    private boolean isBroken;
    private @Nullable ApiException error;

    Narrow() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      var unused = super.send(record);
      bytes += record.key().length + record.value().length;
      isBroken |= record.value().length > 10;
      if (error == null && record.topic().equals("denied")) {
        error = new TopicAuthorizationException("denied");
      }
      if (record.topic().equals("gone")) {
        error = new TimeoutException("Topic gone not present in metadata after 60000 ms.");
      }
      CompletableFuture<RecordMetadata> answer = new CompletableFuture<>();
      onTheirWay.add(answer);
      return answer;
    }

    @Override
    public synchronized void commitTransaction() {
      if (isBroken) {
        error = new RecordTooLargeException("too large");
      }
      ApiException found = error;
      if (found != null) {
        onTheirWay.forEach(answer -> answer.completeExceptionally(found));
        throw new KafkaException("in error state", found);
      }
      super.commitTransaction();
      onTheirWay.clear();
      requests.add(bytes);
      bytes = 0;
    }

    @Override
    public synchronized void abortTransaction() {
      super.abortTransaction();
      onTheirWay.clear();
      bytes = 0;
      isBroken = false;
      error = null;
    }
  }

  private final Narrow producer = new Narrow();
  private byte[] key = {};
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

  private void partition(String topic, int... partitions) {
    consumer.updatePartitions(
        topic,
        IntStream.of(partitions)
            .mapToObj(one -> new PartitionInfo(topic, one, null, new Node[0], new Node[0]))
            .toList());
  }

  /** Letters of the topic that a value begins with, if it has a colon, else of orders. */
  private void letters(String... values) {
    partition("dead", 0);
    partition("orders", 3);
    partition("denied", 3);
    partition("fewer", 0);
    consumer.updateBeginningOffsets(Map.of(DEAD, 0L));
    consumer.updateEndOffsets(Map.of(DEAD, (long) values.length));
    consumer.schedulePollTask(
        () -> {
          for (int i = 0; i < values.length; i++) {
            ConsumerRecord<byte[], byte[]> letter =
                new ConsumerRecord<>("dead", 0, i, key, values[i].getBytes(UTF_8));
            int colon = values[i].indexOf(':');
            String topic = colon < 0 ? "orders" : values[i].substring(0, colon);
            letter.headers().add(KafkaDeadLetters.TOPIC, topic.getBytes(UTF_8));
            letter.headers().add(KafkaDeadLetters.PARTITION, "3".getBytes(UTF_8));
            if (values[i].equals("lossy")) {
              letter.headers().add(KafkaDeadLetters.BYTES_LOST, "true".getBytes(UTF_8));
            }
            if (values[i].equals("\"quoted\"")) { // by a producer that writes JSON
              letter.headers().add(KafkaDeadLetters.SIZES, "0 6".getBytes(UTF_8));
            }
            consumer.addRecord(letter);
          }
        });
  }

  private Redriven redrive() {
    return KafkaRedrive.run(consumer, producer, "dead");
  }

  /** The progress that the last transaction committed. */
  private long progress() {
    List<Map<String, Map<TopicPartition, OffsetAndMetadata>>> commits =
        producer.consumerGroupOffsetsHistory();
    return commits.get(commits.size() - 1).values().stream()
        .mapToLong(offsets -> Objects.requireNonNull(offsets.get(DEAD)).offset())
        .max()
        .orElse(-1);
  }

  @Test
  @DisplayName("leaves and counts a letter that is too large for its topic, and sends all others")
  void tooLarge() {
    letters("one", "much too large", "two", "also too large", "three");
    assertEquals(new Redriven(3, 2), redrive());
    List<String> sent =
        producer.history().stream().map(record -> new String(record.value(), UTF_8)).toList();
    assertEquals(List.of("one", "two", "three"), sent);
    assertEquals(5, progress());
  }

  @Test
  @DisplayName("sends no more at once than a broker takes, however many letters there are")
  void requests() {
    key = new byte[KafkaRedrive.MOST_BYTES / 3];
    letters("one", "two", "three", "four", "five", "six", "seven");
    assertEquals(new Redriven(7, 0), redrive());
    assertTrue(producer.requests.stream().allMatch(bytes -> bytes <= KafkaRedrive.MOST_BYTES));
    assertEquals(7, progress());
    assertEquals(
        List.of("one", "two", "three", "four", "five", "six", "seven"),
        producer.history().stream().map(record -> new String(record.value(), UTF_8)).toList());
  }

  @Test
  @DisplayName("sends a letter alone that is larger than what goes at once")
  void alone() {
    key = new byte[KafkaRedrive.MOST_BYTES + 1];
    letters("one", "two");
    assertEquals(new Redriven(2, 0), redrive());
    assertEquals(3, producer.requests.size()); // the last one keeps the progress
  }

  @Test
  @DisplayName("leaves and counts a letter that has lost bytes of its record")
  void bytesLost() {
    letters("one", "lossy", "two");
    assertEquals(new Redriven(2, 1), redrive());
    assertEquals(3, progress());
  }

  @Test
  @DisplayName("leaves and counts a letter of which its producer has made other bytes")
  void otherBytes() {
    letters("one", "\"quoted\"", "two");
    assertEquals(new Redriven(2, 1), redrive());
  }

  @Test
  @DisplayName("leaves and counts what came from the topic itself, as by a consumer's own topic")
  void itself() {
    letters("one", "dead:1");
    partition("dead", 0, 3);
    TopicPartition other = new TopicPartition("dead", 3);
    consumer.updateBeginningOffsets(Map.of(other, 0L));
    consumer.updateEndOffsets(Map.of(other, 0L));
    assertEquals(new Redriven(1, 1), redrive());
  }

  @Test
  @DisplayName("has no bound of its own for a letter, and keeps the one that it is given")
  void bounds() {
    Map<String, Object> settings = KafkaRedrive.sending(Map.of("group.id", "g"), "group");
    assertEquals(Integer.MAX_VALUE, settings.get("max.request.size"));
    assertEquals(Integer.MAX_VALUE, settings.get("buffer.memory"));
    settings = KafkaRedrive.sending(Map.of("max.request.size", 7), "group");
    assertEquals(7, settings.get("max.request.size"));
  }

  @Test
  @DisplayName("leaves and counts a letter whose topic or partition is gone, or has no right to it")
  void gone() {
    letters("one", "gone:1", "fewer:1", "two", "denied:1", "denied:2", "three", "gone:2");
    assertEquals(new Redriven(3, 5), redrive());
    List<String> sent =
        producer.history().stream().map(record -> new String(record.value(), UTF_8)).toList();
    assertEquals(List.of("one", "two", "three"), sent);
    assertEquals(8, progress());
  }

  @Test
  @DisplayName("ends by an outage, with no letter left out")
  void outage() {
    letters("one", "two");
    producer.commitTransactionException = new TimeoutException("the brokers are away");
    assertThrows(TimeoutException.class, this::redrive);
    assertEquals(List.of(), producer.history());
    producer.commitTransactionException = null;
    assertEquals(List.of(), producer.consumerGroupOffsetsHistory());
  }

  @Test
  @DisplayName("keeps its progress anew where it finds nothing, since the broker forgets by age")
  void nothing() {
    letters();
    assertEquals(new Redriven(0, 0), redrive());
    assertEquals(0, progress());
  }

  @Test
  @DisplayName("refuses a topic that is not there, by its name")
  void missing() {
    String text =
        String.valueOf(assertThrows(IllegalArgumentException.class, this::redrive).getMessage());
    assertTrue(text.contains("no topic dead"), text);
  }
}
