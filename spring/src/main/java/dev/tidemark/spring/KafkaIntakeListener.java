package dev.tidemark.spring;

import dev.tidemark.intake.DeadLetters;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.support.KafkaUtils;

/**
 * Hands the records of a {@code @KafkaListener} to an {@link Intake}, and lets its container commit
 * what is done:
 *
 * <pre>{@code
 * @KafkaListener(topics = "orders", containerFactory = KafkaIntakeListener.FACTORY)
 * void orders(List<ConsumerRecord<String, String>> records) {
 *   listener.take(records);
 * }
 * }</pre>
 *
 * <p>An offset is committed once every record before it in its partition is handled, or kept among
 * the dead letters. A partition with a record that is not done is read again from that record after
 * a pause, and no other one is; what was done behind the record comes again as duplicates. Nothing
 * is given up but by the intake's dead letters.
 *
 * <p>For any number of threads, those of the containers of {@link #FACTORY}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class KafkaIntakeListener<K, V> extends CountedIntake<ConsumerRecord<K, V>> {
  /**
   * The container factory for such listeners. It has Spring Boot's settings but those of
   * acknowledgments, and is for batches; its error handler gives nothing up. Elsewhere the default
   * handler drops a batch after ten attempts, so there {@link #take} stops the container. A
   * container of this factory does not start if its listener returns a {@code CompletableFuture} or
   * a {@code Mono}, or if the listener says another {@code ackMode} than {@code BATCH}, or has a
   * {@code KafkaListenerErrorHandler}, which might swallow what the listener throws.
   */
  public static final String FACTORY = "tidemarkKafkaListenerContainerFactory";

  private final KeptLetters letters = new KeptLetters();
  private final Random random;

  /**
   * An intake with dice of its own, for tests, in which a life is repeated by its seed.
   *
   * @param random for any number of threads
   */
  KafkaIntakeListener(Intake<ConsumerRecord<K, V>> intake, Random random) {
    super(intake);
    this.random = random;
  }

  /**
   * Settings of an intake that knows a record by its place, and whose lanes are the partitions.
   * What Jackson cannot read is undecodable, and so is what the delegate of an {@code
   * ErrorHandlingDeserializer} cannot.
   *
   * @param decoder makes deliveries of records
   * @param handler handles deliveries, as projectors do
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return a builder
   */
  public static <K, V> IntakeBuilder<ConsumerRecord<K, V>> builder(
      Decoder<? super ConsumerRecord<K, V>> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return JacksonFaults.undecodable(
        Intake.<ConsumerRecord<K, V>>builder(KeptLetters::place, read(decoder), handler)
            .lane(record -> ListenerCall.partition(record).toString()));
  }

  /** What could not be read is null in the record, as in a tombstone. */
  private static <K, V> Decoder<ConsumerRecord<K, V>> read(
      Decoder<? super ConsumerRecord<K, V>> decoder) {
    return record -> {
      for (String header :
          List.of(
              KafkaUtils.KEY_DESERIALIZER_EXCEPTION_HEADER,
              KafkaUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER)) {
        if (isAbsent(record, header) && record.headers().lastHeader(header) != null) {
          throw new IllegalArgumentException("the deserializer could not read it: " + header);
        }
      }
      return decoder.decode(record);
    };
  }

  /** Whether a header of this kind may tell why there is nothing. */
  private static boolean isAbsent(ConsumerRecord<?, ?> record, String header) {
    boolean ofKey = header.equals(KafkaUtils.KEY_DESERIALIZER_EXCEPTION_HEADER);
    return (ofKey ? record.key() : record.value()) == null;
  }

  /**
   * Wraps an intake for {@code @KafkaListener} methods, which call {@link #take}.
   *
   * @param intake of {@link #builder}
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return for any number of listeners
   */
  public static <K, V> KafkaIntakeListener<K, V> of(Intake<ConsumerRecord<K, V>> intake) {
    return new KafkaIntakeListener<>(intake, new Random());
  }

  /**
   * Dead letters by a recoverer of Spring Kafka, which gets the record and an exception with the
   * reason as its text.
   *
   * @param recoverer such as a {@code DeadLetterPublishingRecoverer}; the record has to be durable
   *     when it returns, and an exception says that it is not
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return for an intake
   */
  public static <K, V> DeadLetters<ConsumerRecord<K, V>> deadLetters(
      ConsumerRecordRecoverer recoverer) {
    return (record, reason) -> recoverer.accept(record, new DeadLetterException(reason));
  }

  /**
   * Handles records of a poll: all of them, or those that the listener has for this intake. What
   * the listener leaves out is committed with the rest; a listener that has none for any intake
   * hands over an empty list, since nothing of a poll is committed for which it has not called this
   * method. A listener may hand the same records to several intakes; a record is committed once
   * each of these has it done, and the listener has returned. It returns though something is not
   * done, which the container then reads again; what is behind that in its partition is not handled
   * by a further call, and what is in front of it is. So hand over in one call what may wait for a
   * record behind it. Where the listener throws, nothing of the poll is done.
   *
   * @param records as the container hands them over, of each partition in order
   * @throws Error if no container of {@link #FACTORY} calls the listener on this thread
   * @throws IllegalStateException in an open transaction of Spring, as {@link Intake#take} has it:
   *     no {@code @Transactional} on the listener
   */
  public void take(List<ConsumerRecord<K, V>> records) {
    ListenerCall.Undone undone = ListenerCall.of(letters);
    List<ConsumerRecord<K, V>> open = undone.open(records);
    for (Fate<ConsumerRecord<K, V>> fate : handled(shuffled(open)).fates()) {
      if (fate.kind() == Kind.DEAD) {
        letters.add(fate.message());
      }
      if (fate.handled()) {
        undone.done(fate.message());
      } else {
        undone.tell(fate.message(), fate.reason());
      }
    }
  }

  /**
   * Each partition's records in their order, the partitions in another order each time, so that
   * none waits for ever behind what waits for it.
   */
  private List<ConsumerRecord<K, V>> shuffled(List<ConsumerRecord<K, V>> records) {
    Map<TopicPartition, List<ConsumerRecord<K, V>>> partitions = new HashMap<>();
    for (ConsumerRecord<K, V> record : records) {
      partitions
          .computeIfAbsent(ListenerCall.partition(record), p -> new ArrayList<>())
          .add(record);
    }
    List<List<ConsumerRecord<K, V>>> order = new ArrayList<>(partitions.values());
    Collections.shuffle(order, random);
    return order.stream().flatMap(List::stream).toList();
  }

  /** Tells a recoverer why, without keys and payloads. */
  private static final class DeadLetterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeadLetterException(DeadLetters.Reason reason) {
      super(
          (reason.undecodable()
                  ? "undecodable: "
                  : "parked after %d failures: ".formatted(reason.tries()))
              + reason.text(),
          null,
          false,
          false);
    }
  }
}
