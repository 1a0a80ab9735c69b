package dev.tidemark.dynamodb;

import dev.tidemark.Freshness;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** Waits until an entity has seen a message: looks after pauses that grow, with jitter. */
final class DynamoDbWaits<T> {
  private static final BackoffStrategy PAUSES =
      BackoffStrategy.exponentialDelayHalfJitter(Duration.ofMillis(10), Duration.ofMillis(500));

  private final DynamoDbTransport transport;
  private final Supplier<CompletableFuture<Freshness<T>>> look;
  private final long end;

  /**
   * A wait.
   *
   * @param look a consistent read and what it says
   * @param end when to give up, by {@code System.nanoTime()}
   */
  DynamoDbWaits(
      DynamoDbTransport transport, Supplier<CompletableFuture<Freshness<T>>> look, long end) {
    this.transport = transport;
    this.look = look;
    this.end = end;
  }

  /** The first look that is Fresh, or the last one in time; an interrupt ends the wait. */
  CompletableFuture<Freshness<T>> start() {
    return DynamoDbRounds.run(() -> look(1));
  }

  private CompletableFuture<Freshness<T>> look(int count) {
    return look.get().thenCompose(seen -> goOn(seen, count));
  }

  private CompletableFuture<Freshness<T>> goOn(Freshness<T> seen, int count) {
    Duration left = Duration.ofNanos(end - System.nanoTime());
    if (seen instanceof Freshness.Fresh || left.isNegative() || left.isZero()) {
      return CompletableFuture.completedFuture(seen);
    }
    Duration pause = PAUSES.computeDelay(count + 1); // the first is none
    return transport
        .pause(pause.compareTo(left) < 0 ? pause : left)
        .thenCompose(
            done ->
                transport.isInterrupted()
                    ? CompletableFuture.completedFuture(seen)
                    : DynamoDbRounds.next(() -> look(count + 1)));
  }
}
