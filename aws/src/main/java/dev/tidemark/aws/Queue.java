package dev.tidemark.aws;

import dev.tidemark.kernel.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/**
 * What a consumer asks of a queue, for at most 10 messages at a time. For any number of threads.
 *
 * @param url of a standard queue, or of a FIFO queue, which ends in {@code .fifo}
 */
record Queue(SqsClient client, String url) {
  private static final Duration CALL = Duration.ofSeconds(10);
  private static final int MOST = 10;
  private static final int DELETES = 3;
  private static final Backoff PAUSES =
      Backoff.doubling(Duration.ofSeconds(2), Duration.ofMinutes(1));

  /** Messages with all their attributes. */
  List<Message> receive(Duration longPoll, @Nullable Duration visibility) {
    ReceiveMessageRequest.Builder request =
        ReceiveMessageRequest.builder()
            .queueUrl(url)
            .maxNumberOfMessages(MOST)
            .waitTimeSeconds((int) longPoll.toSeconds())
            .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
            .messageAttributeNames("All")
            .overrideConfiguration(call -> call.apiCallTimeout(longPoll.plus(CALL)));
    if (visibility != null) {
      request.visibilityTimeout((int) visibility.toSeconds());
    }
    if (Letter.isFifo(url)) { // after a lost reply the client's next attempt gets the same messages
      request.receiveRequestAttemptId(UUID.randomUUID().toString());
    }
    return asked(() -> client.receiveMessage(request.build())).messages().stream()
        .filter(one -> one.messageId() != null && one.receiptHandle() != null)
        .toList(); // what nobody could acknowledge comes again
  }

  /** An answer that cannot be read is as much of a fault as one that tells of an error. */
  private static <R> R asked(Supplier<R> call) {
    try {
      return call.get();
    } catch (SdkException e) {
      throw e;
    } catch (RuntimeException e) {
      throw SdkClientException.create("the answer of SQS cannot be read", e);
    }
  }

  /** How long the queue hides what was received, unless told otherwise; at least 1 s. */
  Duration visibility() {
    String seconds =
        asked(
                () ->
                    client.getQueueAttributes(
                        get ->
                            get.queueUrl(url)
                                .attributeNames(QueueAttributeName.VISIBILITY_TIMEOUT)
                                .overrideConfiguration(call -> call.apiCallTimeout(CALL))))
            .attributes()
            .get(QueueAttributeName.VISIBILITY_TIMEOUT);
    return Duration.ofSeconds(Math.max(1, number(seconds)));
  }

  /**
   * Hides messages for so long from now.
   *
   * @return those that are no longer this consumer's
   */
  List<Message> hide(
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
    List<BatchResultErrorEntry> failed =
        asked(
                () ->
                    client.changeMessageVisibilityBatch(
                        change ->
                            change
                                .queueUrl(url)
                                .entries(entries)
                                .overrideConfiguration(call -> call.apiCallTimeout(callTimeout))))
            .failed();
    return named(messages, failed.stream().filter(one -> Boolean.TRUE.equals(one.senderFault())));
  }

  /** The messages of which an answer tells, whatever else it tells of, be it twice. */
  private static List<Message> named(List<Message> messages, Stream<BatchResultErrorEntry> failed) {
    Set<String> told = failed.map(BatchResultErrorEntry::id).collect(Collectors.toSet());
    return IntStream.range(0, messages.size())
        .filter(i -> told.contains(Integer.toString(i)))
        .mapToObj(messages::get)
        .toList();
  }

  /** Lets messages come again, each after 2, 4, 8 s and so on, so that nothing spins. */
  void giveBack(List<Message> messages) {
    if (!messages.isEmpty()) {
      var unused = hide(messages, Queue::pause, CALL); // others come when their time is over
    }
  }

  private static Duration pause(Message message) {
    String count = message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
    return PAUSES.after(number(count));
  }

  /** A number of seconds or receives; 1 if SQS tells none. */
  private static int number(@Nullable String text) {
    return text != null && text.matches("\\d{1,9}") ? Integer.parseInt(text) : 1;
  }

  /** Deletes messages; those that SQS fails to delete come again, and are duplicates then. */
  void delete(List<Message> messages) {
    List<Message> left = messages;
    for (int i = 0; i < DELETES && !left.isEmpty(); i++) {
      left = deleteOnce(left);
    }
  }

  /** Those that failed. */
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
    return named(
        messages,
        asked(
            () ->
                client.deleteMessageBatch(
                    delete ->
                        delete
                            .queueUrl(url)
                            .entries(entries)
                            .overrideConfiguration(call -> call.apiCallTimeout(CALL))))
            .failed()
            .stream());
  }
}
