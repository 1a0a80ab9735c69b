package dev.tidemark.kafka;

import dev.tidemark.kernel.Uninterrupted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Polls a Kafka consumer and hands its records to an intake: one member of a consumer group.
 *
 * <pre>{@code
 * var consumer = new KafkaConsumer<>(KafkaIntake.requireSafe(settings), new StringDeserializer(), new ByteArrayDeserializer());
 * var loop = KafkaIntakeLoop.of(consumer, List.of("orders"), KafkaIntake.of(intake));
 * new Thread(loop).start();
 * }</pre>
 *
 * <p><b>Promised.</b> An offset is committed only once every record before it is handled or kept
 * among the dead letters. A revoked partition is committed before it is given up; a lost partition
 * is not committed. A record that is not done pauses its own partition, for longer each time, and
 * no other partition. The consumer goes on polling, so it stays in its group however long a store
 * is away.
 *
 * <p><b>Not promised.</b> That a record comes once: what was handled and not committed, as after a
 * crash, comes again.
 *
 * <p>{@link #run} ends by {@link #stop}, by an interrupt, by the consumer's {@code wakeup}, or by
 * an error that another attempt would not mend, which it throws: such as an authorization that is
 * missing, offsets that are gone under {@code auto.offset.reset=none}, what an {@link
 * dev.tidemark.intake.IntakeListener} throws. It then has committed what is done, and closed the
 * consumer, which is used by nobody else from the beginning. Errors that Kafka calls retriable do
 * not end it: {@link #fault} tells of them while they last. It needs Kafka's clients 4.0 or later.
 *
 * <p>One thread runs it, once. The other methods are for any thread.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class KafkaIntakeLoop<K, V> implements Runnable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<K, V> consumer;
  private final List<String> topics;
  private final KafkaIntake<K, V> intake;
  private final Commits commits;
  private final Stop stop = new Stop();
  private final AtomicBoolean hasRun = new AtomicBoolean();
  private final Map<TopicPartition, Long> due = new HashMap<>();
  private volatile @Nullable RuntimeException fault;
  private int faults;

  private KafkaIntakeLoop(
      Consumer<K, V> consumer, Collection<String> topics, KafkaIntake<K, V> intake) {
    this.consumer = Objects.requireNonNull(consumer, "consumer");
    this.topics = List.copyOf(topics);
    this.intake = Objects.requireNonNull(intake, "intake");
    this.commits = new Commits(consumer, intake);
    if (this.topics.isEmpty()) {
      throw new IllegalArgumentException("topics must not be empty");
    }
  }

  /**
   * A member that has not joined its group yet.
   *
   * @param consumer made with settings that {@link KafkaIntake#requireSafe} has seen, which the
   *     consumer itself does not tell; without partitions. Used and closed by the loop alone
   * @param topics to subscribe to
   * @param intake of this consumer alone
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return to be run by a thread of the caller's
   */
  public static <K, V> KafkaIntakeLoop<K, V> of(
      Consumer<K, V> consumer, Collection<String> topics, KafkaIntake<K, V> intake) {
    return new KafkaIntakeLoop<>(consumer, topics, intake);
  }

  /**
   * Consumes until it is stopped.
   *
   * @throws IllegalStateException if it has run before, or the consumer's own deserializer cannot
   *     read a record
   * @throws org.apache.kafka.common.KafkaException what another attempt would not mend
   */
  @Override
  public void run() {
    if (hasRun.getAndSet(true)) {
      throw new IllegalStateException("a loop runs once: make another one, with a new consumer");
    }
    try {
      consume();
    } catch (Throwable e) {
      fault =
          e instanceof RuntimeException exception
              ? exception
              : new IllegalStateException("an error has ended the loop over " + topics, e);
      throw e;
    }
  }

  /** Leaves the group, and so commits what is done and not committed yet. */
  private interface Leaving extends AutoCloseable {
    @Override
    void close();
  }

  private void consume() {
    try (Leaving unused = () -> Uninterrupted.run(consumer::close)) {
      consumer.subscribe(topics, commits);
      try {
        while (!stop.isAsked()) {
          step();
        }
      } catch (InterruptException e) {
        // The thread stays interrupted.
      } catch (WakeupException e) {
        stop.ask();
      }
    } catch (RecordDeserializationException e) {
      throw new IllegalStateException(
          "the consumer's deserializer cannot read the record at offset "
              + e.offset()
              + " of "
              + e.topicPartition()
              + ": let the consumer read bytes, and the decoder read them, so that the record can be"
              + " a dead letter",
          e);
    }
  }

  /** Lets {@link #run} return once the records in hand are handled. May be called twice. */
  public void stop() {
    stop.ask();
  }

  /**
   * The partitions that wait because one of their records is not done: for health checks.
   *
   * @return with reason and since; empty if all is well
   */
  public List<PausedPartition> paused() {
    return intake.paused();
  }

  /**
   * What Kafka answered last, if it was an error after which the loop tries again, or what has
   * ended the loop by an exception: for health checks.
   *
   * @return empty if all is well; an {@link Error} that has ended the loop is the cause of what is
   *     returned
   */
  public Optional<RuntimeException> fault() {
    return Optional.ofNullable(fault);
  }

  private void step() {
    ConsumerRecords<K, V> polled;
    try {
      resume();
      polled = consumer.poll(POLL);
    } catch (RetriableException e) {
      waitAfter(e);
      return;
    }
    // Not inside a try: the consumer is behind these records, so that a listener's exception that
    // Kafka calls retriable would skip those of them that are not done.
    KafkaProgress progress = intake.handle(polled, () -> !stop.isAsked());
    try {
      progress.toSeek().forEach(consumer::seek);
      progress.toPause().forEach(this::pause);
      commits.add(progress.toCommit());
      commits.commit();
      faults = 0;
      fault = null;
    } catch (RetriableException e) {
      waitAfter(e);
    }
  }

  private void waitAfter(KafkaException answer) {
    faults++;
    fault = answer;
    stop.await(intake.pauses().after(faults));
  }

  private void pause(PausedPartition paused) {
    consumer.pause(List.of(paused.partition()));
    due.put(paused.partition(), intake.now() + paused.pause().toNanos());
  }

  /** Resumes what is due, and what is paused but came anew from the group. */
  private void resume() {
    long now = intake.now();
    due.values().removeIf(time -> time - now <= 0);
    due.keySet().retainAll(intake.paused().stream().map(PausedPartition::partition).toList());
    List<TopicPartition> ready = new ArrayList<>(consumer.paused());
    ready.removeAll(due.keySet());
    ready.retainAll(consumer.assignment());
    consumer.resume(ready);
  }
}
