package dev.tidemark.spring;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ListenerContainerPauseService;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Commits each partition up to its first record that is not done, seeks to that, and pauses the
 * partition for longer each time. It gives nothing up. What the listener itself throws is no
 * record's fault: then nothing of the batch is done.
 *
 * <p>The default handler knows one record that failed, and takes back whatever is behind it in the
 * poll, also in other partitions, which then stand still with it.
 */
final class IntakeErrorHandler implements CommonErrorHandler {
  private static final Logger LOGGER = LoggerFactory.getLogger(IntakeErrorHandler.class);
  private static final ExponentialBackOff PAUSES = pauses();

  private final ListenerContainerPauseService pauses;
  private final CommonErrorHandler others = new DefaultErrorHandler();
  private final Map<Place, Waiting> waiting = new ConcurrentHashMap<>();

  private record Place(String listener, TopicPartition partition) {}

  private record Waiting(long offset, BackOffExecution pauses) {}

  IntakeErrorHandler(ListenerContainerPauseService pauses) {
    this.pauses = pauses;
  }

  private static ExponentialBackOff pauses() {
    ExponentialBackOff pauses = new ExponentialBackOff(250, 2);
    pauses.setMaxInterval(10_000);
    return pauses;
  }

  @Override
  public boolean seeksAfterHandling() {
    return true;
  }

  @Override
  public boolean isAckAfterHandle() {
    return false;
  }

  @Override
  public void handleBatch(
      Exception thrown,
      ConsumerRecords<?, ?> data,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable invokeListener) {
    UndoneRecordsException undone = undone(thrown);
    Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
    Map<TopicPartition, Long> toPause = new HashMap<>();
    for (TopicPartition partition : data.partitions()) {
      List<? extends ConsumerRecord<?, ?>> records = data.records(partition);
      if (records.isEmpty()) { // an interceptor has left them all out
        continue;
      }
      long first = records.get(0).offset();
      Long again = undone == null ? Long.valueOf(first) : undone.offsets().get(partition);
      long next = again == null ? records.get(records.size() - 1).offset() + 1 : again;
      if (again != null) {
        consumer.seek(partition, again);
        toPause.put(partition, again);
      }
      if (next > first) {
        commits.put(partition, new OffsetAndMetadata(next));
      }
    }
    toPause.forEach(
        (partition, again) ->
            pauses.pausePartition(container, partition, pause(container, partition, again)));
    LOGGER.warn(
        "Listener {} reads again: {}",
        container.getListenerId(),
        undone == null ? thrown.toString() : undone.getMessage());
    if (!commits.isEmpty()) {
      consumer.commitSync(commits, container.getContainerProperties().getSyncCommitTimeout());
    }
  }

  private Duration pause(
      MessageListenerContainer container, TopicPartition partition, long offset) {
    Waiting waits =
        waiting.compute(
            new Place(String.valueOf(container.getListenerId()), partition),
            (place, before) ->
                before != null && before.offset() == offset
                    ? before
                    : new Waiting(offset, PAUSES.start()));
    return Duration.ofMillis(waits.pauses().nextBackOff());
  }

  private static @Nullable UndoneRecordsException undone(@Nullable Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof UndoneRecordsException undone) {
        return undone;
      }
    }
    return null;
  }

  @Override
  public void handleOtherException(
      Exception thrown,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      boolean batchListener) {
    others.handleOtherException(thrown, consumer, container, batchListener);
  }
}
