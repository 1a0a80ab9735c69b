package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.strings;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("Identities")
class IdentityTest {
  private static void refused(String field, String value, Executable making) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, making).getMessage());
    assertTrue(message.contains(field) && message.contains(value), message);
  }

  @Test
  @DisplayName("what is refused is named, with the value, cut at 64 characters")
  void validation() {
    refused("message ID", "empty", () -> MessageId.of(""));
    refused("message ID", "surrogate", () -> MessageId.of("\ud800"));
    refused("SQS message id", "'nope'", () -> MessageId.sqs("nope"));
    refused("message ID", "8192", () -> MessageId.of("x".repeat(8_193)));
    refused("message ID", "8192", () -> MessageId.of("/".repeat(2_500), "/".repeat(300)));
    refused("source id", "8192", () -> Source.of("T", "x".repeat(8_193)));
    refused("source type", "8192", () -> SourceEvent.of("x".repeat(8_193), "1", 1));
    refused("id", "512", () -> OutgoingMessage.to("t", "x").id("x".repeat(513)));
    refused("AMQP message-id", "255 bytes", () -> MessageId.amqp("x".repeat(256)));
    refused("SQS sequence number", "'12x'", () -> SourceEvent.sqsFifo("q", "g", "12x"));
    refused("SQS sequence number", "39", () -> SourceEvent.sqsFifo("q", "g", "1".repeat(40)));
    refused("DynamoDB Streams", "'-1'", () -> SourceEvent.dynamoDbStreams("t", "k", "-1"));
    refused("Kinesis", "''", () -> SourceEvent.kinesis("s", "k", "", 0));
    refused("sub-sequence", "-1", () -> SourceEvent.kinesis("s", "k", "1", -1));
    refused("source type", "empty", () -> SourceEvent.of("", "x", 1));
    refused("source id", "empty", () -> Source.of("x", ""));
    refused("item key", "empty", () -> SourceEvent.dynamoDbStreams("t", "", "1"));
    refused("partition key", "empty", () -> SourceEvent.kinesis("s", "", "1", 0));
    refused("source type", "'kafka:'", () -> Source.of("kafka:orders", "1"));
    refused("source type", "empty", () -> Tracking.defaults().events("", EventPolicy.dropLate()));
    refused("ULID", "'8", () -> SourceEvent.ulid("T", "1", "8".repeat(26)));
    refused("ULID", "Crockford", () -> SourceEvent.ulid("T", "1", "I".repeat(26)));
    refused("Kafka offset", "-1", () -> SourceEvent.kafka("", "topic", 0, -1));
    refused("Kafka partition", "-2", () -> SourceEvent.kafka("", "topic", -2, 1));
    refused("Kafka topic", "empty", () -> SourceEvent.kafka("", "", 0, 1));
    refused("key", "collection", () -> EntityKey.key(java.util.Map.of("a", 1)));
    refused("timeout", "PT1M1S", () -> new NotBefore(MessageId.of("m"), Duration.ofSeconds(61)));
    refused("generation", "-3", () -> new Source("T", "1", -3));
    refused("position", "34 digits", () -> Position.of(BigInteger.TEN.pow(34)));
    refused("position", "'a b'", () -> Position.ofText("a b"));
    refused("position", "x".repeat(64) + "…", () -> Position.ofText("x".repeat(129)));
  }

  @Test
  @DisplayName("fields of an ID cannot run into each other, nor into an ID of one string")
  void joins() {
    assertNotEquals(MessageId.of("A", "11"), MessageId.of("A1", "1"));
    assertNotEquals(MessageId.of("a/b", "c"), MessageId.of("a", "b/c"));
    assertNotEquals(MessageId.of("a", "b"), MessageId.of("/a/b"));
    assertNotEquals(MessageId.of("%/a"), MessageId.of("/a"));
    assertEquals("/a%2Fb/%25", MessageId.of("a/b", "%").value());
  }

  @Test
  @DisplayName("different lists of fields never give one ID")
  void joinsAreInjective() {
    var fields = lists().of(strings().betweenCodePoints('%', '3').ofLengthBetween(0, 3));
    qt().withFixedSeed(20_260_101L)
        .forAll(fields.ofSizeBetween(2, 4), fields.ofSizeBetween(1, 4))
        .check((one, other) -> one.equals(other) == id(one).equals(id(other)) || isEmpty(other));
  }

  private static boolean isEmpty(List<String> fields) {
    return fields.size() == 1 && fields.get(0).isEmpty();
  }

  private static MessageId id(List<String> fields) {
    if (fields.size() == 1) {
      return MessageId.of(fields.get(0).isEmpty() ? "none" : fields.get(0));
    }
    String[] more = fields.subList(2, fields.size()).toArray(String[]::new);
    return MessageId.of(fields.get(0), fields.get(1), more);
  }

  @Test
  @DisplayName("carriers pad to one width, and keep partitions and clusters apart")
  void carriers() {
    assertEquals("0".repeat(37) + "42", text(SourceEvent.sqsFifo("q", "g", "42")));
    assertEquals(40, text(SourceEvent.dynamoDbStreams("t", "k", "7")).length());
    assertEquals(
        "0".repeat(55) + "7." + "0".repeat(17) + "12",
        text(SourceEvent.kinesis("s", "k", "7", 12)));
    assertEquals("01ARZ3NDEKTSV4RRFFQ69G5FAV", text(ulid("01arz3ndektsv4rrffq69g5fav")));
    assertEquals(new Source("kafka:topic", "3", 0), Source.kafka("", "topic", 3));
    assertEquals(SourceEvent.kafka("", "topic", 3, 7), SourceEvent.kafka("topic", 3, 7));
    assertEquals(new Source("kafka:topic", "/eu/3", 0), Source.kafka("eu", "topic", 3));
    assertNotEquals(Source.of("Order", "7"), Source.kafka("", "Order", 7));
    assertNotEquals(SourceEvent.kinesis("s", "k", "7", 0), SourceEvent.kinesis("s", "k", "7", 1));
    assertNotEquals(Source.kafka("1", "topic", 1), Source.kafka("", "topic", 11));
  }

  private static SourceEvent ulid(String ulid) {
    return SourceEvent.ulid("T", "1", ulid);
  }

  private static String text(SourceEvent event) {
    return ((Position.Textual) event.position()).value();
  }

  @Test
  @DisplayName("an ID is equal by its value alone, and a UUID only in its usual form")
  void messageIds() {
    UUID uuid = UUID.fromString("3f2504e0-4f89-41d3-9a0c-0305e82c3301");
    assertEquals(MessageId.of(uuid), MessageId.of(uuid.toString()).sentAt(Instant.EPOCH));
    assertEquals(uuid, MessageId.of(uuid).uuid().orElseThrow());
    assertTrue(MessageId.of("3F2504E0-4F89-41D3-9A0C-0305E82C3301").uuid().isEmpty());
    assertEquals(MessageId.of(uuid), MessageId.sqs("3F2504E0-4F89-41D3-9A0C-0305E82C3301"));
  }

  @Test
  @DisplayName("positions of different kinds or widths do not compare")
  void positions() {
    assertTrue(Position.of(9).compareTo(Position.of(10)) < 0);
    assertTrue(Position.ofText("09").compareTo(Position.ofText("10")) < 0);
    assertThrows(
        CorruptRecordException.class, () -> Position.ofText("9").compareTo(Position.ofText("10")));
    assertThrows(
        CorruptRecordException.class, () -> Position.of(9).compareTo(Position.ofText("9")));
  }

  @Test
  @DisplayName("keys normalise numbers and bytes, and never show a value")
  void keys() {
    assertEquals(EntityKey.key(7), EntityKey.key(7L));
    assertEquals(EntityKey.key(new java.math.BigDecimal("7.0")), EntityKey.key(7L));
    assertEquals(EntityKey.key(new byte[] {1}), EntityKey.key(new byte[] {1}));
    assertEquals("Key[2 values]", EntityKey.key("secret", "other").toString());
    refused("key", "floating-point", () -> EntityKey.key(1.5));
  }
}
