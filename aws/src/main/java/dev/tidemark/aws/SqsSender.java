package dev.tidemark.aws;

import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/**
 * Sends outgoing messages to SQS.
 *
 * <p>The body is the payload if it was given as a text, else the payload in Base64, and the
 * attribute {@value #ENCODING} then is {@code base64}. The message's headers are attributes.
 * {@value #ID} has the ID that is the same at every try, {@value #DESTINATION} the name of the
 * queue for which that was given, and {@value #TYPE} the type, if there is one; they replace
 * headers of these names. More than 10 attributes are an error of that message; where there are 10
 * without it, {@value #DESTINATION} is left out. Consumers drop twins by the ID: {@code
 * SqsIntake.identity(message, queueUrl)}.
 *
 * <p>Where the URL ends in {@code .fifo}, the message's key is its group, and its ID the
 * deduplication ID, so that SQS drops twins that come within five minutes. A message whose ID or
 * key is not fit for that (at most 128 letters, digits and signs of ASCII) is refused by SQS.
 *
 * <p>See the package for what all senders do. Cost: a request for 10 messages of a queue, or fewer
 * if they have more than 1 MiB together.
 */
public final class SqsSender implements Sender {
  /** The attribute with the ID by which consumers drop twins. */
  public static final String ID = Letter.ID;

  /** The attribute with the name of the queue for which the ID was given. */
  public static final String DESTINATION = Letter.DESTINATION;

  /** The attribute with the message's type. */
  public static final String TYPE = Letter.TYPE;

  /** The attribute that says how the body is encoded; absent where it is the payload itself. */
  public static final String ENCODING = Letter.ENCODING;

  private static final int MOST_BYTES = 1 << 20;

  private final SqsClient client;
  private final Function<String, String> destinations;
  private final @Nullable Function<OutboxMessage, String> groups;
  private final Batches<SendMessageBatchRequestEntry> batches;

  private SqsSender(
      SqsClient client,
      Function<String, String> destinations,
      @Nullable Function<OutboxMessage, String> groups) {
    this.client = Objects.requireNonNull(client, "client");
    this.destinations = destinations;
    this.groups = groups;
    this.batches = new Batches<>(MOST_BYTES, destinations, this::entry, this::request);
  }

  /**
   * Sends each message to the queue whose URL is given for the message's topic.
   *
   * @param client stays the caller's, who closes it
   * @param destinations the URL of the queue of a topic; what it throws, and null, is the error of
   *     those messages
   * @return a sender
   */
  public static SqsSender of(SqsClient client, Function<String, String> destinations) {
    return new SqsSender(client, destinations, null);
  }

  /**
   * Gives messages without a key a group, where they go to a FIFO queue. Without this they fail.
   *
   * @param groups the group of a message that has no key
   * @return a sender with that rule
   */
  public SqsSender groupedBy(Function<OutboxMessage, String> groups) {
    return new SqsSender(client, destinations, Objects.requireNonNull(groups, "groups"));
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    return batches.send(messages);
  }

  private Batches.Sized<SendMessageBatchRequestEntry> entry(
      OutboxMessage message, String destination, String id) {
    Letter letter = Letter.of(message, destination);
    var entry =
        SendMessageBatchRequestEntry.builder()
            .id(id)
            .messageBody(letter.body())
            .messageAttributes(letter.attributes(SqsSender::text));
    if (Letter.isFifo(destination)) {
      entry.messageGroupId(Letter.group(message, groups)).messageDeduplicationId(message.id());
    }
    return new Batches.Sized<>(entry.build(), letter.bytes());
  }

  static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  private List<Sent> request(String destination, List<SendMessageBatchRequestEntry> entries) {
    var answer = client.sendMessageBatch(b -> b.queueUrl(destination).entries(entries));
    List<Answers.Refused> refused =
        answer.failed().stream()
            .map(one -> new Answers.Refused(one.id(), one.code(), one.senderFault()))
            .toList();
    return Answers.of(
        "SQS",
        entries.stream().map(SendMessageBatchRequestEntry::id).toList(),
        answer.successful().stream().map(SendMessageBatchResultEntry::id).toList(),
        refused);
  }
}
