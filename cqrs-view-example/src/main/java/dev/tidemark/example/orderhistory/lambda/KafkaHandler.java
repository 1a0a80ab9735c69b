package dev.tidemark.example.orderhistory.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent.KafkaEventRecord;
import dev.tidemark.example.orderhistory.carrier.DeadLetterQueue;
import dev.tidemark.example.orderhistory.carrier.OrderedBatches;
import dev.tidemark.example.orderhistory.lambda.KafkaBatchResponse.BatchItemFailure;
import dev.tidemark.example.orderhistory.lambda.KafkaBatchResponse.ItemIdentifier;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Brings events from topics of Kafka, managed or not, to the views. If the event source mapping
 * reports batch item failures, and the settings say so, the answer names the first record of each
 * partition that is not done. Else an exception is thrown while anything is not done, and the
 * mapping sends the whole batch again: the views know what was done. An answer to a mapping that
 * does not read it would lose records; so the exception is the default.
 *
 * <p>Poison goes to the queue of dead letters, so that it does not hold up its partition: the value
 * in base 64, and where it came from as {@code messageId}.
 */
public final class KafkaHandler implements RequestHandler<KafkaEvent, KafkaBatchResponse> {
  private final OrderedBatches<KafkaEventRecord> batches;
  private final boolean reportsFailures;

  /** Called by Lambda once per container; settings come from the environment. */
  public KafkaHandler() {
    this(Container.ofEnvironment());
  }

  private KafkaHandler(Container container) {
    this(
        container,
        container.deadLetters(),
        Boolean.parseBoolean(container.settings().get(Setting.KAFKA_REPORTS_FAILURES, "false")));
  }

  /**
   * A handler with views and dead letters of the caller's.
   *
   * @param views the views
   * @param deadLetters where poison goes
   * @param reportsFailures whether the mapping reads what the answer says
   */
  public KafkaHandler(
      Function<List<Delivery>, BatchOutcome<?>> views,
      DeadLetterQueue deadLetters,
      boolean reportsFailures) {
    this.reportsFailures = reportsFailures;
    this.batches =
        new OrderedBatches<>(
            KafkaHandler::body,
            record -> Optional.of(partition(record)),
            views,
            (record, reason) -> bury(deadLetters, record, reason));
  }

  /**
   * Handles a batch.
   *
   * @throws IllegalStateException if something is not done and the mapping reads no answers
   */
  @Override
  public KafkaBatchResponse handleRequest(KafkaEvent event, Context context) {
    List<KafkaEventRecord> records =
        event.getRecords().values().stream().flatMap(List::stream).toList();
    List<KafkaEventRecord> undone = batches.undone(records);
    if (!undone.isEmpty() && !reportsFailures) {
      throw new IllegalStateException(
          undone.size() + " of " + records.size() + " records are not done");
    }
    Set<String> named = new HashSet<>();
    List<BatchItemFailure> failures = new ArrayList<>();
    for (KafkaEventRecord record : undone) {
      if (named.add(partition(record))) {
        failures.add(
            new BatchItemFailure(new ItemIdentifier(partition(record), record.getOffset())));
      }
    }
    return new KafkaBatchResponse(failures);
  }

  private static String partition(KafkaEventRecord record) {
    return record.getTopic() + "-" + record.getPartition();
  }

  private static byte[] body(KafkaEventRecord record) {
    if (record.getValue() == null) {
      throw new IllegalArgumentException("not an event: the record has no value");
    }
    return Base64.getDecoder().decode(record.getValue());
  }

  private static void bury(DeadLetterQueue deadLetters, KafkaEventRecord record, String reason) {
    String value = record.getValue() == null ? "" : record.getValue();
    String place = partition(record) + "@" + record.getOffset();
    deadLetters.send(
        DeadLetterQueue.fitting(value, "see the record at this offset"),
        Map.of(),
        place,
        partition(record),
        reason);
  }
}
