package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.intake.DeadLetters.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
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
      byte[] bytes = text == null ? null : serializer.serialize("dead", text);
      return bytes == null ? -1 : bytes.length;
    }
  }

  private static ConsumerRecord<String, String> record(@Nullable String value, int size) {
    return record(5, value, size);
  }

  private static ConsumerRecord<String, String> record(
      long offset, @Nullable String value, int size) {
    return new ConsumerRecord<>(
        "orders",
        0,
        offset,
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
  @DisplayName("are refused if the producer makes other bytes of them, and each is sent once")
  void otherBytes() {
    for (Telling producer :
        new Telling[] {
          new Telling(new StringSerializer(), QUOTED),
          new Telling(QUOTED, new StringSerializer()),
          new Telling(new StringSerializer(), (topic, text) -> null)
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
  @DisplayName("are kept, odd ones with a word in the log, by a producer that has made a sound one")
  void odd() throws Exception {
    Serializer<String> some =
        (topic, text) ->
            (text != null && text.startsWith("{") ? QUOTED : new StringSerializer())
                .serialize(topic, text);
    Telling producer = new Telling(new StringSerializer(), some);
    var letters = KafkaDeadLetters.of(producer, "dead");
    assertThrows(IllegalStateException.class, () -> letters.keep(record("{id:1}", 6), REASON));
    letters.keep(record(6, null, -1), REASON); // proves nothing
    assertThrows(IllegalStateException.class, () -> letters.keep(record("{id:1}", 6), REASON));
    letters.keep(record(7, "ab", 2), REASON);
    List<String> log = new ArrayList<>();
    Handler handler =
        new StreamHandler() {
          @Override
          public synchronized void publish(LogRecord told) {
            log.add(told.getLevel() + " " + told.getMessage());
          }
        };
    Logger logger = Logger.getLogger(KafkaDeadLetters.class.getName());
    logger.addHandler(handler);
    try {
      letters.keep(record("{id:1}", 6), REASON); // is there
      letters.keep(record(8, "{id:2}", 6), REASON);
    } finally {
      logger.removeHandler(handler);
    }
    assertEquals(4, producer.history().size());
    assertEquals(2, log.size(), log::toString);
    assertTrue(
        log.get(1).matches("WARNING .* 8 bytes of a value \\(.*String\\) that had 6 .*orders.*"),
        log::toString);
    assertTrue(log.stream().noneMatch(line -> line.contains("id:")), log::toString);
  }

  @Test
  @DisplayName(
      "are refused for their values, too, once their odd keys are known to be sound mostly")
  void bothOdd() throws Exception {
    AtomicBoolean sound = new AtomicBoolean();
    Serializer<String> keys =
        (topic, text) -> (sound.get() ? new StringSerializer() : QUOTED).serialize(topic, text);
    var letters = KafkaDeadLetters.of(new Telling(keys, QUOTED), "dead");
    assertThrows(IllegalStateException.class, () -> letters.keep(record("ab", 2), REASON));
    sound.set(true);
    letters.keep(record(6, null, -1), REASON); // a key alone
    assertThrows(IllegalStateException.class, () -> letters.keep(record("ab", 2), REASON));
  }

  @Test
  @DisplayName("are told no sizes of by a consumer of objects, where a consumer of bytes told some")
  void objects() throws Exception {
    var producer =
        new MockProducer<String, Object>(
            true, null, new StringSerializer(), (topic, value) -> new byte[0]);
    var record = new ConsumerRecord<String, Object>("orders", 0, 5, null, 1L);
    record.headers().add(KafkaDeadLetters.TOPIC, "orders".getBytes(UTF_8));
    record.headers().add(KafkaDeadLetters.SIZES, "3 6".getBytes(UTF_8));
    KafkaDeadLetters.of(producer, "dead").keep(record, REASON);
    assertEquals(
        Optional.of(""),
        KafkaDeadLetters.header(
            new ConsumerRecord<>(
                "dead",
                0,
                0,
                -1,
                null,
                0,
                0,
                null,
                null,
                producer.history().get(0).headers(),
                Optional.empty()),
            KafkaDeadLetters.SIZES));
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
