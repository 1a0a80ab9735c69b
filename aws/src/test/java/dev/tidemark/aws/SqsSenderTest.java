package dev.tidemark.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SqsException;

@DisplayName("A sender to SQS")
class SqsSenderTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String QUEUE = "http://127.0.0.1/0/";

  private static OutboxMessage outgoing(String id, OutgoingMessage message) {
    return new OutboxMessage(id, Instant.EPOCH, message);
  }

  private static OutboxMessage outgoing(int i, String payload) {
    return outgoing("id-" + i, OutgoingMessage.to("orders", payload));
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static final int MOST_LENGTH = 1_662_976;

  /** As SQS: a body {@code bad} fails, {@code worse} fails its request, {@code lost} is no word. */
  private static Service.Reply answer(String request) {
    if (request.length() > MOST_LENGTH) {
      return new Service.Reply(413, "HTTP content length exceeded 1662976 bytes.");
    }
    ObjectNode reply = JSON.createObjectNode();
    ArrayNode successful = reply.putArray("Successful");
    ArrayNode failed = reply.putArray("Failed");
    for (JsonNode entry : read(request).get("Entries")) {
      String id = entry.get("Id").asText();
      String body = entry.get("MessageBody").asText();
      if (body.equals("worse")) {
        return new Service.Reply(400, "{\"__type\":\"com.amazonaws.sqs#InvalidParameterValue\"}");
      } else if (body.equals("down")) {
        return new Service.Reply(503, "{\"__type\":\"com.amazonaws.sqs#ServiceUnavailable\"}");
      } else if (body.equals("bad")) {
        failed.addObject().put("Id", id).put("Code", "Rejected").put("SenderFault", true);
      } else if (!body.equals("lost")) {
        successful.addObject().put("Id", id).put("MessageId", "m").put("MD5OfMessageBody", "0");
      }
    }
    return new Service.Reply(200, reply.toString());
  }

  private static SqsClient client(Service service) {
    return service.client(SqsClient.builder().checksumValidationEnabled(false));
  }

  private static List<Sent> send(Service service, List<OutboxMessage> messages)
      throws InterruptedException {
    try (SqsClient client = client(service)) {
      return SqsSender.of(client, topic -> QUEUE + topic).send(messages);
    }
  }

  private static Service service() throws IOException {
    return new Service(SqsSenderTest::answer);
  }

  private static String text(Sent answer) {
    return String.valueOf(assertInstanceOf(Sent.Failed.class, answer).error().getMessage());
  }

  private static Throwable error(Sent answer) {
    return assertInstanceOf(Sent.Failed.class, answer).error();
  }

  @Test
  @DisplayName("sends ten messages a request, and answers for each in order")
  void batches() throws Exception {
    try (Service service = service()) {
      List<OutboxMessage> messages =
          IntStream.range(0, 23).mapToObj(i -> outgoing(i, i == 11 ? "bad" : "p" + i)).toList();
      List<Sent> answers = send(service, messages);
      for (int i = 0; i < 23; i++) {
        if (i == 11) {
          assertEquals("SQS has not taken the message: Rejected", text(answers.get(i)));
        } else {
          assertInstanceOf(Sent.Taken.class, answers.get(i));
        }
      }
      assertEquals(
          List.of(10, 10, 3),
          service.requests().stream().map(r -> read(r).get("Entries").size()).toList());
    }
  }

  @Test
  @DisplayName("keeps a request within 1 MiB, and lets SQS judge what is larger alone")
  void sizes() throws Exception {
    try (Service service = service()) {
      String half = "x".repeat(600_000);
      List<Sent> answers =
          send(
              service,
              List.of(
                  outgoing(0, half),
                  outgoing(1, half),
                  outgoing(2, half + half),
                  outgoing(3, "s")));
      answers.forEach(error -> assertInstanceOf(Sent.Taken.class, error));
      assertEquals(4, service.requests().size());
    }
  }

  @Test
  @DisplayName("gives ID, type and headers as attributes, and bytes in Base64")
  void attributes() throws Exception {
    try (Service service = service()) {
      OutgoingMessage message =
          OutgoingMessage.to("orders", new byte[] {1, 2, 3}).type("Paid").header("trace", "t");
      assertInstanceOf(Sent.Taken.class, send(service, List.of(outgoing("id-1", message))).get(0));
      JsonNode entry = read(service.requests().get(0)).get("Entries").get(0);
      JsonNode attributes = entry.get("MessageAttributes");
      assertEquals("AQID", entry.get("MessageBody").asText());
      assertEquals("base64", value(attributes, SqsSender.ENCODING));
      assertEquals("Paid", value(attributes, SqsSender.TYPE));
      assertEquals("t", value(attributes, "trace"));
      assertEquals("orders", value(attributes, SqsSender.DESTINATION));
      assertEquals(MessageId.of("id-1"), MessageId.of(value(attributes, SqsSender.ID)));
      assertFalse(entry.has("MessageGroupId"));
    }
  }

  private static String value(JsonNode attributes, String name) {
    return attributes.get(name).get("StringValue").asText();
  }

  @Test
  @DisplayName("fails a message with more headers than fit, by their names alone, and no other")
  void headers() throws Exception {
    try (Service service = service()) {
      OutgoingMessage many = OutgoingMessage.to("orders", "secret");
      for (int i = 0; i < 10; i++) {
        many = many.header("h" + i, "secret");
      }
      List<Sent> answers = send(service, List.of(outgoing("a", many), outgoing(1, "p")));
      assertTrue(text(answers.get(0)).contains("needs 11") && text(answers.get(0)).contains("h9"));
      assertFalse(text(answers.get(0)).contains("secret"));
      assertInstanceOf(Sent.Taken.class, answers.get(1));
    }
  }

  @Test
  @DisplayName("groups by key on FIFO queues, and gives the ID for SQS to drop twins")
  void fifo() throws Exception {
    try (Service service = service();
        SqsClient client = client(service)) {
      SqsSender sender = SqsSender.of(client, topic -> QUEUE + topic + ".fifo");
      OutboxMessage bare = outgoing(2, "p");
      OutboxMessage keyed = outgoing("id-1", OutgoingMessage.to("orders", "p").key("o-1"));
      List<Sent> answers = sender.send(List.of(keyed, bare));
      assertInstanceOf(Sent.Taken.class, answers.get(0));
      assertTrue(text(answers.get(1)).contains("needs a key"));
      JsonNode entry = read(service.requests().get(0)).get("Entries").get(0);
      assertEquals("o-1", entry.get("MessageGroupId").asText());
      assertEquals("id-1", entry.get("MessageDeduplicationId").asText());
      assertInstanceOf(
          Sent.Taken.class, sender.groupedBy(message -> "all").send(List.of(bare)).get(0));
      entry = read(service.requests().get(1)).get("Entries").get(0);
      assertEquals("all", entry.get("MessageGroupId").asText());
    }
  }

  @Test
  @DisplayName("sends one by one what was refused together, so that one holds back no other")
  void poison() throws Exception {
    try (Service service = service()) {
      List<Sent> answers =
          send(service, List.of(outgoing(0, "p"), outgoing(1, "worse"), outgoing(2, "p")));
      assertInstanceOf(Sent.Taken.class, answers.get(0));
      assertInstanceOf(SqsException.class, error(answers.get(1)));
      assertInstanceOf(Sent.Taken.class, answers.get(2));
      assertEquals(4, service.requests().size());
    }
  }

  @Test
  @DisplayName("sends what is behind a message for which AWS answers that the request is too large")
  void tooLarge() throws Exception {
    try (Service service = service()) {
      OutboxMessage huge = outgoing(0, "x".repeat(MOST_LENGTH));
      List<Sent> answers = send(service, List.of(huge, outgoing(1, "p"), outgoing(2, "p")));
      assertInstanceOf(SqsException.class, error(answers.get(0)));
      Sent taken = Sent.taken().at(QUEUE + "orders");
      assertEquals(List.of(taken, taken), answers.subList(1, 3));
      assertEquals(2, service.requests().size());
    }
  }

  @Test
  @DisplayName("tries a destination once that is down or refuses all, and sends to the others")
  void obstacles() throws Exception {
    for (String payload : List.of("down", "worse")) {
      try (Service service = service()) {
        List<OutboxMessage> messages =
            IntStream.range(0, 31)
                .mapToObj(i -> i < 30 ? outgoing(i, payload) : elsewhere(i))
                .toList();
        List<Sent> answers = send(service, messages);
        answers.subList(0, 30).forEach(one -> assertInstanceOf(SqsException.class, error(one)));
        assertInstanceOf(Sent.Taken.class, answers.get(30));
        assertEquals(payload.equals("down") ? 2 : 12, service.requests().size());
      }
    }
  }

  private static OutboxMessage elsewhere(int i) {
    return outgoing("id-" + i, OutgoingMessage.to("elsewhere", "p"));
  }

  @Test
  @DisplayName("counts as not sent what SQS has no word of, and what has no queue")
  @SuppressWarnings("NullAway") // a map knows no queue of some topics, which is the point
  void silent() throws Exception {
    try (Service service = service();
        SqsClient client = client(service)) {
      Map<String, String> queues = Map.of("orders", QUEUE + "orders");
      SqsSender sender = SqsSender.of(client, queues::get);
      List<Sent> answers =
          sender.send(List.of(outgoing(0, "lost"), elsewhere(1), outgoing(2, "p")));
      assertTrue(text(answers.get(0)).contains("has not said"));
      assertTrue(text(answers.get(1)).contains("'elsewhere' has no destination"));
      assertInstanceOf(Sent.Taken.class, answers.get(2));
    }
  }

  @Test
  @DisplayName("ends by an interrupt, before it sends and while it does")
  void interrupted() throws Exception {
    Thread caller = Thread.currentThread();
    try (Service service =
        new Service(
            request -> {
              caller.interrupt();
              return answer(request);
            })) {
      List<OutboxMessage> messages =
          IntStream.range(0, 11).mapToObj(i -> outgoing(i, "p")).toList();
      assertThrows(InterruptedException.class, () -> send(service, messages));
      assertFalse(Thread.interrupted());
      assertEquals(1, service.requests().size());
    }
  }
}
