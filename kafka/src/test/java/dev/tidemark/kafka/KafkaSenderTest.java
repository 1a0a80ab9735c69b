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
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import dev.tidemark.outbox.Sent.Blame;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sender to Kafka")
class KafkaSenderTest {
  private static final Sent TAKEN_AT = Sent.taken().at("orders", "orders-0");
  private static final List<Sent> TAKEN = Collections.nCopies(3, TAKEN_AT);

  private static OutboxMessage outgoing(String id, OutgoingMessage message) {
    return new OutboxMessage(id, Instant.EPOCH, message);
  }

  private static List<OutboxMessage> three() {
    return IntStream.range(0, 3)
        .mapToObj(i -> outgoing("id-" + i, OutgoingMessage.to("orders", "payload " + i)))
        .toList();
  }

  /** Answers each send as a script says; what it says null of is taken. */
  private static class Scripted extends MockProducer<String, byte[]> {
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
    assertEquals(TAKEN_AT, answers.get(0));
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
    assertEquals(TAKEN_AT, KafkaSender.of(producer).send(three().subList(0, 1)).get(0));
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
    assertEquals(List.of(TAKEN_AT, Sent.rejected(tooLarge).at("orders"), TAKEN_AT), answers);
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
    Sent elsewhere = Sent.taken().at("elsewhere", "elsewhere-0");
    assertEquals(List.of(elsewhere, Sent.rejected(unfit), elsewhere), answers);
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
    Sent waits = Sent.deferred(timeout).at("missing");
    assertEquals(List.of(waits, waits, TAKEN_AT), sender.send(messages));
    assertEquals(2, producer.sends);
    Sent there = Sent.taken().at("missing", "missing-0");
    assertEquals(List.of(there, there, TAKEN_AT), sender.send(messages), "it is tried again");
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
      assertEquals(TAKEN_AT, sender.send(one).get(0));
      assertInstanceOf(TimeoutException.class, error(sender.send(one).get(0)));
      assertEquals(TAKEN_AT, sender.send(one).get(0));
      assertFalse(first.closed());
      assertInstanceOf(IllegalStateException.class, error(sender.send(one).get(0)));
      assertTrue(first.closed());
      assertEquals(TAKEN_AT, sender.send(one).get(0));
      assertFalse(second.closed());
    }
    assertTrue(second.closed());
  }

  @Test
  @DisplayName("says of each error what is to blame")
  void blame() throws InterruptedException {
    Map<RuntimeException, Blame> blames = new LinkedHashMap<>();
    blames.put(new NotLeaderOrFollowerException("moved"), Blame.DESTINATION);
    blames.put(new NotEnoughReplicasException("two of three"), Blame.DESTINATION);
    blames.put(new TimeoutException("expired"), Blame.DESTINATION);
    blames.put(new OutOfOrderSequenceException("lost"), Blame.DESTINATION);
    blames.put(new SaslAuthenticationException("expired"), Blame.DESTINATION);
    blames.put(new ProducerFencedException("fenced"), Blame.DESTINATION);
    blames.put(new UnknownTopicOrPartitionException("nobody made it"), Blame.UNKNOWN);
    blames.put(
        new TimeoutException("not present", new UnknownTopicOrPartitionException("none")),
        Blame.UNKNOWN);
    blames.put(new TopicAuthorizationException("orders"), Blame.UNKNOWN);
    blames.put(new CorruptRecordException("again"), Blame.UNKNOWN);
    blames.put(new IllegalStateException("what is this"), Blame.UNKNOWN);
    blames.put(new RecordTooLargeException("large"), Blame.MESSAGE);
    blames.put(new InvalidTopicException("a/b"), Blame.MESSAGE);
    blames.put(new SerializationException("unfit"), Blame.MESSAGE);
    for (Map.Entry<RuntimeException, Blame> one : blames.entrySet()) {
      Sent answer = KafkaSender.of(new Scripted(one.getKey())).send(three()).get(0);
      assertEquals(
          one.getValue(),
          assertInstanceOf(Sent.Failed.class, answer).blame(),
          () -> "" + one.getKey());
    }
  }

  @Test
  @DisplayName("answers for each message, though the caller's function throws an error for one")
  void error() throws InterruptedException {
    Sender sender =
        KafkaSender.of(
            new Scripted(),
            message -> {
              if (message.id().equals("id-1")) {
                throw new StackOverflowError();
              }
              return new ProducerRecord<>("orders", message.message().bytes());
            });
    List<Sent> answers = sender.send(three());
    assertEquals(List.of(TAKEN_AT, TAKEN_AT), List.of(answers.get(0), answers.get(2)));
    assertInstanceOf(Sent.Failed.class, answers.get(1));
  }

  @Test
  @DisplayName("takes each record's own answer, though the producer cannot be flushed")
  void noFlush() throws InterruptedException {
    var producer =
        new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized void flush() {
            while (completeNext()) {
              assertFalse(history().isEmpty());
            }
            throw new KafkaException("closed meanwhile");
          }
        };
    assertEquals(TAKEN, KafkaSender.of(producer).send(three()));
  }

  @Test
  @DisplayName("that renews has another producer though the one of no use does not close")
  void renewsPastClose() throws InterruptedException {
    Scripted first =
        new Scripted(new IllegalStateException("dead", new ProducerFencedException("fenced"))) {
          @Override
          public synchronized void close(Duration timeout) {
            throw new KafkaException("Failed to close kafka producer");
          }
        };
    List<Scripted> producers = new ArrayList<>(List.of(first, new Scripted()));
    RenewingKafkaSender sender = RenewingKafkaSender.of(() -> producers.remove(0));
    List<OutboxMessage> one = three().subList(0, 1);
    assertInstanceOf(IllegalStateException.class, error(sender.send(one).get(0)));
    assertEquals(TAKEN_AT, sender.send(one).get(0));
    sender.close();
  }

  @Test
  @DisplayName("that renews says so where it is given the producer again that is of no use")
  void renewsBySame() throws InterruptedException {
    List<OutboxMessage> one = three().subList(0, 1);
    Scripted kept =
        new Scripted(new IllegalStateException("dead", new ProducerFencedException("fenced"))) {
          @Override
          public synchronized void close(
              Duration timeout) {} // as those that Spring's factory keeps
        };
    List<Scripted> producers = new ArrayList<>(List.of(kept, kept, new Scripted()));
    try (RenewingKafkaSender sender = RenewingKafkaSender.of(() -> producers.remove(0))) {
      assertInstanceOf(IllegalStateException.class, error(sender.send(one).get(0)));
      Sent.Failed told = assertInstanceOf(Sent.Failed.class, sender.send(one).get(0));
      assertEquals(Blame.DESTINATION, told.blame());
      assertTrue(String.valueOf(told.error().getMessage()).contains("the same producer again"));
      assertEquals(TAKEN_AT, sender.send(one).get(0));
    }
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
  @DisplayName("that renews blames no message where no producer can be made, and asks again")
  void noProducer() throws InterruptedException {
    List<Scripted> producers = new ArrayList<>();
    try (RenewingKafkaSender sender =
        RenewingKafkaSender.of(
            () -> {
              if (producers.isEmpty()) {
                throw new NoClassDefFoundError("a/B");
              }
              return producers.get(0);
            })) {
      assertDeferred(sender.send(three()));
      producers.add(new Scripted());
      assertEquals(TAKEN, sender.send(three()));
    }
  }

  private static void assertDeferred(List<Sent> answers) {
    assertEquals(3, answers.size());
    for (Sent answer : answers) {
      assertEquals(Blame.DESTINATION, assertInstanceOf(Sent.Failed.class, answer).blame());
    }
  }

  @Test
  @DisplayName("that renews makes no producer once it is closed, and blames no message for that")
  void closed() throws InterruptedException {
    List<Scripted> producers = new ArrayList<>(List.of(new Scripted(), new Scripted()));
    RenewingKafkaSender sender = RenewingKafkaSender.of(() -> producers.remove(0));
    assertEquals(TAKEN_AT, sender.send(three()).get(0));
    sender.close();
    assertDeferred(sender.send(three()));
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

  @Test
  @DisplayName("tells an interrupt that comes before an answer as one of its own thread")
  void interruptedAnswer() {
    var producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    Sender sender =
        KafkaSender.of(
            producer,
            message -> {
              Thread.currentThread().interrupt();
              return new ProducerRecord<>("orders", message.message().bytes());
            });
    InterruptedException told =
        assertThrows(InterruptedException.class, () -> sender.send(three()));
    assertTrue(Uninterrupted.isTold(told));
    assertFalse(Thread.interrupted());
  }

  @Test
  @DisplayName("blames no message for a producer that was closed")
  void closedProducer() throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", "localhost:1");
    var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    producer.close(Duration.ZERO);
    for (Sent answer : KafkaSender.of(producer).send(three())) {
      Sent.Failed failed = assertInstanceOf(Sent.Failed.class, answer);
      assertEquals(Blame.DESTINATION, failed.blame());
      assertInstanceOf(DeadProducerException.class, failed.error());
    }
  }

  @Test
  @DisplayName("blames no message for a producer that is closed while it sends")
  void closedWhileSending() {
    KafkaException closed = new KafkaException("Producer closed while send in progress");
    assertInstanceOf(DeadProducerException.class, FatalStates.told(closed));
  }
}
