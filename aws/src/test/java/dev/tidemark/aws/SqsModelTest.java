package dev.tidemark.aws;

import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/**
 * A worker of a queue, standard or FIFO, whose messages are the lanes of a {@link CarrierWorld}:
 * receives and deletes fail, in part and with lost replies. A judge looks at what is deleted.
 */
@DisplayName("A worker of a queue in a wild world")
final class SqsModelTest {
  private static final int RUNS = 15;
  private static final int LANES = 3;
  private static final int WILD = 60;
  private static final int MOST_RECEIVES = 3_000;

  private static final class Run implements SqsClient {
    private final CarrierWorld world;
    private final boolean isFifo;
    private final Set<Mail> deleted = new HashSet<>();
    private final SqsIntake worker;
    private int receives;

    Run(long seed, String url) {
      isFifo = url.endsWith(".fifo");
      world = new CarrierWorld(seed, LANES, isFifo);
      worker =
          SqsIntake.of(
              this,
              url,
              SqsIntake.builder(url, m -> world.decode(m.body()), world::handle)
                  .deadLetters((m, reason) -> world.keep(m.body()))
                  .parkAfter(2)
                  .listener(taken -> {})
                  .build());
    }

    void live() {
      worker.run();
      world.judge();
    }

    @Override
    public ReceiveMessageResponse receiveMessage(ReceiveMessageRequest request) {
      receives++;
      if (receives == WILD) {
        world.calm();
      }
      if (receives > WILD && (world.isOver() || receives > MOST_RECEIVES)) {
        worker.stop();
        return ReceiveMessageResponse.builder().build();
      }
      if (world.happens(2)) {
        world.send(world.random().nextInt(8));
      }
      List<Mail> received = new ArrayList<>();
      List<String> lanes = new ArrayList<>(world.lanes());
      Collections.shuffle(lanes, world.random());
      for (String lane : lanes) {
        List<Mail> left = new ArrayList<>(world.log(lane));
        left.removeAll(deleted);
        if (!isFifo) {
          Collections.shuffle(left, world.random());
        }
        int room = Math.min(left.size(), request.maxNumberOfMessages() - received.size());
        received.addAll(left.subList(0, world.random().nextInt(1 + Math.max(0, room))));
      }
      return ReceiveMessageResponse.builder()
          .messages(received.stream().map(Run::message).toList())
          .build();
    }

    private static Message message(Mail mail) {
      return Message.builder()
          .messageId(mail.text())
          .receiptHandle(mail.text())
          .body(mail.text())
          .attributes(
              Map.of(
                  MessageSystemAttributeName.MESSAGE_GROUP_ID,
                  mail.lane(),
                  MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                  "1"))
          .build();
    }

    @Override
    public DeleteMessageBatchResponse deleteMessageBatch(DeleteMessageBatchRequest request) {
      List<DeleteMessageBatchRequestEntry> entries = request.entries();
      List<Mail> mails = entries.stream().map(e -> Mail.of(e.receiptHandle())).toList();
      world.acknowledged(mails);
      if (world.happens(40)) {
        throw SdkClientException.create("not deleted");
      }
      List<DeleteMessageBatchResultEntry> done = new ArrayList<>();
      List<BatchResultErrorEntry> failed = new ArrayList<>();
      for (int i = 0; i < entries.size(); i++) {
        String id = entries.get(i).id();
        if (world.happens(10)) {
          failed.add(BatchResultErrorEntry.builder().id(id).code("InternalError").build());
        } else {
          done.add(DeleteMessageBatchResultEntry.builder().id(id).build());
          deleted.add(mails.get(i));
        }
      }
      if (world.happens(40)) {
        throw SdkClientException.create("deleted, and the answer is lost");
      }
      return DeleteMessageBatchResponse.builder().successful(done).failed(failed).build();
    }

    @Override
    public ChangeMessageVisibilityBatchResponse changeMessageVisibilityBatch(
        ChangeMessageVisibilityBatchRequest request) {
      return ChangeMessageVisibilityBatchResponse.builder().build();
    }

    @Override
    public GetQueueAttributesResponse getQueueAttributes(GetQueueAttributesRequest request) {
      return GetQueueAttributesResponse.builder()
          .attributes(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "30"))
          .build();
    }

    @Override
    public String serviceName() {
      return "sqs";
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1/1/mails", "http://127.0.0.1/1/mails.fifo"})
  @DisplayName("deletes nothing that is not done, and does all of it in the end")
  void queue(String url) {
    for (long seed = 0; seed < RUNS; seed++) {
      try {
        new Run(seed, url).live();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
