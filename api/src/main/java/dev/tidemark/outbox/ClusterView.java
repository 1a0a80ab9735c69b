package dev.tidemark.outbox;

import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a cluster may send of one record now, and what of it has to wait. For one thread. */
final class ClusterView {
  private final ClusterShard shard;
  private final Clusters clusters;
  private final Succession succession;
  private final List<OutboxMessage> may = new ArrayList<>();

  /** IDs of this cluster's messages that others have sent. */
  private final Set<String> sentByOthers = new HashSet<>();

  private OutboxRecord stored;
  private boolean isOwn;
  private boolean isBlocked;
  private boolean isUnsettled;

  ClusterView(OutboxRecord stored, ClusterShard shard, Clusters clusters, Succession succession) {
    this.stored = stored;
    this.shard = shard;
    this.clusters = clusters;
    this.succession = succession;
    List<OutboxMessage> waiting = stored.waiting();
    waiting.forEach(succession::note);
    int last = waiting.size() - 1;
    while (last >= 0 && !isTurn(waiting.get(last))) {
      last--;
    }
    for (int place = 0; place < waiting.size(); place++) {
      if (hasSome() && shard.isLong()) {
        shard.again(stored.key());
        return;
      }
      OutboxMessage message = waiting.get(place);
      if (!succession.isSent(message)) {
        add(message, place < last);
      }
      if (succession.isSent(message)) {
        if (clusters.isOwn(message.origin())) {
          sentByOthers.add(message.id());
        } else {
          shard.leave();
        }
      }
    }
  }

  private boolean isYoungOwn(OutboxMessage message) {
    return clusters.isOwn(message.origin()) && succession.isYoung(message);
  }

  private boolean isTurn(OutboxMessage message) {
    return isYoungOwn(message) || succession.isDue(message);
  }

  /**
   * Adds a message, unless it has to wait.
   *
   * @param isAwaited whether the turn of a later one of the record has come
   */
  private void add(OutboxMessage message, boolean isAwaited) {
    boolean own = clusters.isOwn(message.origin());
    boolean isOrdered = message.message().isOrdered();
    // those of this cluster and those of others are told to the store in different ways
    boolean fits = may.isEmpty() || own == isOwn;
    boolean isHeld = isOrdered && isBlocked;
    boolean goes = isTurn(message) && fits && !isHeld;
    boolean isOld = !goes && succession.isOld(message);
    boolean isNew = isOld && !succession.isRemembered(message);
    boolean asks = goes ? !isYoungOwn(message) : isNew || (isAwaited && isOrdered && !isHeld);
    boolean isBarred = asks && shard.isBarred(message);
    if (goes && !isBarred) {
      may.add(message);
      isOwn = own;
    } else if (!succession.isSent(message)) {
      isBlocked |= isOrdered;
      shard.wait(stored.key(), message, isOld || goes);
    }
  }

  /** Whether there is something that may be sent. */
  boolean hasSome() {
    return !may.isEmpty();
  }

  /** What takes off what others have sent; null if there is nothing. */
  @Nullable OutboxChange settling() {
    return sentByOthers.isEmpty()
        ? null
        : new OutboxChange(stored, sentByOthers, Set.of(), Set.of(), stored.tries(), stored.due());
  }

  void settled(OutboxChange change, Answer answer) {
    if (answer instanceof Answer.Written) {
      stored = stored.after(change);
    } else {
      isUnsettled = true;
    }
  }

  /** What the relay is to know; null if there is nothing for it. */
  @Nullable OutboxRecord shown() {
    return may.isEmpty() || isUnsettled
        ? null
        : ClusterKey.shown(stored, may, isOwn ? null : succession);
  }

  /** Whether what may be sent is of other clusters. */
  boolean isOfOthers() {
    return !isOwn;
  }
}
