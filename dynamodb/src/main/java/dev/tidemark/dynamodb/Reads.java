package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.dynamodb.Transport.Turn;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Text;
import dev.tidemark.kernel.Verdict;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/** Reads of entities, by key and by what they have to have seen. */
record Reads<T>(Calls<T> calls) {
  private static final BackoffStrategy PAUSES =
      BackoffStrategy.exponentialDelayHalfJitter(Duration.ofMillis(10), Duration.ofMillis(500));

  CompletableFuture<Optional<T>> find(EntityKey key) {
    Look look = new Look(key, null, 0);
    return calls.transport().carry(look).thenApply(over -> Optional.ofNullable(look.entity));
  }

  /** The first look that is Fresh, or the last one in time; an interrupt ends the wait. */
  CompletableFuture<Freshness<T>> find(EntityKey key, NotBefore notBefore) {
    Look look =
        new Look(
            key,
            notBefore,
            System.nanoTime() + Text.given("notBefore", notBefore).timeout().toNanos());
    return calls.transport().carry(look).thenApply(over -> Objects.requireNonNull(look.seen));
  }

  /** Looks until a message is seen, if there is one to wait for, after pauses that grow. */
  private final class Look implements Transport.Exchange {
    private final EntityKey key;
    private final @Nullable NotBefore notBefore;
    private final long end;
    private @Nullable Verdict verdict;
    private @Nullable T entity;
    private @Nullable Freshness<T> seen;
    private @Nullable Duration pause;
    private boolean over;
    private int looks;

    Look(EntityKey key, @Nullable NotBefore notBefore, long end) {
      this.key = Text.given("key to find", key);
      this.notBefore = notBefore;
      this.end = end;
    }

    /** Only the first look may be of what was so a while ago. */
    @Override
    public @Nullable Turn next() {
      Duration time = pause;
      pause = null;
      if (time != null) {
        return new Turn.Pause(time);
      }
      over |= looks > 1 && Thread.currentThread().isInterrupted();
      verdict = notBefore == null || over ? null : verdict(notBefore);
      return over ? null : new Turn.Ask(calls.writes().read(key, notBefore == null || looks > 0));
    }

    @Override
    public void replied(DynamoDbResponse reply) {
      looks++;
      try {
        Item<T> item = calls.mapping().item(key, ((GetItemResponse) reply).item());
        if (verdict == null) {
          entity = item.entity();
          over = true;
        } else {
          goOn(freshness(item, verdict));
        }
      } catch (RuntimeException e) {
        failed(e);
      }
    }

    private void goOn(Freshness<T> found) {
      seen = found;
      Duration left = Duration.ofNanos(end - System.nanoTime());
      over = found instanceof Freshness.Fresh || (looks > 1 && left.toNanos() <= 0);
      if (looks > 1 && !over) {
        Duration growing = PAUSES.computeDelay(looks);
        pause = growing.compareTo(left) < 0 ? growing : left;
      }
    }

    @Override
    public void failed(Throwable error) {
      throw Transport.<RuntimeException>plain(
          Errors.kind(error) == Errors.Kind.CONTENDED
              ? new ContentionException("reads are being throttled", key, error)
              : Faults.of(error, key));
    }
  }

  private Verdict verdict(NotBefore notBefore) {
    return new Verdict(
        notBefore.message(), calls.tracking(), calls.mapping().names(), calls.clock().instant());
  }

  private Freshness<T> freshness(Item<T> item, Verdict verdict) {
    Found<T> found = item.found();
    Optional<Outcome<T>> seen = verdict.ofMarks(found);
    return seen.isEmpty() || seen.get() instanceof Outcome.Gap
        ? new Freshness.NotYet<>(verdict.mark(found))
        : new Freshness.Fresh<>(item.entity());
  }
}
