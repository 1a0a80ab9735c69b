package dev.tidemark.lambda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.tidemark.SourceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A batch of a DynamoDB table's stream")
final class DynamoDbStreamBatchTest {
  private static final String NONE = "{\"batchItemFailures\":[]}";

  private final Shop shop = new Shop();
  private final DynamoDbStreamBatch batch =
      DynamoDbStreamBatch.of(
          record -> Shop.delivery(DynamoDbStreamBatch.place(record), text(record)),
          shop::handle,
          intake -> shop.settings(intake, DynamoDbStreamBatchTest::text));
  private final LambdaRuntime<DynamodbEvent, StreamsEventResponse> function = function(batch);

  private static LambdaRuntime<DynamodbEvent, StreamsEventResponse> function(
      DynamoDbStreamBatch batch) {
    return new LambdaRuntime<>(
        (event, context) -> batch.handle(event), DynamodbEvent.class, StreamsEventResponse.class);
  }

  private static String text(DynamodbStreamRecord record) {
    return Objects.requireNonNull(record.getDynamodb().getNewImage().get("Message")).getS();
  }

  /** A record as Lambda sends it. */
  private static String record(int number, String text, String keys, String table) {
    return """
        {
          "eventID": "c4ca4238a0b923820dcc509a6f75849b",
          "eventName": "INSERT",
          "eventVersion": "1.1",
          "eventSource": "aws:dynamodb",
          "awsRegion": "us-east-1",
          "dynamodb": {
            "Keys": {%3$s},
            "NewImage": {"Message": {"S": "%2$s"}, %3$s},
            "ApproximateCreationDateTime": 1428537600,
            "SequenceNumber": "442158400000000280972100000%1$d",
            "SizeBytes": 26,
            "StreamViewType": "NEW_AND_OLD_IMAGES"
          },
          "eventSourceARN":
            "arn:aws:dynamodb:us-east-1:123456789012:table/%4$s/stream/2015-06-27T00:48:05.899"
        }
        """
        .formatted(number, text, keys, table);
  }

  private static String record(int number, String text) {
    return record(number, text, "\"Id\": {\"N\": \"101\"}", "ExampleTable");
  }

  private static String event(String... records) {
    return "{\"Records\": [%s]}".formatted(String.join(",", records));
  }

  private static String from(int number) {
    return "{\"batchItemFailures\":[{\"itemIdentifier\":\"442158400000000280972100000"
        + number
        + "\"}]}";
  }

  @Test
  @DisplayName("is acknowledged once it is handled, and a second delivery changes nothing")
  void duplicates() {
    String event = event(record(1, "order-1:5"), record(2, "order-1:6"));
    assertEquals(NONE, function.apply(event));
    assertEquals(NONE, function.apply(event));
    assertEquals(11, shop.total("order-1"));
    assertEquals(NONE, function.apply(event()));
  }

  @Test
  @DisplayName("names the first record that is not done, as a number and not as a text")
  void partial() {
    shop.away.add("order-2");
    String event =
        event(
            record(8, "order-1:5"),
            record(9, "order-2:6"),
            record(10, "no event"),
            record(11, "order-1:7"));
    assertEquals(from(9), function.apply(event));
    assertTrue(shop.letters.isEmpty(), "poison is buried once, when it is its turn");
    shop.away.clear();
    assertEquals(NONE, function.apply(event));
    assertEquals(12, shop.total("order-1"));
    assertEquals(Set.of("no event"), shop.letters.keySet());
  }

  @Test
  @DisplayName("of several streams has no checkpoint, and throws if anything is not done")
  void streams() {
    String event =
        event(record(1, "order-1:5"), record(2, "order-2:6", "\"Id\": {\"N\": \"1\"}", "Other"));
    shop.away.add("order-2");
    assertThrows(IllegalStateException.class, () -> function.apply(event));
    shop.away.clear();
    assertEquals(NONE, function.apply(event));
  }

  @Test
  @DisplayName("is not drained while the store is away, however often it comes")
  void storeAway() {
    shop.away.add("order-1");
    String event = event(record(1, "order-1:5"));
    for (int i = 0; i < 50; i++) {
      assertEquals(from(1), function.apply(event));
    }
    assertTrue(shop.letters.isEmpty());
    shop.closed = true;
    assertThrows(IllegalStateException.class, () -> function.apply(event));
  }

  @Test
  @DisplayName("throws while anything is not done, where the mapping reads no answers")
  void orThrow() {
    LambdaRuntime<DynamodbEvent, String> whole =
        new LambdaRuntime<>(
            (event, context) -> {
              batch.handleOrThrow(event);
              return "done";
            },
            DynamodbEvent.class,
            String.class);
    shop.away.add("order-1");
    String event = event(record(1, "order-1:5"));
    assertThrows(IllegalStateException.class, () -> whole.apply(event));
    shop.away.clear();
    assertEquals("\"done\"", whole.apply(event));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"Records\": [{\"eventSourceARN\": \"a\"}]}",
        "{\"Records\": [{\"eventSourceARN\": \"a\", \"dynamodb\": {}}]}",
        "{\"Records\": [{\"eventSourceARN\": \"a\", \"dynamodb\": {\"SequenceNumber\": \"1a\"}}]}",
        "{\"Records\": [{\"dynamodb\": {\"SequenceNumber\": \"1\"}}]}"
      })
  @DisplayName("is refused before anything is handled where an answer could not name its records")
  void unnamed(String event) {
    assertThrows(IllegalArgumentException.class, () -> function.apply(event));
    assertEquals(List.of(), shop.calls);
  }

  @Test
  @DisplayName("has records that are known by table, key and number")
  void identities() {
    List<Object> seen = new ArrayList<>();
    DynamoDbStreamBatch noting =
        DynamoDbStreamBatch.of(
            record -> {
              seen.add(DynamoDbStreamBatch.place(record));
              return Shop.delivery(DynamoDbStreamBatch.place(record), text(record));
            },
            shop::handle);
    String two = "\"b\": {\"N\": \"11\"}, \"a\": {\"S\": \"A\"}";
    String other = "\"b\": {\"N\": \"1\"}, \"a\": {\"S\": \"A1\"}";
    String binary = "\"Id\": {\"B\": \"/wE=\"}";
    String event =
        event(
            record(1, "order-1:5"),
            record(2, "order-1:5", two, "T"),
            record(3, "order-1:5", other, "T"),
            record(4, "order-1:5", binary, "T"));
    assertEquals(NONE, function(noting).apply(event));
    String number = "442158400000000280972100000";
    assertEquals(
        List.of(
            SourceEvent.dynamoDbStreams("ExampleTable", "101", number + 1),
            SourceEvent.dynamoDbStreams("T", "/A/11", number + 2),
            SourceEvent.dynamoDbStreams("T", "/A1/1", number + 3),
            SourceEvent.dynamoDbStreams("T", "ff01", number + 4)),
        seen);
  }
}
