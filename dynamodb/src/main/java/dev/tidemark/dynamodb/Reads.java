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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads of entities, by key and by what they have to have seen. */
final class Reads<T> {
  private final Writes<T> writes;
  private final Tracking tracking;
  private final Names names;
  private final Clock clock;

  Reads(Writes<T> writes, Tracking tracking, Clock clock) {
    this.writes = writes;
    this.tracking = tracking;
    this.names = Names.flat(tracking);
    this.clock = clock;
  }

  CompletableFuture<Optional<T>> find(Key key) {
    return read(key, true).thenApply(stored -> Optional.ofNullable(entity(stored, key)));
  }

  CompletableFuture<Freshness<T>> find(Key key, NotBefore notBefore) {
    long end = System.nanoTime() + notBefore.timeout().toNanos();
    return look(key, notBefore, false)
        .thenCompose(
            first ->
                first instanceof Freshness.Fresh
                    ? CompletableFuture.completedFuture(first)
                    : new Waits<>(writes.transport(), () -> look(key, notBefore, true), end)
                        .start());
  }

  private CompletableFuture<Freshness<T>> look(Key key, NotBefore notBefore, boolean consistent) {
    return Transport.start(
        () -> {
          TrackedCall call = new TrackedCall(notBefore.message(), key, tracking, names, clock);
          return read(key, consistent).thenApply(stored -> freshness(stored, call));
        });
  }

  private @Nullable T entity(Item<T> stored, Key key) {
    try {
      return writes.mapping().required(stored);
    } catch (TidemarkException e) {
      throw Faults.withKey(e, key);
    }
  }

  private Freshness<T> freshness(Item<T> stored, TrackedCall call) {
    Found<T> found = stored.found();
    Optional<Outcome<T>> seen;
    try {
      seen = call.settle(found);
    } catch (TidemarkException e) {
      throw Faults.withKey(e, call.key());
    }
    return seen.isEmpty() || seen.get() instanceof Outcome.Gap
        ? new Freshness.NotYet<>(call.mark(call.marks(found)))
        : new Freshness.Fresh<>(entity(stored, call.key()));
  }

  private CompletableFuture<Item<T>> read(Key key, boolean consistent) {
    return Transport.then(
        Transport.start(() -> writes.read(key, consistent)),
        CompletableFuture::completedFuture,
        error -> CompletableFuture.failedFuture(fault(error, key)));
  }

  private static Throwable fault(Throwable error, Key key) {
    return Errors.isContended(error)
        ? new ContentionException("reads are being throttled", key, error)
        : Faults.withKey(error, key);
  }
}
