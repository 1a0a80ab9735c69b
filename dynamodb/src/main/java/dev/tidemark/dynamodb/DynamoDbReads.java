package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.Freshness;
import dev.tidemark.Key;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads of entities, by key and by what they have to have seen. */
final class DynamoDbReads<T> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final DynamoDbWrites<T> writes;
  private final Tracking tracking;
  private final Names names;
  private final Clock clock;

  DynamoDbReads(DynamoDbWrites<T> writes, Tracking tracking, Clock clock) {
    this.writes = writes;
    this.tracking = tracking;
    this.names = Names.flat(tracking);
    this.clock = clock;
  }

  CompletableFuture<Optional<T>> find(Key key) {
    return read(key, true).thenApply(found -> Optional.ofNullable(found.entity()));
  }

  CompletableFuture<Freshness<T>> find(Key key, NotBefore notBefore) {
    long end = System.nanoTime() + notBefore.timeout().toNanos();
    return read(key, false)
        .thenCompose(
            found -> {
              Freshness<T> first = freshness(found, key, notBefore);
              return first instanceof Freshness.NotYet
                  ? wait(key, notBefore, end, FIRST_PAUSE)
                  : CompletableFuture.completedFuture(first);
            });
  }

  private CompletableFuture<Freshness<T>> wait(
      Key key, NotBefore notBefore, long end, Duration pause) {
    return read(key, true)
        .thenCompose(
            found -> {
              Freshness<T> freshness = freshness(found, key, notBefore);
              Duration left = Duration.ofNanos(end - System.nanoTime());
              if (freshness instanceof Freshness.Fresh || left.isNegative() || left.isZero()) {
                return CompletableFuture.completedFuture(freshness);
              }
              Duration next = pause.multipliedBy(2);
              return writes
                  .transport()
                  .pause(pause.compareTo(left) < 0 ? pause : left)
                  .thenCompose(
                      done ->
                          wait(
                              key,
                              notBefore,
                              end,
                              next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE));
            });
  }

  private Freshness<T> freshness(Found<T> found, Key key, NotBefore notBefore) {
    TrackedCall call = new TrackedCall(notBefore.message(), key, tracking, names, clock);
    Optional<Outcome<T>> seen;
    try {
      seen = call.settle(found);
    } catch (TidemarkException e) {
      throw Faults.withKey(e, key);
    }
    return seen.isEmpty() || seen.get() instanceof Outcome.Gap
        ? new Freshness.NotYet<>(call.mark(call.marks(found)))
        : new Freshness.Fresh<>(found.entity());
  }

  private CompletableFuture<Found<T>> read(Key key, boolean consistent) {
    return DynamoDbTransport.then(
        DynamoDbTransport.start(() -> writes.read(key, consistent)),
        stored -> CompletableFuture.completedFuture(stored.found()),
        error -> CompletableFuture.failedFuture(fault(error, key)));
  }

  private static Throwable fault(Throwable error, Key key) {
    DynamoDbAttempts none = new DynamoDbAttempts(List.of());
    return DynamoDbErrors.kind(error, none) == DynamoDbErrors.Kind.CONTENDED
        ? new ContentionException("reads are being throttled", key, error)
        : Faults.withKey(error, key);
  }
}
