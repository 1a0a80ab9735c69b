package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.Step;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Takes the steps of one run: gives its requests their form, sends them, reads the replies. */
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

  private final Writes<T> writes;
  private final Names names;
  private final Key key;
  private final Run<T> run;
  private @Nullable Map<String, AttributeValue> read;
  private @Nullable Map<String, AttributeValue> item;
  private boolean yielded;

  Runner(Writes<T> writes, Key key, Run<T> run) {
    this.writes = writes;
    this.names = writes.names();
    this.key = key;
    this.run = run;
  }

  /** Between half of that time and all of it. */
  private static Duration aside(Duration race) {
    Duration most = race.multipliedBy(TIMES_ASIDE);
    long nanos = (most.compareTo(LONGEST_ASIDE) < 0 ? most : LONGEST_ASIDE).toNanos();
    return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
  }

  Key key() {
    return key;
  }

  Run<T> run() {
    return run;
  }

  /** The entity's item, as this run saw it last; null if it saw none that is there. */
  @Nullable Map<String, AttributeValue> item() {
    return item;
  }

  /** Whether it starts with a read. */
  boolean mustRead() {
    return run.next() instanceof Step.Read;
  }

  /** Gives it the item that it would read first; an empty one if there is none. */
  void read(Map<String, AttributeValue> first) {
    read = first;
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
  CompletableFuture<Void> resume(@Nullable Item<T> refusal, boolean uncertain) {
    CompletableFuture<Item<T>> stored =
        refusal != null
            ? CompletableFuture.completedFuture(refusal)
            : Transport.start(() -> writes.read(key, true));
    return stored.thenCompose(
        found -> {
          Request<T> request = ((Step.Send<T>) run.next()).request();
          saw(found.item());
          boolean byRule = isRefusedByRule(request, found);
          run.on(new Reply.Refused<>(found, byRule), uncertain, Duration.ZERO);
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
      return writes.transport().pause(pause.time()).thenApply(over -> true);
    }
    yielded = step instanceof Step.Yield;
    return CompletableFuture.completedFuture(false);
  }

  private CompletableFuture<Boolean> read() {
    Map<String, AttributeValue> known = read;
    read = null;
    if (known != null) {
      found(writes.mapping().stored(key, known));
      return CompletableFuture.completedFuture(true);
    }
    int epoch = writes.pressure().epoch();
    return Transport.then(
        Transport.start(() -> writes.read(key, true)),
        stored -> {
          found(stored);
          return CompletableFuture.completedFuture(true);
        },
        error -> {
          boolean busy = Errors.isContended(error);
          if (busy) {
            writes.pressure().saw(epoch, true);
          }
          return unlessFatal(
              Errors.fault(error, key),
              fault ->
                  run.unread(
                      busy ? new Reply.Busy<>(REPEATED, error) : new Reply.Fault<>(fault, false)));
        });
  }

  private void found(Item<T> stored) {
    saw(stored.item());
    run.found(stored);
  }

  private void saw(Map<String, AttributeValue> last) {
    item = isGone(last) ? null : last;
  }

  private boolean isGone(Map<String, AttributeValue> last) {
    return last.isEmpty() || Values.has(last, names.tombstone());
  }

  /** What is no exception of a program's passes through. */
  private CompletableFuture<Boolean> unlessFatal(Throwable error, Consumer<RuntimeException> told) {
    if (!(Faults.withKey(error, key) instanceof RuntimeException fault)) {
      return CompletableFuture.failedFuture(error);
    }
    told.accept(fault);
    return CompletableFuture.completedFuture(true);
  }

  private CompletableFuture<Boolean> send(Request<T> request) {
    ReadyWrite write;
    try {
      write = form(request);
    } catch (RuntimeException e) {
      run.on(new Reply.Fault<>(Faults.withKey(e, key), true), false, Duration.ZERO);
      return CompletableFuture.completedFuture(true);
    }
    Attempts attempts = new Attempts(writes.transport().metricPublishers());
    int epoch = writes.pressure().epoch();
    long start = System.nanoTime();
    return Transport.then(
        write.send(attempts),
        after -> {
          writes.pressure().saw(epoch, attempts.wereThrottled(null));
          run.on(accepted(request, after), false, Duration.ofNanos(System.nanoTime() - start));
          return CompletableFuture.completedFuture(true);
        },
        error -> {
          writes.pressure().saw(epoch, attempts.wereThrottled(error));
          Duration took = Duration.ofNanos(System.nanoTime() - start);
          return failed(request, error, attempts, took);
        });
  }

  private ReadyWrite form(Request<T> request) {
    Marking marking = request.marking();
    Effect<T> effect = request.effect();
    if (effect instanceof Effect.Flag) {
      return writes.flagFull(marking);
    }
    if (request.over() == null) {
      return writes.blind(marking, edit(request));
    }
    Item<T> over = over(request);
    if (effect instanceof Effect.Tombstone) {
      return writes.tombstone(marking, over);
    }
    if (effect instanceof Effect.Removal) {
      return writes.removal(marking, over);
    }
    boolean deleted = over.found().state(names, marking.now()) == Found.State.DELETED;
    return effect instanceof Effect.Nothing && deleted
        ? writes.recorded(marking, over)
        : writes.informed(marking, over, edit(request));
  }

  private Item<T> over(Request<T> request) {
    return (Item<T>) Objects.requireNonNull(request.over());
  }

  private Edit edit(Request<T> request) {
    Effect<T> effect = request.effect();
    if (effect instanceof Effect.Own<T> own) {
      return own.update() instanceof RefusedWrite<?> refused
          ? refused.again(over(request).found(), request.marking())
          : (Edit) own.update();
    }
    if (effect instanceof Effect.Called<T> called) {
      return Edit.of(Change.change(), Converter.NEUTRAL)
          .with(((Functions<T>) called.functions()).difference());
    }
    if (effect instanceof Effect.Nothing<T> nothing) {
      Effect.Own<T> refused = nothing.refused();
      return refused == null
          ? Edit.of(Change.change(), Converter.NEUTRAL)
          : ((Edit) refused.update()).recording();
    }
    return Edit.of(((Effect.Changes<T>) effect).change(), writes.mapping().properties());
  }

  private Reply<T> accepted(Request<T> request, Map<String, AttributeValue> after) {
    if (request.effect() instanceof Effect.Flag) {
      return new Reply.Accepted<>(false, null, Map.of(), -1, true);
    }
    saw(after);
    Mapping<T> mapping = writes.mapping();
    boolean created = false;
    if (request.over() == null) {
      Edit edit = edit(request);
      created =
          edit.rules().creates() && mapping.isCreated(after, request.marking(), edit.touched());
    }
    boolean gone = isGone(after);
    return new Reply.Accepted<>(
        created,
        gone ? null : mapping.entityIfMapped(after),
        mapping.marks(after, names::isMark),
        names.countSources(after.keySet()),
        gone || Values.has(after, names.full()));
  }

  private CompletableFuture<Boolean> failed(
      Request<T> request, Throwable error, Attempts attempts, Duration took) {
    boolean uncertain = attempts.wereUncertain(error);
    Errors.Kind kind = Errors.kind(error, attempts);
    if (kind == Errors.Kind.FAULT) {
      return fault(request, Errors.fault(error, key), uncertain, took);
    }
    run.on(reply(kind, request, error, attempts), uncertain, took);
    return CompletableFuture.completedFuture(true);
  }

  private Reply<T> reply(Errors.Kind kind, Request<T> request, Throwable error, Attempts attempts) {
    return switch (kind) {
      case REFUSED -> refused(request, Errors.item(error));
      case CONTENDED -> new Reply.Busy<>(attempts.wereRepeated(error) ? REPEATED : 1, error);
      case UNCERTAIN -> new Reply.Lost<>(true, error);
      case ABANDONED -> new Reply.Lost<>(false, error);
      case FAULT -> throw new AssertionError(error);
    };
  }

  /** A refusal without an item is no proof that there is none: not every server sends it. */
  private Reply<T> refused(Request<T> request, Map<String, AttributeValue> refusal) {
    if (refusal.isEmpty()) {
      return new Reply.Refused<>(null, false);
    }
    saw(refusal);
    Item<T> stored = writes.mapping().stored(key, refusal);
    return new Reply.Refused<>(stored, request.over() == null && isRefusedByRule(request, stored));
  }

  /** Whether only the caller's rule can have refused a blind write over this. */
  private boolean isRefusedByRule(Request<T> request, Item<T> stored) {
    Marking marking = request.marking();
    Found<T> found = stored.found();
    try {
      return request.hasRule()
          && (!found.exists() || found.state(names, marking.now()) == Found.State.LIVE)
          && writes.mapping().nullMarks(stored.item()).isEmpty()
          && accepts(request, stored)
          && marking.acceptsBlindly(marking.marks(found));
    } catch (CorruptRecordException e) { // which is for the run to tell
      return false;
    }
  }

  /** Whether a write passes what it requires beside marks and the caller's rule. */
  @SuppressWarnings("unchecked")
  private boolean accepts(Request<T> request, Item<T> stored) {
    boolean refused =
        request.effect() instanceof Effect.Own<T> own && own.update() instanceof RefusedWrite;
    return refused
        ? ((RefusedWrite<T>) ((Effect.Own<T>) request.effect()).update()).accepts(stored)
        : edit(request).sums().accept(stored.item());
  }

  /** What adds to a set is invalid where NULL stands for the set: then a write that knows it. */
  private CompletableFuture<Boolean> fault(
      Request<T> request, Throwable error, boolean uncertain, Duration took) {
    if (request.over() != null || !(error instanceof InvalidChangeException)) {
      return unlessFatal(error, fault -> run.on(fault(fault), uncertain, took));
    }
    return Transport.then(
        writes.read(key, true),
        stored -> {
          boolean ofNull = !writes.mapping().nullMarks(stored.item()).isEmpty();
          return unlessFatal(
              error,
              fault ->
                  run.on(
                      ofNull ? new Reply.Refused<>(stored, false) : fault(fault), uncertain, took));
        },
        unread -> unlessFatal(error, fault -> run.on(fault(fault), uncertain, took)));
  }

  private Reply<T> fault(RuntimeException fault) {
    return new Reply.Fault<>(fault, Errors.mayBeOfOne(fault));
  }
}
