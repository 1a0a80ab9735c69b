package dev.tidemark.example.orderhistory.local;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import java.nio.charset.StandardCharsets;
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

  public boolean isFifo() {
    return url.endsWith(".fifo");
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
              if (isFifo()) {
                send.messageGroupId(group).messageDeduplicationId(UUID.randomUUID().toString());
              }
            });
  }

  /** How many messages it has that could be received now. */
  public int visible() {
    return count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
  }

  /** How many messages it has, in hand or not. */
  public int size() {
    return visible() + count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
  }

  private int count(QueueAttributeName name) {
    Map<QueueAttributeName, String> attributes =
        client.getQueueAttributes(get -> get.queueUrl(url).attributeNames(name)).attributes();
    return Integer.parseInt(attributes.getOrDefault(name, "0"));
  }

  /** Receives once, at most 10 messages. */
  public List<Message> receive(int waitSeconds) {
    return client
        .receiveMessage(
            receive ->
                receive
                    .queueUrl(url)
                    .maxNumberOfMessages(10)
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

  /** Receives and deletes all that is visible. */
  public List<Message> drain() {
    List<Message> all = new ArrayList<>();
    List<Message> some = receive(0);
    while (!some.isEmpty()) {
      all.addAll(some);
      for (Message message : some) {
        var unused =
            client.deleteMessage(
                delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
      }
      some = receive(0);
    }
    return all;
  }
}
