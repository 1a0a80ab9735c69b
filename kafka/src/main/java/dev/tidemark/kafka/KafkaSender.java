package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Sends outgoing messages by a Kafka producer. All messages of a call are on their way together,
 * and the call returns once the producer has an answer for each of them. A message counts as sent
 * once the broker has told its offset; any error means that it was not sent. A message of which the
 * producer has lost sight may still arrive, so a topic can have twins: the same message more than
 * once.
 *
 * <p>A record has the message's topic, its key (none if the message has none; then the broker's
 * order is not the entity's), its payload, and its headers in UTF-8. The header {@value #ID} has
 * the ID that is the same at every try, {@value #DESTINATION} the topic for which that was given,
 * and {@value #TYPE} the type, if there is one; they replace headers of these names that the
 * message has itself. Consumers drop twins by that ID:
 *
 * <pre>{@code
 * orders.update(KafkaIntake.identity(record), key, change);
 * }</pre>
 *
 * <p>Kafka Streams, and others that make records of records, hand headers on. By the topic a
 * consumer knows that an ID was not given for the record at hand.
 *
 * <p>"Taken for good" holds if the producer waits for all replicas that are in sync. A producer
 * does not tell its settings, so {@link #requireSafe} looks at them before it is made; a producer
 * that does not wait for the broker at all (acks=0) shows in its answers, and each of its messages
 * counts as not sent. A transactional producer cannot be used.
 *
 * <p>A call lasts at most {@code max.block.ms} for each topic whose partitions the producer cannot
 * learn, and {@code delivery.timeout.ms}. A topic that the brokers do not have is not asked for
 * again until ten times as long has passed as the producer has waited for it, so that messages to
 * other topics go on; until then its messages fail at once. The log names the topic once. Kafka's
 * defaults, one minute and two, are longer than the lease of a relay: set both so that the call is
 * shorter than the lease, or the lease longer.
 *
 * <p>What Kafka calls retriable is not the message's fault ({@link Sent#deferred}), but for a topic
 * that is not there, which counts a try, as any unknown error does. A record that is too large,
 * invalid, or cannot be serialized is rejected.
 *
 * <p>Nothing is retried beyond what the producer does itself: the relay sends again. A producer
 * that was fenced, or may not send for good, says so in the error of every message; it has to be
 * replaced, and the sender with it, as {@link RenewingKafkaSender} does. The caller closes the
 * producer. Threads may share a sender.
 */
public final class KafkaSender implements Sender {
  /** The header with the ID by which consumers drop twins. */
  public static final String ID = "tidemark-id";

  /** The header with the topic for which the ID was given. */
  public static final String DESTINATION = "tidemark-destination";

  /** The header with the message's type. */
  public static final String TYPE = "tidemark-type";

  private static final System.Logger LOG = System.getLogger(KafkaSender.class.getName());

  private final Function<OutboxMessage, Ready> ready;
  private final Runnable flush;
  private final MissingTopics missing;

  /** A record that can be handed to the producer, and its topic. */
  private record Ready(String topic, Supplier<Future<RecordMetadata>> post) {}

  /**
   * What the producer says of a record.
   *
   * @param topic the record's; null if there is no record
   */
  private record Posted(Future<RecordMetadata> answer, @Nullable String topic) {
    Sent sent() throws InterruptedException {
      try {
        return Answers.of(answer.get());
      } catch (ExecutionException e) {
        Sent failed = Answers.failed(e.getCause() == null ? e : e.getCause());
        return topic == null ? failed : failed.at(topic);
      }
    }
  }

  private KafkaSender(Function<OutboxMessage, Ready> ready, Runnable flush, LongSupplier nanos) {
    this.ready = ready;
    this.flush = flush;
    this.missing = new MissingTopics(nanos);
  }

  /**
   * Sends payloads as they are.
   *
   * @param producer stays the caller's, who closes it. What its serializers make of a key and of
   *     bytes is what is sent: {@code StringSerializer} and {@code ByteArraySerializer} send them
   *     as they are, and serializers of JSON do not
   * @return a sender
   */
  public static KafkaSender of(Producer<String, byte[]> producer) {
    return of(producer, KafkaSender::record);
  }

  /**
   * Sends records of the caller's own, such as with other types, or to partitions of their choice.
   *
   * @param producer stays the caller's, who closes it
   * @param record makes the record of a message, for a topic of its choice; the sender adds the
   *     headers {@value #ID}, {@value #DESTINATION} and {@value #TYPE}. What it throws is the error
   *     of that message.
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return a sender
   */
  public static <K, V> KafkaSender of(
      Producer<K, V> producer, Function<OutboxMessage, ProducerRecord<K, V>> record) {
    return of(producer, record, System::nanoTime);
  }

  static <K, V> KafkaSender of(
      Producer<K, V> producer,
      Function<OutboxMessage, ProducerRecord<K, V>> record,
      LongSupplier nanos) {
    Objects.requireNonNull(producer, "producer");
    Objects.requireNonNull(record, "record");
    return new KafkaSender(
        message -> {
          ProducerRecord<K, V> made = record.apply(message);
          replace(made.headers(), ID, message.id());
          replace(made.headers(), DESTINATION, made.topic());
          message.message().type().ifPresent(type -> replace(made.headers(), TYPE, type));
          return new Ready(made.topic(), () -> sent(producer, made));
        },
        producer::flush,
        nanos);
  }

  /**
   * Requires that a producer with these settings keeps what a relay relies on. Kafka's defaults do.
   *
   * @param settings of the producer that is to be made
   * @return the settings
   * @throws IllegalArgumentException if {@code acks} is not {@code all}, or idempotence is off or
   *     would be switched off, or the producer is transactional
   */
  public static Map<String, Object> requireSafe(Map<String, Object> settings) {
    SafeSettings.require(settings);
    return settings;
  }

  /** A producer that is closed says so at once, by an IllegalStateException. */
  private static <K, V> Future<RecordMetadata> sent(
      Producer<K, V> producer, ProducerRecord<K, V> record) {
    try {
      return producer.send(record);
    } catch (IllegalStateException e) {
      throw new DeadProducerException("the Kafka producer took no record: is it closed?", e);
    }
  }

  private static ProducerRecord<String, byte[]> record(OutboxMessage outgoing) {
    var message = outgoing.message();
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(message.topic(), message.key().orElse(null), message.bytes());
    message.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
    return record;
  }

  private static void replace(Headers headers, String name, String value) {
    headers.remove(name).add(name, value.getBytes(UTF_8));
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    try {
      List<Posted> posted = new ArrayList<>(messages.size());
      Map<String, Throwable> blocked = new HashMap<>();
      for (OutboxMessage message : messages) {
        posted.add(post(message, blocked));
      }
      if (!posted.stream().allMatch(one -> one.answer().isDone())) {
        flush();
      }
      List<Sent> answers = new ArrayList<>(messages.size());
      for (Posted one : posted) {
        answers.add(one.sent());
      }
      return answers;
    } catch (InterruptException | InterruptedException e) {
      throw Uninterrupted.told("interrupted while Kafka was sent to", e);
    }
  }

  /** Each record tells what became of it, whatever the flush ends by. */
  private void flush() {
    try {
      flush.run();
    } catch (InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "The Kafka producer was not flushed", e);
    }
  }

  /**
   * Hands a message to the producer.
   *
   * @param blocked the topics for which the producer has waited in vain in this call: their other
   *     messages would wait as long, and hold back those of other topics
   */
  private Posted post(OutboxMessage message, Map<String, Throwable> blocked)
      throws InterruptedException {
    Ready made;
    try {
      made = ready.apply(message);
    } catch (InterruptException e) {
      throw e;
    } catch (Throwable e) { // the other messages can be sent
      return new Posted(CompletableFuture.failedFuture(e), null);
    }
    String topic = made.topic();
    Throwable before = blocked.getOrDefault(topic, missing.error(topic));
    if (before != null) {
      return new Posted(CompletableFuture.failedFuture(before), topic);
    }
    long began = missing.now();
    Posted posted = new Posted(answer(made), topic);
    if (!posted.answer().isDone() || !(posted.sent() instanceof Sent.Failed failed)) {
      missing.found(topic);
    } else if (failed.error() instanceof TimeoutException timeout) {
      blocked.put(topic, timeout);
      missing.note(topic, timeout, began);
    }
    return posted;
  }

  private static Future<RecordMetadata> answer(Ready made) {
    try {
      return Objects.requireNonNull(made.post().get(), "the producer's answer");
    } catch (InterruptException e) {
      throw e;
    } catch (Throwable e) { // a record tells by its answer what became of it
      return CompletableFuture.failedFuture(e);
    }
  }
}
