package dev.tidemark.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent.KafkaEventRecord;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A batch of Kafka's topics")
final class KafkaBatchTest {
  private static final String NONE = "{\"batchItemFailures\":[]}";

  private final Shop shop = new Shop();
  private final KafkaBatch batch =
      KafkaBatch.of(
          record -> shop.decoded(KafkaBatch.place(record), text(record)),
          shop::handle,
          intake -> shop.settings(intake, KafkaEventRecord::getOffset));
  private final LambdaRuntime<KafkaEvent, KafkaBatchResponse> function = function(batch);

  private static LambdaRuntime<KafkaEvent, KafkaBatchResponse> function(KafkaBatch batch) {
    return new LambdaRuntime<>(
        (event, context) -> batch.handle(event), KafkaEvent.class, KafkaBatchResponse.class);
  }

  private static String text(KafkaEventRecord record) {
    return KafkaBatch.value(record)
        .map(value -> new String(value, UTF_8))
        .orElseThrow(() -> new IllegalArgumentException("a tombstone"));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** A record as Lambda sends it. */
  private static String record(String topic, int partition, int offset, String value) {
    return """
    {
      "topic": "%s",
      "partition": %d,
      "offset": %d,
      "timestamp": 1545084650987,
      "timestampType": "CREATE_TIME",
      "key": "abcDEFghiJKLmnoPQRstuVWXyz1234==",
      "value": %s,
      "headers": [
        {"headerKey": [104, 101, 97, 100, 101, 114, 86, 97, 108, 117, 101]},
        {"tidemark-id": [115, 101, 110, 116, 45, 195, 188]},
        {"tidemark-id": [115, 101, 110, 116, 45, -61, -68]},
        {"tidemark-destination": [109, 121, 116, 111, 112, 105, 99]}
      ]
    }
    """
        .formatted(topic, partition, offset, value);
  }

  private static String record(int partition, int offset, String text) {
    return record("mytopic", partition, offset, '"' + base64(text) + '"');
  }

  /** Records under their partitions, as Lambda sends them. */
  private static String event(Map<String, List<String>> records) {
    return """
    {
      "eventSource": "aws:kafka",
      "eventSourceArn": "arn:aws:kafka:us-east-1:123456789012:cluster/vpc-2priv-2pub/751d2973-2",
      "bootstrapServers": "b-2.demo-cluster-1.a1bcde.c1.kafka.us-east-1.amazonaws.com:9092",
      "records": {%s}
    }
    """
        .formatted(
            records.entrySet().stream()
                .map(e -> "\"%s\": [%s]".formatted(e.getKey(), String.join(",", e.getValue())))
                .collect(Collectors.joining(",")));
  }

  private static String failures(String... places) {
    return Stream.of(places)
        .sorted()
        .map(place -> place.split("@", -1))
        .map(
            place ->
                "{\"itemIdentifier\":{\"partition\":\"%s\",\"offset\":%s}}"
                    .formatted(place[0], place[1]))
        .collect(Collectors.joining(",", "{\"batchItemFailures\":[", "]}"));
  }

  @Test
  @DisplayName("is acknowledged once it is handled, and a second delivery changes nothing")
  void duplicates() {
    String event =
        event(
            Map.of(
                "mytopic-0", List.of(record(0, 15, "order-1:5"), record(0, 16, "order-1:6")),
                "mytopic-1", List.of(record(1, 15, "order-1:7"))));
    assertEquals(NONE, function.apply(event));
    assertEquals(NONE, function.apply(event));
    assertEquals(18, shop.total("order-1"));
    assertEquals(NONE, function.apply(event(Map.of())));
    assertEquals(NONE, function.apply(event(Map.of("mytopic-0", List.of()))));
  }

  @Test
  @DisplayName("names the first record of each partition that is not done")
  void partial() {
    shop.away.add("order-2");
    String event =
        event(
            Map.of(
                "mytopic-0",
                List.of(record(0, 15, "order-1:5"), record(0, 17, "order-2:6"), record(0, 18, "x")),
                "mytopic-1",
                List.of(record(1, 3, "order-2:7"), record(1, 4, "order-1:8")),
                "mytopic-2",
                List.of(record(2, 9, "order-3:9"), record(2, 10, "no event"))));
    String answer = function.apply(event);
    assertTrue(
        Set.of(
                failures("mytopic-0@17", "mytopic-1@3"),
                "{\"batchItemFailures\":[{\"itemIdentifier\":{\"partition\":\"mytopic-1\",\"offset\":3}},{\"itemIdentifier\":{\"partition\":\"mytopic-0\",\"offset\":17}}]}")
            .contains(answer),
        answer);
    assertEquals(Set.of(10L), shop.letters.keySet(), "and none behind one that comes again");
    shop.away.clear();
    assertEquals(NONE, function.apply(event));
    assertEquals(13, shop.total("order-1"));
    assertEquals(13, shop.total("order-2"));
  }

  @Test
  @DisplayName("handles nothing of a partition behind what cannot be decoded for now")
  void unread() {
    shop.unread.add("order-2:6");
    String event =
        event(
            Map.of(
                "mytopic-0",
                List.of(
                    record(0, 15, "order-1:5"),
                    record(0, 16, "order-2:6"),
                    record(0, 17, "order-3:7"),
                    record(0, 18, "no event")),
                "mytopic-1",
                List.of(record(1, 3, "order-4:8"))));
    assertEquals(failures("mytopic-0@16"), function.apply(event));
    assertEquals(5, shop.total("order-1"));
    assertEquals(0, shop.total("order-3"));
    assertEquals(8, shop.total("order-4"));
    assertTrue(shop.letters.isEmpty());
    shop.unread.clear();
    assertEquals(NONE, function.apply(event));
    assertEquals(7, shop.total("order-3"));
    assertEquals(8, shop.total("order-4"));
    assertEquals(Set.of(18L), shop.letters.keySet());
  }

  @Test
  @DisplayName("keeps poison among the dead letters: no Base64, no event, no value")
  void poison() {
    String event =
        event(
            Map.of(
                "mytopic-0",
                List.of(
                    record("mytopic", 0, 1, "\"%%%\""),
                    record("mytopic", 0, 2, "null"),
                    record(0, 3, "no event"),
                    record(0, 4, "order-1:5"))));
    assertEquals(NONE, function.apply(event));
    assertEquals(Set.of(1L, 2L, 3L), shop.letters.keySet());
    assertEquals(5, shop.total("order-1"));
  }

  @Test
  @DisplayName("throws while anything is not done, where the mapping reads no answers")
  void orThrow() {
    LambdaRuntime<KafkaEvent, String> whole =
        new LambdaRuntime<>(
            (event, context) -> {
              batch.handleOrThrow(event);
              return "done";
            },
            KafkaEvent.class,
            String.class);
    shop.away.add("order-2");
    String event =
        event(Map.of("mytopic-0", List.of(record(0, 15, "order-1:5"), record(0, 16, "order-2:6"))));
    assertThrows(IllegalStateException.class, () -> whole.apply(event));
    assertEquals(5, shop.total("order-1"));
    shop.away.clear();
    assertEquals("\"done\"", whole.apply(event));
    assertEquals(5, shop.total("order-1"));
    assertEquals(6, shop.total("order-2"));
  }

  @Test
  @DisplayName("throws what the handler as a whole throws")
  void handlerThrows() {
    shop.closed = true;
    String event = event(Map.of("mytopic-0", List.of(record(0, 15, "order-1:5"))));
    assertThrows(IllegalStateException.class, () -> function.apply(event));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"records\": null}",
        "{\"records\": {\"mytopic-0\": null}}",
        "{\"records\": {\"mytopic-0\": [null]}}",
        "{\"records\": {\"mytopic-0\": [{\"topic\": \"mytopic\", \"partition\": 1}]}}",
        "{\"Records\": [{\"eventSource\": \"aws:sqs\", \"messageId\": \"1\"}]}"
      })
  @DisplayName("is refused before anything is handled where an answer could not name its records")
  void unnamed(String event) {
    assertThrows(IllegalArgumentException.class, () -> function.apply(event));
    assertEquals(List.of(), shop.calls);
  }

  @Test
  @DisplayName("has records with keys and headers, known by their place or the sender's ID")
  void identities() {
    List<Object> seen = new ArrayList<>();
    KafkaBatch noting =
        KafkaBatch.of(
            record -> {
              seen.add(KafkaBatch.place(record));
              seen.add(KafkaBatch.identity(record));
              seen.add(KafkaBatch.key(record).map(key -> key.length));
              seen.add(KafkaBatch.header(record, "headerKey").map(h -> new String(h, UTF_8)));
              seen.add(KafkaBatch.header(record, "other").isPresent());
              return Shop.delivery(KafkaBatch.identity(record), text(record));
            },
            shop::handle);
    assertEquals(
        NONE,
        function(noting).apply(event(Map.of("mytopic-0", List.of(record(0, 15, "order-1:5"))))));
    assertEquals(
        List.of(
            SourceEvent.kafka("mytopic", 0, 15),
            MessageId.of("sent-ü"),
            Optional.of(22),
            Optional.of("headerValue"),
            false),
        seen);
  }

  @Test
  @DisplayName("knows the records of a named cluster as a group's consumer does")
  void cluster() {
    KafkaEventRecord record =
        KafkaEventRecord.builder().withTopic("orders").withPartition(0).withOffset(3).build();
    MessageId place = MessageId.of("kafka", "orders", "0", "3");
    assertEquals(place, KafkaBatch.identity(record));
    assertEquals(
        MessageId.of("kafka-cluster", "eu", place.value()), KafkaBatch.identity(record, "eu"));
    assertThrows(IllegalArgumentException.class, () -> KafkaBatch.identity(record, ""));
  }

  private static String bytes(String text) {
    return text.chars().mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  @Test
  @DisplayName("has records that were put back, known by the place where they were first")
  void redriven() {
    List<Object> seen = new ArrayList<>();
    KafkaBatch noting =
        KafkaBatch.of(
            record -> {
              seen.add(KafkaBatch.identity(record));
              seen.add(KafkaBatch.time(record).toEpochMilli());
              return Shop.delivery(KafkaBatch.identity(record), text(record));
            },
            shop::handle);
    String form =
        """
        {"topic": "mytopic", "partition": 0, "offset": %d, "value": "%s", "timestamp": 2000,
          "headers": [
          {"tidemark-dead-topic": [%s]}, {"tidemark-dead-partition": [%s]},
          {"tidemark-dead-offset": [%s]}, {"tidemark-dead-time": [49, 48, 48, 48]}]}
        """;
    String value = base64("order-1:5");
    String back = form.formatted(20, value, bytes("mytopic"), bytes("3"), bytes("7"));
    String handedOn = form.formatted(21, value, bytes("other"), bytes("3"), bytes("7"));
    assertEquals(NONE, function(noting).apply(event(Map.of("mytopic-0", List.of(back, handedOn)))));
    assertEquals(
        List.of(
            MessageId.of("kafka", "mytopic", "3", "7"),
            1000L,
            MessageId.of("kafka", "mytopic", "0", "21"),
            2000L),
        seen);
  }
}
