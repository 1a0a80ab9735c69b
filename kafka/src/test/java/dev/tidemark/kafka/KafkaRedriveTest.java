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
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
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
    private boolean isBroken;

    Narrow() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      var unused = super.send(record);
      isBroken |= record.value().length > 10;
      CompletableFuture<RecordMetadata> answer = new CompletableFuture<>();
      onTheirWay.add(answer);
      return answer;
    }

    @Override
    public synchronized void commitTransaction() {
      if (isBroken) {
        RecordTooLargeException error = new RecordTooLargeException("too large");
        onTheirWay.forEach(answer -> answer.completeExceptionally(error));
        throw new KafkaException("in error state", error);
      }
      super.commitTransaction();
      onTheirWay.clear();
    }

    @Override
    public synchronized void abortTransaction() {
      super.abortTransaction();
      onTheirWay.clear();
      isBroken = false;
    }
  }

  private final Narrow producer = new Narrow();
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

  private void letters(String... values) {
    consumer.updatePartitions(
        "dead", List.of(new PartitionInfo("dead", 0, null, new Node[0], new Node[0])));
    consumer.updateBeginningOffsets(Map.of(DEAD, 0L));
    consumer.updateEndOffsets(Map.of(DEAD, (long) values.length));
    consumer.schedulePollTask(
        () -> {
          for (int i = 0; i < values.length; i++) {
            ConsumerRecord<byte[], byte[]> letter =
                new ConsumerRecord<>("dead", 0, i, new byte[0], values[i].getBytes(UTF_8));
            letter.headers().add(KafkaDeadLetters.TOPIC, "orders".getBytes(UTF_8));
            letter.headers().add(KafkaDeadLetters.PARTITION, "3".getBytes(UTF_8));
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
