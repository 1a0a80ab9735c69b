package dev.tidemark.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import java.net.URLDecoder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sns.SnsClient;

@DisplayName("A sender to SNS")
class SnsSenderTest {
  private static final String ANSWER =
      "<PublishBatchResponse><PublishBatchResult>"
          + "<Failed><member><Id>1</Id><Code>InvalidParameter</Code>"
          + "<SenderFault>true</SenderFault></member></Failed>"
          + "<Successful><member><Id>0</Id><MessageId>m</MessageId></member></Successful>"
          + "</PublishBatchResult></PublishBatchResponse>";

  private static OutboxMessage outgoing(int i) {
    OutgoingMessage message = OutgoingMessage.to("orders", "p" + i).key("o-1").type("OrderPaid");
    return new OutboxMessage("id-" + i, Instant.EPOCH, message);
  }

  private static Throwable error(Sent answer) {
    return assertInstanceOf(Sent.Failed.class, answer).error();
  }

  @Test
  @DisplayName("publishes in batches, in groups of a FIFO topic, and answers for each in order")
  void publishes() throws Exception {
    try (Service service = new Service(request -> new Service.Reply(200, ANSWER));
        SnsClient client = service.client(SnsClient.builder())) {
      SnsSender sender =
          SnsSender.of(client, topic -> "arn:aws:sns:eu-central-1:0:" + topic + ".fifo");
      List<Sent> answers = sender.send(List.of(outgoing(0), outgoing(1), outgoing(2)));
      assertInstanceOf(Sent.Taken.class, answers.get(0));
      Throwable refused = error(answers.get(1));
      assertEquals("SNS has not taken the message: InvalidParameter", refused.getMessage());
      assertInstanceOf(
          IllegalStateException.class, error(answers.get(2)), "of which SNS has no word");
      assertEquals(1, service.requests().size());
      String request = URLDecoder.decode(service.requests().get(0), UTF_8);
      for (String part :
          List.of(
              "Action=PublishBatch",
              "TopicArn=arn:aws:sns:eu-central-1:0:orders.fifo",
              "Message=p0",
              "MessageGroupId=o-1",
              "MessageDeduplicationId=id-0",
              SnsSender.TYPE,
              "StringValue=OrderPaid",
              SnsSender.ID)) {
        assertTrue(request.contains(part), part);
      }
    }
  }
}
