package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One tracked call from its first request to its outcome: a blind write where that can do, else a
 * look; then what is stored decides, and a write that knows it follows, until one is accepted.
 */
final class DynamoDbRun<T> {
  private final DynamoDbWrites<T> writes;
  private final DynamoDbWork<T> work;
  private final TrackedCall call;
  private final DynamoDbRetries retries;
  private final Names names;
  private @Nullable Map<String, AttributeValue> item;
  private boolean erases;

  /**
   * Prepares a call.
   *
   * @param writes the requests
   * @param call the kernel's side of it
   * @param work what is to be written
   */
  DynamoDbRun(DynamoDbWrites<T> writes, TrackedCall call, DynamoDbWork<T> work) {
    this.writes = writes;
    this.call = call;
    this.work = work;
    this.retries = new DynamoDbRetries(call, writes.transport());
    this.names = writes.names();
  }

  /** The entity's item, as this call saw it last; null if it saw none that is there. */
  @Nullable Map<String, AttributeValue> item() {
    return item;
  }

  /**
   * Starts the call.
   *
   * @param recalled the item as it was a while ago; null if that is not known
   */
  CompletableFuture<Outcome<T>> start(@Nullable Object recalled) {
    return DynamoDbRounds.run(() -> first(recalled));
  }

  @SuppressWarnings("unchecked")
  private CompletableFuture<Outcome<T>> first(@Nullable Object recalled) {
    // The SDK repeats a write by itself, so one that erases its mark is made over what was read.
    erases = call.erasesItsMark(work.rules().retired(), work instanceof DynamoDbDeletes.Forget);
    DynamoDbWrite blind = call.isBeyondHorizon() || erases ? null : work.blind(call);
    DynamoDbStored<T> old =
        blind == null && recalled != null
            ? mapping().stored((Map<String, AttributeValue>) recalled)
            : null;
    DynamoDbWrite over = old == null || call.isBeyondHorizon() ? null : over(old);
    if (old != null && over != null) {
      return send(over, after -> applied(after, old.found()), found -> decide(found, s -> false));
    }
    return blind == null ? look() : blindly(blind);
  }

  private CompletableFuture<Outcome<T>> blindly(DynamoDbWrite blind) {
    return DynamoDbTransport.then(
        send(
            blind,
            item -> applied(item, null),
            found -> decide(found, s -> s.isOfRefusal() && onlyRuleRefused(s))),
        CompletableFuture::completedFuture,
        this::overNull);
  }

  /** What adds to a set is invalid where NULL stands for the set: then a write that knows it. */
  private CompletableFuture<Outcome<T>> overNull(Throwable error) {
    return error instanceof InvalidChangeException
        ? writes
            .read(call.key(), true)
            .thenCompose(
                stored ->
                    mapping().nullMarks(stored.item()).isEmpty()
                        ? CompletableFuture.failedFuture(error)
                        : decide(stored, s -> false))
        : CompletableFuture.failedFuture(error);
  }

  /** The write over what may be old; null if that is not all that is missing, or is at fault. */
  private @Nullable DynamoDbWrite over(DynamoDbStored<T> old) {
    try {
      boolean live = old.found().state(names, call.now()) == Found.State.LIVE;
      boolean fresh = live && call.<T>settle(old.found()).isEmpty();
      DynamoDbWrite write = fresh ? work.informed(call, old) : null;
      return write instanceof DynamoDbRefusal ? null : write; // a refusal needs what is stored now
    } catch (RuntimeException e) { // of what is no longer so, perhaps: a read tells
      return null;
    }
  }

  CompletableFuture<Outcome<T>> resume(
      @Nullable DynamoDbStored<T> stored, boolean earlierUncertain) {
    if (earlierUncertain) {
      retries.uncertain();
    }
    return DynamoDbRounds.run(
        () ->
            stored != null
                ? decide(stored, this::onlyRuleRefused)
                : DynamoDbTransport.then(
                    writes.read(call.key(), true),
                    found -> decide(found, this::onlyRuleRefused),
                    CompletableFuture::failedFuture));
  }

  private CompletableFuture<Outcome<T>> look() {
    return DynamoDbTransport.then(
        writes.read(call.key(), true), stored -> decide(stored, s -> false), this::lookFailed);
  }

  private CompletableFuture<Outcome<T>> lookFailed(Throwable error) {
    return DynamoDbErrors.isContended(error)
        ? retries.again(error, DynamoDbRetries.REPEATED, this::look)
        : retries.fault(error);
  }

  /** What is stored decides: the marks, then existence, then the caller's rule. */
  private CompletableFuture<Outcome<T>> decide(
      DynamoDbStored<T> stored, Predicate<DynamoDbStored<T>> refusedByRule) {
    Found<T> found = stored.found();
    saw(stored.item());
    Optional<Outcome<T>> outcome = call.settle(found);
    if (outcome.isPresent()) {
      return CompletableFuture.completedFuture(outcome.get());
    }
    Optional<Outcome<T>> missing = absent(found).or(() -> call.existence(found, work.rules()));
    if (missing.isPresent()) {
      return call.recorder(found, work.rules())
          .map(recorder -> record(recorder, stored, missing.get()))
          .orElse(CompletableFuture.completedFuture(missing.get()));
    }
    return work.isConditional() && refusedByRule.test(stored)
        ? refuse(stored, work.rules().skipsOtherwise())
        : inform(stored);
  }

  /** Records the message on the tombstone that was found. */
  private CompletableFuture<Outcome<T>> record(
      TrackedCall recorder, DynamoDbStored<T> stored, Outcome<T> missing) {
    return send(
        writes.recorded(recorder, stored),
        item -> CompletableFuture.completedFuture(missing),
        later ->
            call.<T>settle(later.found()).isPresent()
                ? decide(later, s -> false)
                : retries.again(null, 1, this::look));
  }

  private void saw(Map<String, AttributeValue> last) {
    item = last.isEmpty() || DynamoDbValues.has(last, names.tombstone()) ? null : last;
  }

  private Optional<Outcome<T>> absent(Found<T> found) {
    return work instanceof DynamoDbDeletes.Forget
            && found.state(names, call.now()) == Found.State.ABSENT
        ? Optional.of(new Outcome.Missing<>(true))
        : Optional.empty();
  }

  /** Whether a blind write over this can only be refused by the caller's condition. */
  private boolean onlyRuleRefused(DynamoDbStored<T> stored) {
    Found<T> found = stored.found();
    boolean plain = !found.exists() || found.state(names, call.now()) == Found.State.LIVE;
    return plain
        && mapping().nullMarks(stored.item()).isEmpty()
        && work.accepts(stored)
        && call.acceptsBlindly(call.marks(found));
  }

  private boolean isUnchanged(Found<T> before, Found<T> now) {
    return before.exists() == now.exists()
        && Objects.equals(before.revision(names), now.revision(names));
  }

  private CompletableFuture<Outcome<T>> inform(DynamoDbStored<T> stored) {
    DynamoDbWrite write = work.informed(call, stored);
    if (write instanceof DynamoDbRefusal refusal) {
      return refuse(mapping().stored(stored.item()), refusal.recorded());
    }
    long start = System.nanoTime();
    return send(
        write,
        item -> applied(item, stored.found()),
        later -> {
          boolean settled = call.<T>settle(later.found()).isPresent();
          boolean byRule = work.isConditional() && isUnchanged(stored.found(), later.found());
          return settled || byRule ? decide(later, s -> byRule) : afterRace(later, start);
        });
  }

  /** Who won the race may have left marks over which a blind write passes, whoever writes then. */
  private CompletableFuture<Outcome<T>> afterRace(DynamoDbStored<T> later, long start) {
    DynamoDbWrite blind =
        erases || !onlyRuleRefused(later) || call.existence(later.found(), work.rules()).isPresent()
            ? null
            : work.blind(call);
    return blind == null
        ? retries.again(null, 1, this::look)
        : retries.aside(Duration.ofNanos(System.nanoTime() - start), () -> blindly(blind));
  }

  private CompletableFuture<Outcome<T>> refuse(DynamoDbStored<T> stored, boolean skips) {
    Found<T> found = stored.found();
    DynamoDbEdit alone = recording();
    boolean recording =
        skips && alone != null && found.state(names, call.now()) == Found.State.LIVE;
    if (alone == null || !recording) {
      return CompletableFuture.completedFuture(new Outcome.Refused<>(found.entity(), false));
    }
    TrackedCall other = call.another();
    return send(
        writes.informed(other, stored, alone),
        item -> recorded(mapping().entityIfMapped(item)),
        later ->
            other.token().equals(later.found().revision(names))
                ? recorded(later.found().entity())
                : retries.again(null, 1, this::look));
  }

  /** The write of the message alone; null where what is refused is never recorded. */
  private @Nullable DynamoDbEdit recording() {
    if (work instanceof DynamoDbWork.Update<T> update) {
      return update.edit().recording();
    }
    return work instanceof DynamoDbApply
        ? DynamoDbEdit.of(Change.change(), DynamoDbConverter.NEUTRAL)
        : null;
  }

  private CompletableFuture<Outcome<T>> recorded(@Nullable T entity) {
    return CompletableFuture.completedFuture(new Outcome.Refused<>(entity, true));
  }

  private CompletableFuture<Outcome<T>> applied(
      Map<String, AttributeValue> item, @Nullable Found<T> before) {
    boolean gone = item.isEmpty() || DynamoDbValues.has(item, names.tombstone());
    saw(item);
    boolean created =
        before == null
            ? work.isCreated(item, call)
            : !gone && before.state(names, call.now()) != Found.State.LIVE;
    T entity = gone ? null : mapping().entityIfMapped(item);
    Outcome<T> outcome = call.applied(entity, created, mapping().marks(item, names::isMark));
    boolean flagged = gone || DynamoDbValues.has(item, names.full());
    if (!call.mustFlagFull(names.countSources(item.keySet()), flagged)) {
      return CompletableFuture.completedFuture(outcome);
    }
    return writes.flagFull(call).send(attempts()).handle((reply, error) -> outcome);
  }

  private CompletableFuture<Outcome<T>> send(
      DynamoDbWrite write,
      Function<Map<String, AttributeValue>, CompletableFuture<Outcome<T>>> accepted,
      Function<DynamoDbStored<T>, CompletableFuture<Outcome<T>>> refused) {
    return new DynamoDbSender<>(writes, call, retries).send(write, accepted, refused);
  }

  private DynamoDbMapping<T> mapping() {
    return writes.mapping();
  }

  private DynamoDbAttempts attempts() {
    return new DynamoDbAttempts(writes.transport().metricPublishers());
  }
}
