package dev.tidemark.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

@DisplayName("A queue whose answers are odd")
class QueueTest {
  private static final String ODD =
      "{\"Successful\":[{\"Id\":\"x\"}],\"Failed\":[{\"Id\":\"zero\",\"SenderFault\":true},{},"
          + "{\"Id\":\"99\",\"SenderFault\":true},{\"Id\":\"-1\",\"SenderFault\":true},"
          + "{\"Id\":\"1\",\"SenderFault\":true},{\"Id\":\"1\",\"SenderFault\":true}]}";

  private static final List<Message> MESSAGES =
      List.of(message("a", "3"), message("b", "many"), message("c", "99999999999999999999"));

  private static Message message(String id, String received) {
    return Message.builder()
        .messageId(id)
        .receiptHandle(id)
        .attributes(Map.of(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, received))
        .build();
  }

  private static Service service(String answer) throws IOException {
    return new Service(request -> new Service.Reply(200, answer));
  }

  private static SqsClient client(Service service) {
    return service.client(SqsClient.builder().checksumValidationEnabled(false));
  }

  @Test
  @DisplayName("tells of the messages that it knows, each once")
  void ids() throws IOException {
    try (Service service = service(ODD);
        SqsClient client = client(service)) {
      Queue queue = new Queue(client, "http://127.0.0.1/0/orders");
      Duration second = Duration.ofSeconds(1);
      assertEquals(List.of(MESSAGES.get(1)), queue.hide(MESSAGES, one -> second, second));
      queue.giveBack(MESSAGES);
      queue.delete(MESSAGES);
      assertEquals(4, service.requests().size());
    }
  }

  @Test
  @DisplayName("gives no message that nobody could acknowledge, and a visibility in any case")
  void incomplete() throws IOException {
    String answer =
        "{\"Messages\":[{\"Body\":\"a\"},{\"MessageId\":\"b\",\"Body\":\"b\"},"
            + "{\"MessageId\":\"c\",\"ReceiptHandle\":\"c\"}],"
            + "\"Attributes\":{\"VisibilityTimeout\":\"for ever\"}}";
    try (Service service = service(answer);
        SqsClient client = client(service)) {
      Queue queue = new Queue(client, "http://127.0.0.1/0/orders");
      assertEquals(
          List.of("c"),
          queue.receive(Duration.ofSeconds(1), null).stream().map(Message::messageId).toList());
      assertEquals(Duration.ofSeconds(1), queue.visibility());
    }
  }

  /** A client that has no answer which anybody could read. */
  private static class Unreadable implements SqsClient {
    final CountDownLatch beats = new CountDownLatch(3);

    @Override
    public ChangeMessageVisibilityBatchResponse changeMessageVisibilityBatch(
        ChangeMessageVisibilityBatchRequest request) {
      beats.countDown();
      throw new NoClassDefFoundError("of/an/Answer");
    }

    @Override
    public String serviceName() {
      return "sqs";
    }

    @Override
    public void close() {}
  }

  @Test
  @DisplayName("has a fault of SQS for an answer that cannot be read, which ends no worker")
  void unreadable() {
    Queue queue = new Queue(new Unreadable(), "http://127.0.0.1/0/orders");
    assertThrows(SdkException.class, () -> queue.receive(Duration.ofSeconds(1), null));
    assertThrows(SdkException.class, queue::visibility);
    assertThrows(SdkException.class, () -> queue.delete(MESSAGES));
  }

  @Test
  @DisplayName("has a heartbeat that goes on behind an error")
  void heartbeat() throws InterruptedException {
    Unreadable client = new Unreadable();
    Heartbeat heartbeat = new Heartbeat(new Queue(client, "http://127.0.0.1/0/orders"));
    try (Heartbeat.Work work = heartbeat.over(MESSAGES, Duration.ofMillis(30))) {
      assertTrue(client.beats.await(30, TimeUnit.SECONDS), "no three beats within 30 seconds");
    }
  }
}
