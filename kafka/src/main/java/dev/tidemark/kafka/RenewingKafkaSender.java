package dev.tidemark.kafka;

import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KafkaSender} that makes its producer itself, and another one in place of a producer that
 * says that it is of no use any more, as after it was fenced or had no right to send:
 *
 * <pre>{@code
 * Map<String, Object> safe = KafkaSender.requireSafe(settings);
 * try (RenewingKafkaSender sender = RenewingKafkaSender.of(() -> new KafkaProducer<>(safe))) {
 *   Relay.builder(records, sender).build().run();
 * }
 * }</pre>
 *
 * <p>Each producer has to be another one, so {@code createProducer} of Spring's {@code
 * DefaultKafkaProducerFactory} does not make them: it gives the one that the factory keeps, dead or
 * not. With Spring the line is
 *
 * <pre>{@code
 * Map<String, Object> safe = KafkaSender.requireSafe(factory.getConfigurationProperties());
 * RenewingKafkaSender.of(
 *     () -> new KafkaProducer<>(safe, new StringSerializer(), new ByteArraySerializer()));
 * }</pre>
 *
 * <p>The messages of the call that finds it out count as not sent; the next call has the new
 * producer. What makes producers is asked by the first call, and by each one after it that has no
 * producer: one that throws, as where no name of a broker can be resolved, is not the fault of the
 * call's messages ({@link Sent#deferred}). Nor is it that a closed sender makes none. Threads may
 * share a sender.
 */
public final class RenewingKafkaSender implements Sender, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RenewingKafkaSender.class.getName());
  private static final Duration CLOSE = Duration.ofSeconds(1);

  /** A producer, and the sender by it. */
  private record Live(Producer<?, ?> producer, Sender sender) {}

  private final Supplier<Live> opening;
  private @Nullable Live live;
  private @Nullable Producer<?, ?> dead;
  private boolean isClosed;

  private RenewingKafkaSender(Supplier<Live> opening) {
    this.opening = opening;
  }

  /**
   * Sends payloads as they are.
   *
   * @param producers makes a producer each time, which this closes; by settings that {@link
   *     KafkaSender#requireSafe} has seen
   * @return a sender
   */
  public static RenewingKafkaSender of(Supplier<? extends Producer<String, byte[]>> producers) {
    return make(producers, KafkaSender::of);
  }

  /**
   * Sends records of the caller's own.
   *
   * @param producers makes a producer each time, which this closes; by settings that {@link
   *     KafkaSender#requireSafe} has seen
   * @param record makes the record of a message, as for {@link KafkaSender#of(Producer, Function)}
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return a sender
   */
  public static <K, V> RenewingKafkaSender of(
      Supplier<? extends Producer<K, V>> producers,
      Function<OutboxMessage, ProducerRecord<K, V>> record) {
    Objects.requireNonNull(record, "record");
    return make(producers, producer -> KafkaSender.of(producer, record));
  }

  private static <K, V> RenewingKafkaSender make(
      Supplier<? extends Producer<K, V>> producers, Function<Producer<K, V>, Sender> senders) {
    Objects.requireNonNull(producers, "producers");
    return new RenewingKafkaSender(
        () -> {
          Producer<K, V> producer = producers.get();
          return new Live(producer, senders.apply(producer));
        });
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    Live used;
    try {
      used = live();
    } catch (InterruptException e) {
      throw Uninterrupted.told("interrupted while a Kafka producer was made", e);
    } catch (Throwable e) { // another call may have a producer
      return Collections.nCopies(messages.size(), Sent.deferred(e));
    }
    List<Sent> answers = used.sender().send(messages);
    if (answers.stream().anyMatch(RenewingKafkaSender::isFatal)) {
      discard(used);
    }
    return answers;
  }

  /** As {@link KafkaSender} tells of a producer that is of no use. */
  private static boolean isFatal(Sent answer) {
    return answer instanceof Sent.Failed failed && failed.error() instanceof DeadProducerException;
  }

  private synchronized Live live() {
    if (isClosed) {
      throw new IllegalStateException("the sender is closed: make another one");
    }
    Live open = live == null ? opening.get() : live;
    if (open.producer() == dead) {
      throw new IllegalStateException(
          "the supplier of producers gave the same producer again, which is of no use any more: let"
              + " it make one each time, such as () -> new KafkaProducer<>(settings); createProducer"
              + " of a factory of Spring gives the one that the factory keeps");
    }
    live = open;
    return open;
  }

  /**
   * Another thread may have replaced it already. A producer that is of no use decides nothing by
   * how it closes.
   */
  private void discard(Live used) {
    synchronized (this) {
      if (!used.equals(live)) {
        return;
      }
      live = null;
      dead = used.producer();
    }
    try {
      used.producer().close(CLOSE);
    } catch (Throwable e) { // the next call has another producer all the same
      LOG.log(
          System.Logger.Level.WARNING,
          "A Kafka producer that is of no use did not close ({0}); another one takes its place",
          e.getClass().getName());
    }
  }

  @Override
  public void close() {
    Live last;
    synchronized (this) {
      isClosed = true;
      last = live;
      live = null;
    }
    if (last != null) {
      last.producer().close(CLOSE);
    }
  }
}
