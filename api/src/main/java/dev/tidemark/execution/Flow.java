package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.transaction.OpenTransactions;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Registered work of {@link Executions}. Its request is stored with the claim, so that another
 * process can go on where one was killed.
 *
 * @param <Q> the request's type
 * @param <R> the result's type
 */
public final class Flow<Q, R> {
  private final Executions executions;
  private final String name;
  private final Class<Q> requestType;
  private final BiFunction<Claims.Call, Q, Execution<R>> runs;

  /** When to look ahead, in elapsed time. */
  private long nextAhead;

  /**
   * Registered work.
   *
   * @param runs makes a call for a request
   */
  Flow(
      Executions executions,
      String name,
      Class<Q> requestType,
      Class<R> resultType,
      BiFunction<Claims.Call, Q, Execution<R>> runs) {
    executions.json().requireReadable(requestType);
    executions.json().requireReadable(resultType);
    this.executions = executions;
    this.name = name;
    this.requestType = requestType;
    this.runs = runs;
    this.nextAhead = executions.claims().elapsed();
  }

  /**
   * Runs the work, unless it has run for this key before.
   *
   * @param key the idempotency key; not empty
   * @param request what to do it for
   * @return what came of it
   */
  public Execution<R> run(String key, Q request) {
    String text = executions.json().text(requestType, request);
    Fingerprint fingerprint = executions.json().fingerprints().of(requestType, request);
    return runs.apply(executions.call(key, fingerprint, name, text), readBack(text));
  }

  /** The request as another process would read it. */
  private Q readBack(String text) {
    try {
      return executions.json().readNew("the request", requestType, text);
    } catch (CorruptRecordException e) {
      throw new Misuse.Argument(
          e.getMessage() + ", though it was written; nothing was stored", e.getCause());
    }
  }

  /**
   * Goes on with executions whose owners went silent, one after the other, and never with one whose
   * lease still holds. Call it now and then, in as many processes as you like, of a flow that you
   * keep: it has to see twice what a clock that was ahead has stored, a lease apart. An execution
   * that cannot begin, such as one whose request cannot be read, is a fault each time, and is put
   * behind the others; one whose time is over is removed. Records that cannot be read at all are
   * faults beside {@code most}; up to 1,000 of them keep no other from being resumed.
   *
   * @param most how many at most; with 0 nothing is done
   * @return what came of those that were stale; that the index refused a look is a fault, too,
   *     unless nothing was found: then the call throws it
   * @throws IllegalArgumentException if {@code most} is less than 0
   * @throws IllegalStateException if a transaction of Spring is open on this thread; nothing is
   *     done
   */
  public Resumed resume(int most) {
    OpenTransactions.requireNone("a flow");
    if (most < 0) {
      throw new Misuse.Argument("most must not be less than 0, was " + most);
    }
    Claims claims = executions.claims();
    Resuming<R> resuming = new Resuming<>(executions, name, most, this::resume);
    long now = claims.now();
    if (most > 0
        && looksAhead(claims)
        && !resuming.look(now + claims.farthest().toMillis(), Long.MAX_VALUE)) {
      lookAheadNext(claims);
    }
    boolean unused = resuming.look(Long.MIN_VALUE, now);
    return resuming.resumed();
  }

  /**
   * Whether it is time to look for leases that end later than any that a right clock gives. Such a
   * lease is over once it was watched, so a look in each lease is enough.
   */
  private synchronized boolean looksAhead(Claims claims) {
    long now = claims.elapsed();
    boolean isTime = now - nextAhead >= 0;
    nextAhead = isTime ? now + claims.watched().toNanos() : nextAhead;
    return isTime;
  }

  private synchronized void lookAheadNext(Claims claims) {
    nextAhead = claims.elapsed();
  }

  private Execution<R> resume(String key, ExecutionRecord found) {
    String text = found.request();
    if (text == null) {
      throw new CorruptRecordException(
          "an unfinished execution of a flow has no request stored", null, null);
    }
    Q request = executions.json().read("the request", requestType, text);
    return runs.apply(
        new Claims.Call(key, Fingerprint.stored(found.fingerprint()), name, text, Duration.ZERO),
        request);
  }

  /**
   * What a look for stale executions came to.
   *
   * @param ended how many have a result now, or a failure that is final
   * @param waiting how many wait for a person
   * @param faults what the others met, and a look at the index that was refused; they are tried
   *     again by a later call. Those of this library tell the idempotency key by their {@code
   *     key()}
   */
  public record Resumed(int ended, int waiting, List<RuntimeException> faults) {}
}
