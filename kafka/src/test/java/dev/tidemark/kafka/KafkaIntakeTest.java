package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.Intake;
import dev.tidemark.kernel.Backoff;
import java.nio.charset.Charset;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A step of a Kafka intake")
class KafkaIntakeTest {
  private static final TopicPartition LEFT = new TopicPartition("orders", 0);

  private final Ledger ledger = new Ledger();
  private final AtomicLong nanos = new AtomicLong();

  private static ConsumerRecord<String, byte[]> record(long offset, String value) {
    return new ConsumerRecord<>("orders", 0, offset, "key", value.getBytes(UTF_8));
  }

  private static ConsumerRecords<String, byte[]> polled(
      List<ConsumerRecord<String, byte[]>> records) {
    long next = records.get(records.size() - 1).offset() + 1;
    return new ConsumerRecords<>(Map.of(LEFT, records), Map.of(LEFT, new OffsetAndMetadata(next)));
  }

  private KafkaIntake<String, byte[]> intake() {
    return KafkaIntake.of(ledger.intake((record, reason) -> {}))
        .time(Clock.systemUTC(), nanos::get);
  }

  private static Map<TopicPartition, OffsetAndMetadata> at(long offset) {
    return Map.of(LEFT, new OffsetAndMetadata(offset));
  }

  @Test
  @DisplayName("hands over 100 records at a time, and leaves to the next poll what takes too long")
  void bounded() {
    List<ConsumerRecord<String, byte[]>> records =
        IntStream.range(0, 350).mapToObj(i -> record(i, "a" + i + " x")).toList();
    KafkaIntake<String, byte[]> slow =
        KafkaIntake.of(
                ledger
                    .builder((record, reason) -> {})
                    .listener(taken -> nanos.addAndGet(Duration.ofSeconds(31).toNanos()))
                    .build())
            .time(Clock.systemUTC(), nanos::get);
    KafkaProgress progress = slow.handle(polled(records));
    assertEquals(List.of(100, 100), ledger.batches.stream().map(List::size).toList());
    assertEquals(at(200), progress.toCommit());
    assertEquals(Map.of(LEFT, 200L), progress.toSeek());
    assertEquals(List.of(), progress.toPause());
    progress = slow.handle(polled(records.subList(200, 350)));
    assertEquals(at(350), progress.toCommit());
  }

  private static ConsumerRecord<String, byte[]> ofLife(
      Optional<Integer> epoch, long time, long offset, String value) {
    byte[] bytes = value.getBytes(UTF_8);
    return new ConsumerRecord<>(
        "orders",
        0,
        offset,
        time,
        TimestampType.CREATE_TIME,
        3,
        bytes.length,
        "key",
        bytes,
        new RecordHeaders(),
        epoch);
  }

  @ParameterizedTest(name = "the epoch {0}, then {1}, and the times {2} and {3}.")
  @CsvSource({"4, 0, 7, 7", "0, 0, 7, 8", ", , 7, 8"})
  @DisplayName("takes no record of a topic that was created anew for one that it has done, by")
  void createdAnew(@Nullable Integer before, @Nullable Integer after, long then, long now) {
    ledger.failing.add("x");
    List<ConsumerRecord<String, byte[]>> first = new ArrayList<>();
    List<ConsumerRecord<String, byte[]>> anew = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      first.add(ofLife(Optional.ofNullable(before), then, i, i == 0 ? "wait x" : "old" + i + " o"));
      anew.add(ofLife(Optional.ofNullable(after), now, i, "new" + i + " n"));
    }
    KafkaIntake<String, byte[]> intake = intake();
    assertEquals(Map.of(LEFT, 0L), intake.handle(polled(first)).toSeek());
    assertEquals(at(8), intake.handle(polled(anew)).toCommit());
    IntStream.range(0, 8).forEach(i -> assertEquals("n", ledger.texts("new" + i)));
  }

  @Test
  @DisplayName("counts no failure of a topic's former life against a record of the next one")
  void failuresOfFormerLife() {
    List<Reason> letters = new ArrayList<>();
    Intake<ConsumerRecord<String, byte[]>> intake =
        ledger.builder((record, reason) -> letters.add(reason)).parkAfter(2).build();
    ledger.failing.add("x");
    for (int life = 0; life < 2; life++) {
      List<ConsumerRecord<String, byte[]>> records =
          List.of(
              ofLife(Optional.of(life), 7, 0, "done" + life + " d"),
              ofLife(Optional.of(life), 7, 1, "wait" + life + " x"));
      assertEquals(0, intake.take(records).dead());
    }
    assertEquals(List.of(), letters);
  }

  @Test
  @DisplayName("lets nothing overtake a record that is not done in another batch of the same poll")
  void order() {
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    records.add(record(0, "a 0"));
    IntStream.range(1, 150).forEach(i -> records.add(record(i, "b" + i + " x")));
    records.add(record(150, "a 1"));
    ledger.failing.add("0");
    KafkaIntake<String, byte[]> intake = intake();
    KafkaProgress progress = intake.handle(polled(records));
    assertEquals(at(0), progress.toCommit());
    assertEquals(1, ledger.batches.size());
    ledger.failing.clear();
    progress = intake.handle(polled(records));
    assertEquals(at(151), progress.toCommit());
    assertEquals("01", ledger.texts("a"));
    assertEquals(52, ledger.batches.get(1).size(), "without what was done behind it");
  }

  @Test
  @DisplayName("hands over nothing again that is done behind a poll shorter than the one before")
  void shorterPoll() {
    List<ConsumerRecord<String, byte[]>> records =
        IntStream.range(0, 4).mapToObj(i -> record(i, "a" + i + " " + i)).toList();
    ledger.failing.add("0");
    KafkaIntake<String, byte[]> intake = intake();
    assertEquals(at(0), intake.handle(polled(records)).toCommit());
    ledger.failing.clear();
    assertEquals(at(2), intake.handle(polled(records.subList(0, 2))).toCommit());
    assertEquals(List.of(), intake.paused());
    assertEquals(at(4), intake.handle(polled(records.subList(2, 4))).toCommit());
    assertEquals(List.of(List.of("0", "1", "2", "3"), List.of("0")), ledger.batches);
  }

  @Test
  @DisplayName("passes over a partition of which an interceptor has left nothing")
  void nothingLeft() {
    ConsumerRecords<String, byte[]> polled =
        new ConsumerRecords<>(Map.of(LEFT, List.of()), Map.of(LEFT, new OffsetAndMetadata(7)));
    assertEquals(at(7), intake().handle(polled).toCommit());
  }

  @Test
  @DisplayName("lets nothing overtake a record whose decoder has no schema registry for a while")
  void registry() {
    AtomicBoolean isAway = new AtomicBoolean(true);
    KafkaIntake<String, byte[]> intake =
        KafkaIntake.of(
            ledger.decodedBy(
                record -> {
                  if (record.offset() == 0 && isAway.get()) {
                    throw new IllegalStateException("schema registry: connection refused");
                  }
                }));
    List<ConsumerRecord<String, byte[]>> records = List.of(record(0, "a 1"), record(1, "a 2"));
    assertEquals(at(0), intake.handle(polled(records)).toCommit());
    isAway.set(false);
    assertEquals(at(2), intake.handle(polled(records)).toCommit());
    assertEquals("12", ledger.texts("a"));
  }

  @Test
  @DisplayName("gives up what fails again and again, and goes on behind it in the same step")
  void parks() {
    ledger.failing.add("1");
    List<ConsumerRecord<String, byte[]>> records = List.of(record(0, "a 1"), record(1, "a 2"));
    KafkaIntake<String, byte[]> intake = intake();
    List<Long> offsets = new ArrayList<>();
    for (int i = 0; i < 30; i++) { // patience while nothing succeeds, and then not
      KafkaProgress progress = intake.handle(polled(records));
      offsets.add(Objects.requireNonNull(progress.toCommit().get(LEFT)).offset());
    }
    assertEquals(2, offsets.get(29));
    assertEquals(List.of(), intake.paused());
    assertEquals("2", ledger.texts("a"));
  }

  @Test
  @DisplayName("knows a record by its sender's ID, by where it was first, or else by its place")
  void identity() {
    ConsumerRecord<String, byte[]> record = record(5, "a 1");
    assertEquals(MessageId.of("kafka", "orders", "0", "5"), KafkaIntake.identity(record));
    record.headers().add(KafkaDeadLetters.TOPIC, "orders".getBytes(UTF_8));
    record.headers().add(KafkaDeadLetters.PARTITION, "0".getBytes(UTF_8));
    record.headers().add(KafkaDeadLetters.OFFSET, "3".getBytes(UTF_8));
    assertEquals(MessageId.of("kafka", "orders", "0", "3"), KafkaIntake.identity(record));
    ConsumerRecord<String, byte[]> made = new ConsumerRecord<>("others", 0, 9, "key", new byte[0]);
    record.headers().forEach(made.headers()::add);
    assertEquals(MessageId.of("kafka", "others", "0", "9"), KafkaIntake.identity(made));
    assertEquals(
        MessageId.of("kafka-cluster", "eu", KafkaIntake.identity(record).value()),
        KafkaIntake.identity(record, "eu"));
    assertNotEquals(KafkaIntake.identity(record, "eu"), KafkaIntake.identity(record, "eu-2"));
    assertEquals(KafkaIntake.identity(record(3, "")), KafkaIntake.identity(record));
    assertEquals(KafkaIntake.identity(record(3, ""), "eu"), KafkaIntake.identity(record, "eu"));
    assertThrows(IllegalArgumentException.class, () -> KafkaIntake.identity(record, ""));
    record.headers().add(KafkaSender.ID, "id-1".getBytes(UTF_8));
    record.headers().add(KafkaSender.DESTINATION, "orders".getBytes(UTF_8));
    assertEquals(MessageId.of("id-1"), KafkaIntake.identity(record));
    assertEquals(MessageId.of("id-1"), KafkaIntake.identity(record, "eu"));
  }

  @Test
  @DisplayName("takes no ID that was handed on, or tells no topic, for the record's own")
  void sentElsewhere() {
    ConsumerRecord<String, byte[]> sent = record(5, "a 1");
    sent.headers().add(KafkaSender.ID, "id-1".getBytes(UTF_8));
    ConsumerRecord<String, byte[]> made = new ConsumerRecord<>("totals", 0, 9, "k", new byte[0]);
    ConsumerRecord<String, byte[]> second = new ConsumerRecord<>("totals", 0, 10, "k", new byte[0]);
    assertEquals(MessageId.of("kafka", "orders", "0", "5"), KafkaIntake.identity(sent));
    sent.headers().add(KafkaSender.DESTINATION, "orders".getBytes(UTF_8));
    sent.headers().forEach(made.headers()::add); // as Kafka Streams does
    sent.headers().forEach(second.headers()::add);
    assertEquals(MessageId.of("id-1"), KafkaIntake.identity(sent));
    assertEquals(MessageId.of("kafka", "totals", "0", "9"), KafkaIntake.identity(made));
    assertNotEquals(KafkaIntake.identity(made), KafkaIntake.identity(second));
    assertNotEquals(KafkaIntake.identity(made, "eu"), KafkaIntake.identity(second, "eu"));
    assertEquals(MessageId.of("id-1"), KafkaIntake.identityOfSent(made));
    assertEquals(KafkaIntake.identity(record(3, "")), KafkaIntake.identityOfSent(record(3, "")));
  }

  @Test
  @DisplayName("takes no record for one that was put back, whose headers it has with other words")
  void madeOfRedriven() throws Exception {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    var letters = KafkaDeadLetters.of(producer, "dead");
    letters.keep(record(3, "a 1"), new Reason("Bug", false, 10));
    ProducerRecord<String, byte[]> letter = producer.history().get(0);
    List<ConsumerRecord<String, byte[]>> made =
        List.of(record(20, "a 1"), record(21, "a 2"), record(22, "a 3"), record(23, "a 1"));
    made.forEach(one -> letter.headers().forEach(one.headers()::add));
    assertEquals(
        Stream.of("3", "21", "22", "3")
            .map(at -> MessageId.of("kafka", "orders", "0", at))
            .toList(),
        made.stream().map(KafkaIntake::identity).toList());
    letters.keep(made.get(0), new Reason("Bug", false, 10));
    letters.keep(made.get(1), new Reason("Bug", false, 10));
    assertEquals("3", header(producer.history().get(1), KafkaDeadLetters.OFFSET));
    assertEquals("21", header(producer.history().get(2), KafkaDeadLetters.OFFSET));
    ConsumerRecord<Long, byte[]> number = new ConsumerRecord<>("orders", 0, 24, 7L, new byte[1]);
    letter.headers().forEach(number.headers()::add); // of which the headers alone can be compared
    assertEquals(MessageId.of("kafka", "orders", "0", "3"), KafkaIntake.identity(number));
    ConsumerRecord<String, byte[]> other =
        new ConsumerRecord<>("orders", 0, 25, "another key", "a 1".getBytes(UTF_8));
    letter.headers().forEach(other.headers()::add);
    assertEquals(MessageId.of("kafka", "orders", "0", "25"), KafkaIntake.identity(other));
  }

  @Test
  @DisplayName("knows when a record was first written, though it was put back since")
  void time() {
    ConsumerRecord<String, byte[]> record = written("orders", 2_000);
    assertEquals(Instant.ofEpochMilli(2_000), KafkaIntake.time(record));
    record.headers().add(KafkaDeadLetters.TIME, "1000".getBytes(UTF_8));
    assertEquals(Instant.ofEpochMilli(2_000), KafkaIntake.time(record));
    record.headers().add(KafkaDeadLetters.TOPIC, "orders".getBytes(UTF_8));
    assertEquals(Instant.ofEpochMilli(1_000), KafkaIntake.time(record));
    ConsumerRecord<String, byte[]> made = written("others", 3_000);
    record.headers().forEach(made.headers()::add);
    assertEquals(Instant.ofEpochMilli(3_000), KafkaIntake.time(made));
  }

  private static ConsumerRecord<String, byte[]> written(String topic, long time) {
    return new ConsumerRecord<>(
        topic,
        0,
        0,
        time,
        TimestampType.CREATE_TIME,
        0,
        0,
        "key",
        new byte[0],
        new RecordHeaders(),
        Optional.empty());
  }

  @Test
  @DisplayName("keeps a dead letter with its own place where its producer handed on another's")
  void handedOn() throws Exception {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    ConsumerRecord<String, byte[]> invoice = written("invoices", 2_000);
    invoice.headers().add(KafkaDeadLetters.TOPIC, "orders".getBytes(UTF_8));
    invoice.headers().add(KafkaDeadLetters.PARTITION, "3".getBytes(UTF_8));
    invoice.headers().add(KafkaDeadLetters.OFFSET, "5".getBytes(UTF_8));
    invoice.headers().add(KafkaDeadLetters.TIME, "1000".getBytes(UTF_8));
    KafkaDeadLetters.of(producer, "dead").keep(invoice, new Reason("Bug", false, 10));
    ProducerRecord<String, byte[]> letter = producer.history().get(0);
    assertEquals("invoices", header(letter, KafkaDeadLetters.TOPIC));
    assertEquals("0", header(letter, KafkaDeadLetters.PARTITION));
    assertEquals("0", header(letter, KafkaDeadLetters.OFFSET));
    assertEquals("2000", header(letter, KafkaDeadLetters.TIME));
  }

  private static String header(ProducerRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  @Test
  @DisplayName("keeps dead letters with reason and first place, without a value that is too large")
  void deadLetters() throws Exception {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    var letters = KafkaDeadLetters.of(producer, "dead");
    ConsumerRecord<String, byte[]> record = record(5, "poison");
    long time = record.timestamp();
    record.headers().add("trace", "t".getBytes(UTF_8));
    letters.keep(record, new Reason("IOException", true, 1));
    ProducerRecord<String, byte[]> letter = producer.history().get(0);
    assertEquals("dead", letter.topic());
    assertEquals("key", letter.key());
    assertEquals("poison", new String(letter.value(), UTF_8));
    assertEquals("t", header(letter, "trace"));
    assertEquals("IOException", header(letter, KafkaDeadLetters.REASON));
    assertEquals("undecodable", header(letter, KafkaDeadLetters.KIND));
    assertEquals("1", header(letter, KafkaDeadLetters.TRIES));
    assertEquals("orders", header(letter, KafkaDeadLetters.TOPIC));
    assertEquals("5", header(letter, KafkaDeadLetters.OFFSET));
    assertEquals("" + time, header(letter, KafkaDeadLetters.TIME));

    record.headers().add(KafkaDeadLetters.TOPIC, "orders".getBytes(UTF_8));
    record.headers().add(KafkaDeadLetters.OFFSET, "2".getBytes(UTF_8));
    record.headers().add(KafkaDeadLetters.TIME, "1000".getBytes(UTF_8));
    letters.keep(record, new Reason("NullPointerException", false, 10));
    letter = producer.history().get(1);
    assertEquals("2", header(letter, KafkaDeadLetters.OFFSET));
    assertEquals("1000", header(letter, KafkaDeadLetters.TIME));
    assertEquals("parked", header(letter, KafkaDeadLetters.KIND));

    producer.sendException = new RecordTooLargeException("too large");
    assertThrows(
        RecordTooLargeException.class, () -> letters.keep(record, new Reason("", false, 1)));
    var narrow =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> sent) {
            return sent.value() == null
                ? super.send(sent)
                : CompletableFuture.failedFuture(new RecordTooLargeException("too large"));
          }
        };
    KafkaDeadLetters.of(narrow, "dead").keep(record, new Reason("", false, 1));
    assertNull(narrow.history().get(0).value());
    assertEquals("true", header(narrow.history().get(0), KafkaDeadLetters.LEFT_OUT));
  }

  /** A record as a text deserializer reads it from Kafka. */
  private static ConsumerRecord<String, String> read(
      byte @Nullable [] key, byte @Nullable [] value, Charset charset) {
    return new ConsumerRecord<>(
        "orders",
        0,
        5,
        1,
        TimestampType.CREATE_TIME,
        key == null ? ConsumerRecord.NULL_SIZE : key.length,
        value == null ? ConsumerRecord.NULL_SIZE : value.length,
        key == null ? null : new String(key, charset),
        value == null ? null : new String(value, charset),
        new RecordHeaders(),
        Optional.empty());
  }

  @Test
  @DisplayName("marks a dead letter whose bytes a deserializer has lost, and no other")
  void bytesLost() throws Exception {
    MockProducer<String, String> producer =
        new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());
    var letters = KafkaDeadLetters.of(producer, "dead");
    byte[] sound = "gr\u00fc\u00dfe \uFFFD".getBytes(UTF_8);
    byte[] latin = "gr\u00fc\u00dfe".getBytes(ISO_8859_1);
    ConsumerRecord<String, String> handedOn = read(sound, sound, UTF_8);
    handedOn.headers().add(KafkaDeadLetters.BYTES_LOST, "true".getBytes(UTF_8));
    handedOn.headers().add(KafkaDeadLetters.LEFT_OUT, "true".getBytes(UTF_8));
    ConsumerRecord<String, String> unread =
        new ConsumerRecord<>(
            "orders",
            0,
            5,
            1,
            TimestampType.CREATE_TIME,
            -1,
            7,
            null,
            null,
            new RecordHeaders(),
            Optional.empty());
    List<ConsumerRecord<String, String>> whole =
        List.of(
            read(sound, sound, UTF_8),
            read(null, null, UTF_8),
            read(latin, latin, ISO_8859_1),
            new ConsumerRecord<>("orders", 0, 5, "\uFFFD", "\uFFFD"), // of no known length
            handedOn);
    List<ConsumerRecord<String, String>> lossy =
        List.of(read(sound, latin, UTF_8), read(latin, sound, UTF_8), unread);
    for (var record : Stream.concat(whole.stream(), lossy.stream()).toList()) {
      letters.keep(record, new Reason("IOException", true, 1));
    }
    List<Boolean> marked = marks(producer, KafkaDeadLetters.BYTES_LOST);
    assertEquals(List.of(false, false, false, false, false, true, true, true), marked);
    assertNull(producer.history().get(4).headers().lastHeader(KafkaDeadLetters.LEFT_OUT));
  }

  @Test
  @DisplayName("marks no sound text of another charset, once it is told which")
  void otherCharset() throws Exception {
    MockProducer<String, String> producer =
        new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());
    byte[] sound = "gr\u00fc\u00dfe \uFFFD".getBytes(UTF_16);
    byte[] cut = Arrays.copyOf(sound, sound.length - 1);
    var letters = KafkaDeadLetters.of(producer, "dead");
    var told = letters.charset(UTF_16);
    letters.keep(read(sound, sound, UTF_16), new Reason("Bug", false, 1));
    told.keep(read(sound, sound, UTF_16), new Reason("Bug", false, 1));
    told.keep(read(sound, cut, UTF_16), new Reason("Bug", false, 1));
    byte[] odd = {'a', -1, 'b'}; // one byte is lost, and one stands in its place
    letters.charset(US_ASCII).keep(read(odd, odd, US_ASCII), new Reason("Bug", false, 1));
    assertEquals(List.of(true, false, true, true), marks(producer, KafkaDeadLetters.BYTES_LOST));
  }

  @Test
  @DisplayName("marks a letter again that was copied with its mark, wherever to, and dies again")
  void copied() throws Exception {
    MockProducer<String, String> producer =
        new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());
    var letters = KafkaDeadLetters.of(producer, "dead");
    letters.keep(read(null, new byte[] {-1}, UTF_8), new Reason("Bug", false, 1));
    ProducerRecord<String, String> letter = producer.history().get(0);
    byte[] bytes = letter.value().getBytes(UTF_8);
    ConsumerRecord<String, String> back = read(null, bytes, UTF_8);
    letter.headers().forEach(back.headers()::add);
    letters.keep(back, new Reason("Bug", false, 1));
    ConsumerRecord<String, String> elsewhere = new ConsumerRecord<>("copies", 0, 9, null, "\uFFFD");
    letter.headers().forEach(elsewhere.headers()::add);
    letters.keep(elsewhere, new Reason("Bug", false, 1));
    ConsumerRecord<String, String> another = new ConsumerRecord<>("copies", 0, 9, null, "other");
    letter.headers().forEach(another.headers()::add);
    letters.keep(another, new Reason("Bug", false, 1));
    assertEquals(List.of(true, true, true, false), marks(producer, KafkaDeadLetters.BYTES_LOST));
    ConsumerRecord<String, String> empty = read(null, null, UTF_8);
    empty.headers().add(KafkaDeadLetters.LEFT_OUT, "true".getBytes(UTF_8));
    letters.keep(empty, new Reason("Bug", false, 1));
    assertTrue(marks(producer, KafkaDeadLetters.LEFT_OUT).get(4));
  }

  private static List<Boolean> marks(MockProducer<String, String> producer, String header) {
    return producer.history().stream()
        .map(letter -> letter.headers().lastHeader(header) != null)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "enable.auto.commit, true",
    "enable.auto.commit, ",
    "auto.offset.reset, latest",
    "auto.offset.reset, by_duration:P1D",
    "auto.offset.reset, ",
    "group.id, "
  })
  @DisplayName("refuses settings by name that would lose records, Kafka's defaults among them")
  void unsafe(String name, String value) {
    Map<String, Object> settings =
        new HashMap<>(
            Map.of(
                "enable.auto.commit", "false", "auto.offset.reset", "earliest", "group.id", "g"));
    assertSame(settings, KafkaIntake.requireSafe(settings));
    if (value == null) {
      settings.remove(name);
    } else {
      settings.put(name, value);
    }
    String text =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> KafkaIntake.requireSafe(settings))
                .getMessage());
    assertTrue(text.contains(name), text);
  }

  @Test
  @DisplayName("refuses times that make no sense")
  void times() {
    KafkaIntake<String, byte[]> intake = intake();
    assertThrows(IllegalArgumentException.class, () -> intake.within(Duration.ZERO));
    assertThrows(
        IllegalArgumentException.class,
        () -> intake.pauses(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    assertThrows(
        IllegalArgumentException.class, () -> intake.pauses(Duration.ZERO, Duration.ofSeconds(1)));
    Duration day = Duration.ofDays(1);
    assertEquals(day, Backoff.ofIntake(day, day).after(2));
    assertThrows(IllegalArgumentException.class, () -> Backoff.ofIntake(day, day.plusNanos(1)));
  }
}
