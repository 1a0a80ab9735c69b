package dev.tidemark.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.intake.DeadLetters.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A batch of an SQS queue")
final class SqsBatchTest {
  private static final String NONE = "{\"batchItemFailures\":[]}";

  private final Shop shop = new Shop();
  private final SqsBatch batch =
      SqsBatch.of(
          message -> shop.decoded(SqsBatch.identity(message), message.getBody()),
          shop::handle,
          intake -> shop.settings(intake, SQSMessage::getBody));
  private final LambdaRuntime<SQSEvent, SQSBatchResponse> function = function(batch);

  private static LambdaRuntime<SQSEvent, SQSBatchResponse> function(SqsBatch batch) {
    return new LambdaRuntime<>(
        (event, context) -> batch.handle(event), SQSEvent.class, SQSBatchResponse.class);
  }

  private static String id(int number) {
    return "059f36b4-87a3-44ab-83d2-66197583000" + number;
  }

  /** A message as Lambda sends it; one of a FIFO queue has a group. */
  private static String message(int number, String body, String queue, String group) {
    String fifo =
        """
        , "SequenceNumber": "1884949646046769613%d", "MessageGroupId": "%s",
          "MessageDeduplicationId": "%d"
        """
            .formatted(number, group, number);
    return """
    {
      "messageId": "%s",
      "receiptHandle": "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a",
      "body": "%s",
      "attributes": {
        "ApproximateReceiveCount": "1",
        "SentTimestamp": "1545082649183",
        "SenderId": "AIDAIENQZJOLO23YVJ4VO",
        "ApproximateFirstReceiveTimestamp": "1545082649185"%s
      },
      "messageAttributes": {
        "kind": {
          "stringValue": "order", "stringListValues": [], "binaryListValues": [],
          "dataType": "String"
        }
      },
      "md5OfBody": "e4e68fb7bd0e697a0ae8f1bb342846b3",
      "eventSource": "aws:sqs",
      "eventSourceARN": "arn:aws:sqs:us-east-2:123456789012:%s",
      "awsRegion": "us-east-2"
    }
    """
        .formatted(id(number), body, group.isEmpty() ? "" : fifo, queue);
  }

  private static String event(String... messages) {
    return "{\"Records\": [%s]}".formatted(String.join(",", messages));
  }

  private static String standard(String... bodies) {
    List<String> messages = new ArrayList<>();
    for (String body : bodies) {
      messages.add(message(messages.size() + 1, body, "my-queue", ""));
    }
    return event(messages.toArray(String[]::new));
  }

  private static String failures(Integer... numbers) {
    return Stream.of(numbers)
        .map(number -> "{\"itemIdentifier\":\"" + id(number) + "\"}")
        .collect(Collectors.joining(",", "{\"batchItemFailures\":[", "]}"));
  }

  @Test
  @DisplayName("is deleted as a whole once it is handled, and a second delivery changes nothing")
  void duplicates() {
    String event = standard("order-1:5", "order-1:6", "order-2:7");
    assertEquals(NONE, function.apply(event));
    assertEquals(NONE, function.apply(event));
    assertEquals(11, shop.total("order-1"));
    assertEquals(7, shop.total("order-2"));
  }

  @Test
  @DisplayName("is empty if Lambda says so")
  void empty() {
    assertEquals(NONE, function.apply(event()));
    assertEquals(List.of(), shop.calls);
  }

  @Test
  @DisplayName("names what is not done, of a standard queue nothing else")
  void partial() {
    shop.away.add("order-1");
    String event = standard("order-1:5", "order-2:6", "order-1:7");
    for (int i = 0; i < 50; i++) {
      assertEquals(failures(1, 3), function.apply(event));
    }
    shop.away.clear();
    assertEquals(NONE, function.apply(event));
    assertEquals(12, shop.total("order-1"));
    assertEquals(6, shop.total("order-2"));
    assertTrue(shop.letters.isEmpty());
  }

  @Test
  @DisplayName("keeps poison among the dead letters, and goes on behind it")
  void poison() {
    assertEquals(NONE, function.apply(standard("order-1:5", "no event", "order-1:6")));
    assertEquals(11, shop.total("order-1"));
    assertEquals(Map.of("no event", new Reason("IllegalArgumentException", true, 1)), shop.letters);
  }

  @Test
  @DisplayName(
      "names poison where the function has no dead letters, for the redrive policy to take")
  void redrive() {
    SqsBatch plain =
        SqsBatch.of(
            message -> Shop.delivery(SqsBatch.identity(message), message.getBody()), shop::handle);
    String event = standard("order-1:5", "no event");
    assertEquals(failures(2), function(plain).apply(event));
  }

  @Test
  @DisplayName("parks what fails again and again while others succeed")
  void parks() {
    shop.failing.add("order-1");
    String event = standard("order-1:5", "order-2:6");
    assertEquals(failures(1), function.apply(event));
    assertEquals(failures(1), function.apply(event));
    assertEquals(NONE, function.apply(event));
    assertEquals(Set.of("order-1:5"), shop.letters.keySet());
  }

  @Test
  @DisplayName("is not drained by a deploy under which everything fails")
  void badDeploy() {
    shop.failing.addAll(List.of("order-1", "order-2"));
    String event = standard("order-1:5", "order-2:6");
    for (int i = 0; i < 20; i++) {
      assertEquals(failures(1, 2), function.apply(event));
    }
    assertTrue(shop.letters.isEmpty());
    shop.failing.clear();
    assertEquals(NONE, function.apply(event));
  }

  @Test
  @DisplayName("of a FIFO queue holds back what follows in the group, and no other group")
  void groups() {
    shop.away.add("order-1");
    String event =
        event(
            message(1, "order-1:5", "q.fifo", "a"),
            message(2, "order-2:6", "q.fifo", "b"),
            message(3, "order-3:7", "q.fifo", "a"),
            message(4, "no event", "q.fifo", "a"));
    assertEquals(failures(1, 3, 4), function.apply(event));
    assertTrue(shop.letters.isEmpty(), "poison is buried once, when it is its turn");
    shop.away.clear();
    assertEquals(NONE, function.apply(event));
    assertEquals(7, shop.total("order-3"));
    assertEquals(Set.of("no event"), shop.letters.keySet());
  }

  @Test
  @DisplayName("of a FIFO queue handles nothing of a group behind what cannot be decoded for now")
  void unread() {
    shop.unread.add("order-1:5");
    String event =
        event(
            message(1, "order-1:5", "q.fifo", "a"),
            message(2, "order-2:6", "q.fifo", "b"),
            message(3, "order-3:7", "q.fifo", "a"),
            message(4, "no event", "q.fifo", "a"));
    for (int i = 0; i < 5; i++) {
      assertEquals(failures(1, 3, 4), function.apply(event));
    }
    assertEquals(0, shop.total("order-3"));
    assertEquals(6, shop.total("order-2"));
    assertTrue(shop.letters.isEmpty());
    shop.unread.clear();
    assertEquals(NONE, function.apply(event));
    assertEquals(7, shop.total("order-3"));
    assertEquals(Set.of("no event"), shop.letters.keySet());
  }

  @Test
  @DisplayName("keeps the order of groups whatever the caller's settings say of lanes")
  void lanes() {
    shop.away.add("order-1");
    SqsBatch without =
        SqsBatch.of(
            message -> Shop.delivery(SqsBatch.identity(message), message.getBody()),
            shop::handle,
            intake -> {
              shop.settings(intake, SQSMessage::getBody);
              var unused = intake.lane(message -> "all in one");
            });
    String event =
        event(message(1, "order-1:5", "q.fifo", "a"), message(2, "order-2:6", "q.fifo", "b"));
    assertEquals(failures(1), function(without).apply(event));
  }

  @Test
  @DisplayName("of a standard queue has no order, though its messages have groups to share it")
  void fairQueue() {
    shop.away.add("order-1");
    String event =
        event(message(1, "order-1:5", "fair", "a"), message(2, "order-2:6", "fair", "a"));
    assertEquals(failures(1), function.apply(event));
  }

  @Test
  @DisplayName("throws what the handler as a whole throws, so that Lambda logs it")
  void handlerThrows() {
    shop.closed = true;
    String event = standard("order-1:5", "order-2:6");
    IllegalStateException fault =
        assertThrows(IllegalStateException.class, () -> function.apply(event));
    assertEquals("the connection pool is shut down", fault.getMessage());
    String poisoned = standard("no event", "order-2:6");
    assertEquals(failures(2), function.apply(poisoned), "the letter stands");
    shop.closed = false;
    assertEquals(NONE, function.apply(event));
    assertEquals(1, shop.letters.size());
  }

  @Test
  @DisplayName(
      "comes again where an InterruptedException is thrown, and spoils no later invocation")
  void interrupted() {
    List<Throwable> thrown = new ArrayList<>();
    SqsBatch once =
        SqsBatch.of(
            message -> {
              fail(thrown);
              return Shop.delivery(SqsBatch.identity(message), message.getBody());
            },
            shop::handle);
    SqsBatch handler =
        SqsBatch.of(
            message -> Shop.delivery(SqsBatch.identity(message), message.getBody()),
            deliveries -> {
              fail(thrown);
              return shop.handle(deliveries);
            });
    String event = standard("order-1:5", "order-2:6");
    thrown.add(new InterruptedException());
    assertEquals(failures(1, 2), function(once).apply(event));
    assertFalse(Thread.interrupted(), "Lambda's thread is as it was");
    thrown.add(new InterruptedException());
    assertThrows(InterruptedException.class, () -> function(handler).apply(event));
    assertFalse(Thread.interrupted());
    thrown.add(new IllegalStateException("a library that has interrupted the thread"));
    assertEquals(failures(1), function(once).apply(event));
    assertFalse(Thread.interrupted());
    thrown.add(new InterruptedException());
    SQSEvent read = new SQSEvent();
    SQSMessage message = new SQSMessage();
    message.setMessageId(id(1));
    message.setBody("order-1:5");
    message.setEventSourceArn("arn:aws:sqs:us-east-2:123456789012:my-queue");
    read.setRecords(List.of(message));
    assertThrows(IllegalStateException.class, () -> once.handleOrThrow(read));
    assertFalse(Thread.interrupted());
    Thread.currentThread().interrupt();
    thrown.add(new InterruptedException());
    assertEquals(1, once.handle(read).getBatchItemFailures().size());
    assertTrue(Thread.interrupted(), "somebody had interrupted it before");
    assertEquals(NONE, function(once).apply(event));
    assertEquals(5, shop.total("order-1"));
  }

  private static void fail(List<Throwable> thrown) {
    if (!thrown.isEmpty()) {
      Throwable one = thrown.remove(0);
      if (one instanceof IllegalStateException) {
        Thread.currentThread().interrupt(); // as those do that catch an InterruptedException
      }
      throw SqsBatchTest.<RuntimeException>undeclared(one);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E undeclared(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  @DisplayName("throws an error of the handler as a whole as it is")
  void handlerErrs() {
    SqsBatch broken =
        SqsBatch.of(
            message -> Shop.delivery(SqsBatch.identity(message), message.getBody()),
            deliveries -> {
              throw new NoClassDefFoundError("on purpose");
            });
    String event = standard("order-1:5");
    assertThrows(NoClassDefFoundError.class, () -> function(broken).apply(event));
  }

  @Test
  @DisplayName("throws what a listener throws, so that nothing is deleted")
  void listener() {
    IllegalStateException fault = new IllegalStateException();
    SqsBatch strict =
        SqsBatch.of(
            message -> Shop.delivery(SqsBatch.identity(message), message.getBody()),
            shop::handle,
            intake -> {
              var unused =
                  intake.listener(
                      taken -> {
                        throw fault;
                      });
            });
    String event = standard("order-1:5");
    assertSame(
        fault, assertThrows(IllegalStateException.class, () -> function(strict).apply(event)));
  }

  @Test
  @DisplayName("names what the dead letters do not take")
  void lettersAway() {
    SqsBatch unkept =
        SqsBatch.of(
            message -> Shop.delivery(SqsBatch.identity(message), message.getBody()),
            shop::handle,
            intake -> {
              var unused =
                  intake.deadLetters(
                      (message, reason) -> {
                        throw new IOException("away");
                      });
            });
    assertEquals(failures(1), function(unkept).apply(standard("no event", "order-1:5")));
  }

  @Test
  @DisplayName("names an ID once, of which one copy is done and another is not")
  void twins() {
    shop.away.add("order-1");
    String event =
        event(
            message(1, "order-2:6", "my-queue", ""),
            message(1, "order-1:5", "my-queue", ""),
            message(1, "order-1:5", "my-queue", ""));
    assertEquals(failures(1), function.apply(event));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"Records\": null}",
        "{\"Records\": [null]}",
        "{\"Records\": [{\"messageId\": \"\", \"body\": \"order-1:5\", \"eventSourceARN\":"
            + " \"a\"}]}",
        "{\"Records\": [{\"messageId\": \"1\", \"body\": \"order-1:5\"}]}",
        "{\"Records\": [{\"EventSource\": \"aws:sns\", \"Sns\": {\"Message\": \"order-1:5\"}}]}"
      })
  @DisplayName("is refused before anything is handled where an answer could not name its messages")
  void unnamed(String event) {
    assertThrows(IllegalArgumentException.class, () -> function.apply(event));
    assertEquals(List.of(), shop.calls);
  }

  @Test
  @DisplayName("throws while anything is not done, where the mapping reads no answers")
  void orThrow() {
    LambdaRuntime<SQSEvent, String> whole =
        new LambdaRuntime<>(
            (event, context) -> {
              batch.handleOrThrow(event);
              return "done";
            },
            SQSEvent.class,
            String.class);
    shop.away.add("order-1");
    String event = standard("order-1:5", "order-2:6");
    IllegalStateException undone =
        assertThrows(IllegalStateException.class, () -> whole.apply(event));
    assertEquals(
        "1 of 2 messages are not done, so all of them have to come again; the first:"
            + " UncheckedIOException, caused by IOException",
        undone.getMessage());
    shop.closed = true;
    assertNotNull(assertThrows(IllegalStateException.class, () -> whole.apply(event)).getCause());
    shop.closed = false;
    shop.away.clear();
    assertEquals("\"done\"", whole.apply(event));
    assertEquals(6, shop.total("order-2"));
  }

  private static String destination(String queue) {
    return "\"tidemark-destination\": {\"stringValue\": \"%s\", \"dataType\": \"String\"}, "
        .formatted(queue);
  }

  private static String firstId(String body) {
    return '"' + id(9) + "/" + UUID.nameUUIDFromBytes(body.getBytes(UTF_8)) + '"';
  }

  @Test
  @DisplayName(
      "has messages that are known by the sender's ID, the first or their own, or by place")
  void identities() {
    List<Object> seen = new ArrayList<>();
    SqsBatch noting =
        SqsBatch.of(
            message -> {
              seen.add(SqsBatch.identity(message));
              seen.add(SqsBatch.place(message));
              return Shop.delivery(SqsBatch.identity(message), message.getBody());
            },
            shop::handle);
    String plain = message(1, "order-1:5", "q.fifo", "a");
    String older = plain.replace("\"kind\"", "\"tidemark-id\"").replace("\"order\"", "\"sent-1\"");
    String sent = older.replace("\"tidemark-id\"", destination("q.fifo") + "\"tidemark-id\"");
    String handedOn = older.replace("\"tidemark-id\"", destination("r.fifo") + "\"tidemark-id\"");
    String letter = plain.replace("\"kind\"", "\"tidemark-dead-id\"");
    String back = letter.replace("\"order\"", firstId("order-1:5"));
    String madeOfIt = letter.replace("\"order\"", firstId("order-1:4"));
    assertEquals(NONE, function(noting).apply(event(plain, sent, older, handedOn, back, madeOfIt)));
    SourceEvent place = SourceEvent.sqsFifo("q.fifo", "a", "18849496460467696131");
    assertEquals(
        List.of(
            MessageId.sqs(id(1)),
            place,
            MessageId.of("sent-1"),
            place,
            MessageId.sqs(id(1)),
            place,
            MessageId.sqs(id(1)),
            place,
            MessageId.sqs(id(9)),
            place,
            MessageId.sqs(id(1)),
            place),
        seen);
    assertEquals(failures(1), function(noting).apply(standard("order-1:5")), "not a FIFO queue");
  }
}
