package dev.tidemark.example.orderhistory.local;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** One queue as its producers and its operators see it. */
public record LocalQueue(SqsClient client, String url) {

  /** An attribute that producers give each message. */
  public static final String KIND = "kind";

  private static final int MAX_BATCH = 10;

  private static final class Shared {
    static final SqsClient CLIENT = LocalSqs.shared().client();
  }

  /**
   * An empty one of the shared SQS; a FIFO queue if its kind is {@code .fifo}, else it is empty.
   */
  public static LocalQueue fresh(String kind, Duration visibilityTimeout) {
    String url = LocalSqs.shared().queue(UUID.randomUUID() + kind, visibilityTimeout);
    return new LocalQueue(Shared.CLIENT, url);
  }

  public boolean isFifo() {
    return url.endsWith(".fifo");
  }

  /** Its name in events, which ends as its URL does. */
  public String arn() {
    return "arn:aws:sqs:eu-central-1:000000000000:" + url.substring(url.lastIndexOf('/') + 1);
  }

  /** Sends an event, in the group of its order; again if called again. */
  public void send(Event event) {
    send(new String(EventJson.encode(event), StandardCharsets.UTF_8), event.orderId());
  }

  /** Sends a text. */
  public void send(String body, String group) {
    var unused =
        client.sendMessage(
            send -> {
              send.queueUrl(url).messageBody(body);
              send.messageAttributes(Map.of(KIND, text("order")));
              if (isFifo()) {
                send.messageGroupId(group).messageDeduplicationId(UUID.randomUUID().toString());
              }
            });
  }

  /** A text as a message's attribute. */
  public static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  /** How many messages it has that could be received now. */
  public int visible() {
    return count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
  }

  /** How many messages it has, in hand or not. */
  public int size() {
    return count(
        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
  }

  /** The sum at one moment. */
  private int count(QueueAttributeName... names) {
    return client
        .getQueueAttributes(get -> get.queueUrl(url).attributeNames(names))
        .attributes()
        .values()
        .stream()
        .mapToInt(Integer::parseInt)
        .sum();
  }

  /** Receives once, at most 10 messages. */
  public List<Message> receive(int waitSeconds) {
    return receive(waitSeconds, MAX_BATCH);
  }

  /** Receives once, at most so many messages and 10. */
  public List<Message> receive(int waitSeconds, int limit) {
    return client
        .receiveMessage(
            receive ->
                receive
                    .queueUrl(url)
                    .maxNumberOfMessages(Math.min(limit, MAX_BATCH))
                    .waitTimeSeconds(waitSeconds)
                    .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                    .messageAttributeNames("All"))
        .messages();
  }

  /** A message's attribute as text; empty if it has none. */
  public static String attribute(Message message, String name) {
    MessageAttributeValue value = message.messageAttributes().get(name);
    return value == null ? "" : value.stringValue();
  }

  /** Deletes a message that was received. */
  public void delete(Message message) {
    var unused =
        client.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
  }

  /** Lets a message that was received come again at once. */
  public void release(String receiptHandle) {
    var unused =
        client.changeMessageVisibility(
            change -> change.queueUrl(url).receiptHandle(receiptHandle).visibilityTimeout(0));
  }

  /** Receives and deletes all that is visible. */
  public List<Message> drain() {
    List<Message> all = new ArrayList<>();
    List<Message> some = receive(0);
    while (!some.isEmpty()) {
      all.addAll(some);
      some.forEach(this::delete);
      some = receive(0);
    }
    return all;
  }
}
