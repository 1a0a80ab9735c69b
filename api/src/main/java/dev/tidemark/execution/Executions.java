package dev.tidemark.execution;

import dev.tidemark.execution.Claims.Call;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.kernel.Text;
import dev.tidemark.store.RecordStore;
import dev.tidemark.transaction.OpenTransactions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
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
  /** A partition key of DynamoDB takes no more. */
  private static final int MOST_KEY_BYTES = 2_048;

  private final String scope;
  private final Claims claims;
  private final Duration wait;
  private final Commands commands;
  private final Json json;
  private final Runs runs;

  /** The interfaces of which there are proxies, by the scopes of their methods; its own lock. */
  private final Map<String, Class<?>> proxied;

  Executions(ExecutionsBuilder builder) {
    this.scope = builder.scope;
    this.claims = new Claims(builder);
    this.wait = builder.wait;
    this.commands = new Commands(claims);
    this.json = claims.json();
    this.runs = new Runs(builder);
    this.proxied = new HashMap<>();
  }

  private Executions(Executions other, Claims claims) {
    this.scope = other.scope;
    this.claims = claims;
    this.wait = other.wait;
    this.commands = other.commands;
    this.json = other.json;
    this.runs = other.runs;
    this.proxied = other.proxied;
  }

  /**
   * The same executions for one invocation that is ended from outside, as one of AWS Lambda is: a
   * claim holds for as long as the invocation may run. Where no time is left nothing starts, and
   * the answer is {@link Execution.NotStarted}.
   *
   * @param remainingMillis tells how many milliseconds are left, such as {@code
   *     context::getRemainingTimeInMillis}
   * @return executions for that invocation
   */
  public Executions within(LongSupplier remainingMillis) {
    return new Executions(this, new Claims(claims, remainingMillis));
  }

  /**
   * Makes executions of one scope with the defaults of {@link ExecutionsBuilder}.
   *
   * @param scope keeps the keys of one kind of effect apart from those of others; not empty
   * @param records where the records are kept
   * @return executions of that scope
   */
  public static Executions of(String scope, RecordStore records) {
    return builder(scope, records).build();
  }

  /**
   * With settings of one's own.
   *
   * @param scope keeps the keys of one kind of effect apart from those of others; not empty
   * @param records where the records are kept
   * @return a builder
   */
  public static ExecutionsBuilder builder(String scope, RecordStore records) {
    return new ExecutionsBuilder(scope, records);
  }

  /**
   * Runs the work, unless it has run for this key before.
   *
   * @param key the idempotency key; not empty, with the scope at most 2,046 bytes of UTF-8, of
   *     which {@code /} and {@code %} take three each
   * @param request what the key stands for, as a value that Jackson can write; another one under
   *     the same key is answered {@link Execution.KeyReused}. Null is a request of its own
   * @param type of the result, by which it is stored and read back
   * @param work what to do
   * @param <R> the result's type
   * @param <X> what the work may throw
   * @return what came of it
   * @throws X what the work threw, unless its class is stored; the key is free again
   * @throws dev.tidemark.ContentionException if the store was throttling for too long, or answered
   *     again and again when half of the lease was over. Before the work nothing is done; after it
   *     the key is in progress until the lease ends, and the work runs again then
   * @throws dev.tidemark.OutcomeUnknownException if no answer came; as before, but a result to
   *     which none came may be stored, and is replayed then, and such a claim may leave the key in
   *     progress until the lease ends. A thread that is interrupted claims no key, or gives it up,
   *     and begins no step, but the end of its work is stored
   * @throws dev.tidemark.CorruptRecordException if the result cannot be read as that type, be it
   *     stored before or now; the key waits for a person, and the work does not run again
   * @throws IllegalArgumentException if an argument is missing, the key is too long, or the type
   *     cannot be read, and nothing is done; or if the result cannot be written, as a future
   *     cannot, and the key waits for a person
   * @throws dev.tidemark.TooLargeException if the result is larger than is read; likewise
   * @throws IllegalStateException if only a call with the key's {@link Completion} can go on, or if
   *     a transaction of Spring is open on this thread: nothing is done. If the work leaves one
   *     open, or returns null, the key waits for a person
   */
  public <R, X extends Exception> Execution<R> run(
      String key, @Nullable Object request, Class<R> type, Work<? extends R, X> work) throws X {
    Misuse.given("work", work);
    return run(call(key, json.fingerprint(request), "", null), new Ending.ByRecord<>(type), work);
  }

  /**
   * Runs work whose last write tells by itself that it was made, unless it was made for this key
   * before: the claim and that write are two requests in all. A call for a key whose work is done
   * takes one more, the first time, and notes the result.
   *
   * @param key the idempotency key; not empty
   * @param request what the key stands for, as in {@link #run(String, Object, Class, Work)}
   * @param type of the result, by which it is stored and read back
   * @param completion makes the last write, of what the work gives
   * @param work what to do before it
   * @param <C> what the work gives
   * @param <R> the result's type
   * @param <X> what the work may throw
   * @return what came of it; Failed with the code {@code refused} if the last write was refused
   * @throws X what the work threw, unless its class is stored; the key is free again
   * @throws dev.tidemark.ContentionException as in {@link #run(String, Object, Class, Work)}, but
   *     after the work the key is free at once, unless the store cannot be told: the work runs
   *     again behind the steps that are done, if the last write was not made
   * @throws IllegalArgumentException if the completion is told for a shorter time than unfinished
   *     executions are kept
   */
  public <C, R, X extends Exception> Execution<R> run(
      String key,
      @Nullable Object request,
      Class<R> type,
      Completion<C, R> completion,
      Work<? extends C, X> work)
      throws X {
    Misuse.given("completion", completion);
    Misuse.given("work", work);
    return run(call(key, json.fingerprint(request), "", null), type, completion, work);
  }

  private <C, R, X extends Exception> Execution<R> run(
      Call call, Class<R> type, Completion<C, R> completion, Work<? extends C, X> work) throws X {
    Ending.ByWrite<C, R> ending = new Ending.ByWrite<>(type, completion);
    ending.requireTold(claims.unfinishedFor());
    return run(call, ending, work);
  }

  /** What a call for a key brings, of a flow or of none. */
  Call call(String key, Fingerprint fingerprint, String flow, @Nullable String text) {
    if (Misuse.given("idempotency key", key).isEmpty()) {
      throw new Misuse.Argument("an idempotency key must not be empty");
    }
    return new Call(at(key), fingerprint, flow, text, wait);
  }

  private static void requireShort(String what, String at, int most) {
    int bytes = at.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > most) {
      throw new Misuse.Argument(
          "scope and %s take at most %d bytes of UTF-8 together, were %d"
              .formatted(what, most, bytes));
    }
  }

  /** The name of a flow in the index, where DynamoDB has a shard before it. */
  private String flowName(String name) {
    String at =
        Text.join(List.of(scope, Misuse.checked(() -> Text.notEmpty("a flow's name", name))));
    requireShort("flow's name", at, MOST_KEY_BYTES - 2);
    return at;
  }

  /**
   * Registers work that can go on without its caller: its request is stored with the claim, so that
   * {@link Flow#resume} finishes what a crash has left. Keys are those of the scope, whichever flow
   * they come to: give flows whose callers may bring the same key executions of their own.
   *
   * @param name of the flow, within the scope; not empty, with the scope at most 2,044 bytes of
   *     UTF-8, of which {@code /} and {@code %} take three each
   * @param requestType of the request, by which it is stored and read back
   * @param resultType of the result
   * @param work what to do
   * @param <Q> the request's type
   * @param <R> the result's type
   * @return the flow
   */
  public <Q, R> Flow<Q, R> flow(
      String name, Class<Q> requestType, Class<R> resultType, BiFunction<Q, Steps, R> work) {
    Misuse.given("work", work);
    return new Flow<>(
        this,
        flowName(name),
        requestType,
        resultType,
        (call, request) ->
            run(call, new Ending.ByRecord<>(resultType), steps -> work.apply(request, steps)));
  }

  /**
   * Registers work whose last write tells by itself that it was made.
   *
   * @param name of the flow, within the scope; not empty, with the scope at most 2,044 bytes of
   *     UTF-8, of which {@code /} and {@code %} take three each
   * @param requestType of the request, by which it is stored and read back
   * @param resultType of the result
   * @param completion makes the last write for a request
   * @param work what to do before it
   * @param <Q> the request's type
   * @param <C> what the work gives
   * @param <R> the result's type
   * @return the flow
   */
  public <Q, C, R> Flow<Q, R> flow(
      String name,
      Class<Q> requestType,
      Class<R> resultType,
      Function<Q, Completion<C, R>> completion,
      BiFunction<Q, Steps, C> work) {
    Misuse.given("completion", completion);
    Misuse.given("work", work);
    return new Flow<>(
        this,
        flowName(name),
        requestType,
        resultType,
        (call, request) ->
            run(call, resultType, completion.apply(request), steps -> work.apply(request, steps)));
  }

  /**
   * Wraps an object so that its {@link Idempotent} methods run once per key; its other methods run
   * unchanged. What the object calls of itself goes past the keys. A default method of the
   * interface that the object does not override calls the wrapper, unless the object is a proxy
   * itself; stubs that a mock has of such a method are not asked. A call of an idempotent method
   * that has no result to return throws {@link NotExecutedException}.
   *
   * @param type an interface
   * @param target does what the methods say; what they return is stored, and must not be null,
   *     which is an {@link IllegalStateException} and leaves the key to a person
   * @param <T> the interface
   * @return the interface, before the target
   * @throws IllegalArgumentException if a method's key or its result's type cannot be told, if an
   *     interface overrides an idempotent method without the annotations, or if a method of another
   *     interface, of which these executions have made a proxy, has the same scope
   */
  public <T> T proxy(Class<T> type, T target) {
    return Proxies.of(this, type, target);
  }

  /**
   * Notes which interfaces have scopes, unless one is another's that neither is nor extends it.
   *
   * @param owners the interface whose effect a scope stands for, by the scope
   * @return the scope that is another's, with that interface
   */
  Optional<Map.Entry<String, Class<?>>> reserve(Map<String, Class<?>> owners) {
    synchronized (proxied) {
      for (Map.Entry<String, Class<?>> owner : owners.entrySet()) {
        Class<?> first = proxied.getOrDefault(owner.getKey(), owner.getValue());
        if (!first.isAssignableFrom(owner.getValue())
            && !owner.getValue().isAssignableFrom(first)) {
          return Optional.of(Map.entry(owner.getKey(), first));
        }
      }
      owners.forEach(proxied::putIfAbsent);
      return Optional.empty();
    }
  }

  /**
   * Lets the next call go on with work that waits for a person. Call this once a person has seen
   * that none of the steps {@linkplain StoredExecution#inDoubt in doubt} has acted; those steps act
   * in the next call. A key whose {@link Completion} may have made its write waits again at the
   * next call where that comes after the shorter of {@link Completion#toldFor} and {@link
   * Completion#toldIfDeletedFor}, since the last claim: nobody can tell by then whether the write
   * was made. No release helps then: {@link #complete} or {@link #forget} the key.
   *
   * @param seen what the person saw, of {@link StoredExecutions}
   * @return whether it waited, and still as it was seen; if not, look again
   * @throws IllegalArgumentException if the work is done, and its stored result cannot be read:
   *     there is nothing to go on with
   * @throws IllegalStateException if a transaction of Spring is open on this thread; nothing is
   *     written
   */
  public boolean release(StoredExecution seen) {
    return outside("the release of a key")
        .release(at(Misuse.given("what was seen", seen).key()), seen.revision(), null);
  }

  /**
   * Lets the next call go on with work that waits for a person. Call this once a person has seen
   * that a step in doubt has acted, in whichever call; that step then counts as done, and does not
   * act again. Other steps stay in doubt. A step whose stored result cannot be read as that type is
   * given this one. A key whose {@link Completion} may have made its write waits again as of {@link
   * #release(StoredExecution)}; a step's result does not help then.
   *
   * @param key the idempotency key
   * @param step the step's name
   * @param type of the step's result
   * @param value the step's result
   * @param <V> the same type
   * @return whether it waited
   * @throws IllegalArgumentException if it waits, and not for that step, or if the result is null
   *     or cannot be read again; nothing is written
   * @throws IllegalStateException if a transaction of Spring is open on this thread; nothing is
   *     written
   */
  public <V> boolean release(String key, String step, Class<V> type, V value) {
    if (value == null) {
      throw new Misuse.Argument(
          "the result of step '%s' must not be null; release what was seen if the step did not act"
              .formatted(step));
    }
    return outside("the release of a key")
        .release(at(key), null, new Commands.Said(step, type, json.handedIn(type, value)));
  }

  /**
   * Ends a key with a result that a person hands in: later calls replay it, and the work does not
   * run any more. For work that was done and cannot be told, and for work that a person did: a key
   * that waits for a person, whose owner went silent, that is free, or whose stored result cannot
   * be read as that type. A {@link Flow} is not resumed any more.
   *
   * @param key the idempotency key
   * @param type as which calls for the key ask for the result
   * @param result the result
   * @param <R> the same type
   * @return false if nothing was written, since nothing is stored under the key, somebody is at
   *     work on it, it has failed for good, or it has a result that can be read
   * @throws IllegalArgumentException if the result is null, or cannot be read again; nothing is
   *     written
   * @throws IllegalStateException if a transaction of Spring is open on this thread; nothing is
   *     written
   */
  public <R> boolean complete(String key, Class<R> type, R result) {
    if (result == null) {
      throw new Misuse.Argument(
          "the result of a key must not be null; forget the key to begin anew");
    }
    return outside("the completion of a key").complete(at(key), type, json.handedIn(type, result));
  }

  /**
   * Forgets a key, unless somebody is at work on it: the next call runs the work anew. Its results
   * are removed with it, those too that are in records of their own which the key's record names.
   * Others may be left until they expire: an older copy of a result that had to last longer,
   * results of the steps of a key that is done, what an owner wrote that died or had lost the key,
   * and what a call of this method that failed halfway had still to remove. A record that cannot be
   * read is removed too, without such results, though nobody can tell whether somebody is at work
   * on it: make sure that nobody is, and that no newer version of the library has written it.
   *
   * @param key the idempotency key
   * @return whether nothing is stored now
   * @throws IllegalStateException if a transaction of Spring is open on this thread; nothing is
   *     written
   */
  public boolean forget(String key) {
    return outside("the removal of a key").forget(at(key));
  }

  /** What operators do, outside of a transaction beside which it would stay. */
  private Commands outside(String what) {
    OpenTransactions.requireNone(what);
    return commands;
  }

  private String at(String key) {
    String at = StoredExecutions.at(scope, key);
    requireShort("idempotency key", at, MOST_KEY_BYTES);
    return at;
  }

  <V, R, X extends Exception> Execution<R> run(
      Call call, Ending<V, R> ending, Work<? extends V, X> work) throws X {
    return runs.run(claims, call, ending, work);
  }

  /**
   * What keeps their keys apart from those of others.
   *
   * @return the scope
   */
  public String scope() {
    return scope;
  }

  Claims claims() {
    return claims;
  }

  Json json() {
    return json;
  }

  /**
   * How long one text in a result may be, so that it is stored and read again.
   *
   * @return bytes of JSON, by what the {@code StreamReadConstraints} of the mapper say
   */
  public int maxTextBytes() {
    return json.mostBytesOfText();
  }
}
