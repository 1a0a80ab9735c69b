package dev.tidemark.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A queue that hands out what a test says, and keeps what it is told of it. */
final class QueueService implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Service service;
  private final Deque<ObjectNode> batches = new ArrayDeque<>();
  private final Map<String, String> bodies = new LinkedHashMap<>();

  /** Bodies of what was deleted. */
  final List<String> deleted = new CopyOnWriteArrayList<>();

  /** Bodies and seconds of what was hidden again. */
  final List<String> hidden = new CopyOnWriteArrayList<>();

  /** Requests that sent a message. */
  final List<JsonNode> sent = new CopyOnWriteArrayList<>();

  /** Done when there is nothing more to receive. */
  volatile Runnable whenEmpty = () -> {};

  /** Done when a message was hidden again. */
  volatile Runnable whenHidden = () -> {};

  /** The kind of requests that nobody may make: delete, hide. */
  volatile String denied = "";

  /** What the next requests of a kind meet: receive, delete, hide, send. */
  final List<String> failures = new CopyOnWriteArrayList<>();

  QueueService() throws IOException {
    service = new Service(this::answer);
  }

  SqsClient client() {
    return service.client(SqsClient.builder().checksumValidationEnabled(false));
  }

  /** A message with a body, in a group, received so many times. */
  record Mail(String body, String group, int received) {}

  /** Lets one receive get these messages. */
  synchronized void batch(Mail... mails) {
    ObjectNode reply = JSON.createObjectNode();
    ArrayNode messages = reply.putArray("Messages");
    for (Mail mail : mails) {
      String id = UUID.nameUUIDFromBytes(mail.body().getBytes(UTF_8)).toString();
      bodies.put(id, mail.body());
      ObjectNode message = messages.addObject();
      message.put("MessageId", id).put("ReceiptHandle", id).put("Body", mail.body());
      message
          .putObject("Attributes")
          .put("ApproximateReceiveCount", "" + mail.received())
          .put("MessageGroupId", mail.group());
    }
    batches.add(reply);
  }

  private synchronized Service.Reply answer(String request) {
    JsonNode asked = read(request);
    String kind = kind(asked);
    if (failures.remove(kind)) {
      return new Service.Reply(503, "{\"__type\":\"com.amazonaws.sqs#ServiceUnavailable\"}");
    }
    if (kind.equals(denied)) {
      whenHidden.run();
      return new Service.Reply(403, "{\"__type\":\"com.amazonaws.sqs#AccessDeniedException\"}");
    }
    return switch (kind) {
      case "receive" -> received();
      case "attributes" ->
          new Service.Reply(200, "{\"Attributes\":{\"VisibilityTimeout\":\"30\"}}");
      case "send" -> sent(asked);
      default -> told(asked, kind);
    };
  }

  private static String kind(JsonNode asked) {
    if (asked.has("MaxNumberOfMessages")) {
      return "receive";
    } else if (asked.has("AttributeNames")) {
      return "attributes";
    } else if (asked.has("MessageBody")) {
      return "send";
    }
    return asked.get("Entries").get(0).has("VisibilityTimeout") ? "hide" : "delete";
  }

  private Service.Reply received() {
    ObjectNode batch = batches.poll();
    if (batch == null) {
      whenEmpty.run();
      return new Service.Reply(200, "{}");
    }
    return new Service.Reply(200, batch.toString());
  }

  private Service.Reply sent(JsonNode asked) {
    sent.add(asked);
    boolean isTooLarge =
        asked.get("MessageBody").asText().equals("huge")
            && !asked.path("MessageAttributes").isEmpty();
    return isTooLarge
        ? new Service.Reply(400, "{\"__type\":\"com.amazonaws.sqs#InvalidParameterValue\"}")
        : new Service.Reply(200, "{\"MessageId\":\"m\"}");
  }

  private Service.Reply told(JsonNode asked, String kind) {
    ObjectNode reply = JSON.createObjectNode();
    ArrayNode successful = reply.putArray("Successful");
    ArrayNode failed = reply.putArray("Failed");
    for (JsonNode entry : asked.get("Entries")) {
      String body = String.valueOf(bodies.get(entry.get("ReceiptHandle").asText()));
      String id = entry.get("Id").asText();
      if (failures.remove(kind + " " + body)) {
        failed.addObject().put("Id", id).put("Code", "Internal").put("SenderFault", false);
        continue;
      }
      successful.addObject().put("Id", id);
      if (kind.equals("delete")) {
        deleted.add(body);
      } else {
        hidden.add(body + " " + entry.get("VisibilityTimeout").asInt());
        whenHidden.run();
      }
    }
    return new Service.Reply(200, reply.toString());
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {
    service.close();
  }
}
