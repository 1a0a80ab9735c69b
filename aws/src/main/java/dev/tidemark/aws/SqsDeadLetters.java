package dev.tidemark.aws;

import dev.tidemark.intake.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * Keeps dead letters in an SQS queue: the message's body, its attributes and, as far as 10
 * attributes and the largest message leave room, further ones with its first ID and the reason. A
 * message that dies again keeps the ID that it had first. The queue is a FIFO queue where that of
 * the messages is one; a letter is then in its message's group, and one that is sent again within
 * five minutes is dropped.
 *
 * <p>To put letters back, start a move task of SQS and name the destination: SQS does not know it,
 * since it has not put the letters there itself. SQS also requires that the redrive policy of some
 * queue names the queue of letters as its dead-letter queue:
 *
 * <pre>
 * aws sqs start-message-move-task --source-arn ARN_OF_LETTERS --destination-arn ARN_OF_QUEUE
 * </pre>
 *
 * <p>Threads may share it.
 */
public final class SqsDeadLetters implements DeadLetters<Message> {
  /**
   * The attribute with the message ID that the message had first, and a digest of its body. By that
   * a letter that is put back is told from a message that was made of it and has its attributes.
   */
  public static final String ID = "tidemark-dead-id";

  /** The attribute that says why it is a dead letter. */
  public static final String REASON = "tidemark-dead-reason";

  /** The attribute that says {@code undecodable}, or {@code parked} after failures. */
  public static final String KIND = "tidemark-dead-kind";

  private static final Duration CALL = Duration.ofSeconds(10);
  private static final int LONGEST_REASON = 1_000;
  private static final int LONGEST_DEDUPLICATION_ID = 128;

  private final SqsClient client;
  private final String queueUrl;

  private SqsDeadLetters(SqsClient client, String queueUrl) {
    this.client = Objects.requireNonNull(client, "client");
    this.queueUrl = Objects.requireNonNull(queueUrl, "queueUrl");
  }

  /**
   * Keeps them in a queue.
   *
   * @param client stays the caller's, who closes it
   * @param queueUrl of a queue for dead letters, and not that of the messages themselves, of which
   *     a message does not tell: its letters would come again without end; one of a FIFO queue ends
   *     in {@code .fifo}
   * @return for any number of threads
   */
  public static SqsDeadLetters of(SqsClient client, String queueUrl) {
    return new SqsDeadLetters(client, queueUrl);
  }

  @Override
  public void keep(Message message, Reason reason) {
    Map<String, String> told = new LinkedHashMap<>(); // what matters most comes first
    told.put(ID, firstId(message) + ofBody(message));
    told.put(REASON, fitting(reason.text()));
    told.put(KIND, reason.undecodable() ? "undecodable" : "parked");
    Map<String, MessageAttributeValue> own = message.messageAttributes();
    Map<String, MessageAttributeValue> all = new LinkedHashMap<>(own);
    told.forEach(
        (name, text) -> {
          if (all.containsKey(name) || all.size() < Letter.MOST_ATTRIBUTES) {
            all.put(name, SqsSender.text(text));
          }
        });
    try {
      send(message, all);
    } catch (SqsException e) {
      if (!isInvalid(e)) {
        throw e;
      }
      send(message, own); // one that is as large as a message may be has no room for more
    }
  }

  /** The message ID that a message had first: its own, unless it is a letter that is put back. */
  static String firstId(Message message) {
    MessageAttributeValue known = message.messageAttributes().get(ID);
    String text = known == null ? null : known.stringValue();
    if (text == null) {
      return message.messageId();
    }
    int end = text.length() - ofBody(message).length();
    return end > 0 && text.endsWith(ofBody(message)) ? text.substring(0, end) : message.messageId();
  }

  /** A digest of the body, by which a message is told from one that was made of it. */
  static String ofBody(Message message) {
    byte[] body = String.valueOf(message.body()).getBytes(StandardCharsets.UTF_8);
    return "/" + UUID.nameUUIDFromBytes(body);
  }

  private void send(Message message, Map<String, MessageAttributeValue> attributes) {
    SendMessageRequest.Builder letter =
        SendMessageRequest.builder()
            .queueUrl(queueUrl)
            .messageBody(message.body())
            .messageAttributes(attributes)
            .overrideConfiguration(call -> call.apiCallTimeout(CALL));
    if (Letter.isFifo(queueUrl)) {
      String group = message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID);
      letter
          .messageGroupId(Optional.ofNullable(group).orElse(message.messageId()))
          .messageDeduplicationId(deduplicationId(message.messageId()));
    }
    var unused = client.sendMessage(letter.build());
  }

  /** An ID of SQS itself; what comes from elsewhere may have a longer one. */
  private static String deduplicationId(String id) {
    return id.length() <= LONGEST_DEDUPLICATION_ID
        ? id
        : UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static boolean isInvalid(SqsException e) {
    String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
    return code != null && code.contains("Invalid");
  }

  /** A text that SQS takes: not empty, the characters of XML alone. */
  private static String fitting(String text) {
    String cut = text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON);
    String legal =
        cut.replaceAll("[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?");
    return legal.isEmpty() ? "unknown" : legal;
  }
}
