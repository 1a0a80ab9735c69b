package dev.tidemark.kafka;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the dead letters of a {@link KafkaDeadLetters} topic back to the topics and partitions that
 * they came from: exactly those that are there when it begins, so that one that dies again does not
 * go in circles. Letters and the progress through them are one transaction of Kafka, so a redrive
 * that was interrupted goes on where it ended, a second one that is started beside it ends the
 * first, and a consumer with {@code isolation.level=read_committed} gets each letter once.
 *
 * <p>The letters stay in their topic until it drops them; the next redrive goes on behind them. A
 * letter is left there and counted if it has no origin, or not the record's value or bytes, if its
 * topic or partition is not there, or if the topic does not take it: it is too large, or there is
 * no right to it. The topic's bound decides, unless the connection has a {@code max.request.size}.
 * Letters of more than 16 MB together go by several transactions, and one of more than that alone.
 * From the command line: {@code java dev.tidemark.kafka.KafkaRedrive client.properties
 * orders-dead-letters}.
 *
 * <p>The broker forgets the progress {@code offsets.retention.minutes} (7 days by default) after
 * the last redrive, also one that found nothing. The next one then puts back again whatever the
 * topic still has: redrive at least that often, or let the topic drop letters sooner ({@code
 * retention.ms}).
 */
public final class KafkaRedrive {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int MOST = 100;

  /** So many bytes of letters in a transaction, unless one has more: a request has no more then. */
  static final int MOST_BYTES = 16_000_000;

  private static final List<String> REASONS =
      List.of(KafkaDeadLetters.REASON, KafkaDeadLetters.KIND, KafkaDeadLetters.TRIES);

  private final Consumer<byte[], byte[]> consumer;
  private final Producer<byte[], byte[]> producer;
  private long sent;
  private long left;

  /** Where letters can be put back; a producer would wait a minute for each that is not there. */
  private Set<TopicPartition> places = Set.of();

  private KafkaRedrive(Consumer<byte[], byte[]> consumer, Producer<byte[], byte[]> producer) {
    this.consumer = consumer;
    this.producer = producer;
  }

  /**
   * What a redrive has done.
   *
   * @param sent how many letters it put back
   * @param left how many it could not, and left where they are
   */
  public record Redriven(long sent, long left) {}

  /**
   * Redrives a topic of dead letters.
   *
   * @param connection how to reach Kafka: {@code bootstrap.servers}, and what its security wants.
   *     The progress is kept for the group {@code group.id}, which is the topic's name with {@code
   *     -redrive} unless it is given
   * @param topic of dead letters
   * @return how many were put back
   * @throws IllegalArgumentException if there is no such topic
   * @throws KafkaException if it cannot go on; run it again
   */
  public static Redriven run(Map<String, Object> connection, String topic) {
    Map<String, Object> settings = new HashMap<>(connection);
    settings.putIfAbsent(ConsumerConfig.GROUP_ID_CONFIG, topic + "-redrive");
    Object group = settings.get(ConsumerConfig.GROUP_ID_CONFIG);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    try (Producer<byte[], byte[]> producer =
            new KafkaProducer<>(
                sending(connection, group), new ByteArraySerializer(), new ByteArraySerializer());
        Consumer<byte[], byte[]> consumer =
            new KafkaConsumer<>(
                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return run(consumer, producer, topic);
    }
  }

  /** Of a producer that sets no bound of its own: by Kafka's defaults it refuses more than 1 MB. */
  static Map<String, Object> sending(Map<String, Object> connection, Object group) {
    Map<String, Object> sending = new HashMap<>(connection);
    sending.remove(ConsumerConfig.GROUP_ID_CONFIG);
    sending.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, group);
    sending.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.MAX_VALUE);
    sending.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.MAX_VALUE); // a bound, too
    return sending;
  }

  static Redriven run(
      Consumer<byte[], byte[]> consumer, Producer<byte[], byte[]> producer, String topic) {
    return new KafkaRedrive(consumer, producer).run(topic);
  }

  /**
   * Redrives from the command line, and prints what it has done.
   *
   * @param args a file of properties that say how to reach Kafka, and the topic of dead letters
   * @throws IOException if the file cannot be read
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException(
          "give a file of properties, and the topic of dead letters; there were "
              + args.length
              + " arguments");
    }
    Properties properties = new Properties();
    try (Reader file = Files.newBufferedReader(Path.of(args[0]))) {
      properties.load(file);
    }
    Map<String, Object> connection = new HashMap<>();
    properties.forEach((name, value) -> connection.put((String) name, value));
    System.out.println(run(connection, args[1]));
  }

  private Redriven run(String topic) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    if (partitions.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no topic " + topic + ": give the name of the topic of dead letters");
    }
    places = places();
    producer.initTransactions(); // which ends another one
    consumer.assign(partitions);
    Map<TopicPartition, Long> ends = Map.copyOf(consumer.endOffsets(partitions));
    long progress = System.nanoTime();
    while (!isAtEnd(ends)) {
      ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
      if (!polled.nextOffsets().isEmpty()) {
        sendBack(polled, ends);
        progress = System.nanoTime();
      } else if (System.nanoTime() - progress > PATIENCE.toNanos()) {
        throw new TimeoutException("no dead letter for " + PATIENCE + ", and not at their end");
      }
    }
    keepProgress(ends);
    return new Redriven(sent, left);
  }

  private Set<TopicPartition> places() {
    Set<TopicPartition> places = new HashSet<>();
    consumer
        .listTopics()
        .forEach(
            (topic, partitions) ->
                partitions.forEach(one -> places.add(new TopicPartition(topic, one.partition()))));
    return places;
  }

  /** Commits the progress of all partitions anew: the broker forgets that of each by its age. */
  private void keepProgress(Map<TopicPartition, Long> ends) {
    Map<TopicPartition, OffsetAndMetadata> reached = new HashMap<>();
    ends.forEach((partition, end) -> reached.put(partition, new OffsetAndMetadata(end)));
    producer.beginTransaction();
    try {
      producer.sendOffsetsToTransaction(reached, consumer.groupMetadata());
      producer.commitTransaction();
    } catch (KafkaException e) {
      var unused = abort(e);
      throw e;
    }
  }

  private boolean isAtEnd(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private void sendBack(ConsumerRecords<byte[], byte[]> polled, Map<TopicPartition, Long> ends) {
    List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> letter : polled) {
      if (letter.offset() < ends.getOrDefault(Step.partition(letter), 0L)) {
        letters.add(letter);
      }
    }
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>(polled.nextOffsets());
    next.replaceAll((partition, offset) -> bounded(offset, ends.getOrDefault(partition, 0L)));
    sendBack(letters, next);
  }

  /**
   * Sends letters. Nothing tells which one its topic does not take, since the producer fails others
   * of the transaction by the same exception: both halves go by themselves then, until such a
   * letter is alone. So they do where all together would be a request larger than a broker may take
   * ({@code socket.request.max.bytes}), since the broker then closes the connection without a word.
   *
   * @param next the progress behind them
   */
  private void sendBack(
      List<ConsumerRecord<byte[], byte[]>> letters, Map<TopicPartition, OffsetAndMetadata> next) {
    boolean fits = letters.size() <= 1 || bytes(letters) <= MOST_BYTES;
    if (fits && commit(letters, next)) {
      return;
    }
    if (letters.size() == 1) {
      var unused = commit(List.of(), next);
      left++;
      return;
    }
    int half = letters.size() / 2;
    Map<TopicPartition, OffsetAndMetadata> between = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> letter : letters.subList(0, half)) {
      between.put(Step.partition(letter), new OffsetAndMetadata(letter.offset() + 1));
    }
    sendBack(letters.subList(0, half), between);
    sendBack(letters.subList(half, letters.size()), next);
  }

  private static long bytes(List<ConsumerRecord<byte[], byte[]>> letters) {
    long bytes = 0;
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      bytes += bytes(letter.key()) + bytes(letter.value());
      for (Header header : letter.headers()) {
        bytes += bytes(header.value());
      }
    }
    return bytes;
  }

  private static long bytes(byte @Nullable [] part) {
    return part == null ? 0 : part.length;
  }

  /** One transaction; false if it is aborted, since a topic does not take a letter. */
  private boolean commit(
      List<ConsumerRecord<byte[], byte[]>> letters, Map<TopicPartition, OffsetAndMetadata> next) {
    List<Future<RecordMetadata>> posted = new ArrayList<>();
    producer.beginTransaction();
    try {
      for (ConsumerRecord<byte[], byte[]> letter : letters) {
        original(letter).ifPresent(record -> posted.add(producer.send(record)));
      }
      producer.sendOffsetsToTransaction(next, consumer.groupMetadata());
      producer.commitTransaction();
    } catch (KafkaException e) {
      if (!abort(e) || !(isOfLetter(e) || posted.stream().anyMatch(KafkaRedrive::isOfLetter))) {
        throw e;
      }
      places = places(); // one may be gone by now
      return false;
    }
    sent += posted.size();
    left += letters.size() - posted.size();
    return true;
  }

  private static boolean isOfLetter(Future<RecordMetadata> answer) {
    if (!answer.isDone()) {
      return false;
    }
    try {
      var unused = answer.get();
      return false;
    } catch (ExecutionException e) {
      return e.getCause() != null && isOfLetter(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean isOfLetter(Throwable error) {
    return Answers.isOfRecord(error)
        || Answers.isLasting(error)
        || error instanceof TopicAuthorizationException;
  }

  /** A producer that is fenced, or in doubt of its commit, aborts by being closed. */
  private boolean abort(KafkaException cause) {
    try {
      producer.abortTransaction();
      return true;
    } catch (KafkaException | IllegalStateException e) {
      cause.addSuppressed(e);
      return false;
    }
  }

  private static OffsetAndMetadata bounded(OffsetAndMetadata offset, long end) {
    return offset.offset() <= end ? offset : new OffsetAndMetadata(end);
  }

  /** The record as it was, which keeps the headers that say where it was first. */
  private Optional<ProducerRecord<byte[], byte[]>> original(ConsumerRecord<byte[], byte[]> letter) {
    Optional<String> topic = KafkaDeadLetters.header(letter, KafkaDeadLetters.TOPIC);
    Optional<String> partition = KafkaDeadLetters.header(letter, KafkaDeadLetters.PARTITION);
    if (topic.isEmpty()
        || topic.get().equals(letter.topic()) // somebody redrives the topic of a consumer
        || !partition.orElse("").matches("\\d{1,9}")
        || KafkaDeadLetters.header(letter, KafkaDeadLetters.LEFT_OUT).isPresent()
        || KafkaDeadLetters.header(letter, KafkaDeadLetters.BYTES_LOST).isPresent()
        || hasOtherSizes(letter)) {
      return Optional.empty();
    }
    Integer to = Integer.valueOf(partition.get());
    if (!places.contains(new TopicPartition(topic.get(), to))) {
      return Optional.empty();
    }
    ProducerRecord<byte[], byte[]> original =
        new ProducerRecord<>(topic.get(), to, letter.key(), letter.value(), letter.headers());
    REASONS.forEach(original.headers()::remove);
    return Optional.of(original);
  }

  /** Whether the producer of letters has made other bytes of it than its record had. */
  private static boolean hasOtherSizes(ConsumerRecord<byte[], byte[]> letter) {
    String sizes = size(letter.key()) + " " + size(letter.value());
    return KafkaDeadLetters.header(letter, KafkaDeadLetters.SIZES)
        .filter(known -> !known.isEmpty() && !known.equals(sizes))
        .isPresent();
  }

  private static int size(byte @Nullable [] part) {
    return part == null ? ConsumerRecord.NULL_SIZE : part.length;
  }
}
