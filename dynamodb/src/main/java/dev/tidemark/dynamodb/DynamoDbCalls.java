package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One tracked call from its first request to its outcome, on either client: a blind write where
 * that can do, else a look; then what is stored decides, and a write that knows it follows, until
 * one is accepted.
 */
final class DynamoDbCalls<T> {
  private static final int MOST_TRIES = 40;

  /** What a try costs of these that the SDK has repeated by itself. */
  private static final int REPEATED_TRY = 21;

  private static final int MOST_LOST = 3;
  private static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(10), Duration.ofMillis(400));

  private final DynamoDbWrites<T> writes;
  private final Tracking tracking;
  private final Names names;
  private final Clock clock;

  DynamoDbCalls(DynamoDbWrites<T> writes, Tracking tracking, Clock clock) {
    this.writes = writes;
    this.tracking = tracking;
    this.names = Names.flat(tracking);
    this.clock = clock;
  }

  /** Does some work for a message, once. */
  CompletableFuture<Outcome<T>> run(Message message, Key key, DynamoDbWork<T> work) {
    return withKey(key, () -> new Run(message, key, work, TrackedCall.newToken()).start());
  }

  /** Goes on after a write of somebody else's, with the given token, that was refused. */
  CompletableFuture<Outcome<T>> resume(
      Processing processing,
      Key key,
      DynamoDbWork<T> work,
      @Nullable DynamoDbStored<T> stored,
      boolean uncertain) {
    return withKey(
        key,
        () ->
            new Run(processing.message(), key, work, processing.token()).resume(stored, uncertain));
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private CompletableFuture<Outcome<T>> withKey(
      Key key, Supplier<CompletableFuture<Outcome<T>>> run) {
    return CompletableFuture.completedFuture(run)
        .thenCompose(Supplier::get)
        .handle(
            (outcome, error) ->
                error == null
                    ? CompletableFuture.completedFuture(outcome)
                    : CompletableFuture.<Outcome<T>>failedFuture(
                        DynamoDbErrors.withKey(DynamoDbErrors.unwrap(error), key)))
        .thenCompose(Function.identity());
  }

  private final class Run {
    private final Message message;
    private final Key key;
    private final DynamoDbWork<T> work;
    private final TrackedCall call;
    private int tries;
    private int lost;
    private boolean uncertain;

    Run(Message message, Key key, DynamoDbWork<T> work, ByteBuffer token) {
      this.message = message;
      this.key = key;
      this.work = work;
      this.call = new TrackedCall(message, key, tracking, names, clock, token);
    }

    CompletableFuture<Outcome<T>> start() {
      DynamoDbWrite blind = call.isBeyondHorizon() ? null : work.blind(call);
      return blind == null
          ? look()
          : send(blind, item -> applied(item, null), found -> decide(found, this::onlyRuleRefused));
    }

    CompletableFuture<Outcome<T>> resume(
        @Nullable DynamoDbStored<T> stored, boolean earlierUncertain) {
      if (earlierUncertain) {
        uncertain();
      }
      return stored != null
          ? decide(stored, this::onlyRuleRefused)
          : DynamoDbTransport.then(
              writes.read(key, true),
              found -> decide(found, this::onlyRuleRefused),
              CompletableFuture::failedFuture);
    }

    private CompletableFuture<Outcome<T>> look() {
      return DynamoDbTransport.then(
          writes.read(key, true), stored -> decide(stored, s -> false), this::lookFailed);
    }

    private CompletableFuture<Outcome<T>> lookFailed(Throwable error) {
      DynamoDbAttempts none = new DynamoDbAttempts(java.util.List.of());
      return DynamoDbErrors.kind(error, none) == DynamoDbErrors.Kind.CONTENDED
          ? again(error, REPEATED_TRY, this::look)
          : CompletableFuture.failedFuture(error);
    }

    /** What is stored decides: the marks, then existence, then the caller's rule. */
    private CompletableFuture<Outcome<T>> decide(
        DynamoDbStored<T> stored, Predicate<DynamoDbStored<T>> refusedByRule) {
      Found<T> found = stored.found();
      Optional<Outcome<T>> outcome = call.settle(found);
      if (outcome.isEmpty()) {
        outcome = absent(found).or(() -> call.existence(found, work.rules()));
      }
      if (outcome.isPresent()) {
        return CompletableFuture.completedFuture(outcome.get());
      }
      return work.isConditional() && refusedByRule.test(stored) ? refuse(stored) : inform(stored);
    }

    private Optional<Outcome<T>> absent(Found<T> found) {
      return work instanceof DynamoDbWork.Forget
              && found.state(names, call.now()) == Found.State.ABSENT
          ? Optional.of(new Outcome.Missing<>(true))
          : Optional.empty();
    }

    /** Whether a blind write over this can only be refused by the caller's condition. */
    private boolean onlyRuleRefused(DynamoDbStored<T> stored) {
      Found<T> found = stored.found();
      boolean plain = !found.exists() || found.state(names, call.now()) == Found.State.LIVE;
      return plain && work.accepts(stored) && call.acceptsBlindly(call.marks(found));
    }

    private boolean isUnchanged(Found<T> before, Found<T> now) {
      return before.exists() == now.exists()
          && Objects.equals(before.revision(names), now.revision(names));
    }

    private CompletableFuture<Outcome<T>> inform(DynamoDbStored<T> stored) {
      return send(
          work.informed(call, stored),
          item -> applied(item, stored.found()),
          later ->
              again(null, 1, () -> decide(later, s -> isUnchanged(stored.found(), s.found()))));
    }

    private CompletableFuture<Outcome<T>> refuse(DynamoDbStored<T> stored) {
      Found<T> found = stored.found();
      boolean recording =
          work.rules().skipsOtherwise()
              && work instanceof DynamoDbWork.Update
              && found.state(names, call.now()) == Found.State.LIVE;
      if (!recording) {
        return CompletableFuture.completedFuture(new Outcome.Refused<>(found.entity(), false));
      }
      TrackedCall other = new TrackedCall(message, key, tracking, names, clock);
      DynamoDbEdit alone = ((DynamoDbWork.Update<T>) work).edit().recording();
      return send(
          writes.informed(other, stored, alone),
          item -> recorded(items().entity(item)),
          later ->
              other.token().equals(later.found().revision(names))
                  ? recorded(later.found().entity())
                  : again(null, 1, () -> decide(later, s -> false)));
    }

    private CompletableFuture<Outcome<T>> recorded(@Nullable T entity) {
      return CompletableFuture.completedFuture(new Outcome.Refused<>(entity, true));
    }

    private CompletableFuture<Outcome<T>> applied(
        Map<String, AttributeValue> item, @Nullable Found<T> before) {
      boolean gone = item.isEmpty() || item.containsKey(names.tombstone());
      boolean created =
          before == null
              ? work.isCreated(item, call)
              : !gone && before.state(names, call.now()) != Found.State.LIVE;
      T entity = gone ? null : items().entity(item);
      Outcome<T> outcome = call.applied(entity, created, items().marks(item, names::isMark));
      boolean flagged = gone || item.containsKey(names.full());
      if (!call.mustFlagFull(names.countSources(item.keySet()), flagged)) {
        return CompletableFuture.completedFuture(outcome);
      }
      return writes.flagFull(call).send(attempts()).handle((reply, error) -> outcome);
    }

    private CompletableFuture<Outcome<T>> send(
        DynamoDbWrite write,
        Function<Map<String, AttributeValue>, CompletableFuture<Outcome<T>>> accepted,
        Function<DynamoDbStored<T>, CompletableFuture<Outcome<T>>> refused) {
      DynamoDbAttempts attempts = attempts();
      return DynamoDbTransport.then(
          write.send(attempts),
          accepted,
          error -> {
            if (attempts.wereUncertain(error)) {
              uncertain();
            }
            Supplier<CompletableFuture<Outcome<T>>> resend = () -> send(write, accepted, refused);
            return switch (DynamoDbErrors.kind(error, attempts)) {
              case REFUSED -> refused.apply(items().stored(DynamoDbErrors.item(error)));
              case CONTENDED ->
                  again(error, attempts.wereRepeated(error) ? REPEATED_TRY : 1, resend);
              case UNCERTAIN -> lost(error, resend);
              case ABANDONED -> CompletableFuture.failedFuture(call.unknown(error));
              case FAULT -> fault(error);
            };
          });
    }

    private void uncertain() {
      uncertain = true;
      call.attemptWasUncertain();
    }

    private CompletableFuture<Outcome<T>> lost(
        Throwable error, Supplier<CompletableFuture<Outcome<T>>> resend) {
      uncertain();
      lost++;
      return lost < MOST_LOST
          ? again(error, 1, resend)
          : CompletableFuture.failedFuture(call.unknown(error));
    }

    private CompletableFuture<Outcome<T>> fault(Throwable error) {
      Throwable fault = DynamoDbErrors.fault(error, key);
      boolean known = !uncertain || fault instanceof TidemarkException;
      return CompletableFuture.failedFuture(known ? fault : call.unknown(error));
    }

    private CompletableFuture<Outcome<T>> again(
        @Nullable Throwable error, int cost, Supplier<CompletableFuture<Outcome<T>>> next) {
      tries += cost;
      if (tries <= MOST_TRIES) {
        Duration pause = BACKOFF.computeDelay(Math.min(tries, MOST_TRIES));
        return writes.transport().pause(pause).thenCompose(done -> next.get());
      }
      return CompletableFuture.failedFuture(
          uncertain
              ? call.unknown(error)
              : new ContentionException(
                  "other writers or throttling kept " + message + " from being applied",
                  key,
                  error));
    }

    private DynamoDbItems<T> items() {
      return writes.items();
    }

    private DynamoDbAttempts attempts() {
      return new DynamoDbAttempts(writes.transport().metricPublishers());
    }
  }
}
