package dev.tidemark.outbox;

import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A shard of the index as a cluster looks at it, and how far it was looked at. */
final class ClusterShard {
  /** How many pages a look goes on for what this cluster may send, behind what it may not. */
  private static final int PAGES = 4;

  /** How late a record may come into the index, at the place of its time, in milliseconds. */
  private static final long LATE = 5_000;

  private final OutboxRecords records;
  private final ClusterMarks marks;
  private final Clusters clusters;

  private final int number;
  private final Succession succession;
  private final Turns turns = new Turns();

  /** Where the next look at everything goes on. */
  private long next = Long.MIN_VALUE;

  /** Where the next look for what came last goes on. */
  private long latest = Long.MIN_VALUE;

  /** Why marks cannot be read; null if they can. */
  private @Nullable RuntimeException error;

  ClusterShard(int number, OutboxRecords records, ClusterMarks marks, Clusters clusters) {
    this.number = number;
    this.records = records;
    this.marks = marks;
    this.clusters = clusters;
    this.succession = new Succession(clusters);
  }

  synchronized List<OutboxRecord> due(long now, int most) {
    succession.look();
    error = null;
    Map<Object, OutboxRecord> found = new LinkedHashMap<>();
    boolean isFirst = next == Long.MIN_VALUE;
    List<OutboxRecord> page = page(next, now, most);
    boolean isLast = page.size() < most;
    if (isFirst && isLast) {
      turns.clear();
    }
    add(page, found);
    next = isLast ? Long.MIN_VALUE : page.get(page.size() - 1).due();
    if (isLast) {
      succession.endCycle();
    }
    if (!(isFirst && isLast) && found.size() * 2 < most) {
      addWhoseTurnItIs(now, most, found);
      addLatest(now, most, found);
    }
    if (found.isEmpty() && error != null) {
      throw error;
    }
    return found.values().stream().limit(most).toList();
  }

  /** Looks at those that were seen before, and whose time has come. */
  private void addWhoseTurnItIs(long now, int most, Map<Object, OutboxRecord> found) {
    List<Object> keys = turns.take(clusters.nanos(), most);
    List<OutboxRecord> read = keys.isEmpty() ? List.of() : records.readAll(keys);
    List<OutboxRecord> page = read.stream().filter(record -> record.due() <= now).toList();
    add(page, found);
  }

  /** Looks at what came last, too, since there is much that came before it. */
  private void addLatest(long now, int most, Map<Object, OutboxRecord> found) {
    latest = Math.max(latest, now - clusters.maximumDelay().toMillis());
    int before = found.size();
    for (int pages = 0; pages < PAGES && found.size() == before; pages++) {
      List<OutboxRecord> page = page(latest, now, most);
      add(page, found);
      if (page.size() < most) {
        latest = Math.max(latest, now - LATE);
        return;
      }
      latest = page.get(page.size() - 1).due();
    }
  }

  /** Records from a time on: more than asked for where all of them were due at the same time. */
  private List<OutboxRecord> page(long from, long now, int most) {
    List<OutboxRecord> page = records.due(number, from, now, most);
    for (int asked = most; page.size() == asked && page.get(asked - 1).due() == from; ) {
      asked *= 2;
      page = records.due(number, from, now, asked);
    }
    return page;
  }

  private void add(List<OutboxRecord> page, Map<Object, OutboxRecord> found) {
    List<View> views = page.stream().map(record -> new View(record, this)).toList();
    settle(views);
    for (View view : views) {
      OutboxRecord shown = view.shown();
      if (shown != null) {
        found.putIfAbsent(shown.key(), shown);
      }
    }
  }

  /** Whether this cluster may not send a message, since another did, or that is not known. */
  boolean isBarred(OutboxMessage message) {
    if (error != null) {
      return true;
    }
    try {
      if (marks.isSent(message)) {
        succession.sent(message.id());
        return true;
      }
      return false;
    } catch (RuntimeException e) { // what needs no marks goes on
      error = e;
      return true;
    }
  }

  /** What this cluster may send of a record now. */
  private final class View {
    private final List<OutboxMessage> may = new ArrayList<>();

    /** IDs of this cluster's messages that others have sent. */
    private final Set<String> sentByOthers = new HashSet<>();

    private final Succession succession;
    private OutboxRecord stored;
    private boolean isOwn;
    private boolean isBlocked;
    private boolean isUnsettled;

    View(OutboxRecord stored, ClusterShard shard) {
      this.stored = stored;
      this.succession = shard.succession;
      List<OutboxMessage> waiting = stored.waiting();
      waiting.forEach(succession::note);
      int last = waiting.size() - 1;
      while (last >= 0 && !isTurn(waiting.get(last))) {
        last--;
      }
      for (int place = 0; place < waiting.size(); place++) {
        OutboxMessage message = waiting.get(place);
        if (!succession.isSent(message)) {
          add(message, place < last, shard);
        }
        if (succession.isSent(message) && clusters.isOwn(message.origin())) {
          sentByOthers.add(message.id());
        }
      }
    }

    private boolean isYoungOwn(OutboxMessage message) {
      return clusters.isOwn(message.origin()) && clusters.isYoung(message, records.clock());
    }

    private boolean isTurn(OutboxMessage message) {
      return isYoungOwn(message) || succession.isDue(message);
    }

    /**
     * Adds a message, unless it has to wait.
     *
     * @param isAwaited whether the turn of a later one of the record has come
     */
    private void add(OutboxMessage message, boolean isAwaited, ClusterShard shard) {
      boolean own = clusters.isOwn(message.origin());
      boolean isOrdered = message.message().isOrdered();
      // those of this cluster and those of others are told to the store in different ways
      boolean fits = may.isEmpty() || own == isOwn;
      boolean isHeld = isOrdered && isBlocked;
      boolean goes = isTurn(message) && fits && !isHeld;
      boolean asks = goes ? !isYoungOwn(message) : isAwaited && isOrdered && !isHeld;
      boolean isBarred = asks && shard.isBarred(message);
      if (goes && !isBarred) {
        may.add(message);
        isOwn = own;
      } else if (!succession.isSent(message)) {
        isBlocked |= isOrdered;
        shard.turns.add(stored.key(), succession.turn(message));
      }
    }

    /** What takes off what others have sent; null if there is nothing. */
    @Nullable OutboxChange settling() {
      return sentByOthers.isEmpty()
          ? null
          : new OutboxChange(
              stored, sentByOthers, Set.of(), Set.of(), stored.tries(), stored.due());
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
  }

  private void settle(List<View> views) {
    List<View> open = new ArrayList<>();
    List<OutboxChange> changes = new ArrayList<>();
    for (View view : views) {
      OutboxChange change = view.settling();
      if (change != null) {
        open.add(view);
        changes.add(change);
      }
    }
    if (changes.isEmpty()) {
      return;
    }
    List<Answer> answers = records.write(changes);
    int prevented = 0;
    for (int i = 0; i < changes.size(); i++) {
      open.get(i).settled(changes.get(i), answers.get(i));
      prevented += answers.get(i) instanceof Answer.Written ? changes.get(i).removed().size() : 0;
    }
    ClusterListener listener = clusters.listener();
    if (listener != null && prevented > 0) {
      listener.prevented(clusters.named(records), prevented);
    }
  }
}
