package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.MessageId;
import dev.tidemark.intake.Intake;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.support.KafkaUtils;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;

@DisplayName("A record that the delegate of an ErrorHandlingDeserializer cannot read")
final class UnreadRecordsTest {
  private final List<Long> decoded = new ArrayList<>();
  private final List<Long> letters = new ArrayList<>();

  @SuppressWarnings("NullAway") // a consumer hands a null to its deserializers
  private static ConsumerRecord<String, String> read(long offset, byte @Nullable [] bytes) {
    RecordHeaders headers = new RecordHeaders();
    Deserializer<String> delegate =
        (topic, value) -> {
          if (value == null) {
            return null;
          }
          throw new SerializationException("no text");
        };
    try (var deserializer = new ErrorHandlingDeserializer<>(delegate)) {
      return new ConsumerRecord<>(
          "orders",
          0,
          offset,
          7,
          TimestampType.CREATE_TIME,
          3,
          bytes == null ? -1 : bytes.length,
          "key",
          deserializer.deserialize("orders", headers, bytes),
          headers,
          Optional.empty());
    }
  }

  private Intake<ConsumerRecord<String, String>> intake() {
    return KafkaIntakeListener.<String, String>builder(
            record -> {
              decoded.add(record.offset());
              return Delivery.of(MessageId.of("" + record.offset()), "deleted");
            },
            deliveries -> {
              throw new IllegalStateException("not now");
            })
        .deadLetters((record, reason) -> letters.add(record.offset()))
        .build();
  }

  @Test
  @DisplayName("is a dead letter, and no tombstone")
  void letter() {
    Intake<ConsumerRecord<String, String>> intake = intake();
    for (int i = 0; i < 10 && letters.isEmpty(); i++) { // until something else succeeds
      var unused = intake.take(List.of(read(0, new byte[1])));
      unused = intake.take(List.of(read(1, null)));
    }
    assertThat(letters).containsExactly(0L);
    assertThat(decoded).containsOnly(1L);
  }

  @Test
  @DisplayName("is told by what is missing and its header, of key and value each")
  void missing() {
    for (int offset = 0; offset < 4; offset++) {
      ConsumerRecord<String, String> record =
          new ConsumerRecord<>("orders", 0, offset, offset < 2 ? "key" : null, "value");
      String header =
          offset % 2 == 0
              ? KafkaUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER
              : KafkaUtils.KEY_DESERIALIZER_EXCEPTION_HEADER;
      record.headers().add(header, new byte[1]); // as a sender may hand it on
      var unused = intake().take(List.of(record));
    }
    assertThat(decoded).containsExactly(0L, 1L, 2L);
  }
}
