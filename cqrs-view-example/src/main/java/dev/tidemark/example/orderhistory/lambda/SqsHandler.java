package dev.tidemark.example.orderhistory.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.lambda.SqsBatch;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Brings events from an SQS queue, standard or FIFO, to the views. Its event source mapping must
 * report batch item failures: the answer names what is not done, and in a FIFO queue what follows
 * it in its group; the mapping deletes the rest. A fault of the whole batch is thrown, and all of
 * it comes again.
 *
 * <p>Poison goes to the queue of dead letters from here, with the reason, and counts as done. The
 * queue's own redrive policy knows no reasons, and would take healthy messages too while a store
 * cannot be reached; so it should be a last resort, after many receives.
 */
public final class SqsHandler implements RequestHandler<SQSEvent, SQSBatchResponse> {
  private final SqsBatch batch;

  /** Called by Lambda once per container; settings come from the environment. */
  public SqsHandler() {
    this(Container.ofEnvironment());
  }

  private SqsHandler(Container container) {
    this(container, container.deadLetters());
  }

  /**
   * A handler with views and dead letters of the caller's.
   *
   * @param views the views
   * @param deadLetters where poison goes
   */
  public SqsHandler(Function<List<Delivery>, BatchOutcome<?>> views, SqsDeadLetters deadLetters) {
    this.batch =
        SqsBatch.of(
            message -> EventJson.decode(message.getBody()).delivery(),
            views,
            intake -> Intakes.set(intake, (m, reason) -> deadLetters.keep(letter(m), reason)));
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    return batch.handle(event);
  }

  private static Message letter(SQSMessage message) {
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    message.getMessageAttributes().forEach((name, value) -> attributes.put(name, copied(value)));
    return Message.builder()
        .messageId(message.getMessageId())
        .body(message.getBody())
        .attributesWithStrings(message.getAttributes())
        .messageAttributes(attributes)
        .build();
  }

  private static MessageAttributeValue copied(SQSEvent.MessageAttribute attribute) {
    MessageAttributeValue.Builder copy =
        MessageAttributeValue.builder()
            .dataType(attribute.getDataType())
            .stringValue(attribute.getStringValue());
    if (attribute.getBinaryValue() != null) {
      copy.binaryValue(SdkBytes.fromByteBuffer(attribute.getBinaryValue()));
    }
    return copy.build();
  }
}
