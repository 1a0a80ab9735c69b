package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.projector.Delivery;
import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;

@DisplayName("A listener whose decoder throws an InterruptedException")
final class InterruptedListenersTest {
  private final CarrierWorld world = new CarrierWorld(0, 1, false);
  private final String text = new Mail("lane0", 0, 0, "entity", 1, "good").text();

  /** What the decoder throws in its next calls. */
  private final Deque<Exception> thrown = new ArrayDeque<>();

  private final SqsIntakeListener<String> queue =
      SqsIntakeListener.of(
          SqsIntakeListener.<String>builder(m -> decode(m.getPayload()), world::handle).build());
  private final KafkaIntakeListener<String, String> topic =
      KafkaIntakeListener.of(
          KafkaIntakeListener.<String, String>builder(r -> decode(r.value()), world::handle)
              .build());
  private final SqsSeveralIntakesTest.Acknowledged acknowledged =
      new SqsSeveralIntakesTest.Acknowledged();

  InterruptedListenersTest() {
    world.calm();
  }

  private Delivery decode(String text) throws Exception {
    if (!thrown.isEmpty()) {
      Exception one = thrown.remove();
      if (one instanceof IllegalStateException) {
        Thread.currentThread().interrupt(); // as those do that catch an InterruptedException
      }
      throw one;
    }
    return world.decode(text);
  }

  private void takeMessage() {
    Message<String> message =
        MessageBuilder.withPayload(text)
            .setHeader(SqsHeaders.SQS_RAW_MESSAGE_ID_HEADER, "id")
            .build();
    queue.take(List.of(message), acknowledged);
  }

  private void takeRecord() {
    List<ConsumerRecord<String, String>> records =
        List.of(new ConsumerRecord<>("lane0", 0, 0, "key", text));
    ListenerCall.run(records, () -> topic.take(records));
  }

  @Test
  @DisplayName("of Kafka leaves the container's thread as it was, so that the record is done then")
  void kafka() {
    for (Exception one : List.of(new InterruptedException(), new IllegalStateException())) {
      thrown.add(one);
      assertThatThrownBy(this::takeRecord).isInstanceOf(UndoneRecordsException.class);
      assertThat(Thread.interrupted()).isFalse();
    }
    takeRecord();
  }

  @Test
  @DisplayName("of SQS leaves the container's thread as it was, so that the message is done then")
  void sqs() {
    for (Exception one : List.of(new InterruptedException(), new IllegalStateException())) {
      thrown.add(one);
      takeMessage();
      assertThat(Thread.interrupted()).isFalse();
    }
    assertThat(acknowledged.messages).isEmpty();
    takeMessage();
    assertThat(acknowledged.messages).hasSize(1);
  }

  @Test
  @DisplayName("leaves a thread interrupted that somebody else has interrupted before")
  void before() {
    thrown.add(new InterruptedException());
    Thread.currentThread().interrupt();
    assertThatThrownBy(this::takeRecord).isInstanceOf(UndoneRecordsException.class);
    assertThat(Thread.interrupted()).isTrue();
    thrown.add(new InterruptedException());
    Thread.currentThread().interrupt();
    takeMessage();
    assertThat(Thread.interrupted()).isTrue();
  }
}
