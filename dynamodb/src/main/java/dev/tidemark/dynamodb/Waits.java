package dev.tidemark.dynamodb;

import dev.tidemark.Freshness;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** Waits until an entity has seen a message: looks after pauses that grow, with jitter. */
final class Waits<T> {
  private static final BackoffStrategy PAUSES =
      BackoffStrategy.exponentialDelayHalfJitter(Duration.ofMillis(10), Duration.ofMillis(500));

  private final Transport transport;
  private final Supplier<CompletableFuture<Freshness<T>>> look;
  private final long end;
  private @Nullable Freshness<T> seen;
  private int looks;

  /**
   * A wait.
   *
   * @param look a consistent read and what it says
   * @param end when to give up, by {@code System.nanoTime()}
   */
  Waits(Transport transport, Supplier<CompletableFuture<Freshness<T>>> look, long end) {
    this.transport = transport;
    this.look = look;
    this.end = end;
  }

  /** The first look that is Fresh, or the last one in time; an interrupt ends the wait. */
  CompletableFuture<Freshness<T>> start() {
    return Transport.loop(() -> look.get().thenCompose(this::goOn))
        .thenApply(over -> Objects.requireNonNull(seen));
  }

  private CompletableFuture<Boolean> goOn(Freshness<T> found) {
    seen = found;
    looks++;
    Duration left = Duration.ofNanos(end - System.nanoTime());
    if (found instanceof Freshness.Fresh || left.isNegative() || left.isZero()) {
      return CompletableFuture.completedFuture(false);
    }
    Duration pause = PAUSES.computeDelay(looks + 1); // the first is none
    return transport
        .pause(pause.compareTo(left) < 0 ? pause : left)
        .thenApply(done -> !transport.isInterrupted());
  }
}
