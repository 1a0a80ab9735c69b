package dev.tidemark.example.orderhistory.carrier;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * An SQS queue of the messages that no attempt will handle, each with the reason. It may be of
 * either kind; a FIFO queue drops what is sent twice within five minutes. For any number of
 * threads.
 */
public final class DeadLetterQueue {
  /** The attribute that says why; the log does too. */
  public static final String REASON = "reason";

  /** The attribute with the id that the message had; the same if one is sent here twice. */
  public static final String MESSAGE_ID = "messageId";

  private static final int MAX_BODY = 200_000;
  private static final int MAX_REASON = 1_000;
  private static final int MAX_ATTRIBUTES = 10;
  private static final int MAX_DEDUPLICATION_ID = 128;

  private final SqsClient sqs;
  private final String url;

  /**
   * The queue at a URL.
   *
   * @param sqs stays the caller's
   * @param url of a standard or FIFO queue
   */
  public DeadLetterQueue(SqsClient sqs, String url) {
    this.sqs = sqs;
    this.url = url;
  }

  /**
   * Keeps a message. It is stored when this returns. One that is as long as a message may be has no
   * room for more, and is kept without attributes.
   *
   * @param body what it said
   * @param attributes what it had; at most eight of them are kept
   * @param id what it is known by
   * @param group what it had its order in; its id where it had none
   * @param reason why it is here
   * @throws software.amazon.awssdk.core.exception.SdkException if it could not be stored
   */
  public void send(
      String body,
      Map<String, MessageAttributeValue> attributes,
      String id,
      String group,
      String reason) {
    Map<String, MessageAttributeValue> kept = new HashMap<>();
    attributes.entrySet().stream()
        .limit(MAX_ATTRIBUTES - 2)
        .forEach(attribute -> kept.put(attribute.getKey(), attribute.getValue()));
    kept.put(REASON, text(legal(cut(reason))));
    kept.put(MESSAGE_ID, text(id));
    SendMessageRequest.Builder letter =
        SendMessageRequest.builder()
            .queueUrl(url)
            .messageBody(body)
            .overrideConfiguration(call -> call.apiCallTimeout(SqsQueue.CALL_TIMEOUT));
    if (url.endsWith(".fifo")) {
      letter.messageGroupId(group).messageDeduplicationId(shortened(id));
    }
    try {
      var unused = sqs.sendMessage(letter.messageAttributes(kept).build());
    } catch (SqsException e) {
      if (!isInvalid(e)) {
        throw e;
      }
      var unused = sqs.sendMessage(letter.messageAttributes(Map.of()).build());
    }
  }

  /** SQS calls a message that is too long with its attributes an InvalidParameterValue. */
  private static boolean isInvalid(SqsException e) {
    String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
    return code != null && code.startsWith("Invalid");
  }

  /** Keeps a message of another queue, as the other method does. */
  void send(Message message, Optional<String> group, String reason) {
    String id = message.messageId();
    send(message.body(), message.messageAttributes(), id, group.orElse(id), reason);
  }

  /**
   * A text as a message's attribute.
   *
   * @param value not empty
   * @return the attribute
   */
  public static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  /**
   * A body that the queue will take, for what did not come from a queue and can be looked up.
   *
   * @param text what to keep, if it is not too long; characters that SQS refuses become question
   *     marks
   * @param otherwise where to look it up
   * @return one of them
   */
  public static String fitting(String text, String otherwise) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    return bytes == 0 || bytes > MAX_BODY ? otherwise : legal(text);
  }

  private static String cut(String text) {
    return text.length() <= MAX_REASON ? text : text.substring(0, MAX_REASON);
  }

  /** SQS takes the characters of XML alone. */
  private static String legal(String text) {
    return text.replaceAll(
        "[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?");
  }

  private static String shortened(String id) {
    return id.length() <= MAX_DEDUPLICATION_ID
        ? id
        : UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
