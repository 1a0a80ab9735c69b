package dev.tidemark.outbox;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.kernel.TypedRecords;
import dev.tidemark.store.Answer;
import dev.tidemark.store.RecordStore;
import org.jspecify.annotations.Nullable;

/**
 * What clusters have sent in place of others: a record for each message and cluster, which that
 * cluster alone writes, so that no write of one undoes another's where the last writer wins.
 */
final class ClusterMarks {
  private final TypedRecords<ClusterNote> store;
  private final String name;
  private final Clusters clusters;

  ClusterMarks(RecordStore store, String name, Clusters clusters) {
    this.store = new TypedRecords<>(store, ClusterNote.CODEC);
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
      if (!cluster.equals(message.origin()) && isNoted(key(cluster, message.id()), now)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a note is there and counts. One that cannot be read counts as none: its message may be
   * sent once more, and is not lost. It stays, since no other cluster writes there.
   */
  private boolean isNoted(String key, long now) {
    try {
      return store.read(key).filter(mark -> mark.expires() > now).isPresent();
    } catch (CorruptRecordException e) {
      return false;
    }
  }

  /**
   * Notes that this cluster has sent a message, in place of a note that cannot be read.
   *
   * @return null if it is noted, else why that is not sure
   */
  @Nullable RuntimeException note(String message) {
    String key = key(clusters.id(), message);
    String before = null;
    for (int tries = 0; tries < 3; tries++) {
      Answer<ClusterNote> answer;
      try {
        answer = store.write(key, before, mark());
      } catch (CorruptRecordException e) {
        answer = store.removeUnreadable(key);
        if (answer instanceof Answer.Written) {
          before = null;
          continue;
        }
      }
      if (answer instanceof Answer.Written) {
        return null;
      } else if (answer instanceof Answer.Refused<ClusterNote> refused) {
        ClusterNote found = refused.found();
        if (found != null && found.expires() > store.clock().instant().getEpochSecond()) {
          return null;
        }
        before = found == null ? null : found.revision();
      } else {
        return ((Answer.Failed<ClusterNote>) answer).error();
      }
    }
    return new IllegalStateException("what was sent could not be noted, others write its record");
  }

  private ClusterNote mark() {
    return ClusterNote.by(clusters.id(), store.clock().instant().plus(clusters.kept()), null);
  }
}
