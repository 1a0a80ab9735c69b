package dev.tidemark.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import java.net.URLDecoder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sns.SnsClient;

@SuppressWarnings("NullAway") // which does not see @Nullable of type arguments in class files
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

  @Test
  @DisplayName("publishes in batches, in groups of a FIFO topic, and answers for each in order")
  void publishes() throws Exception {
    try (Service service = new Service(request -> new Service.Reply(200, ANSWER));
        SnsClient client = service.client(SnsClient.builder())) {
      SnsSender sender =
          SnsSender.of(client, topic -> "arn:aws:sns:eu-central-1:0:" + topic + ".fifo");
      List<@Nullable Exception> errors =
          sender.send(List.of(outgoing(0), outgoing(1), outgoing(2)));
      assertNull(errors.get(0));
      Exception refused = assertInstanceOf(Exception.class, errors.get(1));
      assertEquals("SNS has not taken the message: InvalidParameter", refused.getMessage());
      assertInstanceOf(IllegalStateException.class, errors.get(2), "of which SNS has no word");
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
