package dev.tidemark.aws;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

@DisplayName("A message of SQS whose 10 attributes leave no room for its destination")
final class FullMessagesTest {
  private static final String FIRST = "00000000-0000-0000-0000-000000000001";
  private static final String SECOND = "00000000-0000-0000-0000-000000000002";
  private static final int FULL = 8;

  private static Message received(String id, String body, int headers) {
    OutgoingMessage message = OutgoingMessage.to("orders", body).type("OrderPaid");
    for (int i = 0; i < headers; i++) {
      message = message.header("h" + i, "v");
    }
    Letter letter = Letter.of(new OutboxMessage("id-1", Instant.EPOCH, message), "/1/orders");
    return Message.builder()
        .messageId(id)
        .body(letter.body())
        .messageAttributes(letter.attributes(SqsSender::text))
        .build();
  }

  private static MessageId identity(Message message) {
    return SqsIntake.identity(message, "http://127.0.0.1/1/orders");
  }

  @Test
  @DisplayName("is known to be the one that a relay has sent before, as with fewer attributes")
  void twins() {
    for (int headers = 0; headers <= FULL; headers++) {
      Message first = received(FIRST, "x", headers);
      assertEquals(identity(first), identity(received(SECOND, "x", headers)));
      assertEquals(MessageId.of("id-1"), SqsIntake.identityOfSent(first));
      assertEquals(headers < FULL, identity(first).equals(MessageId.of("id-1")));
    }
  }

  @Test
  @DisplayName("is another one than what was made of it, in its queue or in another")
  void made() {
    Message full = received(FIRST, "x", FULL);
    assertNotEquals(identity(full), identity(received(SECOND, "y", FULL)));
    assertNotEquals(identity(full), SqsIntake.identity(full, "totals"));
    assertEquals(MessageId.sqs(FIRST), identity(with(full, "h1", "v")), "of an earlier sender");
    assertEquals(
        MessageId.sqs(FIRST), identity(with(full, SqsSender.DESTINATION, "totals")), "handed on");
  }

  @Test
  @DisplayName("is another one than what has its body and its ID, but another attribute")
  void attributes() {
    List<Message> different = new ArrayList<>();
    different.add(received(FIRST, "x", FULL));
    MessageAttributeValue bytes =
        MessageAttributeValue.builder()
            .dataType("Binary")
            .binaryValue(SdkBytes.fromUtf8String("v"))
            .build();
    for (MessageAttributeValue other : List.of(SqsSender.text("w"), bytes)) {
      Map<String, MessageAttributeValue> attributes =
          new HashMap<>(different.get(0).messageAttributes());
      attributes.put("h1", other);
      different.add(different.get(0).toBuilder().messageAttributes(attributes).build());
      attributes.put("h0h1", requireNonNull(attributes.remove("h0")));
      different.add(different.get(0).toBuilder().messageAttributes(attributes).build());
    }
    List<MessageId> identities = different.stream().map(FullMessagesTest::identity).toList();
    assertEquals(different.size(), Set.copyOf(identities).size(), identities::toString);
  }

  @Test
  @DisplayName("is the same one put back from the dead letters, as one that names no destination")
  void putBack() {
    for (int count = 1; count <= 10; count++) {
      Map<String, MessageAttributeValue> attributes = new HashMap<>();
      attributes.put(SqsSender.ID, SqsSender.text("id-1"));
      for (int i = 1; i < count; i++) {
        attributes.put("h" + i, SqsSender.text("v"));
      }
      Message first =
          Message.builder().messageId(FIRST).body("x").messageAttributes(attributes).build();
      String id = FIRST + SqsDeadLetters.ofBody(first);
      for (String dead : List.of(SqsDeadLetters.ID, SqsDeadLetters.KIND, SqsDeadLetters.REASON)) {
        if (attributes.size() < 10) {
          attributes.put(dead, SqsSender.text(dead.equals(SqsDeadLetters.ID) ? id : "any"));
        }
      }
      Message back = first.toBuilder().messageId(SECOND).messageAttributes(attributes).build();
      assertEquals(identity(first), identity(back), count + " attributes");
    }
  }

  /** The message without its first header, and with an attribute. */
  private static Message with(Message message, String name, String value) {
    Map<String, MessageAttributeValue> attributes = new HashMap<>(message.messageAttributes());
    attributes.remove("h0");
    attributes.put(name, SqsSender.text(value));
    return message.toBuilder().messageAttributes(attributes).build();
  }
}
