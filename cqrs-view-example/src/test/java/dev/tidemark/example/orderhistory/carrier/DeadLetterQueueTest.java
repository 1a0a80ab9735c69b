package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.example.orderhistory.local.LocalQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

@DisplayName("The queue of dead letters")
class DeadLetterQueueTest {
  private static final Duration SHORT = Duration.ofSeconds(30);

  private static Map<String, MessageAttributeValue> attributes(int count) {
    Map<String, MessageAttributeValue> attributes = new TreeMap<>();
    IntStream.range(0, count).forEach(i -> attributes.put("a" + i, DeadLetterQueue.text("v" + i)));
    return attributes;
  }

  /** ElasticMQ does not count attributes, as SQS does; but it refuses other ones too. */
  @ParameterizedTest(name = "queue{0}")
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("keeps a message alone that is refused with its attributes, as the longest are")
  void alone(String kind) {
    LocalQueue queue = LocalQueue.fresh(kind, SHORT);
    DeadLetterQueue dead = new DeadLetterQueue(queue.client(), queue.url());
    String huge = "9".repeat(200);
    MessageAttributeValue refused =
        MessageAttributeValue.builder().dataType("Number").stringValue(huge).build();
    dead.send("x", Map.of("refused", refused), "id", "g", "NullPointerException");
    List<Message> letters = queue.drain();
    assertEquals(List.of("x"), letters.stream().map(Message::body).toList());
    assertEquals(Map.of(), letters.get(0).messageAttributes());
  }

  @Test
  @DisplayName("says that it is not there, instead of leaving the reason away")
  void missing() {
    LocalQueue queue = LocalQueue.fresh("", SHORT);
    DeadLetterQueue dead = new DeadLetterQueue(queue.client(), queue.url() + "-not-there");
    assertThrows(
        QueueDoesNotExistException.class, () -> dead.send("x", Map.of(), "id", "g", "reason"));
  }

  @Test
  @DisplayName("takes ten attributes, two of them its own, and what SQS refuses as question marks")
  void fits() {
    LocalQueue queue = LocalQueue.fresh(".fifo", SHORT);
    DeadLetterQueue dead = new DeadLetterQueue(queue.client(), queue.url());
    String id = "i".repeat(200);
    dead.send("x", attributes(10), id, "g", "bad \uFFFF" + "r".repeat(2_000));
    dead.send("x", attributes(10), id, "g", "sent twice");
    List<Message> letters = queue.drain();
    assertEquals(1, letters.size(), "a FIFO queue knows an id, even a long one");
    assertEquals(10, letters.get(0).messageAttributes().size());
    assertEquals(id, LocalQueue.attribute(letters.get(0), DeadLetterQueue.MESSAGE_ID));
    String reason = LocalQueue.attribute(letters.get(0), DeadLetterQueue.REASON);
    assertEquals("bad ?" + "r".repeat(995), reason);
  }

  @Test
  @DisplayName("points to what did not come from a queue and is too long for one, counted in bytes")
  void pointsTo() {
    String longest = "é".repeat(100_000);
    assertEquals(longest, DeadLetterQueue.fitting(longest, "there"));
    assertEquals("there", DeadLetterQueue.fitting(longest + "x", "there"));
    assertEquals("there", DeadLetterQueue.fitting("", "there"));
    assertEquals("a?b", DeadLetterQueue.fitting("a\u0000b", "there"));
  }
}
