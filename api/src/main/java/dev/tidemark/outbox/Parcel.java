package dev.tidemark.outbox;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one record in a pass: which may go now, and what the store is told afterwards. A
 * message in order goes once the one before it was taken by the sender. For one thread.
 */
final class Parcel {
  private final int shard;
  private final OutboxRecord record;
  private final Deque<OutboxMessage> ordered = new ArrayDeque<>();
  private List<OutboxMessage> unordered = new ArrayList<>();
  private final Set<String> sent = new HashSet<>();
  private final Set<String> failed = new HashSet<>();
  private boolean isHeld;

  /**
   * A record's messages.
   *
   * @param sentBefore IDs of those that were sent, and are stored all the same
   */
  Parcel(int shard, OutboxRecord record, Set<String> sentBefore) {
    this.shard = shard;
    this.record = record;
    for (OutboxMessage message : record.waiting()) {
      if (sentBefore.contains(message.id())) {
        sent.add(message.id());
      } else if (message.message().isOrdered()) {
        ordered.add(message);
      } else {
        unordered.add(message);
      }
    }
  }

  int shard() {
    return shard;
  }

  OutboxRecord record() {
    return record;
  }

  /** The IDs of those that were sent, in this pass or before. */
  Set<String> sent() {
    return sent;
  }

  /** The messages that may be on their way at the same time; none if no more can go. */
  List<OutboxMessage> next() {
    List<OutboxMessage> next = unordered;
    unordered = new ArrayList<>();
    if (!isHeld && !ordered.isEmpty()) {
      next.add(ordered.remove());
    }
    return next;
  }

  void sent(OutboxMessage message) {
    sent.add(message.id());
  }

  void failed(OutboxMessage message) {
    failed.add(message.id());
    isHeld |= message.message().isOrdered();
  }

  /** Whether anything came of it that the store has to be told. */
  boolean isTouched() {
    return !sent.isEmpty() || !failed.isEmpty();
  }

  /**
   * What the store is told.
   *
   * @param found what is stored, which others may have changed since
   * @param now in milliseconds since 1970
   * @param quiet for how long nothing could be sent
   * @return null if others have done it all
   */
  @Nullable OutboxChange change(OutboxRecord found, Retries retries, long now, Duration quiet) {
    Set<String> gone = new HashSet<>();
    List<OutboxMessage> left = new ArrayList<>();
    boolean fails = false;
    for (OutboxMessage message : found.waiting()) {
      if (sent.contains(message.id())) {
        gone.add(message.id());
      } else {
        left.add(message);
        fails |= failed.contains(message.id());
      }
    }
    for (OutboxMessage message : found.parked()) {
      if (sent.contains(message.id())) { // by another relay, which could not send it
        gone.add(message.id());
      }
    }
    if (!fails) {
      return gone.isEmpty() ? null : new OutboxChange(found, gone, Set.of(), Set.of(), 0, now);
    }
    OutboxMessage first = left.get(0);
    if (!failed.contains(first.id())) {
      return new OutboxChange(found, gone, Set.of(), Set.of(), 0, now + retries.pause(1));
    }
    int tries = 1 + (first.id().equals(found.waiting().get(0).id()) ? found.tries() : 0);
    return retries.isOver(tries, quiet)
        ? new OutboxChange(found, gone, Set.of(first.id()), Set.of(), 0, now)
        : new OutboxChange(found, gone, Set.of(), Set.of(), tries, now + retries.pause(tries));
  }
}
