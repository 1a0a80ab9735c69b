package dev.tidemark.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.KinesisEvent;
import com.amazonaws.services.lambda.runtime.events.KinesisEvent.KinesisEventRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.tidemark.SourceEvent;
import dev.tidemark.intake.DeadLetters.Reason;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A batch of a Kinesis stream")
final class KinesisBatchTest {
  private static final String NONE = "{\"batchItemFailures\":[]}";
  private static final String NUMBER = "4959033827149025660869257852543637158209465245633397149";

  private final Shop shop = new Shop();
  private final KinesisBatch batch =
      KinesisBatch.of(
          record -> shop.decoded(record.place(), new String(record.bytes(), UTF_8)),
          shop::handle,
          intake -> shop.settings(intake, KinesisRecord::subSequenceNumber));
  private final LambdaRuntime<KinesisEvent, StreamsEventResponse> function = function(batch);

  private static LambdaRuntime<KinesisEvent, StreamsEventResponse> function(KinesisBatch batch) {
    return new LambdaRuntime<>(
        (event, context) -> batch.handle(event), KinesisEvent.class, StreamsEventResponse.class);
  }

  /** A record as Lambda sends it. */
  private static String record(int number, byte[] data, int shard) {
    return """
        {
          "kinesis": {
            "kinesisSchemaVersion": "1.0",
            "partitionKey": "key-1",
            "sequenceNumber": "%1$s",
            "data": "%2$s",
            "approximateArrivalTimestamp": 1545084650.987
          },
          "eventSource": "aws:kinesis",
          "eventVersion": "1.0",
          "eventID": "shardId-00000000000%3$d:%1$s",
          "eventName": "aws:kinesis:record",
          "invokeIdentityArn": "arn:aws:iam::123456789012:role/lambda-role",
          "awsRegion": "us-east-2",
          "eventSourceARN": "arn:aws:kinesis:us-east-2:123456789012:stream/lambda-stream"
        }
        """
        .formatted(NUMBER + number, Base64.getEncoder().encodeToString(data), shard);
  }

  private static String record(int number, String text) {
    return record(number, text.getBytes(UTF_8), 6);
  }

  private static String event(String... records) {
    return "{\"Records\": [%s]}".formatted(String.join(",", records));
  }

  private static String from(int number) {
    return "{\"batchItemFailures\":[{\"itemIdentifier\":\"" + NUMBER + number + "\"}]}";
  }

  @Test
  @DisplayName("is acknowledged once it is handled, and a second delivery changes nothing")
  void duplicates() {
    String event = event(record(1, "order-1:5"), record(2, "order-2:6"), record(3, "order-1:7"));
    assertEquals(NONE, function.apply(event));
    assertEquals(NONE, function.apply(event));
    assertEquals(12, shop.total("order-1"));
    assertEquals(NONE, function.apply(event()));
  }

  @Test
  @DisplayName("names the first record that is not done, behind which nothing is acknowledged")
  void partial() {
    shop.away.add("order-2");
    String event =
        event(
            record(1, "order-1:5"),
            record(2, "order-2:6"),
            record(3, "no event"),
            record(4, "order-1:7"),
            record(5, "order-2:8"));
    assertEquals(from(2), function.apply(event));
    assertTrue(shop.letters.isEmpty(), "poison is buried once, when it is its turn");
    shop.away.clear();
    String again = event(record(2, "order-2:6"), record(3, "no event"), record(4, "order-1:7"));
    assertEquals(NONE, function.apply(again));
    assertEquals(12, shop.total("order-1"));
    assertEquals(Map.of(0L, new Reason("IllegalArgumentException", true, 1)), shop.letters);
  }

  @Test
  @DisplayName("handles nothing behind the first record that cannot be decoded for now")
  void unread() {
    shop.unread.add("order-2:6");
    String event =
        event(
            record(1, "order-1:5"),
            record(2, "order-2:6"),
            record(3, "no event"),
            record(4, "order-3:7"));
    assertEquals(from(2), function.apply(event));
    assertEquals(5, shop.total("order-1"));
    assertEquals(0, shop.total("order-3"));
    assertTrue(shop.letters.isEmpty());
    shop.unread.clear();
    assertEquals(NONE, function.apply(event));
    assertEquals(5, shop.total("order-1"));
    assertEquals(7, shop.total("order-3"));
    assertEquals(1, shop.letters.size());
  }

  @Test
  @DisplayName("names the lowest number, also of an event that is out of order")
  void lowest() {
    shop.away.add("order-2");
    assertEquals(from(4), function.apply(event(record(9, "order-2:6"), record(4, "order-1:5"))));
  }

  @Test
  @DisplayName("of several shards has no checkpoint, and throws if anything is not done")
  void shards() {
    String event = event(record(1, "order-1:5"), record(2, "order-2:6".getBytes(UTF_8), 7));
    shop.away.add("order-2");
    assertThrows(IllegalStateException.class, () -> function.apply(event));
    shop.away.clear();
    assertEquals(NONE, function.apply(event));
    assertEquals(5, shop.total("order-1"));
  }

  @Test
  @DisplayName("throws what the handler as a whole throws")
  void handlerThrows() {
    shop.closed = true;
    assertThrows(IllegalStateException.class, () -> function.apply(event(record(1, "order-1:5"))));
  }

  @Test
  @DisplayName("throws while anything is not done, where the mapping reads no answers")
  void orThrow() {
    KinesisEvent event = new KinesisEvent();
    KinesisEventRecord record = new KinesisEventRecord();
    KinesisEvent.Record data = new KinesisEvent.Record();
    data.setSequenceNumber("1");
    data.setPartitionKey("key-1");
    data.setData(ByteBuffer.wrap("order-1:5".getBytes(UTF_8)));
    record.setKinesis(data);
    record.setEventSourceARN("arn:aws:kinesis:us-east-2:123456789012:stream/lambda-stream");
    event.setRecords(List.of(record));
    shop.away.add("order-1");
    assertThrows(IllegalStateException.class, () -> batch.handleOrThrow(event));
    shop.away.clear();
    batch.handleOrThrow(event);
    assertEquals(5, shop.total("order-1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"Records\": [{}]}",
        "{\"Records\": [{\"kinesis\": {\"sequenceNumber\": \"1\"}, \"eventSourceARN\": \"a/b\"}]}",
        """
        {"Records": [{"kinesis": {"sequenceNumber": "", "data": "eA=="}, "eventSourceARN": "a/b"}]}
        """,
        """
        {"Records": [{"kinesis": {"sequenceNumber": "x", "data": "eA=="}, "eventSourceARN": "a/b"}]}
        """,
        "{\"Records\": [{\"kinesis\": {\"sequenceNumber\": \"1\", \"data\": \"eA==\"}}]}"
      })
  @DisplayName("is refused before anything is handled where an answer could not name its records")
  void unnamed(String event) {
    assertThrows(IllegalArgumentException.class, () -> function.apply(event));
    assertEquals(List.of(), shop.calls);
  }

  /** As the producer library aggregates: magic, Protocol Buffers, their MD5. */
  private static byte[] aggregate(String... texts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (String text : texts) { // key table, then records: key index and data
      byte[] bytes = text.getBytes(UTF_8);
      content.write(0x1A);
      content.write(bytes.length + 4);
      content.writeBytes(new byte[] {0x08, 0x00, 0x1A, (byte) bytes.length});
      content.writeBytes(bytes);
    }
    try {
      byte[] digest = MessageDigest.getInstance("MD5").digest(content.toByteArray());
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(new byte[] {(byte) 0xF3, (byte) 0x89, (byte) 0x9A, (byte) 0xC2});
      all.writeBytes(content.toByteArray());
      all.writeBytes(digest);
      return all.toByteArray();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Stands for the library of a user's choice, which knows the format. */
  private static List<KinesisRecord> parts(KinesisEventRecord carrier) {
    ByteBuffer data = carrier.getKinesis().getData().duplicate();
    if (data.get(0) != (byte) 0xF3) {
      return List.of(KinesisRecord.of(carrier));
    }
    List<KinesisRecord> parts = new ArrayList<>();
    int end = data.limit() - 16;
    for (int at = 4; at < end; at += 2 + data.get(at + 1)) {
      ByteBuffer part = data.slice(at + 6, data.get(at + 1) - 4);
      parts.add(new KinesisRecord(carrier, "user-key", parts.size(), part));
    }
    return parts;
  }

  @Test
  @DisplayName(
      "with aggregated records is refused as a whole, since Lambda does not take them apart")
  void aggregated() {
    String event = event(record(1, "order-1:5"), record(2, aggregate("order-1:6", "order-2:7"), 6));
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> function.apply(event));
    assertTrue(String.valueOf(refused.getMessage()).contains("KinesisBatch.splitting"));
    assertEquals(List.of(), shop.calls);
    byte[] onlyStart = aggregate("order-1:6");
    onlyStart[onlyStart.length - 1] ^= 1;
    assertEquals(NONE, function.apply(event(record(2, onlyStart, 6))), "a user's own bytes");
    assertEquals(1, shop.letters.size());
  }

  @Test
  @DisplayName(
      "tells parts of a record by their sub-sequence numbers, and acknowledges them together")
  void split() {
    LambdaRuntime<KinesisEvent, StreamsEventResponse> splitting =
        function(batch.splitting(KinesisBatchTest::parts));
    String event =
        event(
            record(1, "order-1:5"),
            record(2, aggregate("order-1:6", "order-2:7", "order-1:8", "no event"), 6));
    shop.away.add("order-2");
    assertEquals(from(2), splitting.apply(event));
    shop.away.clear();
    assertEquals(NONE, splitting.apply(event));
    assertEquals(NONE, splitting.apply(event));
    assertEquals(19, shop.total("order-1"));
    assertEquals(7, shop.total("order-2"));
    assertTrue(shop.letters.containsKey(3L));
  }

  @Test
  @DisplayName("has records that are known by their place")
  void identities() {
    List<Object> seen = new ArrayList<>();
    KinesisBatch noting =
        KinesisBatch.of(
                record -> {
                  seen.add(record.place());
                  return Shop.delivery(record.place(), new String(record.bytes(), UTF_8));
                },
                shop::handle)
            .splitting(KinesisBatchTest::parts);
    String event = event(record(1, "order-1:5"), record(2, aggregate("order-1:6", "order-2:7"), 6));
    assertEquals(NONE, function(noting).apply(event));
    assertEquals(
        List.of(
            SourceEvent.kinesis("lambda-stream", "key-1", NUMBER + 1, 0),
            SourceEvent.kinesis("lambda-stream", "user-key", NUMBER + 2, 0),
            SourceEvent.kinesis("lambda-stream", "user-key", NUMBER + 2, 1)),
        seen);
  }
}
