package dev.tidemark.outbox;

import dev.tidemark.MessageId;
import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.execution.ExecutionRecords.Answer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What clusters have sent in place of others: a record for each message and cluster, which that
 * cluster alone writes, so that no write of one undoes another's where the last writer wins.
 */
final class ClusterMarks {
  private final ExecutionRecords store;
  private final String name;
  private final Clusters clusters;

  ClusterMarks(ExecutionRecords store, String name, Clusters clusters) {
    this.store = store;
    this.name = name;
    this.clusters = clusters;
  }

  private String key(String cluster, String message) {
    return MessageId.of("tidemark.cluster", name, cluster, message).value();
  }

  /** Whether a cluster other than the origin has noted that it sent a message. */
  boolean isSent(OutboxMessage message) {
    long now = store.clock().instant().getEpochSecond();
    for (String cluster : clusters.all()) {
      Optional<ExecutionRecord> mark =
          cluster.equals(message.origin())
              ? Optional.empty()
              : store.read(key(cluster, message.id()));
      if (mark.isPresent() && mark.get().expires() > now) {
        return true;
      }
    }
    return false;
  }

  /**
   * Notes that this cluster has sent a message.
   *
   * @return null if it is noted, else why that is not sure
   */
  @Nullable RuntimeException note(String message) {
    String key = key(clusters.id(), message);
    String before = null;
    for (int tries = 0; tries < 3; tries++) {
      Answer answer = store.write(key, before, mark());
      if (answer instanceof Answer.Written) {
        return null;
      } else if (answer instanceof Answer.Refused refused) {
        ExecutionRecord found = refused.found();
        if (found != null && found.expires() > store.clock().instant().getEpochSecond()) {
          return null;
        }
        before = found == null ? null : found.revision();
      } else {
        return answer instanceof Answer.Busy busy ? busy.error() : ((Answer.Lost) answer).error();
      }
    }
    return new IllegalStateException("what was sent could not be noted, others write its record");
  }

  private ExecutionRecord mark() {
    return new ExecutionRecord(
        UUID.randomUUID().toString(),
        State.DONE,
        clusters.id(),
        1,
        0,
        0,
        store.clock().instant().plus(clusters.kept()).getEpochSecond(),
        "",
        "",
        null,
        Map.of(),
        null);
  }
}
