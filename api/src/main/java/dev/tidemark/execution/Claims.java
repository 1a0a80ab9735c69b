package dev.tidemark.execution;

import static dev.tidemark.execution.ExecutionRecord.ASKED;

import dev.tidemark.MessageId;
import dev.tidemark.execution.ClaimJudge.Verdict;
import dev.tidemark.execution.ExecutionEvent.Kind;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.kernel.Lease;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.kernel.RecordWrites;
import dev.tidemark.kernel.TypedRecords;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Claims keys, or answers by what is stored under them; and what owners store next. */
final class Claims {
  /** For how long an invocation of a function may have its claims, and more than most lives. */
  private static final Duration INVOCATION = Duration.ofMinutes(15);

  private final TypedRecords<ExecutionRecord> records;
  private final ClaimJudge judge;
  private final Duration keptFor;
  private final Duration unfinishedFor;
  private final Json json;
  private final Answers answers;
  private final Pauses pauses;
  private final LongSupplier nanos;
  private final Watch watch;

  /** Milliseconds that an invocation has left; null if nothing bounds it. */
  private final @Nullable LongSupplier remaining;

  Claims(ExecutionsBuilder builder) {
    this.records = new TypedRecords<>(builder.records, ExecutionCodec.CODEC);
    this.judge = new ClaimJudge(builder.lease, builder.skew, builder.parks);
    this.keptFor = builder.keptFor;
    this.unfinishedFor = builder.unfinished();
    this.json = new Json(builder.mapper, new StoredNames(builder.names));
    this.answers = new Answers(this);
    this.pauses = builder.pauses;
    this.nanos = builder.nanos;
    this.watch = new Watch(nanos);
    this.remaining = null;
  }

  /** The same for an invocation that has so many milliseconds left. */
  Claims(Claims other, LongSupplier remaining) {
    this.records = other.records;
    this.judge = other.judge;
    this.keptFor = other.keptFor;
    this.unfinishedFor = other.unfinishedFor;
    this.json = other.json;
    this.answers = new Answers(this);
    this.pauses = other.pauses;
    this.nanos = other.nanos;
    this.watch = other.watch;
    this.remaining = Misuse.given("remaining milliseconds", remaining);
  }

  private boolean isOver() {
    return remaining != null && remaining.getAsLong() <= 0;
  }

  /** For how many milliseconds a write that is made now holds its claim. */
  private long lease() {
    return remaining == null ? judge.lease().toMillis() : Math.max(1, remaining.getAsLong());
  }

  /** The lease of a write that is about to be made. */
  Lease asked() {
    return Lease.asked(nanos, this::now, Duration.ofMillis(lease()));
  }

  /**
   * What one call brings.
   *
   * @param key the record's key
   * @param request as JSON, where a flow stores it
   * @param patience how long to wait for somebody else
   */
  record Call(
      String key,
      Fingerprint fingerprint,
      String flow,
      @Nullable String request,
      Duration patience) {}

  /** Either an owner, or an answer; and what happened. */
  record Claim<R>(@Nullable Owner owner, @Nullable Execution<R> answer, Kind event) {
    static <R> Claim<R> told(Kind event, Execution<R> answer) {
      return new Claim<>(null, answer, event);
    }
  }

  /**
   * Claims a key, or says why not.
   *
   * @param ending may know that the work is done though the record does not
   */
  <R> Claim<R> claim(Call call, Ending<?, R> ending) {
    Ledger ledger = ledger(call.key);
    int waits = 0;
    long start = nanos.getAsLong();
    ExecutionRecord found = null;
    while (true) {
      if (isOver()) {
        return Claim.told(Kind.NOT_STARTED, new Execution.NotStarted<>());
      }
      Duration unchanged = unchanged(call.key, found);
      long now = now();
      Verdict verdict = judge.judge(found, call.fingerprint, now, unchanged, ending);
      Optional<R> result =
          verdict.asksForWrite() && hasWrite(Objects.requireNonNull(found))
              ? ending.told(write(call.key, found))
              : Optional.empty();
      if (result.isPresent()) {
        ExecutionRecord told = Objects.requireNonNull(found);
        return Claim.told(
            Kind.REPLAYED,
            answers.byWrite(ledger, told, verdict == Verdict.LIVE, ending, result.get()));
      }
      if (verdict == Verdict.LIVE) {
        Duration left = judge.left(Objects.requireNonNull(found), now, unchanged);
        Duration waiting = call.patience.minusNanos(nanos.getAsLong() - start);
        boolean stopped = Thread.currentThread().isInterrupted();
        if (stopped || waiting.isNegative() || waiting.isZero()) {
          return Claim.told(Kind.IN_PROGRESS, new Execution.InProgress<>(left));
        }
        waits++;
        Duration most = bounded(waiting.compareTo(left) < 0 ? waiting : left);
        Duration pause = RecordWrites.BACKOFF.after(waits);
        pauses.pause(pause.compareTo(most) < 0 ? pause : most);
        found = records.read(call.key).orElse(null);
        continue;
      }
      if (verdict == Verdict.ELSEWHERE) {
        throw new Misuse.State(
            "an earlier call with a Completion left this key unfinished or failed, and its write may"
                + " have been made; run the key with that Completion again");
      }
      Lease lease = asked();
      ExecutionRecord next = claimed(verdict, call, found, now(), ending);
      if (next == null) {
        Execution<R> answer =
            verdict == Verdict.REUSED
                ? new Execution.KeyReused<>()
                : answers.byRecord(ledger, Objects.requireNonNull(found), ending.type());
        return Claim.told(Kind.told(answer), answer);
      }
      next = lasting(ledger, next);
      ledger.requireFit(next);
      ExecutionRecord goesOn = verdict == Verdict.TAKE_OVER ? found : null; // else it is forgotten
      Owner owner = new Owner(this, ledger, next, goesOn, lease);
      ExecutionRecord left = written(ledger, found, next, owner);
      if (left != null && left.isOf(next)) {
        watch.forget(call.key);
        if (next.state() == State.PARKED) {
          return Claim.told(Kind.PARKED, new Execution.InDoubt<>(next.doubtful()));
        }
        boolean silent = goesOn != null && goesOn.state() == State.RUNNING;
        if (isOver()) {
          owner.giveUp();
          return Claim.told(Kind.NOT_STARTED, new Execution.NotStarted<>());
        }
        if (owner.holds()) {
          return new Claim<>(owner, null, silent ? Kind.TAKEN_OVER : Kind.CLAIMED);
        }
        left = records.read(call.key).orElse(null);
      }
      found = left;
    }
  }

  /** No pause is longer than what is left of an invocation. */
  private Duration bounded(Duration pause) {
    return remaining == null || pause.toMillis() < remaining.getAsLong()
        ? pause
        : Duration.ofMillis(Math.max(0, remaining.getAsLong()));
  }

  /** Writes a claim. One that an interrupt has broken off may be stored, and is given up. */
  private @Nullable ExecutionRecord written(
      Ledger ledger, @Nullable ExecutionRecord found, ExecutionRecord next, Owner owner) {
    try {
      return ledger.write(found, next);
    } catch (RuntimeException e) {
      boolean stopped = Thread.currentThread().isInterrupted();
      if (stopped && next.state() == State.RUNNING && ledger.isOwn(next)) {
        owner.giveUp(e);
      }
      throw e;
    }
  }

  /** The record that a verdict asks for; null if it asks for none. */
  private @Nullable ExecutionRecord claimed(
      Verdict verdict, Call call, @Nullable ExecutionRecord found, long now, Ending<?, ?> ending) {
    if (verdict == Verdict.PARK) {
      return next(Objects.requireNonNull(found), State.PARKED, found.points(), null);
    }
    if (verdict != Verdict.FRESH && verdict != Verdict.TAKE_OVER) {
      return null;
    }
    ExecutionRecord goesOn = verdict == Verdict.TAKE_OVER ? found : null;
    ExecutionRecord kept = call.flow.isEmpty() ? goesOn : null; // a flow can still go on with it
    Map<String, Point> points = new LinkedHashMap<>(goesOn == null ? Map.of() : goesOn.points());
    UUID owner = UUID.randomUUID();
    if (ending.isByWrite()) {
      points.putIfAbsent(Ending.BY_WRITE, new Point(false, json.storeId(owner)));
    }
    long lease = lease();
    return new ExecutionRecord(
        UUID.randomUUID().toString(),
        State.RUNNING,
        owner.toString(),
        Math.max(now, found == null ? 0 : found.fence() + 1),
        lease,
        now + lease,
        Math.max(
            goesOn == null ? 0 : goesOn.lasts(),
            expires(now, longer(unfinishedFor, ending.toldFor()), now + lease)),
        goesOn == null ? call.fingerprint.text() : goesOn.fingerprint(),
        kept == null ? call.flow : kept.flow(),
        kept == null ? call.request : kept.request(),
        points,
        null);
  }

  static boolean hasWrite(ExecutionRecord record) {
    return record.points().containsKey(Ending.BY_WRITE);
  }

  /**
   * Under which message the write is made in which a record's work ends: the same at every attempt,
   * and another one once the record was forgotten, for what is done anew is written anew.
   */
  MessageId write(String key, ExecutionRecord record) {
    Point point = record.points().get(Ending.BY_WRITE);
    Stored stored = point == null ? null : point.value();
    return MessageId.of(
        stored == null
            ? Json.uuid(key) // a record of an earlier version
            : json.readId("the message of the completion", stored));
  }

  /** What stands in place of a record next. */
  ExecutionRecord next(
      ExecutionRecord before, State state, Map<String, Point> points, @Nullable Stored result) {
    boolean finished = state == State.DONE || state == State.FAILED;
    return next(before, state, points, result, finished ? keptFor : unfinishedFor);
  }

  /** The same for a result that is known for so long. */
  ExecutionRecord next(
      ExecutionRecord before,
      State state,
      Map<String, Point> points,
      @Nullable Stored result,
      Duration known) {
    long now = now();
    boolean finished = state == State.DONE || state == State.FAILED;
    Map<String, Point> kept = kept(state, points);
    // what a claim said of a write that may outlast the key, or of work that can go on
    long soonest = hasWrite(before) || !finished ? before.lasts() : 0;
    long lease = state == State.RUNNING ? lease() : 0;
    long leaseEnd =
        switch (state) {
          case RUNNING -> now + lease;
          case RELEASED -> now - 1; // stale at once, behind those that wait for longer
          case PARKED, DONE, FAILED -> 0;
        };
    return new ExecutionRecord(
        UUID.randomUUID().toString(),
        state,
        before.owner(),
        before.fence(),
        lease,
        leaseEnd,
        Math.max(soonest, expires(now, known, leaseEnd)) + (state == State.PARKED ? ASKED : 0),
        before.fingerprint(),
        before.flow(),
        finished && kept.isEmpty() ? null : before.request(), // of a failure that may be none
        kept,
        result);
  }

  /** What stays of the points: of a failure the write that may be made yet, and is asked for. */
  private static Map<String, Point> kept(State state, Map<String, Point> points) {
    Point write = state == State.FAILED ? points.get(Ending.BY_WRITE) : null;
    if (write != null) {
      return Map.of(Ending.BY_WRITE, write);
    }
    return state == State.DONE || state == State.FAILED ? Map.of() : points;
  }

  /** Whether somebody may be at work. */
  boolean isLive(String key, ExecutionRecord found) {
    return found.state() == State.RUNNING
        && !judge.left(found, now(), unchanged(key, found)).isZero();
  }

  /** For how long a lease has been seen unchanged; what has none takes no other's place. */
  private Duration unchanged(String key, @Nullable ExecutionRecord found) {
    return found == null || found.state() != State.RUNNING
        ? Duration.ZERO
        : watch.unchanged(key, found.revision());
  }

  /** A record that is about to be written, with results that last as long, and leave it room. */
  ExecutionRecord lasting(Ledger ledger, ExecutionRecord next) {
    long until = next.lasts() + unfinishedFor.plus(keptFor).toSeconds();
    return ledger.parts().fitting(ledger.parts().lasting(next, until), until);
  }

  /** A value in the form in which it fits into a record. */
  Stored fit(Ledger ledger, ExecutionRecord record, Stored value) {
    return fit(ledger, record, value, unfinishedFor.plus(keptFor));
  }

  /** The same for a record that is kept for so long: what it names is forgotten after it. */
  Stored fit(Ledger ledger, ExecutionRecord record, Stored value, Duration known) {
    int room = records.mostBytes() - Ledger.size(record) - 2_000;
    long after = expires(now(), longer(known, unfinishedFor.plus(keptFor)), 0);
    return ledger.parts().fit(value, record, room, Math.max(record.lasts(), after));
  }

  Duration unfinishedFor() {
    return unfinishedFor;
  }

  /** Puts what nobody is at work on behind what waits, or removes it once its time is over. */
  void pass(String key, ExecutionRecord found) {
    if (isForgotten(found) && !isLive(key, found)) {
      ledger(key).remove(found);
    } else if (!isLive(key, found)) {
      long end = now() - judge.skew().toMillis() - 1;
      ledger(key).write(found, found.leasedUntil(end));
    }
  }

  /** Whether a record's time is over, though it is still there. */
  boolean isForgotten(ExecutionRecord found) {
    return ClaimJudge.isExpired(found, now());
  }

  /** For how long the result of work is kept that ends so. */
  Duration knownFor(Ending<?, ?> ending) {
    return longer(keptFor, ending.toldFor());
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /** When a record may be forgotten: not while its claim holds by the clock of anybody. */
  private long expires(long now, Duration after, long leaseEnd) {
    return Math.max(now + after.toMillis(), leaseEnd + judge.skew().toMillis()) / 1000 + 1;
  }

  /** The time, in milliseconds since 1970. */
  long now() {
    return records.clock().millis();
  }

  /** Elapsed time, in nanoseconds. */
  long elapsed() {
    return nanos.getAsLong();
  }

  /** For how long a lease is watched before it is over by any clock. */
  Duration watched() {
    return judge.lease().plus(judge.skew());
  }

  /** How far ahead a lease may end by a clock that is right enough, be it of an invocation. */
  Duration farthest() {
    return longer(judge.lease(), INVOCATION).plus(judge.skew());
  }

  Ledger ledger(String key) {
    return new Ledger(records, pauses, key, json.mostBytes());
  }

  Json json() {
    return json;
  }

  TypedRecords<ExecutionRecord> records() {
    return records;
  }
}
