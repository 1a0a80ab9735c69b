package dev.tidemark.execution;

import dev.tidemark.store.Answer;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two owners of one key whose requests are carried out one at a time, in an order that a test
 * chooses, by the code that users run. Time passes only where the test says so.
 */
final class Schedule implements AutoCloseable {
  static final Set<String> STEPS = Set.of("reserve", "charge", "send");
  static final Integer RESULT = 3;

  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final int OWNERS = 2;

  /** What happens to an owner's next request. */
  enum Fate {
    /** It is carried out and answered. */
    ANSWERED,
    /** It is carried out, and no answer comes. */
    LOST,
    /** It does not arrive, and no answer comes. */
    DROPPED,
    /** The owner is killed before it is sent. */
    KILLED,
    /** The owner is killed when it was carried out. */
    KILLED_AFTER,
    /** Time passes until every lease is over; the request still waits. */
    EXPIRED
  }

  /** An owner's next request meets its fate. */
  record Move(int owner, Fate fate) {}

  /** A killed process; nothing that it would do comes to pass. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed", null, false, false); // thousands of them, whose traces nobody reads
    }
  }

  private final Map<String, StoredRecord> stored = new TreeMap<>();
  private final Map<String, Integer> acted = new TreeMap<>();
  private final List<Contender> owners = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final long[] millis = new long[1];
  private final Executions last = executions(new MapRecords(stored, millis));
  private int kills;
  private int losses;
  private int expiries;

  Schedule() {
    for (int i = 0; i < OWNERS; i++) {
      owners.add(new Contender());
    }
    begin();
  }

  private static Executions executions(MapRecords records) {
    return Executions.builder("orders", records).lease(LEASE).time(() -> 0, time -> {}).build();
  }

  private void begin() {
    stored.clear();
    acted.clear();
    millis[0] = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    kills = 1;
    losses = 1;
    expiries = 1;
    owners.forEach(Contender::start);
  }

  /** Begins anew, as if nothing had happened. */
  void restart() {
    close();
    begin();
  }

  /** What may happen next. */
  List<Move> possible() {
    List<Move> moves = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      if (owners.get(i).waits != null) {
        moves.add(new Move(i, Fate.ANSWERED));
        if (losses > 0) {
          moves.add(new Move(i, Fate.LOST));
          moves.add(new Move(i, Fate.DROPPED));
        }
        if (kills > 0) {
          moves.add(new Move(i, Fate.KILLED));
          moves.add(new Move(i, Fate.KILLED_AFTER));
        }
      }
    }
    if (!moves.isEmpty() && expiries > 0) {
      moves.add(new Move(0, Fate.EXPIRED));
    }
    return moves;
  }

  void make(Move move) {
    switch (move.fate()) {
      case EXPIRED -> {
        expiries--;
        millis[0] += LEASE.toMillis() * 2;
      }
      case LOST, DROPPED -> {
        losses--;
        owners.get(move.owner()).proceed(move.fate());
      }
      case KILLED, KILLED_AFTER -> {
        kills--;
        owners.get(move.owner()).proceed(move.fate());
      }
      case ANSWERED -> owners.get(move.owner()).proceed(move.fate());
    }
  }

  /** All that the next moves depend on; revisions by the order in which they were written. */
  String state() {
    StringBuilder state = new StringBuilder();
    state.append(kills).append(losses).append(expiries).append(acted);
    Map<String, Integer> revisions = new HashMap<>();
    for (Contender owner : owners) {
      state.append(owner.seen).append(owner.answer).append(shown(owner.waits, revisions));
    }
    stored.forEach(
        (key, record) -> state.append(key).append(shown(MapRecords.execution(record), revisions)));
    return state.toString();
  }

  private String shown(@Nullable Object part, Map<String, Integer> revisions) {
    if (part instanceof Pending pending) {
      String before = pending.before == null ? "none" : number(pending.before, revisions);
      return before + shown(pending.record, revisions);
    }
    return part instanceof ExecutionRecord record
        ? number(record.revision(), revisions)
            + record.state()
            + record.points()
            + (record.leaseEnd() > 0 && record.leaseEnd() < millis[0])
            + number(record.owner(), revisions)
        : "-";
  }

  private static String number(String revision, Map<String, Integer> revisions) {
    return "#" + revisions.computeIfAbsent(revision, any -> revisions.size());
  }

  /** How the owners' calls ended. */
  List<String> answers() {
    return owners.stream().map(owner -> String.valueOf(owner.answer)).toList();
  }

  /** How often each step acted. */
  Map<String, Integer> acted() {
    return acted;
  }

  /** Calls once more, when every lease is over and nothing fails. */
  Execution<Integer> finish() {
    millis[0] += LEASE.toMillis() * 2;
    return run(last);
  }

  private Execution<Integer> run(Executions executions) {
    return executions.run("1", null, Integer.class, this::work);
  }

  private Integer work(Steps steps) {
    int sum = 0;
    for (String step : List.of("reserve", "charge", "send")) {
      sum += steps.step(step, Integer.class, key -> act(step));
    }
    return sum;
  }

  private Integer act(String step) {
    acted.merge(step, 1, Integer::sum);
    return 1;
  }

  @Override
  public void close() {
    for (Contender owner : owners) {
      if (owner.waits != null) {
        owner.proceed(Fate.KILLED);
      }
    }
    threads.forEach(
        thread -> {
          try {
            thread.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    threads.clear();
  }

  /** A request that waits for its fate. */
  private record Pending(@Nullable String before, @Nullable ExecutionRecord record) {}

  /** One owner in a thread that runs only while the test waits for it. */
  private final class Contender {
    private final SynchronousQueue<Fate> fates = new SynchronousQueue<>();
    private final SynchronousQueue<Boolean> turns = new SynchronousQueue<>();
    private final StringBuilder seen = new StringBuilder();
    private final Executions executions;
    private volatile @Nullable Pending waits;
    private volatile @Nullable String answer;

    Contender() {
      MapRecords records = new MapRecords(stored, millis);
      records.wire = this::request;
      executions = executions(records);
    }

    void start() {
      seen.setLength(0);
      waits = null;
      answer = null;
      Thread thread = new Thread(this::live, "owner");
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
      take(turns);
    }

    private void live() {
      try {
        answer = run(executions).getClass().getSimpleName();
      } catch (Killed e) {
        answer = "killed";
      } catch (RuntimeException e) {
        answer = e.getClass().getSimpleName();
      }
      put(turns, true);
    }

    void proceed(Fate fate) {
      waits = null;
      put(fates, fate);
      take(turns);
    }

    /** Lets the test go on, and does with the request what it says. */
    private Answer<StoredRecord> request(
        @Nullable String before,
        @Nullable ExecutionRecord record,
        Supplier<Answer<StoredRecord>> request) {
      if ("killed".equals(answer)) {
        throw new Killed();
      }
      waits = new Pending(before, record);
      put(turns, true);
      Fate fate = take(fates);
      Answer<StoredRecord> real =
          fate == Fate.KILLED || fate == Fate.DROPPED
              ? new Answer.Lost<>(new IllegalStateException("no answer"))
              : request.get();
      if (fate == Fate.KILLED || fate == Fate.KILLED_AFTER) {
        answer = "killed";
        throw new Killed();
      }
      Answer<StoredRecord> told =
          fate == Fate.ANSWERED ? real : new Answer.Lost<>(new IllegalStateException("no"));
      seen.append(told.getClass().getSimpleName().charAt(0));
      return told;
    }
  }

  private static <V> V take(SynchronousQueue<V> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <V> void put(SynchronousQueue<V> queue, V value) {
    try {
      queue.put(value);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
