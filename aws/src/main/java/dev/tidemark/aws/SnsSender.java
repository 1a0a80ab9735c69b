package dev.tidemark.aws;

import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;
import software.amazon.awssdk.services.sns.model.PublishBatchResultEntry;

/**
 * Publishes outgoing messages to topics of SNS.
 *
 * <p>The body is the payload if it was given as a text, else the payload in Base64, and the
 * attribute {@value #ENCODING} then is {@code base64}. The message's headers are attributes.
 * {@value #ID} has the ID that is the same at every try, {@value #DESTINATION} the name of the
 * topic for which that was given, and {@value #TYPE} the type, if there is one; they replace
 * headers of these names. More than 10 attributes are an error of that message; where there are 10
 * without it, {@value #DESTINATION} is left out. Consumers drop twins by the ID: {@code
 * SqsIntake.identityOfSent(message)}.
 *
 * <p>Subscribe queues with {@code RawMessageDelivery}. Without it SNS wraps body and attributes
 * into a JSON text of its own, in which {@link SqsIntake#identityOfSent} finds no ID: each try of a
 * message is another message then, and twins are not dropped.
 *
 * <p>Where the ARN ends in {@code .fifo}, the message's key is its group, and its ID the
 * deduplication ID, so that SNS drops twins that come within five minutes. A message whose ID or
 * key is not fit for that (at most 128 letters, digits and signs of ASCII) is refused by SNS.
 *
 * <p>See the package for what all senders do. Cost: a request for 10 messages of a topic, or fewer
 * if they have more than 256 KiB together.
 */
public final class SnsSender implements Sender {
  /** The attribute with the ID by which consumers drop twins. */
  public static final String ID = Letter.ID;

  /** The attribute with the name of the topic for which the ID was given. */
  public static final String DESTINATION = Letter.DESTINATION;

  /** The attribute with the message's type. */
  public static final String TYPE = Letter.TYPE;

  /** The attribute that says how the body is encoded; absent where it is the payload itself. */
  public static final String ENCODING = Letter.ENCODING;

  private static final int MOST_BYTES = 1 << 18;

  private final SnsClient client;
  private final Function<String, String> destinations;
  private final @Nullable Function<OutboxMessage, String> groups;
  private final Batches<PublishBatchRequestEntry> batches;

  private SnsSender(
      SnsClient client,
      Function<String, String> destinations,
      @Nullable Function<OutboxMessage, String> groups) {
    this.client = Objects.requireNonNull(client, "client");
    this.destinations = destinations;
    this.groups = groups;
    this.batches = new Batches<>(MOST_BYTES, destinations, this::entry, this::request);
  }

  /**
   * Sends each message to the SNS topic whose ARN is given for the message's own topic.
   *
   * @param client stays the caller's, who closes it
   * @param destinations the ARN of the topic of a topic; what it throws, and null, is the error of
   *     those messages
   * @return a sender
   */
  public static SnsSender of(SnsClient client, Function<String, String> destinations) {
    return new SnsSender(client, destinations, null);
  }

  /**
   * Gives messages without a key a group, where they go to a FIFO topic. Without this they fail.
   *
   * @param groups the group of a message that has no key
   * @return a sender with that rule
   */
  public SnsSender groupedBy(Function<OutboxMessage, String> groups) {
    return new SnsSender(client, destinations, Objects.requireNonNull(groups, "groups"));
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    return batches.send(messages);
  }

  private Batches.Sized<PublishBatchRequestEntry> entry(
      OutboxMessage message, String destination, String id) {
    Letter letter = Letter.of(message, destination);
    var entry =
        PublishBatchRequestEntry.builder()
            .id(id)
            .message(letter.body())
            .messageAttributes(letter.attributes(SnsSender::text));
    if (Letter.isFifo(destination)) {
      entry.messageGroupId(Letter.group(message, groups)).messageDeduplicationId(message.id());
    }
    return new Batches.Sized<>(entry.build(), letter.bytes());
  }

  private static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  private List<Sent> request(String destination, List<PublishBatchRequestEntry> entries) {
    var answer =
        client.publishBatch(b -> b.topicArn(destination).publishBatchRequestEntries(entries));
    List<Answers.Refused> refused =
        answer.failed().stream()
            .map(one -> new Answers.Refused(one.id(), one.code(), one.senderFault()))
            .toList();
    return Answers.of(
        "SNS",
        entries.stream().map(PublishBatchRequestEntry::id).toList(),
        answer.successful().stream().map(PublishBatchResultEntry::id).toList(),
        refused);
  }
}
