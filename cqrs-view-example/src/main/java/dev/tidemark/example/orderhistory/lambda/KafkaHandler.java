package dev.tidemark.example.orderhistory.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent.KafkaEventRecord;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.lambda.KafkaBatch;
import dev.tidemark.lambda.KafkaBatchResponse;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Brings events from topics of Kafka, managed or not, to the views. If the event source mapping
 * reports batch item failures, and the settings say so, the answer names the first record of each
 * partition that is not done. Else an exception is thrown while anything is not done, and the
 * mapping sends the whole batch again: the views know what was done. An answer to a mapping that
 * does not read it would lose records; so the exception is the default.
 *
 * <p>Poison goes to the queue of dead letters, so that it does not hold up its partition: the value
 * in base 64, and where it came from as {@link SqsDeadLetters#ID}.
 */
public final class KafkaHandler implements RequestHandler<KafkaEvent, KafkaBatchResponse> {
  private final KafkaBatch batch;
  private final boolean reportsFailures;

  /** Called by Lambda once per container; settings come from the environment. */
  public KafkaHandler() {
    this(Container.ofEnvironment());
  }

  private KafkaHandler(Container container) {
    this(container, container.deadLetters(), container.settings().kafkaReportsFailures());
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
      SqsDeadLetters deadLetters,
      boolean reportsFailures) {
    this.reportsFailures = reportsFailures;
    this.batch =
        KafkaBatch.of(
            record -> EventJson.decode(KafkaBatch.value(record).orElse(null)).delivery(),
            views,
            intake -> Intakes.set(intake, (r, reason) -> deadLetters.keep(letter(r), reason)));
  }

  /**
   * Handles a batch.
   *
   * @throws IllegalStateException if something is not done and the mapping reads no answers
   */
  @Override
  public KafkaBatchResponse handleRequest(KafkaEvent event, Context context) {
    if (reportsFailures) {
      return batch.handle(event);
    }
    batch.handleOrThrow(event);
    return new KafkaBatchResponse(List.of());
  }

  private static Message letter(KafkaEventRecord record) {
    String partition = record.getTopic() + "-" + record.getPartition();
    return Intakes.letter(record.getValue(), "see the record at this offset")
        .messageId(partition + "@" + record.getOffset())
        .attributes(Map.of(MessageSystemAttributeName.MESSAGE_GROUP_ID, partition))
        .build();
  }
}
