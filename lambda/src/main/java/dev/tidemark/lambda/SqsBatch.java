package dev.tidemark.lambda;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messages of an SQS queue, standard or FIFO, as a Lambda function gets them.
 *
 * <pre>{@code
 * SqsBatch batch =
 *     SqsBatch.of(
 *         message -> Delivery.of(SqsBatch.identity(message), json.read(message.getBody())),
 *         projector::handle,
 *         intake -> intake.deadLetters(letters).outage(HttpTimeoutException.class));
 * SQSBatchResponse answer = batch.handle(event);
 * }</pre>
 *
 * <p>The answer names what is not done, and in a FIFO queue what follows it in its group; the
 * mapping deletes the rest. A queue is a FIFO queue if its ARN ends in {@code .fifo}: the groups of
 * a standard queue share it fairly, and have no order. See the package for what all batches do. For
 * any number of threads.
 */
public final class SqsBatch {
  /** The attribute in which dead letters keep their first message ID and a digest of the body. */
  private static final String FIRST_ID = "tidemark-dead-id";

  /** How the attributes of dead letters begin. */
  private static final String DEAD = "tidemark-dead-";

  private static final int MOST_ATTRIBUTES = 10;

  private final Batch<SQSMessage> batch;

  private SqsBatch(Batch<SQSMessage> batch) {
    this.batch = batch;
  }

  /**
   * Messages for a handler, without dead letters of the function's own: what cannot be handled
   * comes again until the queue's redrive policy takes it away.
   *
   * @param decoder makes deliveries of messages
   * @param handler handles deliveries, as projectors do
   * @return a batch for all invocations of a function
   */
  public static SqsBatch of(
      Decoder<? super SQSMessage> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return of(decoder, handler, intake -> {});
  }

  /**
   * Messages for a handler, with settings of the intake: dead letters, patience, a listener.
   *
   * @param decoder makes deliveries of messages
   * @param handler handles deliveries, as projectors do
   * @param settings sets what is needed; lanes are the queue's, whatever it says of them
   * @return a batch for all invocations of a function
   */
  public static SqsBatch of(
      Decoder<? super SQSMessage> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler,
      Consumer<? super IntakeBuilder<SQSMessage>> settings) {
    return new SqsBatch(
        new Batch<>(SQSMessage::getMessageId, SqsBatch::lane, decoder, handler, settings));
  }

  /**
   * Handles an event whose mapping reports batch item failures. Behind any other mapping, use
   * {@link #handleOrThrow}.
   *
   * @param event as Lambda has it
   * @return the IDs of the messages that have to come again
   * @throws IllegalArgumentException if messages are missing, or one has no ID or no ARN; nothing
   *     is handled then
   * @throws RuntimeException what the handler itself threw, if nothing is done
   */
  public SQSBatchResponse handle(SQSEvent event) {
    return new SQSBatchResponse(
        batch.undone(messages(event)).stream()
            .map(SQSMessage::getMessageId)
            .distinct()
            .map(BatchItemFailure::new)
            .toList());
  }

  /**
   * Handles an event whose mapping does not report batch item failures, so that all of it comes
   * again if anything is not done. A dead letter among it may then be kept again.
   *
   * @param event as Lambda has it
   * @throws IllegalArgumentException if messages are missing, or one has no ID or no ARN; nothing
   *     is handled then
   * @throws IllegalStateException if anything is not done
   */
  public void handleOrThrow(SQSEvent event) {
    batch.requireDone(messages(event));
  }

  /**
   * The identity of a message whose event has none of its own, as {@code SqsIntake.identity} of
   * {@code tidemark-aws} has it: the ID that a sender of Tidemark gave it for this queue, else its
   * message ID; of a message that came back from {@code SqsDeadLetters} the one that it had first.
   * So a message keeps its identity where it moves from a queue's long-running consumer to a
   * function. An ID for another queue or for a topic of SNS, or without either, may have been
   * handed on: {@link #identityOfSent}. Of a message whose 10 attributes leave no room for the
   * destination, the ID counts with the queue, the body and all attributes. Only a message that is
   * equal in all of these has its identity.
   *
   * @param message a message
   * @return its identity
   */
  public static MessageId identity(SQSMessage message) {
    String arn = message.getEventSourceArn();
    String queue = arn == null ? "" : Arn.queue(arn);
    if (queue.equals(text(message, Batch.DESTINATION))) {
      return identityOfSent(message);
    }
    String sent = text(message, Batch.SENT_ID);
    return sent != null && isFull(message.getMessageAttributes())
        ? MessageId.of("sqs-sent", queue, sent + digest(message))
        : first(message);
  }

  /** Whether its sender has left out the destination, for want of room; dead letters came later. */
  private static boolean isFull(Map<String, ?> attributes) {
    Stream<String> given = attributes.keySet().stream().filter(n -> !n.startsWith(DEAD));
    return given.count() >= MOST_ATTRIBUTES && !attributes.containsKey(Batch.DESTINATION);
  }

  /**
   * As {@link #identity(SQSMessage)}, but by the ID that a sender of Tidemark gave the message for
   * whatever queue or topic, as {@code SqsIntake.identityOfSent} of {@code tidemark-aws} has it.
   * Right only where each message was made by such a sender, or is a copy of one message: in a
   * queue of a topic of SNS, subscribed with {@code RawMessageDelivery}, that only senders of
   * Tidemark write.
   *
   * @param message a message
   * @return its identity
   */
  public static MessageId identityOfSent(SQSMessage message) {
    String sent = text(message, Batch.SENT_ID);
    return sent == null ? first(message) : MessageId.of(sent);
  }

  private static MessageId first(SQSMessage message) {
    String first = text(message, FIRST_ID);
    if (first == null) {
      return MessageId.sqs(message.getMessageId());
    }
    String ofBody = ofBody(message);
    int end = first.length() - ofBody.length();
    boolean isPutBack = end > 0 && first.endsWith(ofBody); // else made of one that was
    return MessageId.sqs(isPutBack ? first.substring(0, end) : message.getMessageId());
  }

  /** A digest of body and attributes, but for those of dead letters, which come later. */
  private static String digest(SQSMessage message) {
    String body = String.valueOf(message.getBody());
    StringBuilder all = new StringBuilder(body.length() + ":" + body);
    new TreeMap<>(message.getMessageAttributes())
        .forEach(
            (name, attribute) -> {
              if (!name.startsWith(DEAD)) {
                String value = value(attribute);
                all.append(name.length()).append(':').append(name);
                all.append(value.length()).append(':').append(value);
              }
            });
    return "/" + UUID.nameUUIDFromBytes(all.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String value(SQSEvent.MessageAttribute attribute) {
    String text = attribute.getStringValue();
    ByteBuffer bytes = attribute.getBinaryValue();
    return text != null || bytes == null
        ? "text " + text
        : "bytes "
            + StandardCharsets.ISO_8859_1.decode(
                Base64.getEncoder().encode(bytes.asReadOnlyBuffer()));
  }

  private static String ofBody(SQSMessage message) {
    byte[] body = String.valueOf(message.getBody()).getBytes(StandardCharsets.UTF_8);
    return "/" + UUID.nameUUIDFromBytes(body);
  }

  private static @Nullable String text(SQSMessage message, String name) {
    Map<String, SQSEvent.MessageAttribute> attributes = message.getMessageAttributes();
    SQSEvent.MessageAttribute attribute = attributes == null ? null : attributes.get(name);
    return attribute == null ? null : attribute.getStringValue();
  }

  /**
   * The place of a message in its group of a FIFO queue: see {@link SourceEvent#sqsFifo}.
   *
   * @param message a message of a FIFO queue
   * @return queue's name, group and sequence number
   * @throws IllegalArgumentException if the queue is not a FIFO queue
   */
  public static SourceEvent place(SQSMessage message) {
    String group = attribute(message, "MessageGroupId");
    String number = attribute(message, "SequenceNumber");
    if (group == null || number == null) {
      throw new IllegalArgumentException(
          "the message has no group or no sequence number, since its queue is not a FIFO queue");
    }
    return SourceEvent.sqsFifo(Arn.queue(message.getEventSourceArn()), group, number);
  }

  private static List<SQSMessage> messages(SQSEvent event) {
    var named = Batch.named(event.getRecords(), "message ID of SQS", SQSMessage::getMessageId);
    return Batch.named(named, "ARN of its queue", SQSMessage::getEventSourceArn);
  }

  /** A message of a FIFO queue that does not tell its group is in order with all of those. */
  private static @Nullable String lane(SQSMessage message) {
    String queue = message.getEventSourceArn();
    return queue.endsWith(".fifo") ? queue + "/" + attribute(message, "MessageGroupId") : null;
  }

  private static @Nullable String attribute(SQSMessage message, String name) {
    Map<String, String> attributes = message.getAttributes();
    return attributes == null ? null : attributes.get(name);
  }
}
