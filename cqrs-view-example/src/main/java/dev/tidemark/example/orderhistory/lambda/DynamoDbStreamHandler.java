package dev.tidemark.example.orderhistory.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.lambda.DynamoDbStreamBatch;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Brings events from the stream of a DynamoDB table of events to the views. Each event is an item
 * that is inserted once, with the event as JSON in the attribute {@value #EVENT}; the stream has
 * new images. Changes and deletes of items are not events, and pass. Its event source mapping must
 * report batch item failures: the answer names the first record that is not done, and the shard is
 * read again from there. A fault of the whole batch is thrown, and all of it comes again.
 *
 * <p>Poison goes to the queue of dead letters, so that it does not hold up its shard.
 */
public final class DynamoDbStreamHandler
    implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  /** The attribute with the event. */
  public static final String EVENT = "event";

  /** The letter's attribute that names the stream. */
  public static final String STREAM = "stream";

  private final DynamoDbStreamBatch batch;

  /** Called by Lambda once per container; settings come from the environment. */
  public DynamoDbStreamHandler() {
    this(Container.ofEnvironment());
  }

  private DynamoDbStreamHandler(Container container) {
    this(container, container.deadLetters());
  }

  /**
   * A handler with views and dead letters of the caller's.
   *
   * @param views the views
   * @param deadLetters where poison goes
   */
  public DynamoDbStreamHandler(
      Function<List<Delivery>, BatchOutcome<?>> views, SqsDeadLetters deadLetters) {
    this.batch =
        DynamoDbStreamBatch.of(
            record -> EventJson.decode(text(record)).delivery(),
            views,
            intake -> Intakes.set(intake, (r, reason) -> deadLetters.keep(letter(r), reason)));
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, Context context) {
    DynamodbEvent inserts = new DynamodbEvent();
    inserts.setRecords(
        event.getRecords().stream()
            .filter(record -> "INSERT".equals(record.getEventName()))
            .toList());
    return batch.handle(inserts);
  }

  private static String text(DynamodbStreamRecord record) {
    String json = json(record);
    if (json == null) {
      throw new IllegalArgumentException("not an event: the item has no text named " + EVENT);
    }
    return json;
  }

  private static @Nullable String json(DynamodbStreamRecord record) {
    Map<String, AttributeValue> image = record.getDynamodb().getNewImage();
    AttributeValue event = image == null ? null : image.get(EVENT);
    return event == null ? null : event.getS();
  }

  private static Message letter(DynamodbStreamRecord record) {
    return Intakes.letter(json(record), "see the record of this number")
        .messageId(record.getDynamodb().getSequenceNumber())
        .messageAttributes(
            Map.of(
                STREAM,
                MessageAttributeValue.builder()
                    .dataType("String")
                    .stringValue(record.getEventSourceARN())
                    .build()))
        .attributes(Map.of(MessageSystemAttributeName.MESSAGE_GROUP_ID, "stream"))
        .build();
  }
}
