package dev.tidemark.outbox;

import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A shard of the index as a cluster looks at it, and how far it was looked at. */
final class ClusterShard {
  /** How many pages a look goes on for what this cluster may send, behind what it may not. */
  private static final int PAGES = 4;

  /**
   * After so many messages whose marks were read, what a look knows is stored. After so many that
   * no other cluster has sent, it ends once it has something to send. A function that is stopped in
   * a look over much would else begin it anew, for ever.
   */
  private static final int PORTION = 100;

  /** How late a record may come into the index, at the place of its time, in milliseconds. */
  private static final long LATE = 5_000;

  private final OutboxRecords records;
  private final ClusterMarks marks;
  private final Clusters clusters;

  private final int number;
  private final Succession succession;
  private final Turns turns;

  /** Where the next look at everything goes on; known once what is stored was read. */
  private long next = Long.MIN_VALUE;

  private boolean isKnown;

  /** Whether the present look at everything has begun at the beginning. */
  private boolean isWhole;

  /** Where the next look for what came last goes on. */
  private long latest = Long.MIN_VALUE;

  /** Where the look at what others have due later goes on. */
  private long ahead = Long.MIN_VALUE;

  /** Where the look at what is due far in the future goes on. */
  private long farAhead = Long.MIN_VALUE;

  /** When all that is due later was looked at, in elapsed nanoseconds. */
  private long lookedAhead;

  private boolean hasLookedAhead;

  /** Why marks cannot be read; null if they can. */
  private @Nullable RuntimeException error;

  private int unreadable;
  private @Nullable RuntimeException corrupt;

  /** The IDs of messages that a look has seen, and that have waited for long for their turn. */
  private final Set<String> heldBack = new HashSet<>();

  /** Whether a look has seen what stays in the index, since nobody here may take it off. */
  private boolean isLeft;

  /** How much memory the rest of a look may take. */
  private long left;

  /** Of how many messages this look has read the marks. */
  private int asked;

  /** How many of them no other cluster has sent. */
  private int unsent;

  /** Whether marks may be read; what is young and of this cluster needs none. */
  private boolean mayAsk = true;

  /** Whether this look has something to send. */
  private boolean hasFound;

  ClusterShard(
      int number,
      OutboxRecords records,
      ClusterMarks marks,
      Clusters clusters,
      Sightings sightings) {
    this.number = number;
    this.records = records;
    this.turns = new Turns(records::bare);
    this.marks = marks;
    this.clusters = clusters;
    this.succession = new Succession(clusters, records.clock(), sightings);
  }

  /** Looks at what is due by now, where the look before ended. */
  synchronized Look due(long now, int most, long size) {
    begin(size);
    Map<Object, OutboxRecord> found = new LinkedHashMap<>();
    boolean isFirst = next == Long.MIN_VALUE;
    isWhole |= isFirst;
    Page all = page(next, now, most);
    if (isFirst && all.isLast()) {
      turns.clear();
    }
    Page page = add(all, view -> true, true, found);
    boolean isLast = page.isLast();
    next = isLast ? Long.MIN_VALUE : page.end();
    if (isLast) {
      endCycle(now, most, found);
    }
    if (!(isFirst && isLast) && found.size() * 2 < most) {
      if (!isEnough()) {
        addWhoseTurnItIs(now, most, found);
      }
      mayAsk = !isEnough();
      addLatest(now, most, found);
      mayAsk = true;
    }
    keep(isLast);
    boolean goesOn = !isLast || !isWhole || ahead != Long.MIN_VALUE;
    isWhole &= !isLast;
    return told(found, most, goesOn);
  }

  /** Looks at what is due in a time to come. */
  synchronized Look ahead(long from, long until, int most, long size) {
    begin(size);
    Map<Object, OutboxRecord> found = new LinkedHashMap<>();
    farAhead = addPages(Math.max(from, farAhead), until, most, view -> true, found);
    keep(true);
    return told(found, most, farAhead != Long.MIN_VALUE);
  }

  private void begin(long size) {
    left = size;
    asked = 0;
    unsent = 0;
    hasFound = false;
    error = null;
    corrupt = null;
    unreadable = 0;
    heldBack.clear();
    isLeft = false;
    try {
      succession.look();
      next = isKnown ? next : succession.next();
      isKnown = true;
    } catch (RuntimeException e) { // what needs no marks goes on
      error = e;
    }
  }

  /** Stores for a relay that comes later what waits here, if something does. */
  private void keep(boolean isLast) {
    if (error != null) {
      return;
    }
    try {
      boolean waits = isLeft || !heldBack.isEmpty() || isEnough();
      if (waits || succession.next() != Long.MIN_VALUE) {
        succession.next(next);
      }
      succession.save(isLast);
    } catch (RuntimeException e) { // this relay knows it all the same
      error = e;
    }
  }

  private Look told(Map<Object, OutboxRecord> found, int most, boolean goesOn) {
    List<OutboxRecord> some = found.values().stream().limit(most).toList();
    return new Look(some, unreadable, heldBack.size(), goesOn, error == null ? corrupt : error);
  }

  /** What is not due yet may be there for long, too: its time is that of another clock. */
  private void endCycle(long now, int most, Map<Object, OutboxRecord> found) {
    long nanos = clusters.nanos();
    long often = clusters.maximumDelay().toNanos() / 4;
    if (isEnough() || (hasLookedAhead && nanos - lookedAhead < often)) {
      return;
    }
    long from = Math.max(now + 1, ahead);
    ahead = addPages(from, Long.MAX_VALUE, most, ClusterView::isOfOthers, found);
    if (ahead == Long.MIN_VALUE) {
      hasLookedAhead = true;
      lookedAhead = nanos;
      succession.endCycle();
    }
  }

  /** Looks at some pages; says where to go on, which is the beginning if that were all. */
  private long addPages(
      long from,
      long until,
      int most,
      Predicate<ClusterView> which,
      Map<Object, OutboxRecord> found) {
    long at = from;
    int pages = 0;
    do {
      Page page = add(page(at, until, most), which, false, found);
      if (found.size() > most) {
        return at; // what is left out is looked at again
      }
      if (page.isLast()) {
        return Long.MIN_VALUE;
      }
      at = page.end();
      pages++;
    } while (pages < PAGES && left > 0 && found.size() < most && !isEnough());
    return at;
  }

  /** Looks at those that were seen before, and whose time has come. */
  private void addWhoseTurnItIs(long now, int most, Map<Object, OutboxRecord> found) {
    List<Object> keys = turns.take(clusters.nanos(), left > 0 ? most : 1);
    List<OutboxRecord> read = keys.isEmpty() ? List.of() : records.readAll(keys, Math.max(1, left));
    left -= size(read);
    Set<Object> unread = new HashSet<>(keys);
    read.forEach(record -> unread.remove(record.key()));
    unread.forEach(key -> turns.add(key, clusters.nanos()));
    List<OutboxRecord> due = read.stream().filter(record -> record.due() <= now).toList();
    int seen = add(new Page(due, true, now), view -> true, false, found).records().size();
    due.stream().skip(seen).forEach(record -> turns.add(record.key(), clusters.nanos()));
  }

  /** Looks at what came last, too, since there is much that came before it. */
  private void addLatest(long now, int most, Map<Object, OutboxRecord> found) {
    latest = Math.max(latest, now - clusters.maximumDelay().toMillis());
    int before = found.size();
    int pages = 0;
    do {
      Page page = add(page(latest, now, most), view -> true, false, found);
      if (page.isLast()) {
        latest = Math.max(latest, now - LATE);
        return;
      }
      latest = page.end();
      pages++;
    } while (pages < PAGES && left > 0 && found.size() == before);
  }

  /** Some records of the index, whether it has more behind, and at which time that begins. */
  private record Page(List<OutboxRecord> records, boolean isLast, long end) {}

  /** Records from a time on: more than asked for where all of them were due at the same time. */
  private Page page(long from, long until, int most) {
    int wanted = most;
    long size = Math.max(1, left);
    Look look = records.look(number, from, until, wanted, size);
    while (isMore(look, wanted) && isOneTime(look, from)) {
      wanted *= 2;
      size = Math.max(size, 2 * Math.max(size, size(look.records())));
      look = records.look(number, from, until, wanted, size);
    }
    unreadable = Math.max(unreadable, look.unreadable());
    corrupt = look.error() == null ? corrupt : look.error();
    left -= size(look.records());
    int count = look.records().size();
    return count == 0
        ? new Page(List.of(), true, from)
        : new Page(look.records(), !isMore(look, wanted), look.records().get(count - 1).due());
  }

  private static long size(List<OutboxRecord> records) {
    return records.stream().mapToLong(OutboxRecord::size).sum();
  }

  private static boolean isMore(Look look, int asked) {
    return look.goesOn() || look.records().size() >= asked;
  }

  /** Whether a page does not get beyond the time at which it begins. */
  private static boolean isOneTime(Look look, long from) {
    int count = look.records().size();
    return count > 0 && look.records().get(count - 1).due() == from;
  }

  /** Whether a look ends before its end, so that what it has found is sent soon. */
  private boolean isEnough() {
    return hasFound && isLong();
  }

  /** Whether a look has read so many marks that it ends as soon as it has something to send. */
  boolean isLong() {
    return mayAsk && unsent >= PORTION;
  }

  /**
   * Looks at the records of a page until it is enough, and gives that part of the page.
   *
   * @param isPlace whether a relay that comes later goes on here, if this one is stopped
   */
  private Page add(
      Page page, Predicate<ClusterView> which, boolean isPlace, Map<Object, OutboxRecord> found) {
    List<OutboxRecord> records = page.records();
    List<ClusterView> views = new ArrayList<>();
    while (views.size() < records.size() && !isEnough()) {
      OutboxRecord record = records.get(views.size());
      if (isPlace && asked >= PORTION) {
        succession.next(record.due());
      }
      ClusterView view = new ClusterView(record, this, clusters, succession);
      hasFound |= view.hasSome() && which.test(view);
      views.add(view);
    }
    settle(views);
    for (ClusterView view : views) {
      OutboxRecord shown = view.shown();
      if (shown != null && which.test(view)) {
        found.putIfAbsent(shown.key(), shown);
      }
    }
    int seen = views.size();
    return seen == records.size()
        ? page
        : new Page(records.subList(0, seen), false, records.get(seen).due());
  }

  /** Whether this cluster may not send a message, since another did, or that is not known. */
  boolean isBarred(OutboxMessage message) {
    if (error != null || !mayAsk) {
      return true;
    }
    try {
      if (asked > 0 && asked % PORTION == 0) {
        succession.saveNow();
      }
      asked++;
      if (marks.isSent(message)) {
        succession.sent(message.id());
        return true;
      }
      unsent++;
      return false;
    } catch (RuntimeException e) { // what needs no marks goes on
      error = e;
      return true;
    }
  }

  /** The rest of a record has to be looked at, too. */
  void again(Object record) {
    turns.add(record, clusters.nanos());
  }

  /** Notes that a message was sent, and stays until its origin takes it off. */
  void leave() {
    isLeft = true;
  }

  /** Notes that a message of a record cannot go now. */
  void wait(Object record, OutboxMessage message, boolean isOld) {
    turns.add(record, succession.turn(message));
    if (isOld) {
      heldBack.add(message.id());
      if (error == null && mayAsk) {
        succession.remember(message);
      }
    }
  }

  private void settle(List<ClusterView> views) {
    List<ClusterView> open = new ArrayList<>();
    List<OutboxChange> changes = new ArrayList<>();
    for (ClusterView view : views) {
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
    if (prevented > 0) {
      int count = prevented;
      clusters.tell(listener -> listener.prevented(clusters.named(records), count));
    }
  }
}
