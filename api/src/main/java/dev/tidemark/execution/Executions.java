package dev.tidemark.execution;

import dev.tidemark.MessageId;
import dev.tidemark.TidemarkException;
import dev.tidemark.execution.ClaimJudge.Verdict;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecord.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs effects once per key, within one scope, and replays their results.
 *
 * <p>A call claims its key by one conditional write, does the work, and stores the result by
 * another: two requests, and one more for each step. A call for a key that is finished, in progress
 * or reused takes one request. What the work does outside this record happens at least once: hand
 * it {@link Steps#downstreamKey} or {@link Steps#fence} where it has to happen once.
 *
 * <p>Safe for use by many threads.
 */
public final class Executions {
  /** Of an exception, which may be in a circle. */
  private static final int MOST_CAUSES = 30;

  private final String scope;
  private final ExecutionRecords records;
  private final ClaimJudge judge;
  private final Duration wait;
  private final Duration keptFor;
  private final Duration unfinishedFor;
  private final List<ExecutionsBuilder.Storing<?>> storing;
  private final Json json;
  private final Backoff.Pauses pauses;
  private final LongSupplier nanos;
  private final Watch watch;

  Executions(ExecutionsBuilder builder) {
    this.scope = builder.scope;
    this.records = builder.records;
    this.judge = new ClaimJudge(builder.lease, builder.skew, builder.parks);
    this.wait = builder.wait;
    this.keptFor = builder.keptFor;
    this.unfinishedFor =
        builder.unfinishedFor.compareTo(builder.keptFor) < 0
            ? builder.keptFor
            : builder.unfinishedFor;
    this.storing = List.copyOf(builder.storing);
    this.json = new Json(builder.mapper);
    this.pauses = builder.pauses;
    this.nanos = builder.nanos;
    this.watch = new Watch(nanos);
  }

  /**
   * With the defaults of {@link ExecutionsBuilder}.
   *
   * @param scope keeps the keys of one kind of effect apart from those of others; not empty
   * @param records where the records are kept
   * @return executions of that scope
   */
  public static Executions of(String scope, ExecutionRecords records) {
    return builder(scope, records).build();
  }

  /**
   * With settings of one's own.
   *
   * @param scope keeps the keys of one kind of effect apart from those of others; not empty
   * @param records where the records are kept
   * @return a builder
   */
  public static ExecutionsBuilder builder(String scope, ExecutionRecords records) {
    return new ExecutionsBuilder(scope, records);
  }

  /**
   * Runs the work, unless it has run for this key before.
   *
   * @param key the idempotency key; not empty
   * @param request what the key stands for, as a value that Jackson can write; another one under
   *     the same key is answered {@link Execution.KeyReused}. Null is a request of its own
   * @param type of the result, by which it is stored and read back
   * @param work what to do
   * @param <R> the result's type
   * @param <X> what the work may throw
   * @return what came of it
   * @throws X what the work threw, unless its class is stored; the key is free again
   * @throws dev.tidemark.ContentionException if the store was throttling for too long. Before the
   *     work nothing is done; after it the key is in progress until the lease ends
   * @throws dev.tidemark.OutcomeUnknownException if no answer came; as before
   * @throws dev.tidemark.CorruptRecordException if what is stored cannot be read as that type
   */
  public <R, X extends Exception> Execution<R> run(
      String key, @Nullable Object request, Class<R> type, Work<? extends R, X> work) throws X {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(work, "work");
    return run(call(key, request, "", null), type, work);
  }

  /** What a call for a key brings, of a flow or of none. */
  Call call(String key, @Nullable Object request, String flow, @Nullable String text) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("an idempotency key must not be empty");
    }
    String at = MessageId.of(scope, key).value();
    return new Call(at, json.fingerprint(request), flow, text, wait);
  }

  /**
   * Registers work that can go on without its caller: its request is stored with the claim, so that
   * {@link Flow#resume} finishes what a crash has left.
   *
   * @param name of the flow, within the scope; not empty
   * @param requestType of the request, by which it is stored and read back
   * @param resultType of the result
   * @param work what to do
   * @param <Q> the request's type
   * @param <R> the result's type
   * @return the flow
   */
  public <Q, R> Flow<Q, R> flow(
      String name, Class<Q> requestType, Class<R> resultType, BiFunction<Q, Steps, R> work) {
    return new Flow<>(this, MessageId.of(scope, name).value(), requestType, resultType, work);
  }

  /**
   * An interface whose methods that are {@link Idempotent} run under their keys; others run as they
   * are. A method without a result throws {@link NotExecutedException}.
   *
   * @param type an interface
   * @param target does what the methods say; what they return is stored, and must not be null
   * @param <T> the interface
   * @return the interface, before the target
   * @throws IllegalArgumentException if a method's key or its result's type cannot be told
   */
  public <T> T proxy(Class<T> type, T target) {
    return Proxies.of(this, type, target);
  }

  /**
   * Lets the next call run work that waits for a person, with what is known of its steps.
   *
   * @param key the idempotency key
   * @return whether it waited
   */
  public boolean release(String key) {
    Ledger ledger = ledger(MessageId.of(scope, key).value());
    ExecutionRecord found = records.read(ledger.key()).orElse(null);
    while (found != null && found.state() == State.PARKED) {
      ExecutionRecord next = next(found, State.RELEASED, found.points(), null);
      ExecutionRecord left = ledger.write(found.revision(), next);
      if (left != null && left.isOf(next)) {
        return true;
      }
      found = left;
    }
    return false;
  }

  /**
   * Forgets a key, unless somebody is at work on it: the next call runs the work anew.
   *
   * @param key the idempotency key
   * @return whether nothing is stored now
   */
  public boolean forget(String key) {
    Ledger ledger = ledger(MessageId.of(scope, key).value());
    ExecutionRecord found = records.read(ledger.key()).orElse(null);
    while (found != null && !isLive(ledger.key(), found)) {
      found = ledger.remove(found.revision());
    }
    return found == null;
  }

  private boolean isLive(String at, ExecutionRecord found) {
    return found.state() == State.RUNNING
        && !judge.left(found, now(), watch.unchanged(at, found.revision())).isZero();
  }

  <R, X extends Exception> Execution<R> run(Call call, Class<R> type, Work<? extends R, X> work)
      throws X {
    Claim<R> claim = claim(call, type);
    Owner owner = claim.owner();
    return owner == null ? Objects.requireNonNull(claim.answer()) : work(owner, type, work);
  }

  private <R, X extends Exception> Execution<R> work(
      Owner owner, Class<R> type, Work<? extends R, X> work) throws X {
    R value;
    try {
      value = work.run(owner);
    } catch (Throwable e) {
      String code = owner.hasStopped() ? null : code(owner, e);
      if (code == null && !owner.hasStopped()) {
        release(owner, e);
        throw e;
      }
      return code == null ? owner.stopped() : failed(owner, code);
    }
    return end(owner, () -> owner.complete(type, value), new Execution.Executed<>(value));
  }

  private static <R> Execution<R> failed(Owner owner, String code) {
    return end(
        owner, () -> owner.fail(code), new Execution.Failed<>(new StoredFailure(code), false));
  }

  /** Makes a run's last write, unless it has stopped. */
  private static <R> Execution<R> end(Owner owner, Runnable last, Execution<R> answer) {
    try {
      if (!owner.hasStopped()) {
        last.run();
      }
    } catch (ExecutionStoppedException e) {
      return owner.stopped();
    }
    return owner.hasStopped() ? owner.stopped() : answer;
  }

  private static void release(Owner owner, Throwable error) {
    try {
      owner.release();
    } catch (RuntimeException e) {
      if (e != error) {
        error.addSuppressed(e);
      }
    }
  }

  /** The code under which a failure is stored; null if the key is to be free again. */
  private @Nullable String code(Owner owner, Throwable error) {
    if (isFault(owner, error, MOST_CAUSES)) {
      return null;
    }
    for (ExecutionsBuilder.Storing<?> one : storing) {
      if (one.type().isInstance(error)) {
        return one.codeOf(error);
      }
    }
    return null;
  }

  /** Whether an error is the store's, or the library's, or was caused by one of these. */
  private static boolean isFault(Owner owner, @Nullable Throwable error, int causes) {
    return error != null
        && (error instanceof TidemarkException
            || error instanceof ExecutionStoppedException
            || owner.isFault(error)
            || (causes > 0 && isFault(owner, error.getCause(), causes - 1)));
  }

  /** Claims a key, or says why not. */
  private <R> Claim<R> claim(Call call, Class<R> type) {
    Ledger ledger = ledger(call.key);
    Backoff backoff = new Backoff(pauses);
    long start = nanos.getAsLong();
    ExecutionRecord found = null;
    while (true) {
      Duration unchanged =
          found == null ? Duration.ZERO : watch.unchanged(call.key, found.revision());
      long now = now();
      Verdict verdict = judge.judge(found, call.fingerprint, now, unchanged);
      if (verdict == Verdict.LIVE) {
        Duration left = judge.left(Objects.requireNonNull(found), now, unchanged);
        Duration waiting = call.patience.minusNanos(nanos.getAsLong() - start);
        boolean stopped = Thread.currentThread().isInterrupted();
        if (stopped || waiting.isNegative() || waiting.isZero()) {
          return new Claim<>(null, new Execution.InProgress<>(left));
        }
        backoff.pause(waiting.compareTo(left) < 0 ? waiting : left);
        found = records.read(call.key).orElse(null);
        continue;
      }
      ExecutionRecord next = claimed(verdict, call, found, now);
      if (next == null) {
        return new Claim<>(null, answer(ledger, verdict, Objects.requireNonNull(found), type));
      }
      ledger.requireFit(next);
      ExecutionRecord left = ledger.write(found == null ? null : found.revision(), next);
      if (left != null && left.isOf(next)) {
        watch.forget(call.key);
        return next.state() == State.PARKED
            ? new Claim<>(null, new Execution.InDoubt<>(Owner.doubtful(next)))
            : new Claim<>(new Owner(this, ledger, next), null);
      }
      found = left;
    }
  }

  /** The record that a verdict asks for; null if it asks for none. */
  private @Nullable ExecutionRecord claimed(
      Verdict verdict, Call call, @Nullable ExecutionRecord found, long now) {
    if (verdict == Verdict.PARK) {
      return next(Objects.requireNonNull(found), State.PARKED, found.points(), null);
    }
    if (verdict != Verdict.FRESH && verdict != Verdict.TAKE_OVER) {
      return null;
    }
    Map<String, Point> points =
        verdict == Verdict.FRESH || found == null ? Map.of() : found.points();
    return new ExecutionRecord(
        UUID.randomUUID().toString(),
        State.RUNNING,
        UUID.randomUUID().toString(),
        Math.max(now, found == null ? 0 : found.fence() + 1),
        judge.lease().toMillis(),
        now + judge.lease().toMillis(),
        expires(now, unfinishedFor),
        call.fingerprint,
        call.flow,
        call.request,
        points,
        null);
  }

  private <R> Execution<R> answer(
      Ledger ledger, Verdict verdict, ExecutionRecord found, Class<R> type) {
    if (verdict == Verdict.REUSED) {
      return new Execution.KeyReused<>();
    }
    if (verdict == Verdict.PARKED) {
      return new Execution.InDoubt<>(Owner.doubtful(found));
    }
    Stored result = found.result();
    if (found.state() == State.FAILED) {
      String code = result == null ? "unknown" : result.type();
      return new Execution.Failed<>(new StoredFailure(code), true);
    }
    return new Execution.Replayed<>(json.read("the result", type, ledger.whole(result)));
  }

  /** What an owner's next write stores. */
  ExecutionRecord next(
      ExecutionRecord before, State state, Map<String, Point> points, @Nullable Stored result) {
    long now = now();
    boolean finished = state == State.DONE || state == State.FAILED;
    return new ExecutionRecord(
        UUID.randomUUID().toString(),
        state,
        before.owner(),
        before.fence(),
        state == State.RUNNING ? judge.lease().toMillis() : 0,
        state == State.RUNNING ? now + judge.lease().toMillis() : 0,
        expires(now, finished ? keptFor : unfinishedFor),
        before.fingerprint(),
        before.flow(),
        finished ? null : before.request(),
        finished ? Map.of() : points,
        result);
  }

  /** When what a record names may be forgotten: after the record itself. */
  long partsExpire() {
    return expires(now(), unfinishedFor.plus(keptFor));
  }

  /** Whether a record's time is over, though it is still there. */
  boolean isForgotten(ExecutionRecord found) {
    return ClaimJudge.isExpired(found, now());
  }

  private static long expires(long now, Duration after) {
    return (now + after.toMillis()) / 1000 + 1;
  }

  private long now() {
    return records.clock().millis();
  }

  Ledger ledger(String key) {
    return new Ledger(records, pauses, key);
  }

  Json json() {
    return json;
  }

  ExecutionRecords records() {
    return records;
  }

  /**
   * What one call brings.
   *
   * @param key the record's key
   * @param request as JSON, where a flow stores it
   * @param patience how long to wait for somebody else
   */
  record Call(
      String key, String fingerprint, String flow, @Nullable String request, Duration patience) {}

  private record Claim<R>(@Nullable Owner owner, @Nullable Execution<R> answer) {}
}
