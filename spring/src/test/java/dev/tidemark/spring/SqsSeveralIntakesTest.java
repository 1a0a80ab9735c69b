package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
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

  @Test
  @DisplayName("tells what it leaves out of an acknowledgement, also where it handles nothing")
  void told() {
    one.take(List.of(message("failing", "9")), acknowledged);
    assertThat(logged(() -> one.take(List.of(message("good", "10")), acknowledged)))
        .containsExactly(
            "1 of 1 messages are not done and come again; the first: behind a message of its group"
                + " that an earlier part of the same call has not done");
    assertThat(logged(() -> two.take(List.of(message("good", "11")), acknowledged))).hasSize(1);
    assertThat(logged(() -> one.take(List.of(message("good", "8")), acknowledged))).isEmpty();
  }

  private static List<String> logged(Runnable work) {
    Logger logger = (Logger) LoggerFactory.getLogger(SqsIntakeListener.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.WARN);
    logger.setAdditive(false);
    try {
      work.run();
    } finally {
      logger.detachAppender(log);
      logger.setLevel(null);
      logger.setAdditive(true);
    }
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  @DisplayName("acknowledges nothing behind what another thread of the same call has not done")
  void otherThread() throws Exception {
    CompletableFuture.runAsync(() -> one.take(List.of(message("failing", "9")), acknowledged))
        .get(1, TimeUnit.MINUTES);
    one.take(List.of(message("good", "10")), acknowledged);
    assertThat(acknowledged.messages).isEmpty();
  }

  @Test
  @DisplayName("keeps no message in memory that is not done when a call has ended in an error")
  void forgotten() {
    WeakReference<?> undone = undone();
    awaitGone(undone, () -> {});
  }

  @Test
  @DisplayName("forgets a call that has ended")
  void forgottenCall() {
    WeakReference<?> ended = new WeakReference<>(SqsCall.of(new Acknowledged()));
    awaitGone(ended, () -> SqsCall.of(acknowledged));
  }

  private static void awaitGone(WeakReference<?> reference, Runnable meanwhile) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              System.gc();
              meanwhile.run();
              return reference.refersTo(null);
            });
  }

  private WeakReference<?> undone() {
    Message<String> message = message("failing", "9");
    SqsIntakeListener<String> broken =
        SqsIntakeListener.of(
            SqsIntakeListener.<String>builder(
                    m -> {
                      throw new InternalError("the JVM cannot go on");
                    },
                    deliveries -> {
                      throw new AssertionError("nothing is decoded");
                    })
                .build());
    assertThatThrownBy(() -> broken.take(List.of(message), acknowledged))
        .isInstanceOf(InternalError.class);
    assertThat(acknowledged.messages).isEmpty();
    return new WeakReference<>(message);
  }

  @Test
  @DisplayName("takes what a former call has not done, which comes again with another one")
  void laterCall() {
    one.take(List.of(message("failing", "9")), acknowledged);
    Acknowledged later = new Acknowledged();
    Message<String> behind = message("good", "10");
    one.take(List.of(behind), later);
    assertThat(later.messages).containsExactly(behind);
  }

  private static Message<String> withoutNumber(Message<String> message) {
    return MessageBuilder.fromMessage(message)
        .removeHeader(SqsHeaders.MessageSystemAttributes.SQS_SEQUENCE_NUMBER)
        .build();
  }
}
