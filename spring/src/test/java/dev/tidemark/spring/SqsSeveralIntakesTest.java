package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  private final SqsIntakeListener<String> one = listener();
  private final SqsIntakeListener<String> two = listener();
  private final List<Message<String>> messages = List.of(message("good"), message("failing"));
  private final Acknowledged acknowledged = new Acknowledged();

  private static SqsIntakeListener<String> listener() {
    CarrierWorld world = new CarrierWorld(0, 1, false);
    world.calm();
    return SqsIntakeListener.of(
        SqsIntakeListener.<String>builder(m -> world.decode(m.getPayload()), world::handle)
            .build());
  }

  private static Message<String> message(String kind) {
    String text = new Mail("lane0", 0, 0, kind, 1, kind).text();
    return MessageBuilder.withPayload(text)
        .setHeader(SqsHeaders.SQS_RAW_MESSAGE_ID_HEADER, kind)
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
}
