package dev.tidemark.outbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one record in a pass: which may go now, and what the store is told afterwards. A
 * message in order goes once the one before it was taken by the sender. For one thread.
 */
final class Parcel {
  private final int shard;
  private OutboxRecord record;
  private final Deque<OutboxMessage> ordered = new ArrayDeque<>();
  private List<OutboxMessage> unordered = new ArrayList<>();
  private final Set<String> sent = new HashSet<>();
  private final Map<String, Sent.Failed> failed = new HashMap<>();

  /** What nothing waits for any more, since it is to be parked. */
  private final Predicate<String> isOver;

  /** The tries of those that the last change judges, as they are stored. */
  private final Map<String, Long> judged = new HashMap<>();

  private boolean isHeld;

  /** How often it was asked what may go. */
  private int waves;

  /**
   * A record's messages.
   *
   * @param sentBefore IDs of those that were sent, and are stored all the same
   * @param isOver whether a message, by its ID, is to be parked once the record has room for that
   */
  Parcel(int shard, OutboxRecord record, Set<String> sentBefore, Predicate<String> isOver) {
    this.shard = shard;
    this.isOver = isOver;
    this.record = record;
    for (OutboxMessage message : record.waiting()) {
      if (sentBefore.contains(message.id())) {
        sent.add(message.id());
      } else if (isOrdered(message)) {
        ordered.add(message);
      } else {
        unordered.add(message);
      }
    }
  }

  private boolean isOrdered(OutboxMessage message) {
    return message.message().isOrdered() && !isOver.test(message.id());
  }

  /** The tries of those that the last change judges, by their IDs. */
  Map<String, Long> judged() {
    return judged;
  }

  int shard() {
    return shard;
  }

  /** What is stored, as far as is known. */
  OutboxRecord record() {
    return record;
  }

  /** The IDs of those that were sent, in this pass or before, and are not taken off yet. */
  Set<String> sent() {
    return sent;
  }

  /** The messages that may be on their way at the same time; none if no more can go. */
  List<OutboxMessage> next() {
    waves++;
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

  void failed(OutboxMessage message, Sent.Failed failure) {
    failed.put(message.id(), failure);
    left(message);
  }

  /** It is not sent in this pass, nor is any that has to wait for it. */
  void left(OutboxMessage message) {
    isHeld |= isOrdered(message);
  }

  /** Whether anything came of it that the store has to be told. */
  boolean isTouched() {
    return !sent.isEmpty() || !failed.isEmpty();
  }

  /** A change was made. */
  void made(OutboxChange change) {
    record = change.before().after(change);
    sent.removeAll(change.removed());
  }

  /** Others have taken off all that was sent, and perhaps more: what they left may still go. */
  void settled(List<OutboxMessage> left) {
    sent.clear();
    Set<String> ids = left.stream().map(OutboxMessage::id).collect(Collectors.toSet());
    failed.keySet().retainAll(ids);
    ordered.removeIf(message -> !ids.contains(message.id()));
  }

  /**
   * What takes off what was sent, while others are on their way. What failed is told at the end.
   * Behind the last wave nothing may be left to tell, so that the rest goes behind others at once.
   *
   * @param found what is stored, which others may have changed since
   * @param next when it is due where more of it may go at once
   * @return null if others have done it all
   */
  @Nullable OutboxChange taking(OutboxRecord found, long next) {
    Set<String> gone = gone(found);
    if (gone.isEmpty()) {
      return null;
    }
    boolean isFirst = !found.waiting().isEmpty() && gone.contains(found.waiting().get(0).id());
    long due = waves < Outgoing.WAVES ? found.due() : next;
    return new OutboxChange(found, gone, Set.of(), Set.of(), isFirst ? 0 : found.tries(), due);
  }

  /** The IDs of those that were sent, of those that are stored; others may have parked some. */
  private Set<String> gone(OutboxRecord found) {
    return Stream.of(found.waiting(), found.parked())
        .flatMap(List::stream)
        .map(OutboxMessage::id)
        .filter(sent::contains)
        .collect(Collectors.toSet());
  }

  /**
   * What the store is told at the end.
   *
   * @param found what is stored, which others may have changed since
   * @param now in milliseconds since 1970
   * @param next when it is due where more of it may go at once
   * @return null if others have done it all
   */
  @Nullable OutboxChange change(OutboxRecord found, Patience patience, long now, long next) {
    Set<String> gone = gone(found);
    List<OutboxMessage> left =
        found.waiting().stream().filter(message -> !sent.contains(message.id())).toList();
    boolean isFirst = !left.isEmpty() && left.get(0).id().equals(found.waiting().get(0).id());
    long tries = isFirst ? found.tries() : 0;
    if (left.stream().noneMatch(message -> failed.containsKey(message.id()))) {
      return gone.isEmpty() ? null : new OutboxChange(found, gone, Set.of(), Set.of(), tries, next);
    }
    judged.clear();
    long due = next;
    Set<String> parked = new HashSet<>();
    boolean goesOn = true;
    for (int i = 0; i < left.size() && goesOn; i++) {
      OutboxMessage message = left.get(i);
      Sent.Failed failure = failed.get(message.id());
      if (failure == null) {
        due = parked.isEmpty() ? now + patience.shortest() : next;
        break;
      }
      Patience.Verdict verdict = patience.judge(message, failure, tries);
      judged.put(message.id(), verdict.tries());
      tries = verdict.isOver() ? 0 : verdict.tries();
      boolean isParked = verdict.isOver() && ClusterKey.isOwn(found);
      due = isParked ? next : now + verdict.pause();
      if (isParked) {
        parked.add(message.id());
      }
      goesOn = verdict.isOver() && isOver.test(message.id()); // what is behind it was tried, too
    }
    return new OutboxChange(found, gone, parked, Set.of(), tries, due);
  }
}
