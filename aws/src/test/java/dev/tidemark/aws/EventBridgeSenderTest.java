package dev.tidemark.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

@DisplayName("A sender to EventBridge")
class EventBridgeSenderTest {
  private static OutboxMessage outgoing(int i, OutgoingMessage message) {
    return new OutboxMessage("id-" + i, Instant.EPOCH, message);
  }

  private static OutgoingMessage paid() {
    return OutgoingMessage.to("orders", "{\"n\":1}").type("OrderPaid");
  }

  private static List<Sent> send(Service service, List<OutboxMessage> messages)
      throws InterruptedException {
    try (EventBridgeClient client = service.client(EventBridgeClient.builder())) {
      return EventBridgeSender.of(client, "shop", topic -> "bus-" + topic).send(messages);
    }
  }

  private static String text(Sent answer) {
    return String.valueOf(assertInstanceOf(Sent.Failed.class, answer).error().getMessage());
  }

  @Test
  @DisplayName("puts events with the ID in a resource, and answers for each entry in order")
  void puts() throws Exception {
    String answer =
        "{\"FailedEntryCount\":1,\"Entries\":[{\"EventId\":\"e\"},"
            + "{\"ErrorCode\":\"MalformedDetail\",\"ErrorMessage\":\"m\"}]}";
    try (Service service = new Service(request -> new Service.Reply(200, answer))) {
      List<Sent> answers =
          send(service, IntStream.range(0, 3).mapToObj(i -> outgoing(i, paid())).toList());
      assertInstanceOf(Sent.Taken.class, answers.get(0));
      assertEquals("EventBridge has not taken the message: MalformedDetail", text(answers.get(1)));
      assertTrue(text(answers.get(2)).contains("has not said"));
      JsonNode entry = new ObjectMapper().readTree(service.requests().get(0)).get("Entries").get(0);
      assertEquals("bus-orders", entry.get("EventBusName").asText());
      assertEquals("shop", entry.get("Source").asText());
      assertEquals("OrderPaid", entry.get("DetailType").asText());
      assertEquals("{\"n\":1}", entry.get("Detail").asText());
      String resource = entry.get("Resources").get(0).asText();
      assertEquals("id-0", resource.substring(EventBridgeSender.ID.length()));
    }
  }

  @Test
  @DisplayName("fails messages with bytes, without a type, or with headers, and no others")
  void unfit() throws Exception {
    try (Service service =
        new Service(request -> new Service.Reply(200, "{\"Entries\":[{\"EventId\":\"e\"}]}"))) {
      List<Sent> answers =
          send(
              service,
              List.of(
                  outgoing(0, OutgoingMessage.to("orders", new byte[] {1}).type("OrderPaid")),
                  outgoing(1, OutgoingMessage.to("orders", "{}")),
                  outgoing(2, paid().header("trace", "secret")),
                  outgoing(3, paid())));
      assertTrue(text(answers.get(0)).contains("was bytes"));
      assertTrue(text(answers.get(1)).contains("needs a type"));
      assertTrue(text(answers.get(2)).contains("has [trace]"));
      assertInstanceOf(Sent.Taken.class, answers.get(3));
    }
  }
}
