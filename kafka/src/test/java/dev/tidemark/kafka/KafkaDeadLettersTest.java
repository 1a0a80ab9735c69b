package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.intake.DeadLetters.Reason;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Dead letters in a topic")
class KafkaDeadLettersTest {
  private static final Reason REASON = new Reason("IOException", true, 1);

  /** As a serializer of JSON makes it of a text. */
  private static final Serializer<String> QUOTED =
      (topic, text) -> ("\"" + text + "\"").getBytes(UTF_8);

  /** Tells the sizes of what it sends, as Kafka's does. */
  private static final class Telling extends MockProducer<String, String> {
    private final Serializer<String> keys;
    private final Serializer<String> values;

    Telling(Serializer<String> keys, Serializer<String> values) {
      super(true, null, keys, values);
      this.keys = keys;
      this.values = values;
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<String, String> sent) {
      var unused = super.send(sent);
      return CompletableFuture.completedFuture(
          new RecordMetadata(
              new TopicPartition(sent.topic(), 0),
              history().size(),
              0,
              0,
              size(keys, sent.key()),
              size(values, sent.value())));
    }

    private static int size(Serializer<String> serializer, @Nullable String text) {
      return text == null ? -1 : serializer.serialize("dead", text).length;
    }
  }

  private static ConsumerRecord<String, String> record(@Nullable String value, int size) {
    return new ConsumerRecord<>(
        "orders",
        0,
        5,
        1,
        TimestampType.CREATE_TIME,
        3,
        size,
        "key",
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  @Test
  @DisplayName("are refused by the first one of which the producer makes other bytes, and after it")
  void otherBytes() {
    for (Telling producer :
        new Telling[] {
          new Telling(new StringSerializer(), QUOTED), new Telling(QUOTED, new StringSerializer())
        }) {
      var letters = KafkaDeadLetters.of(producer, "dead");
      for (int i = 0; i < 2; i++) {
        var e =
            assertThrows(
                IllegalStateException.class, () -> letters.keep(record("{id:1}", 6), REASON));
        assertTrue(String.valueOf(e.getMessage()).contains("StringSerializer"), e.getMessage());
      }
      assertEquals(1, producer.history().size());
      String sizes =
          new String(
              producer.history().get(0).headers().lastHeader(KafkaDeadLetters.SIZES).value(),
              UTF_8);
      assertEquals("3 6", sizes);
    }
  }

  @Test
  @DisplayName("are kept as they came, with bytes that nobody could read, or of another charset")
  void sameBytes() throws Exception {
    Telling producer = new Telling(new StringSerializer(), new StringSerializer());
    var letters = KafkaDeadLetters.of(producer, "dead");
    letters.keep(record("{id:1}", 6), REASON);
    letters.keep(record(null, -1), REASON);
    letters.keep(record("\uFFFD", 1), REASON); // lost, and marked
    letters.keep(new ConsumerRecord<>("orders", 0, 5, "key", "of no known size"), REASON);
    Serializer<String> wide = (topic, text) -> text.getBytes(UTF_16);
    letters = KafkaDeadLetters.of(new Telling(new StringSerializer(), wide), "dead");
    letters.keep(record("ab", 6), REASON);
    assertEquals(4, producer.history().size());
  }

  @Test
  @DisplayName("are refused for a record of their own topic, where they would come again for ever")
  void itself() {
    Telling producer = new Telling(new StringSerializer(), new StringSerializer());
    var letters = KafkaDeadLetters.of(producer, "orders");
    assertThrows(IllegalArgumentException.class, () -> letters.keep(record("x", 1), REASON));
    assertEquals(0, producer.history().size());
  }
}
