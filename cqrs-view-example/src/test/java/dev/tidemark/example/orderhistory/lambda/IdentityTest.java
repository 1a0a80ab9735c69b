package dev.tidemark.example.orderhistory.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.amazonaws.services.lambda.runtime.events.KafkaEvent.KafkaEventRecord;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.tidemark.MessageId;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.aws.SqsIntake;
import dev.tidemark.aws.SqsSender;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.kafka.KafkaIntake;
import dev.tidemark.kafka.KafkaSender;
import dev.tidemark.lambda.KafkaBatch;
import dev.tidemark.lambda.SqsBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

@DisplayName("A message has the same identity in a function and in a long-running consumer")
class IdentityTest {
  @ParameterizedTest
  @ValueSource(strings = {"other", SqsSender.ID, SqsDeadLetters.ID})
  @DisplayName("of SQS: new, sent by a relay, back from the dead letters")
  void sqs(String attribute) {
    String id = UUID.randomUUID().toString();
    String value = UUID.randomUUID().toString();
    String ofBody = "/" + UUID.nameUUIDFromBytes("{}".getBytes(StandardCharsets.UTF_8));
    String told = attribute.equals(SqsDeadLetters.ID) ? value + ofBody : value;
    Message message =
        Message.builder()
            .messageId(id)
            .body("{}")
            .messageAttributes(
                Map.of(
                    attribute,
                    LocalQueue.text(told),
                    SqsSender.DESTINATION,
                    LocalQueue.text("orders")))
            .build();
    SQSEvent.MessageAttribute text = new SQSEvent.MessageAttribute();
    text.setDataType("String");
    text.setStringValue(told);
    SQSMessage same = new SQSMessage();
    same.setMessageId(id);
    same.setBody("{}");
    SQSEvent.MessageAttribute orders = new SQSEvent.MessageAttribute();
    orders.setDataType("String");
    orders.setStringValue("orders");
    same.setMessageAttributes(Map.of(attribute, text, SqsSender.DESTINATION, orders));
    same.setEventSourceArn("arn:aws:sqs:eu-central-1:1:orders");
    assertEquals(SqsIntake.identity(message, "orders"), SqsBatch.identity(same));
    assertEquals(SqsIntake.identityOfSent(message), SqsBatch.identityOfSent(same));
    assertEquals(attribute.equals("other") ? id : value, SqsBatch.identity(same).value());
  }

  @Test
  @DisplayName("of SQS: sent by a relay, without room for a destination")
  void full() {
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    Map<String, SQSEvent.MessageAttribute> same = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      String name = i == 0 ? SqsSender.ID : "header" + i;
      attributes.put(name, LocalQueue.text("id"));
      SQSEvent.MessageAttribute attribute = new SQSEvent.MessageAttribute();
      attribute.setStringValue("id");
      same.put(name, attribute);
    }
    byte[] bytes = {1, 2};
    attributes.put(
        "header9",
        MessageAttributeValue.builder()
            .dataType("Binary")
            .binaryValue(SdkBytes.fromByteArray(bytes))
            .build());
    SQSEvent.MessageAttribute binary = new SQSEvent.MessageAttribute();
    binary.setBinaryValue(ByteBuffer.wrap(bytes));
    same.put("header9", binary);
    Message message =
        Message.builder().messageId("any").body("{}").messageAttributes(attributes).build();
    SQSMessage full = new SQSMessage();
    full.setMessageId("any");
    full.setBody("{}");
    full.setMessageAttributes(same);
    full.setEventSourceArn("arn:aws:sqs:eu-central-1:1:orders");
    assertEquals(SqsIntake.identity(message, "orders"), SqsBatch.identity(full));
    MessageId before = SqsBatch.identity(full);
    assertEquals(before, SqsBatch.identity(full), "the bytes can be read again");
    binary.setBinaryValue(ByteBuffer.wrap(new byte[] {1}));
    assertNotEquals(before, SqsBatch.identity(full));
  }

  static Stream<Map<String, String>> headers() {
    return Stream.of(
        Map.of(),
        Map.of(KafkaSender.ID, "sent"),
        Map.of(KafkaSender.ID, "sent", KafkaSender.DESTINATION, "orders"),
        Map.of(KafkaSender.ID, "sent", KafkaSender.DESTINATION, "another"),
        redriven("orders"),
        redriven("another"),
        redriven("orders", DIGEST),
        redriven("orders", DIGEST.replace('6', '0')),
        Map.of(KafkaDeadLetters.TOPIC, "orders"));
  }

  /** Of the key "key" and the value "value". */
  private static final String DIGEST = "64f16360-0a8f-3eca-9f5b-04916cec6cec";

  private static Map<String, String> redriven(String topic) {
    return redriven(topic, "");
  }

  private static Map<String, String> redriven(String topic, String digest) {
    return Map.of(
        KafkaDeadLetters.DIGEST,
        digest,
        KafkaDeadLetters.TOPIC,
        topic,
        KafkaDeadLetters.PARTITION,
        "3",
        KafkaDeadLetters.OFFSET,
        "7");
  }

  @ParameterizedTest
  @MethodSource("headers")
  @DisplayName("of Kafka: new, sent by a relay, put back, handed on")
  void kafka(Map<String, String> headers) {
    ConsumerRecord<String, String> record = new ConsumerRecord<>("orders", 1, 20, "key", "value");
    headers.forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
    assertEquals(KafkaIntake.identity(record), KafkaBatch.identity(same(headers)));
    assertEquals(KafkaIntake.identityOfSent(record), KafkaBatch.identityOfSent(same(headers)));
  }

  @ParameterizedTest
  @CsvSource({"key, value", ", value", "key, ", ", ", "'', ''"})
  @DisplayName("of Kafka, put back: by the digest of its dead letter, also without key or value")
  void digests(@Nullable String key, @Nullable String value) throws Exception {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    ConsumerRecord<byte[], byte[]> first =
        new ConsumerRecord<>("orders", 3, 7, bytes(key), bytes(value));
    KafkaDeadLetters.of(producer, "dead").keep(first, new Reason("Bug", false, 1));
    Map<String, String> headers = new HashMap<>();
    producer
        .history()
        .get(0)
        .headers()
        .forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
    MessageId id = KafkaIntake.identity(first);
    assertEquals(id, KafkaIntake.identity(record(headers, key, value)));
    assertEquals(id, KafkaBatch.identity(same(headers, key, value)));
    MessageId other = KafkaIntake.identity(record(headers, key, "another"));
    assertNotEquals(id, other);
    assertEquals(other, KafkaBatch.identity(same(headers, key, "another")));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  private static ConsumerRecord<byte[], byte[]> record(
      Map<String, String> headers, @Nullable String key, @Nullable String value) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("orders", 1, 20, bytes(key), bytes(value));
    headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    return record;
  }

  private static KafkaEventRecord same(Map<String, String> headers) {
    return same(headers, "key", "value");
  }

  private static KafkaEventRecord same(
      Map<String, String> headers, @Nullable String key, @Nullable String value) {
    List<Map<String, byte[]>> all =
        headers.entrySet().stream()
            .map(header -> Map.of(header.getKey(), header.getValue().getBytes(UTF_8)))
            .toList();
    return KafkaEventRecord.builder()
        .withTopic("orders")
        .withPartition(1)
        .withOffset(20)
        .withKey(base64(key))
        .withValue(base64(value))
        .withHeaders(all)
        .build();
  }

  private static @Nullable String base64(@Nullable String text) {
    byte[] bytes = bytes(text);
    return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  @DisplayName("of Kafka, put back: the place where it was first")
  void first() {
    assertEquals(
        KafkaIntake.identity(new ConsumerRecord<>("orders", 3, 7, "key", "value")),
        KafkaBatch.identity(same(redriven("orders", DIGEST))));
    assertEquals(
        KafkaIntake.identity(new ConsumerRecord<>("orders", 1, 20, "key", "value")),
        KafkaBatch.identity(same(redriven("orders", DIGEST.replace('6', '0')))));
  }
}
