package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sender to Kafka")
class KafkaSenderTest {
  private static final List<Sent> TAKEN = Collections.nCopies(3, Sent.taken());

  private static OutboxMessage outgoing(String id, OutgoingMessage message) {
    return new OutboxMessage(id, Instant.EPOCH, message);
  }

  private static List<OutboxMessage> three() {
    return IntStream.range(0, 3)
        .mapToObj(i -> outgoing("id-" + i, OutgoingMessage.to("orders", "payload " + i)))
        .toList();
  }

  /** Answers each send as a script says; what it says null of is taken. */
  private static final class Scripted extends MockProducer<String, byte[]> {
    private final List<@Nullable RuntimeException> script;
    private int sends;

    Scripted(@Nullable RuntimeException... script) {
      super(true, null, new StringSerializer(), new ByteArraySerializer());
      this.script = Arrays.asList(script);
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
      RuntimeException error = sends < script.size() ? script.get(sends) : null;
      sends++;
      return error == null ? super.send(record) : CompletableFuture.failedFuture(error);
    }
  }

  private static String header(ProducerRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private static Throwable error(Sent answer) {
    return assertInstanceOf(Sent.Failed.class, answer).error();
  }

  @Test
  @DisplayName("sends topic, key, payload and headers, with ID and type for consumers")
  void record() throws InterruptedException {
    Scripted producer = new Scripted();
    byte[] payload = {0, -1, 7};
    OutgoingMessage message =
        OutgoingMessage.to("orders", payload)
            .key("o-1")
            .type("OrderPaid")
            .header("trace", "ü")
            .header(KafkaSender.ID, "of another");
    List<Sent> answers = KafkaSender.of(producer).send(List.of(outgoing("id-1", message)));
    assertEquals(Sent.taken(), answers.get(0));
    ProducerRecord<String, byte[]> sent = producer.history().get(0);
    assertEquals("orders", sent.topic());
    assertEquals("o-1", sent.key());
    assertArrayEquals(payload, sent.value());
    assertEquals("ü", header(sent, "trace"));
    assertEquals("OrderPaid", header(sent, KafkaSender.TYPE));
    assertEquals("orders", header(sent, KafkaSender.DESTINATION));
    assertEquals(4, sent.headers().toArray().length);
    assertEquals(MessageId.of("id-1"), MessageId.of(header(sent, KafkaSender.ID)));
  }

  @Test
  @DisplayName("sends a record without key, and without type, where the message has none")
  void bare() throws InterruptedException {
    Scripted producer = new Scripted();
    assertEquals(Sent.taken(), KafkaSender.of(producer).send(three().subList(0, 1)).get(0));
    ProducerRecord<String, byte[]> sent = producer.history().get(0);
    assertNull(sent.key());
    assertNull(sent.headers().lastHeader(KafkaSender.TYPE));
  }

  @Test
  @DisplayName("has all messages of a call on their way together, then waits for each")
  void together() throws InterruptedException {
    List<Integer> atFlush = new ArrayList<>();
    var producer =
        new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized void flush() {
            atFlush.add(history().size());
            super.flush();
          }
        };
    assertEquals(TAKEN, KafkaSender.of(producer).send(three()));
    assertEquals(List.of(3), atFlush);
  }

  @Test
  @DisplayName("answers for each message in order, whatever happens to the others")
  void failures() throws InterruptedException {
    RuntimeException tooLarge = new RecordTooLargeException("too large");
    Scripted producer = new Scripted(null, tooLarge, null);
    List<Sent> answers = KafkaSender.of(producer).send(three());
    assertEquals(List.of(Sent.taken(), Sent.failed(tooLarge), Sent.taken()), answers);
    assertEquals(2, producer.history().size());
  }

  @Test
  @DisplayName("counts as not sent what the producer or the caller's function throws")
  void thrown() throws InterruptedException {
    Scripted producer = new Scripted();
    RuntimeException unfit = new SerializationException("unfit");
    Sender sender =
        KafkaSender.of(
            producer,
            message -> {
              if (message.id().equals("id-1")) {
                throw unfit;
              }
              return new ProducerRecord<>("elsewhere", message.message().bytes());
            });
    List<Sent> answers = sender.send(three());
    assertEquals(List.of(Sent.taken(), Sent.failed(unfit), Sent.taken()), answers);
    assertEquals("elsewhere", producer.history().get(1).topic());
    assertEquals("id-2", header(producer.history().get(1), KafkaSender.ID));
  }

  @Test
  @DisplayName("waits once for a topic whose partitions cannot be learnt, and sends the others")
  void blocked() throws InterruptedException {
    TimeoutException timeout = new TimeoutException("topic not present in metadata");
    Scripted producer = new Scripted(timeout);
    List<OutboxMessage> messages =
        List.of(
            outgoing("a", OutgoingMessage.to("missing", "1")),
            outgoing("b", OutgoingMessage.to("missing", "2")),
            outgoing("c", OutgoingMessage.to("orders", "3")));
    Sender sender = KafkaSender.of(producer);
    assertEquals(
        List.of(Sent.failed(timeout), Sent.failed(timeout), Sent.taken()), sender.send(messages));
    assertEquals(2, producer.sends);
    assertEquals(TAKEN, sender.send(messages), "it is tried again");
  }

  @Test
  @DisplayName("counts nothing as sent that the broker has told no offset of")
  void noOffset() throws InterruptedException {
    var unasked = new RecordMetadata(new TopicPartition("orders", 0), -1, -1, -1, -1, -1);
    var producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
            return CompletableFuture.completedFuture(unasked);
          }
        };
    for (Sent answer : KafkaSender.of(producer).send(three())) {
      String told = String.valueOf(error(answer).getMessage());
      assertTrue(told.contains("acks=all"), told);
    }
  }

  @Test
  @DisplayName("that renews has one producer until it is of no use, and then another")
  void renews() throws InterruptedException {
    Scripted first =
        new Scripted(
            null,
            new TimeoutException("slow"),
            null,
            new IllegalStateException("in error state", new ProducerFencedException("fenced")));
    Scripted second = new Scripted();
    List<Scripted> producers = new ArrayList<>(List.of(first, second));
    List<OutboxMessage> one = three().subList(0, 1);
    try (RenewingKafkaSender sender = RenewingKafkaSender.of(() -> producers.remove(0))) {
      assertEquals(List.of(first, second), producers, "none before it is needed");
      assertEquals(Sent.taken(), sender.send(one).get(0));
      assertInstanceOf(TimeoutException.class, error(sender.send(one).get(0)));
      assertEquals(Sent.taken(), sender.send(one).get(0));
      assertFalse(first.closed());
      assertInstanceOf(IllegalStateException.class, error(sender.send(one).get(0)));
      assertTrue(first.closed());
      assertEquals(Sent.taken(), sender.send(one).get(0));
      assertFalse(second.closed());
    }
    assertTrue(second.closed());
  }

  @Test
  @DisplayName("that renews keeps a producer though the caller makes no record of a message")
  void noRecord() throws InterruptedException {
    Scripted producer = new Scripted();
    try (RenewingKafkaSender sender =
        RenewingKafkaSender.of(
            () -> producer,
            message -> {
              throw new IllegalStateException("no partition for this tenant");
            })) {
      assertInstanceOf(IllegalStateException.class, error(sender.send(three()).get(0)));
      assertFalse(producer.closed());
    }
  }

  @Test
  @DisplayName("that renews makes no producer once it is closed")
  void closed() throws InterruptedException {
    List<Scripted> producers = new ArrayList<>(List.of(new Scripted(), new Scripted()));
    RenewingKafkaSender sender = RenewingKafkaSender.of(() -> producers.remove(0));
    assertEquals(Sent.taken(), sender.send(three()).get(0));
    sender.close();
    assertThrows(IllegalStateException.class, () -> sender.send(three()));
    assertEquals(1, producers.size());
  }

  @Test
  @DisplayName("says of a fenced producer that it has to be replaced, and of a closed one")
  void fatal() throws InterruptedException {
    ProducerFencedException fenced = new ProducerFencedException("fenced");
    Scripted producer = new Scripted(new IllegalStateException("in error state", fenced));
    List<Sent> answers = KafkaSender.of(producer).send(three());
    IllegalStateException told =
        assertInstanceOf(IllegalStateException.class, error(answers.get(0)));
    String text = String.valueOf(told.getMessage());
    assertTrue(text.contains("ProducerFencedException: close it"), text);
    assertSame(fenced, Objects.requireNonNull(told.getCause()).getCause());
    producer.close();
    for (Sent answer : KafkaSender.of(producer).send(three())) {
      assertInstanceOf(IllegalStateException.class, error(answer));
    }
  }

  @Test
  @DisplayName("ends by an interrupt, which is then no longer set")
  void interrupted() {
    var producer =
        new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized void flush() {
            throw new InterruptException(new InterruptedException());
          }
        };
    assertThrows(InterruptedException.class, () -> KafkaSender.of(producer).send(three()));
    assertFalse(Thread.interrupted());
  }
}
