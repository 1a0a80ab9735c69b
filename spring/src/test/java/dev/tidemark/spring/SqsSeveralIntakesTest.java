package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;

@DisplayName("An @SqsListener that hands its messages to two intakes")
final class SqsSeveralIntakesTest {
  private long handled;
  private final SqsIntakeListener<String> one = listener();
  private final SqsIntakeListener<String> two = listener();
  private final List<Message<String>> messages = List.of(message("good"), message("failing"));
  private final Acknowledged acknowledged = new Acknowledged();

  private SqsIntakeListener<String> listener() {
    CarrierWorld world = new CarrierWorld(0, 1, false);
    world.calm();
    return SqsIntakeListener.of(
        SqsIntakeListener.<String>builder(
                m -> world.decode(m.getPayload()),
                deliveries -> {
                  BatchOutcome<?> outcome = world.handle(deliveries);
                  handled += outcome.results().stream().filter(r -> r.isDone()).count();
                  return outcome;
                })
            .build());
  }

  private static Message<String> message(String kind) {
    String text = new Mail("lane0", 0, 0, kind, 1, kind).text();
    return MessageBuilder.withPayload(text)
        .setHeader(SqsHeaders.SQS_RAW_MESSAGE_ID_HEADER, kind)
        .build();
  }

  private static Message<String> message(String kind, String number) {
    return MessageBuilder.fromMessage(message(kind))
        .setHeader(SqsHeaders.SQS_RAW_MESSAGE_ID_HEADER, kind + number)
        .setHeader(SqsHeaders.SQS_QUEUE_NAME_HEADER, "orders.fifo")
        .setHeader(SqsHeaders.MessageSystemAttributes.SQS_MESSAGE_GROUP_ID_HEADER, "group")
        .setHeader(SqsHeaders.MessageSystemAttributes.SQS_SEQUENCE_NUMBER, number)
        .build();
  }

  static final class Acknowledged implements BatchAcknowledgement<String> {
    final List<Message<String>> messages = new ArrayList<>();

    @Override
    public void acknowledge(Collection<Message<String>> some) {
      messages.addAll(some);
    }

    @Override
    public void acknowledge() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> acknowledgeAsync() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> acknowledgeAsync(Collection<Message<String>> some) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  @DisplayName("is told so where they are the same, instead of losing what only one has done")
  void same() {
    one.take(messages, acknowledged);
    assertThatThrownBy(() -> two.take(messages, acknowledged))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("one.handle(deliveries).and(two.handle(deliveries))");
    assertThat(acknowledged.messages).containsExactly(messages.get(0));
    two.take(messages, new Acknowledged()); // of another call, such as that of another listener
  }

  @Test
  @DisplayName("goes on where each has its own, or one has the same again")
  void separate() {
    one.take(messages.subList(1, 2), acknowledged);
    two.take(messages.subList(0, 1), acknowledged);
    one.take(messages.subList(1, 2), acknowledged);
    assertThat(acknowledged.messages).containsExactly(messages.get(0));
  }

  @Test
  @DisplayName("handles nothing of a FIFO group behind what it has not done in an earlier part")
  void groupInParts() {
    one.take(List.of(message("failing", "9")), acknowledged);
    one.take(List.of(message("good", "10")), acknowledged);
    one.take(List.of(message("good", "11")), acknowledged);
    assertThat(acknowledged.messages).isEmpty();
    assertThat(handled).isZero();
  }

  @Test
  @DisplayName("acknowledges nothing of a FIFO group behind what the other one has not done")
  void groupOfTwo() {
    one.take(List.of(message("failing", "9")), acknowledged);
    two.take(List.of(message("good", "10")), acknowledged);
    assertThat(acknowledged.messages).isEmpty();
    assertThat(handled).isOne(); // the first may wait for it
  }

  @Test
  @DisplayName("goes on in front of what an earlier part of a FIFO group has not done")
  void groupInFront() {
    Message<String> inFront = message("good", "9");
    one.take(List.of(message("failing", "10")), acknowledged);
    one.take(List.of(inFront), acknowledged);
    assertThat(acknowledged.messages).containsExactly(inFront);
  }

  @Test
  @DisplayName("acknowledges a FIFO group in parts where the container asks for no numbers")
  void groupWithoutNumbers() {
    Message<String> first = withoutNumber(message("good", "9"));
    one.take(List.of(first), acknowledged);
    one.take(List.of(withoutNumber(message("failing", "10"))), acknowledged);
    one.take(List.of(withoutNumber(message("good", "11"))), acknowledged);
    assertThat(acknowledged.messages).containsExactly(first);
  }

  private static Message<String> withoutNumber(Message<String> message) {
    return MessageBuilder.fromMessage(message)
        .removeHeader(SqsHeaders.MessageSystemAttributes.SQS_SEQUENCE_NUMBER)
        .build();
  }
}
