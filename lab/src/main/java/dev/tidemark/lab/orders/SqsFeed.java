package dev.tidemark.lab.orders;

import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE;

import dev.tidemark.example.orderhistory.local.LocalSqs;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** One queue of events, standard or FIFO, where each aggregate is a group, and its dead letters. */
final class SqsFeed implements Feed {
  private static final int BATCH = 10;

  private final URI uri;
  private final SqsClient client;
  private final String queue;
  private final String deadLetterQueue;
  private final List<Letter> sent = new ArrayList<>();

  SqsFeed(URI uri, String queue, String deadLetterQueue) {
    this.uri = uri;
    this.client = LocalSqs.client(uri);
    this.queue = queue;
    this.deadLetterQueue = deadLetterQueue;
  }

  String queue() {
    return queue;
  }

  SqsClient client() {
    return client;
  }

  @Override
  public void send(List<Letter> letters) {
    sent.addAll(letters);
    for (int from = 0; from < letters.size(); from += BATCH) {
      List<Letter> some = letters.subList(from, Math.min(letters.size(), from + BATCH));
      List<SendMessageBatchRequestEntry> entries =
          IntStream.range(0, some.size()).mapToObj(i -> entry(i, some.get(i))).toList();
      var answer = client.sendMessageBatch(send -> send.queueUrl(queue).entries(entries));
      if (!answer.failed().isEmpty()) {
        throw new IllegalStateException("SQS did not take " + answer.failed().size());
      }
    }
  }

  /** What is sent twice is two messages, as from a producer that does not know of the first. */
  private SendMessageBatchRequestEntry entry(int number, Letter letter) {
    var entry =
        SendMessageBatchRequestEntry.builder()
            .id(Integer.toString(number))
            .messageBody(letter.body());
    if (queue.endsWith(".fifo")) {
      entry.messageGroupId(letter.key()).messageDeduplicationId(UUID.randomUUID().toString());
    }
    return entry.build();
  }

  @Override
  public long left() {
    var counts =
        client
            .getQueueAttributes(
                get ->
                    get.queueUrl(queue)
                        .attributeNames(
                            APPROXIMATE_NUMBER_OF_MESSAGES,
                            APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED,
                            APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
            .attributes();
    return counts.values().stream().mapToLong(Long::parseLong).sum();
  }

  @Override
  public List<String> deadLetters() {
    List<String> bodies = new ArrayList<>();
    List<Message> some = receiveDeadLetters();
    while (!some.isEmpty()) {
      for (Message message : some) {
        bodies.add(message.body());
        var unused =
            client.deleteMessage(
                delete -> delete.queueUrl(deadLetterQueue).receiptHandle(message.receiptHandle()));
      }
      some = receiveDeadLetters();
    }
    return bodies;
  }

  private List<Message> receiveDeadLetters() {
    return client
        .receiveMessage(receive -> receive.queueUrl(deadLetterQueue).maxNumberOfMessages(BATCH))
        .messages();
  }

  @Override
  public void replay() {
    send(List.copyOf(sent));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("sqs", uri.toString(), "queue", queue, "deadLetters", deadLetterQueue);
  }

  @Override
  public void close() {
    client.close();
  }
}
