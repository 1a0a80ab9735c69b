package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** Reads of entities, by key and by what they have to have seen. */
record Reads<T>(Transport transport, Writes<T> writes, Tracking tracking, Clock clock) {
  private static final BackoffStrategy PAUSES =
      BackoffStrategy.exponentialDelayHalfJitter(Duration.ofMillis(10), Duration.ofMillis(500));

  CompletableFuture<Optional<T>> find(EntityKey key) {
    return keyed(key, writes.read(transport, key, true).thenApply(Item::entity))
        .thenApply(Optional::ofNullable);
  }

  /** The first look that is Fresh, or the last one in time; an interrupt ends the wait. */
  CompletableFuture<Freshness<T>> find(EntityKey key, NotBefore notBefore) {
    Wait wait = new Wait(key, notBefore, System.nanoTime() + notBefore.timeout().toNanos());
    return Transport.loop(wait::turn).thenApply(over -> Objects.requireNonNull(wait.seen));
  }

  /** Looks until the message is seen, after pauses that grow, with jitter. */
  private final class Wait {
    private final EntityKey key;
    private final NotBefore notBefore;
    private final long end;
    private @Nullable Freshness<T> seen;
    private int looks;

    Wait(EntityKey key, NotBefore notBefore, long end) {
      this.key = key;
      this.notBefore = notBefore;
      this.end = end;
    }

    /** Only the first look may be of what was so a while ago. */
    CompletableFuture<Boolean> turn() {
      return look(key, notBefore, looks > 0).thenCompose(this::goOn);
    }

    private CompletableFuture<Boolean> goOn(Freshness<T> found) {
      seen = found;
      looks++;
      Duration left = Duration.ofNanos(end - System.nanoTime());
      boolean over = looks > 1 && (left.isNegative() || left.isZero());
      if (over || looks == 1 || found instanceof Freshness.Fresh) {
        return CompletableFuture.completedFuture(!over && !(found instanceof Freshness.Fresh));
      }
      Duration pause = PAUSES.computeDelay(looks);
      return transport
          .pause(pause.compareTo(left) < 0 ? pause : left)
          .thenApply(done -> !transport.isInterrupted());
    }
  }

  private CompletableFuture<Freshness<T>> look(
      EntityKey key, NotBefore notBefore, boolean consistent) {
    Verdict verdict =
        new Verdict(notBefore.message(), tracking, writes.mapping().names(), clock.instant());
    return keyed(
        key, writes.read(transport, key, consistent).thenApply(item -> freshness(item, verdict)));
  }

  private Freshness<T> freshness(Item<T> item, Verdict verdict) {
    Found<T> found = item.found();
    Optional<Outcome<T>> seen = verdict.ofMarks(found);
    return seen.isEmpty() || seen.get() instanceof Outcome.Gap
        ? new Freshness.NotYet<>(verdict.mark(verdict.marks(found)))
        : new Freshness.Fresh<>(item.entity());
  }

  private static <R> CompletableFuture<R> keyed(EntityKey key, CompletableFuture<R> read) {
    return Transport.then(
        read,
        CompletableFuture::completedFuture,
        error ->
            CompletableFuture.failedFuture(
                Errors.isContended(error)
                    ? new ContentionException("reads are being throttled", key, error)
                    : Faults.of(error, key)));
  }
}
