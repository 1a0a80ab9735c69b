package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.kernel.Faults;
import dev.tidemark.store.RecordStore;
import dev.tidemark.transaction.OpenTransactions;
import java.time.Duration;
import java.util.ArrayList;
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
      return executions.json().read("the request", requestType, text);
    } catch (CorruptRecordException e) {
      throw new IllegalArgumentException(
          e.getMessage() + ", though it was written; nothing was stored", e.getCause());
    }
  }

  /**
   * Goes on with executions whose owners went silent, one after the other, and never with one whose
   * lease still holds. Call it now and then, in as many processes as you like. An execution that
   * cannot begin, such as one whose request cannot be read, is a fault each time, and is put behind
   * the others; one whose time is over is removed.
   *
   * @param most how many at most
   * @return what came of those that were stale
   * @throws IllegalStateException if a transaction of Spring is open on this thread; nothing is
   *     done
   */
  public Resumed resume(int most) {
    OpenTransactions.requireNone("a flow");
    RecordStore records = executions.claims().records().store();
    long now = records.clock().millis();
    int ended = 0;
    int waiting = 0;
    List<RuntimeException> faults = new ArrayList<>();
    for (String key : records.due(name, now, most)) {
      try {
        Execution<R> execution = resume(key);
        boolean end = execution.isDone() || execution instanceof Execution.Failed;
        ended += end ? 1 : 0;
        waiting += execution instanceof Execution.InDoubt ? 1 : 0;
      } catch (Throwable e) {
        EntityKey given = EntityKey.key(StoredExecutions.given(executions.scope(), key));
        faults.add(Faults.withKey(Faults.unchecked(e), given));
      }
    }
    return new Resumed(ended, waiting, List.copyOf(faults));
  }

  /**
   * Goes on with one; as if somebody were at work where nothing is left to do. What is left as it
   * was does not stay the first of those that wait.
   */
  private Execution<R> resume(String key) {
    Claims claims = executions.claims();
    ExecutionRecord found = claims.records().read(key).orElse(null);
    if (found == null || !found.isOpen() || !found.flow().equals(name)) {
      return new Execution.InProgress<>(Duration.ZERO);
    }
    if (claims.isForgotten(found)) {
      claims.pass(key, found);
      return new Execution.InProgress<>(Duration.ZERO);
    }
    try {
      return resume(key, found);
    } catch (Throwable e) {
      try {
        claims.pass(key, found); // does nothing where the work has begun
      } catch (Throwable another) {
        Faults.suppress(another, e);
      }
      throw e;
    }
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
   * @param faults what the others met; they are tried again by a later call. Those of this library
   *     tell the idempotency key by their {@code key()}
   */
  public record Resumed(int ended, int waiting, List<RuntimeException> faults) {}
}
