package dev.tidemark.example.orderhistory.carrier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.kafka.KafkaSender;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sender to a Kafka broker")
class KafkaSenderTest {
  private static final int MESSAGES = 200;

  private final String topic = "sent-" + UUID.randomUUID();

  private static Map<String, Object> settings() {
    return new HashMap<>(Map.of("bootstrap.servers", KafkaFixture.bootstrapServers()));
  }

  private static KafkaProducer<String, byte[]> producer(Map<String, Object> settings) {
    return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }

  private void create() throws Exception {
    try (Admin admin = Admin.create(settings())) {
      var unused = admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
  }

  private static OutboxMessage outgoing(int i, String topic) {
    OutgoingMessage message =
        OutgoingMessage.to(topic, "payload " + i).key("order-" + i % 7).type("OrderPaid");
    return new OutboxMessage("id-" + i, Instant.EPOCH, message);
  }

  private List<OutboxMessage> outgoing() {
    return IntStream.range(0, MESSAGES).mapToObj(i -> outgoing(i, topic)).toList();
  }

  private List<ConsumerRecord<String, byte[]>> received() {
    TopicPartition only = new TopicPartition(topic, 0);
    List<ConsumerRecord<String, byte[]>> all = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(settings(), new StringDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(only));
      consumer.seekToBeginning(List.of(only));
      long end = consumer.endOffsets(List.of(only)).getOrDefault(only, 0L);
      Await.until(
          "all records are read",
          () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            return consumer.position(only) >= end;
          });
    }
    return all;
  }

  private static MessageId id(ConsumerRecord<String, byte[]> record) {
    return MessageId.of(new String(record.headers().lastHeader(KafkaSender.ID).value(), UTF_8));
  }

  private static Throwable error(Sent answer) {
    return assertInstanceOf(Sent.Failed.class, answer).error();
  }

  @Test
  @DisplayName("has each message there when it is told as sent, and twins under the same ID")
  void sends() throws Exception {
    create();
    try (var producer = producer(KafkaSender.requireSafe(settings()))) {
      KafkaSender sender = KafkaSender.of(producer);
      for (Sent answer : sender.send(outgoing())) {
        assertInstanceOf(Sent.Taken.class, answer);
      }
      assertInstanceOf(
          Sent.Taken.class,
          sender.send(List.of(outgoing(3, topic))).get(0),
          "sent again after a crash");
    }
    List<ConsumerRecord<String, byte[]>> received = received();
    assertEquals(MESSAGES + 1, received.size());
    Set<MessageId> ids = new HashSet<>();
    for (ConsumerRecord<String, byte[]> record : received) {
      if (ids.add(id(record))) {
        int i = ids.size() - 1;
        assertEquals(MessageId.of("id-" + i), id(record));
        assertEquals("payload " + i, new String(record.value(), UTF_8));
        assertEquals("order-" + i % 7, record.key());
      }
    }
    assertEquals(MESSAGES, ids.size());
  }

  @Test
  @DisplayName("counts messages to a topic that is not there as not sent, and sends the others")
  void missingTopic() throws Exception {
    create();
    Map<String, Object> settings = settings();
    settings.put("max.block.ms", 300);
    try (var producer = producer(KafkaSender.requireSafe(settings))) {
      List<OutboxMessage> messages =
          List.of(outgoing(0, topic + "-not"), outgoing(1, topic), outgoing(2, topic + "-not"));
      List<Sent> answers = KafkaSender.of(producer).send(messages);
      assertInstanceOf(TimeoutException.class, error(answers.get(0)));
      assertInstanceOf(Sent.Taken.class, answers.get(1));
      assertInstanceOf(TimeoutException.class, error(answers.get(2)));
    }
    assertEquals(List.of(MessageId.of("id-1")), received().stream().map(r -> id(r)).toList());
  }

  @Test
  @DisplayName("sees that a producer does not wait for the broker")
  void acksOfNobody() throws Exception {
    create();
    Map<String, Object> settings = settings();
    settings.put("acks", "0");
    try (var producer = producer(settings)) {
      Throwable error = error(KafkaSender.of(producer).send(List.of(outgoing(0, topic))).get(0));
      String text = String.valueOf(error.getMessage());
      assertTrue(text.contains("acks=all"), text);
    }
  }
}
