package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.aws.SqsSender;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

@DisplayName("A sender to a queue of SQS")
class SqsSenderTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int MESSAGES = 47;

  private static OutboxMessage outgoing(int i) {
    OutgoingMessage message =
        OutgoingMessage.to("orders", "payload " + i).key("order-" + i % 7).type("OrderPaid");
    return new OutboxMessage("id-" + i, Instant.EPOCH, message);
  }

  private static List<OutboxMessage> outgoing() {
    return IntStream.range(0, MESSAGES).mapToObj(i -> outgoing(i)).toList();
  }

  private static void send(LocalQueue queue) throws InterruptedException {
    List<Sent> answers = SqsSender.of(queue.client(), topic -> queue.url()).send(outgoing());
    assertEquals(MESSAGES, answers.size());
    answers.forEach(error -> assertInstanceOf(Sent.Taken.class, error));
  }

  private static Throwable error(Sent answer) {
    return assertInstanceOf(Sent.Failed.class, answer).error();
  }

  @Test
  @DisplayName("has each message there when it is told as sent, with ID and type")
  void sends() throws InterruptedException {
    LocalQueue queue = LocalQueue.fresh("", LONG);
    send(queue);
    Map<String, String> received = new HashMap<>();
    for (Message message : queue.drain()) {
      received.put(LocalQueue.attribute(message, SqsSender.ID), message.body());
      assertEquals("OrderPaid", LocalQueue.attribute(message, SqsSender.TYPE));
    }
    assertEquals(MESSAGES, received.size());
    received.forEach((id, body) -> assertEquals(id.replace("id-", "payload "), body));
  }

  @Test
  @DisplayName("leaves one of each on a FIFO queue, in the group of its key, if sent twice")
  void fifo() throws InterruptedException {
    LocalQueue queue = LocalQueue.fresh(".fifo", LONG);
    send(queue);
    send(queue);
    Set<String> ids = new HashSet<>();
    List<Message> received = queue.drain();
    for (Message message : received) {
      String id = LocalQueue.attribute(message, SqsSender.ID);
      int i = Integer.parseInt(id.substring("id-".length()));
      assertEquals(
          "order-" + i % 7, message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID));
      ids.add(id);
    }
    assertEquals(MESSAGES, ids.size());
    assertEquals(MESSAGES, received.size());
  }

  @Test
  @DisplayName("counts messages to a queue that is not there as not sent, and sends the others")
  void missingQueue() throws InterruptedException {
    LocalQueue queue = LocalQueue.fresh("", LONG);
    OutboxMessage lost =
        new OutboxMessage("id-x", Instant.EPOCH, OutgoingMessage.to("nowhere", "payload"));
    List<Sent> answers =
        SqsSender.of(
                queue.client(),
                topic -> topic.equals("nowhere") ? queue.url() + "-not" : queue.url())
            .send(List.of(lost, outgoing(0)));
    assertInstanceOf(RuntimeException.class, error(answers.get(0)));
    assertInstanceOf(Sent.Taken.class, answers.get(1));
    assertEquals(1, queue.size());
  }
}
