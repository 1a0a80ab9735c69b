package dev.tidemark.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sender to Kafka, where a topic is missing,")
final class MissingTopicsTest {
  private static final Duration BLOCK = Duration.ofSeconds(60);
  private static final Sent THERE = Sent.taken().at("orders", "orders-0");

  private final TimeoutException unknown =
      new TimeoutException(
          "Topic gone not present in metadata after 60000 ms.",
          new UnknownTopicOrPartitionException("this server does not host it"));

  private @Nullable TimeoutException told = unknown;
  private long nanos;

  /** How often the producer was asked for the topic. */
  private int asked;

  /** Waits for a topic that is not there as long as it may. */
  private final MockProducer<String, byte[]> producer =
      new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()) {
        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
          if (record.topic().equals("orders")) {
            return super.send(record);
          }
          asked++;
          if (told == null) {
            return super.send(record);
          }
          nanos += BLOCK.toNanos();
          return CompletableFuture.failedFuture(told);
        }
      };

  private final KafkaSender sender =
      KafkaSender.of(
          producer,
          message -> new ProducerRecord<>(message.message().topic(), message.message().bytes()),
          () -> nanos);

  private static OutboxMessage message(String topic, String id) {
    return new OutboxMessage(id, Instant.EPOCH, OutgoingMessage.to(topic, id).id(id));
  }

  /** The answers for two messages to the topic, around one to a topic that is there. */
  private List<Sent> send() throws InterruptedException {
    return sender.send(List.of(message("gone", "a"), message("orders", "b"), message("gone", "c")));
  }

  private static List<Sent> answers(Sent gone) {
    return List.of(gone, THERE, gone);
  }

  @Test
  @DisplayName("asks for it in a tenth of the time, and sends the other messages at once")
  void quiet() throws InterruptedException {
    for (int calls = 0; calls < 100; calls++) {
      assertEquals(answers(Sent.failed(unknown).at("gone")), send());
      assertEquals(1, asked);
    }
    nanos += BLOCK.multipliedBy(10).toNanos() - 1;
    assertEquals(answers(Sent.failed(unknown).at("gone")), send());
    assertEquals(1, asked);
    nanos++;
    assertEquals(answers(Sent.failed(unknown).at("gone")), send());
    assertEquals(2, asked);
    assertEquals(102, producer.history().size());
  }

  @Test
  @DisplayName("sends to it once it is there, and asks at once where it is gone again")
  void made() throws InterruptedException {
    assertEquals(answers(Sent.failed(unknown).at("gone")), send());
    told = null;
    nanos += BLOCK.multipliedBy(10).toNanos();
    assertEquals(answers(Sent.taken().at("gone", "gone-0")), send());
    told = unknown;
    asked = 0;
    assertEquals(answers(Sent.failed(unknown).at("gone")), send());
    assertEquals(1, asked);
  }

  @Test
  @DisplayName("asks at each call where nobody told that it is missing: the brokers are away")
  void away() throws InterruptedException {
    told = new TimeoutException("Topic gone not present in metadata after 60000 ms.");
    for (int calls = 1; calls <= 3; calls++) {
      assertEquals(answers(Sent.deferred(told).at("gone")), send());
      assertEquals(calls, asked);
    }
  }

  @Test
  @DisplayName("sends to the other topics that messages of the same one have records for")
  void topicsOfRecords() throws InterruptedException {
    KafkaSender own =
        KafkaSender.of(
            producer,
            message -> new ProducerRecord<>(message.id(), message.message().bytes()),
            () -> nanos);
    List<OutboxMessage> both = List.of(message("all", "gone"), message("all", "orders"));
    for (int calls = 0; calls < 3; calls++) {
      assertEquals(List.of(Sent.failed(unknown).at("gone"), THERE), own.send(both));
      assertEquals(List.of(THERE), own.send(both.subList(1, 2)));
      assertEquals(1, asked);
    }
  }

  @Test
  @DisplayName("keeps no more than a thousand topics in mind")
  void many() throws InterruptedException {
    for (int topic = 0; topic < 1_000; topic++) {
      assertEquals(answer("gone" + topic), List.of(Sent.failed(unknown).at("gone" + topic)));
    }
    assertEquals(answer("gone999"), List.of(Sent.failed(unknown).at("gone999")));
    assertEquals(1_000, asked);
    for (int call = 1; call <= 2; call++) {
      assertEquals(answer("another"), List.of(Sent.failed(unknown).at("another")));
      assertEquals(1_000 + call, asked);
    }
  }

  private List<Sent> answer(String topic) throws InterruptedException {
    return sender.send(List.of(message(topic, "a")));
  }
}
