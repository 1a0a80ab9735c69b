package dev.tidemark.dynamodb;

import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.Step;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Takes the steps of one run: sends its requests, and tells it the writes. */
final class Runner<T> {
  private static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(10), Duration.ofMillis(400));
  private static final int MOST_TRIES = 40;
  private static final int MOST_LOST = 3;

  /** What a try costs of these that the SDK has repeated by itself. */
  private static final int REPEATED = 21;

  /**
   * How many times as long as a lost race took its loser stays aside. Writers of one entity that
   * all try again at once lose again: with 24 of them 2.6 requests a message, so 1.4.
   */
  private static final int TIMES_ASIDE = 64;

  private static final Duration LONGEST_ASIDE = Duration.ofSeconds(5);

  /** Of a single call. */
  static final Patience PATIENCE =
      new Patience(MOST_TRIES, MOST_LOST, 0, BACKOFF::computeDelay, Runner::aside);

  private final Transport transport;
  private final Writes<T> writes;
  private final EntityKey key;
  private final Run<T> run;
  private @Nullable Map<String, AttributeValue> first;
  private @Nullable Map<String, AttributeValue> last;
  private boolean yielded;

  Runner(Transport transport, Writes<T> writes, EntityKey key, Run<T> run) {
    this.transport = transport;
    this.writes = writes;
    this.key = key;
    this.run = run;
  }

  /** Between half of that time and all of it. */
  private static Duration aside(Duration race) {
    Duration most = race.multipliedBy(TIMES_ASIDE);
    long nanos = (most.compareTo(LONGEST_ASIDE) < 0 ? most : LONGEST_ASIDE).toNanos();
    return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
  }

  EntityKey key() {
    return key;
  }

  /** The run, once all of its writes have a result. */
  Run<T> ended() {
    run.remember(last);
    return run;
  }

  /** Whether it starts with a read. */
  boolean mustRead() {
    return run.next() instanceof Step.Read;
  }

  /** Gives it the item that it would read first; an empty one if there is none. */
  void read(Map<String, AttributeValue> item) {
    first = item;
  }

  /** Goes on until every write has a result, or until others need the room. */
  CompletableFuture<Void> go() {
    yielded = false;
    return Transport.loop(this::turn);
  }

  /** Whether it has to be started again, when there is room again. */
  boolean hasYielded() {
    return yielded;
  }

  /** Goes on from the refusal of a write that somebody else has made. */
  CompletableFuture<Void> resume(ByteBuffer token, @Nullable Item<T> refusal, boolean uncertain) {
    run.resuming(token);
    CompletableFuture<Item<T>> stored =
        refusal != null
            ? CompletableFuture.completedFuture(refusal)
            : writes.read(transport, key, true);
    return stored.thenCompose(
        item -> {
          Request<T> request = ((Step.Send<T>) run.next()).request();
          saw(item.attributes());
          boolean byRule = writes.isRefusedByRule(request, item);
          run.on(new Reply.Refused<>(item, byRule), uncertain, Duration.ZERO);
          return go();
        });
  }

  private CompletableFuture<Boolean> turn() {
    Step<T> step = run.next();
    if (step instanceof Step.Send<T> send) {
      return send(send.request());
    }
    if (step instanceof Step.Read) {
      return read();
    }
    if (step instanceof Step.Pause<T> pause) {
      return transport.pause(pause.time()).thenApply(over -> true);
    }
    yielded = step instanceof Step.Yield;
    return CompletableFuture.completedFuture(false);
  }

  private CompletableFuture<Boolean> read() {
    Map<String, AttributeValue> known = first;
    first = null;
    return Transport.then(
        known == null
            ? writes.read(transport, key, true)
            : CompletableFuture.completedFuture(writes.mapping().item(key, known)),
        item -> {
          saw(item.attributes());
          run.found(item);
          return CompletableFuture.completedFuture(true);
        },
        error ->
            Errors.isContended(error)
                ? told(() -> run.unread(new Reply.Busy<>(REPEATED, error)))
                : unlessFatal(error, fault -> run.unread(new Reply.Fault<>(fault, false))));
  }

  private void saw(Map<String, AttributeValue> item) {
    last = writes.mapping().isGone(item) ? null : item;
  }

  private static CompletableFuture<Boolean> told(Runnable telling) {
    telling.run();
    return CompletableFuture.completedFuture(true);
  }

  private CompletableFuture<Boolean> tell(Reply<T> reply, boolean uncertain, Duration took) {
    return told(() -> run.on(reply, uncertain, took));
  }

  /** What is no exception of a program's passes through. */
  private CompletableFuture<Boolean> unlessFatal(Throwable error, Consumer<RuntimeException> told) {
    return Faults.of(error, key) instanceof RuntimeException fault
        ? told(() -> told.accept(fault))
        : CompletableFuture.failedFuture(error);
  }

  private CompletableFuture<Boolean> send(Request<T> request) {
    DynamoDbRequest form;
    try {
      form = writes.form(request);
    } catch (RuntimeException e) {
      return unlessFatal(e, fault -> run.on(new Reply.Fault<>(fault, true), false, Duration.ZERO));
    }
    long start = System.nanoTime();
    return Transport.then(
        transport.write(form),
        after -> {
          saw(after);
          return tell(writes.accepted(request, after), false, since(start));
        },
        error -> failed(request, error, since(start)));
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private CompletableFuture<Boolean> failed(Request<T> request, Throwable error, Duration took) {
    boolean uncertain = Errors.wereUncertain(error);
    return switch (Errors.kind(error)) {
      case REFUSED -> {
        Map<String, AttributeValue> item = Errors.item(error);
        if (!item.isEmpty()) {
          saw(item);
        }
        yield tell(writes.refused(request, item), uncertain, took);
      }
      case CONTENDED -> {
        int cost = Errors.repeats(error) > 0 ? REPEATED : 1;
        yield tell(new Reply.Busy<>(cost, error), uncertain, took);
      }
      case UNCERTAIN -> tell(new Reply.Lost<>(true, error), uncertain, took);
      case ABANDONED -> tell(new Reply.Lost<>(false, error), uncertain, took);
      case FAULT -> fault(request, error, uncertain, took);
    };
  }

  /** What adds to a set is invalid where NULL stands for the set: then a write that knows it. */
  private CompletableFuture<Boolean> fault(
      Request<T> request, Throwable error, boolean uncertain, Duration took) {
    boolean looks =
        request.over() == null && Faults.of(error, key) instanceof InvalidChangeException;
    CompletableFuture<Boolean> ofNull =
        looks
            ? writes
                .read(transport, key, true)
                .thenApply(item -> refusedByNull(item, uncertain, took))
                .exceptionally(unread -> false)
            : CompletableFuture.completedFuture(false);
    return ofNull.thenCompose(
        told ->
            told
                ? ofNull
                : unlessFatal(
                    error,
                    fault ->
                        run.on(
                            new Reply.Fault<>(fault, Faults.mayBeOfOne(fault)), uncertain, took)));
  }

  private boolean refusedByNull(Item<T> item, boolean uncertain, Duration took) {
    boolean ofNull = !writes.mapping().nullMarks(item.attributes()).isEmpty();
    if (ofNull) {
      run.on(new Reply.Refused<>(item, false), uncertain, took);
    }
    return ofNull;
  }
}
