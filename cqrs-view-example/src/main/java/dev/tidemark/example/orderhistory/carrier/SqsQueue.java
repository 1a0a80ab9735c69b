package dev.tidemark.example.orderhistory.carrier;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/**
 * What a consumer asks of a queue, for at most 10 messages at a time. For any number of threads.
 *
 * @param sqs the client
 * @param url of a standard queue; of a FIFO queue if it ends in {@code .fifo}
 */
record SqsQueue(SqsClient sqs, String url) {
  private static final Logger LOG = LoggerFactory.getLogger(SqsQueue.class);

  /** How long a call may take, with all its attempts. */
  static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  private static final int MAX_BATCH = 10;
  private static final int DELETES = 3;
  private static final int MAX_PAUSE_SECONDS = 60;

  boolean isFifo() {
    return url.endsWith(".fifo");
  }

  List<Message> receive(SqsOptions options) {
    ReceiveMessageRequest.Builder request =
        ReceiveMessageRequest.builder()
            .queueUrl(url)
            .maxNumberOfMessages(MAX_BATCH)
            .waitTimeSeconds((int) options.longPoll().toSeconds())
            .messageSystemAttributeNames(
                MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                MessageSystemAttributeName.MESSAGE_GROUP_ID)
            .messageAttributeNames("All")
            .overrideConfiguration(
                call -> call.apiCallTimeout(options.longPoll().plus(CALL_TIMEOUT)));
    Duration visibility = options.visibility();
    if (visibility != null) {
      request.visibilityTimeout((int) visibility.toSeconds());
    }
    if (isFifo()) { // after a lost reply the client's next attempt gets the same messages
      request.receiveRequestAttemptId(UUID.randomUUID().toString());
    }
    return sqs.receiveMessage(request.build()).messages();
  }

  /** How long the queue hides what was received, unless told otherwise; at least 1 s. */
  Duration visibility() {
    String seconds =
        sqs.getQueueAttributes(
                get ->
                    get.queueUrl(url)
                        .attributeNames(QueueAttributeName.VISIBILITY_TIMEOUT)
                        .overrideConfiguration(call -> call.apiCallTimeout(CALL_TIMEOUT)))
            .attributes()
            .get(QueueAttributeName.VISIBILITY_TIMEOUT);
    return Duration.ofSeconds(seconds == null ? 1 : Math.max(1, Long.parseLong(seconds)));
  }

  /** Nobody gets them for so long from now; ids of failed entries are places in the list. */
  ChangeMessageVisibilityBatchResponse hide(
      List<Message> messages, Function<Message, Duration> time, Duration callTimeout) {
    List<ChangeMessageVisibilityBatchRequestEntry> entries =
        IntStream.range(0, messages.size())
            .mapToObj(
                i ->
                    ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(messages.get(i).receiptHandle())
                        .visibilityTimeout((int) time.apply(messages.get(i)).toSeconds())
                        .build())
            .toList();
    return sqs.changeMessageVisibilityBatch(
        change ->
            change
                .queueUrl(url)
                .entries(entries)
                .overrideConfiguration(call -> call.apiCallTimeout(callTimeout)));
  }

  /** Lets them come again, each after 2, 4, 8 s and so on, so that what is not done cannot spin. */
  void giveBack(List<Message> messages) {
    if (messages.isEmpty()) {
      return;
    }
    int late = hide(messages, SqsQueue::pause, CALL_TIMEOUT).failed().size();
    LOG.debug("{} messages come again, {} of them later than asked for", messages.size(), late);
  }

  private static Duration pause(Message message) {
    String count = message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
    int received = count == null ? 1 : Integer.parseInt(count);
    return Duration.ofSeconds(Math.min(1L << Math.min(received, 30), MAX_PAUSE_SECONDS));
  }

  /** Deletes them; those that SQS fails to delete come again, and are duplicates then. */
  void delete(List<Message> messages) {
    List<Message> left = messages;
    for (int i = 0; i < DELETES && !left.isEmpty(); i++) {
      left = deleteOnce(left);
    }
    if (!left.isEmpty()) {
      LOG.warn("{} messages that are done come again, since SQS did not delete them", left.size());
    }
  }

  /** Those that failed and may be tried again. */
  private List<Message> deleteOnce(List<Message> messages) {
    List<DeleteMessageBatchRequestEntry> entries =
        IntStream.range(0, messages.size())
            .mapToObj(
                i ->
                    DeleteMessageBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(messages.get(i).receiptHandle())
                        .build())
            .toList();
    List<BatchResultErrorEntry> failed =
        sqs.deleteMessageBatch(
                delete ->
                    delete
                        .queueUrl(url)
                        .entries(entries)
                        .overrideConfiguration(call -> call.apiCallTimeout(CALL_TIMEOUT)))
            .failed();
    failed.forEach(
        f ->
            LOG.info(
                "message {} was not deleted: {}",
                messages.get(Integer.parseInt(f.id())).messageId(),
                f.code()));
    return failed.stream().map(f -> messages.get(Integer.parseInt(f.id()))).toList();
  }
}
