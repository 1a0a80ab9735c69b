package dev.tidemark.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.MessageId;
import dev.tidemark.aws.QueueService.Mail;
import dev.tidemark.intake.DeadLetters.Reason;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

@DisplayName("An intake of a queue of SQS")
class SqsIntakeTest {
  private static final String STANDARD = "http://127.0.0.1/0/orders";
  private static final String FIFO = "http://127.0.0.1/0/orders.fifo";
  private static final String UUID = "7c6e6a9e-0c4b-4d52-9d0c-0f5d8c1f4b11";

  private final Tally tally = new Tally();
  private QueueService service;
  private SqsClient client;

  @BeforeEach
  void start() throws IOException {
    service = new QueueService();
    client = service.client();
  }

  @AfterEach
  void end() {
    client.close();
    service.close();
  }

  private SqsIntake intake(String url) {
    return SqsIntake.of(
        client,
        url,
        tally
            .builder(url)
            .deadLetters(SqsDeadLetters.of(client, url.replace("orders", "letters")))
            .parkAfter(1)
            .build());
  }

  /** Runs it on this thread until the queue is empty. */
  private SqsIntake run(String url) {
    SqsIntake intake = intake(url);
    service.whenEmpty = intake::stop;
    intake.run();
    return intake;
  }

  private static Mail mail(String body) {
    return new Mail(body, "g", 1);
  }

  @Test
  @DisplayName("deletes what is handled, and what is a duplicate")
  void handles() {
    service.batch(mail("a"), mail("b"));
    service.batch(mail("a"));
    run(STANDARD);
    assertEquals(List.of("a", "b", "a"), service.deleted);
    assertEquals(List.of(), service.hidden);
    assertEquals(1, tally.times("a"));
  }

  @Test
  @DisplayName("gives back what is not done for longer each time, and deletes none of it")
  void givesBack() {
    tally.failing.addAll(List.of("a", "b", "c"));
    service.batch(new Mail("a", "g", 1), new Mail("b", "g", 3), new Mail("c", "g", 900), mail("d"));
    SqsIntake patient = SqsIntake.of(client, STANDARD, tally.builder(STANDARD).build());
    service.whenEmpty = patient::stop;
    patient.run();
    assertEquals(List.of("d"), service.deleted);
    assertEquals(List.of("a 2", "b 8", "c 60"), service.hidden);
  }

  @Test
  @DisplayName("deletes nothing of a FIFO group behind what is not done, and goes on with others")
  void groups() {
    tally.failing.add("b");
    service.batch(
        new Mail("a", "g", 1), new Mail("b", "g", 1), new Mail("c", "g", 1), new Mail("d", "h", 1));
    SqsIntake patient = SqsIntake.of(client, FIFO, tally.builder(FIFO).build());
    service.whenEmpty = patient::stop;
    patient.run();
    assertEquals(List.of("a", "d"), service.deleted);
    assertEquals(List.of("b 2", "c 2"), service.hidden);
  }

  @Test
  @DisplayName("hands over nothing of a FIFO group behind what could not be decoded for now")
  void unread() {
    tally.unread.add("b");
    service.batch(mail("a"), mail("b"), mail("c"), mail("poison"), new Mail("d", "h", 1));
    SqsDeadLetters letters = SqsDeadLetters.of(client, FIFO.replace("orders", "letters"));
    SqsIntake patient =
        SqsIntake.of(client, FIFO, tally.builder(FIFO).deadLetters(letters).build());
    service.whenEmpty = patient::stop;
    patient.run();
    assertEquals(List.of("a", "d"), service.deleted);
    assertEquals(List.of("b 2", "c 2", "poison 2"), service.hidden);
    assertEquals(0, tally.times("c"));
    assertEquals(List.of(), service.sent);
    tally.unread.clear();
    service.batch(mail("b"), mail("c"), mail("poison"));
    run(FIFO);
    assertEquals(List.of("a", "d", "b", "c", "poison"), service.deleted);
    assertEquals(1, tally.times("c"));
    assertEquals(1, service.sent.size());
  }

  @Test
  @DisplayName("deletes poison once the dead letters have it, with first ID and reason")
  void poison() {
    service.failures.add("send");
    service.batch(mail("a"), mail("poison"));
    service.batch(mail("poison"));
    run(STANDARD);
    assertEquals(List.of("a", "poison"), service.deleted);
    assertEquals(List.of("poison 2"), service.hidden);
    assertEquals(1, service.sent.size());
    JsonNode attributes = service.sent.get(0).get("MessageAttributes");
    assertEquals(
        "IllegalArgumentException",
        attributes.get(SqsDeadLetters.REASON).get("StringValue").asText());
    assertEquals("undecodable", attributes.get(SqsDeadLetters.KIND).get("StringValue").asText());
    assertTrue(attributes.has(SqsDeadLetters.ID));
  }

  @Test
  @DisplayName("waits while SQS fails, tells of it, and tries a delete again that failed alone")
  void outage() {
    service.failures.addAll(List.of("attributes", "receive", "delete a"));
    service.batch(mail("a"), mail("b"));
    SqsIntake intake = run(STANDARD);
    assertEquals(List.of("b", "a"), service.deleted);
    assertTrue(intake.fault().isEmpty());
    service.failures.add("receive");
    SqsIntake failing = intake(STANDARD);
    Thread worker = new Thread(failing);
    CountDownLatch again = new CountDownLatch(1);
    service.whenEmpty = again::countDown;
    worker.start();
    awaited(again);
    failing.stop();
    join(worker);
  }

  private static void awaited(CountDownLatch latch) {
    try {
      assertTrue(latch.await(10, TimeUnit.SECONDS), "not so within ten seconds");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(30_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertFalse(thread.isAlive());
  }

  @Test
  @DisplayName("handles the messages in hand when it is stopped, and receives no more")
  void stops() {
    service.batch(mail("a"), mail("b"));
    service.batch(mail("c"));
    CountDownLatch inHand = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    SqsIntake intake =
        SqsIntake.of(
            client,
            STANDARD,
            tally
                .builder(STANDARD)
                .listener(
                    taken -> {
                      inHand.countDown();
                      awaited(go);
                    })
                .build());
    Thread worker = new Thread(intake);
    worker.start();
    awaited(inHand);
    intake.stop();
    go.countDown();
    join(worker);
    assertEquals(List.of("a", "b"), service.deleted);
    assertEquals(0, tally.times("c"));
  }

  @Test
  @DisplayName("hides messages again while the handler works on them")
  void heartbeat() {
    service.batch(mail("a"));
    CountDownLatch beats = new CountDownLatch(2);
    service.whenHidden = beats::countDown;
    SqsIntake intake =
        SqsIntake.of(
                client, STANDARD, tally.builder(STANDARD).listener(taken -> awaited(beats)).build())
            .visibility(Duration.ofSeconds(1));
    service.whenEmpty = intake::stop;
    intake.run();
    assertEquals("a 1", service.hidden.get(1));
    assertEquals(List.of("a"), service.deleted);
  }

  @Test
  @DisplayName("ends by an interrupt, with what is done deleted and the interrupt set")
  void interrupted() {
    service.batch(mail("a"));
    service.batch(mail("b"));
    SqsIntake intake =
        SqsIntake.of(
            client,
            STANDARD,
            tally.builder(STANDARD).listener(taken -> Thread.currentThread().interrupt()).build());
    intake.run();
    assertTrue(Thread.interrupted());
    assertEquals(List.of("a"), service.deleted);
  }

  @Test
  @DisplayName("ends by an interrupt while it waits for messages, which is no fault")
  void interruptedPoll() {
    SqsIntake intake = intake(STANDARD);
    service.whenEmpty = Thread.currentThread()::interrupt;
    intake.run();
    assertTrue(Thread.interrupted());
    assertEquals(Optional.empty(), intake.fault());
  }

  @Test
  @DisplayName("the same where the client tells an interrupt as any other error")
  void abortedPoll() {
    SqsClient aborting =
        (SqsClient)
            Proxy.newProxyInstance(
                SqsClient.class.getClassLoader(),
                new Class<?>[] {SqsClient.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("receiveMessage")) {
                    Thread.currentThread().interrupt();
                    throw SdkClientException.create("Request aborted");
                  }
                  return method.invoke(client, arguments);
                });
    SqsIntake intake = SqsIntake.of(aborting, STANDARD, tally.builder(STANDARD).build());
    intake.run();
    assertTrue(Thread.interrupted());
    assertEquals(Optional.empty(), intake.fault());
  }

  @Test
  @DisplayName("gives messages back that a listener throws for, which ends the worker")
  void listenerThrows() {
    service.batch(mail("a"));
    SqsIntake intake =
        SqsIntake.of(
            client,
            STANDARD,
            tally
                .builder(STANDARD)
                .listener(
                    taken -> {
                      throw new IllegalStateException();
                    })
                .build());
    assertThrows(IllegalStateException.class, intake::run);
    assertEquals(List.of("a 2"), service.hidden);
  }

  @Test
  @DisplayName("ends by what a listener throws, also where SQS takes no messages back")
  void listenerThrowsDenied() {
    service.denied = "hide";
    for (Throwable thrown :
        List.of(
            new IllegalStateException(),
            new OutOfMemoryError("on purpose"),
            SdkClientException.create("of another service"))) {
      service.batch(mail("a"));
      SqsIntake intake =
          SqsIntake.of(
              client, STANDARD, tally.builder(STANDARD).listener(taken -> fail(thrown)).build());
      service.whenEmpty = intake::stop;
      Throwable told = assertThrows(Throwable.class, intake::run);
      assertSame(thrown, last(told));
      assertSame(thrown, last(intake.fault().orElseThrow()));
    }
  }

  private static void fail(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  private static Throwable last(Throwable thrown) {
    return thrown.getCause() == null ? thrown : thrown.getCause();
  }

  @Test
  @DisplayName("goes on behind a message for which decoder or function throws an error")
  void errors() {
    service.batch(mail("deep"), mail("rash"), mail("a"));
    service.batch(mail("deep"));
    SqsIntake intake = run(STANDARD);
    assertEquals(List.of("rash", "a", "deep"), service.deleted);
    assertEquals(List.of("deep 2"), service.hidden);
    assertEquals(2, service.sent.size());
    assertTrue(intake.fault().isEmpty());
  }

  @Test
  @DisplayName("tells for good what has ended a worker, though others go on")
  void ended() {
    service.batch(mail("a"));
    service.batch(mail("b"));
    service.batch(mail("a"));
    SqsIntake intake =
        SqsIntake.of(
            client,
            STANDARD,
            tally
                .builder(STANDARD)
                .listener(
                    taken -> {
                      if (service.deleted.isEmpty()) {
                        service.deleted.add("nothing yet");
                        throw new OutOfMemoryError("on purpose");
                      }
                    })
                .build());
    service.whenEmpty = intake::stop;
    assertThrows(OutOfMemoryError.class, intake::run);
    intake.run();
    assertEquals(List.of("nothing yet", "b", "a"), service.deleted);
    assertTrue(intake.fault().orElseThrow().getCause() instanceof OutOfMemoryError);
  }

  private static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  /** What a dead letter has of the message that it was. */
  private static String firstId(String id, String body) {
    return id + "/" + java.util.UUID.nameUUIDFromBytes(body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  @DisplayName("knows a message by its sender's ID, by its first ID, or else by its own")
  void identity() {
    String url = "http://127.0.0.1/1/orders";
    String own = "00000000-0000-0000-0000-000000000001";
    Message.Builder message = Message.builder().messageId(own).body("x");
    assertEquals(MessageId.sqs(own), SqsIntake.identity(message.build(), url));
    Map<String, MessageAttributeValue> attributes =
        new HashMap<>(Map.of(SqsDeadLetters.ID, text(firstId(UUID, "x"))));
    message.messageAttributes(attributes);
    assertEquals(MessageId.sqs(UUID), SqsIntake.identity(message.build(), url));
    Message made = message.build().toBuilder().body("y").build();
    assertEquals(
        MessageId.sqs(own), SqsIntake.identity(made, url), "made of one that was put back");
    attributes.put(SqsSender.ID, text("id-1"));
    message.messageAttributes(attributes);
    assertEquals(
        MessageId.sqs(UUID), SqsIntake.identity(message.build(), url), "it may be another's");
    assertEquals(MessageId.of("id-1"), SqsIntake.identityOfSent(message.build()));
    attributes.put(SqsSender.DESTINATION, text("orders"));
    message.messageAttributes(attributes);
    assertEquals(MessageId.of("id-1"), SqsIntake.identity(message.build(), url));
    assertEquals(
        MessageId.of("id-1"), SqsIntake.identity(message.build(), "arn:aws:sqs:eu:1:orders"));
    assertEquals(MessageId.sqs(UUID), SqsIntake.identity(message.build(), "totals"), "handed on");
    MessageAttributeValue binary =
        MessageAttributeValue.builder()
            .dataType("Binary")
            .binaryValue(SdkBytes.fromUtf8String("id-1"))
            .build();
    message.messageAttributes(
        Map.of(
            SqsSender.ID,
            binary,
            SqsDeadLetters.ID,
            binary,
            SqsSender.DESTINATION,
            text("orders")));
    assertEquals(MessageId.sqs(own), SqsIntake.identity(message.build(), url));
  }

  @Test
  @DisplayName("keeps a message's own attributes before it adds any, and the ID that it had first")
  void letters() {
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    IntStream.range(0, 9).forEach(i -> attributes.put("a" + i, text("v")));
    Message.Builder message =
        Message.builder()
            .messageId(UUID)
            .body("x")
            .messageAttributes(attributes)
            .attributes(Map.of(MessageSystemAttributeName.MESSAGE_GROUP_ID, "g"));
    SqsDeadLetters letters = SqsDeadLetters.of(client, FIFO);
    letters.keep(message.build(), new Reason("\u0000", false, 3));
    JsonNode sent = service.sent.get(0);
    assertEquals(10, sent.get("MessageAttributes").size());
    assertEquals(
        firstId(UUID, "x"),
        sent.get("MessageAttributes").get(SqsDeadLetters.ID).get("StringValue").asText());
    assertEquals("g", sent.get("MessageGroupId").asText());
    assertEquals(UUID, sent.get("MessageDeduplicationId").asText());

    attributes.clear();
    attributes.put(SqsDeadLetters.ID, text(firstId("first", "x")));
    letters.keep(message.messageAttributes(attributes).build(), new Reason("\u0000", false, 3));
    JsonNode again = service.sent.get(1).get("MessageAttributes");
    assertEquals(firstId("first", "x"), again.get(SqsDeadLetters.ID).get("StringValue").asText());
    assertEquals("?", again.get(SqsDeadLetters.REASON).get("StringValue").asText());
    assertEquals("parked", again.get(SqsDeadLetters.KIND).get("StringValue").asText());

    attributes.clear();
    letters.keep(
        message.body("huge").messageAttributes(attributes).build(), new Reason("", true, 1));
    assertTrue(service.sent.get(3).path("MessageAttributes").isEmpty(), "no room for any");

    letters.keep(message.body("x").messageId("i".repeat(200)).build(), new Reason("", true, 1));
    String deduplication = service.sent.get(4).get("MessageDeduplicationId").asText();
    assertTrue(deduplication.length() <= 128, "which SQS takes: " + deduplication);
  }

  @Test
  @DisplayName("refuses times that SQS does not know")
  void times() {
    SqsIntake intake = intake(STANDARD);
    assertThrows(IllegalArgumentException.class, () -> intake.longPoll(Duration.ofMillis(999)));
    assertThrows(IllegalArgumentException.class, () -> intake.longPoll(Duration.ofSeconds(21)));
    assertThrows(IllegalArgumentException.class, () -> intake.visibility(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> intake.visibility(Duration.ofHours(13)));
  }
}
