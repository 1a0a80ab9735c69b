package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.TidemarkException;
import dev.tidemark.kernel.TrackedCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** The further tries of one call, with growing pauses and jitter, and how it ends without any. */
final class DynamoDbRetries {
  /** What a try costs of these that the SDK has repeated by itself. */
  static final int REPEATED = 21;

  private static final int MOST_TRIES = 40;
  private static final int MOST_LOST = 3;
  private static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(10), Duration.ofMillis(400));

  private final TrackedCall call;
  private final DynamoDbTransport transport;
  private int tries;
  private int lost;
  private boolean uncertain;

  DynamoDbRetries(TrackedCall call, DynamoDbTransport transport) {
    this.call = call;
    this.transport = transport;
  }

  /** Notes that an attempt may have been carried out. */
  void uncertain() {
    uncertain = true;
    call.attemptWasUncertain();
  }

  /** Goes on after a pause, while there are tries left. */
  <R> CompletableFuture<R> again(
      @Nullable Throwable error, int cost, Supplier<CompletableFuture<R>> next) {
    tries += cost;
    if (tries <= MOST_TRIES) {
      return transport.pause(BACKOFF.computeDelay(tries)).thenCompose(done -> next.get());
    }
    return CompletableFuture.failedFuture(
        uncertain
            ? call.unknown(error)
            : new ContentionException(
                "other writers or throttling outlasted " + MOST_TRIES + " tries",
                call.key(),
                error));
  }

  /** Goes on after a request whose reply did not come. */
  <R> CompletableFuture<R> lost(Throwable error, Supplier<CompletableFuture<R>> resend) {
    uncertain();
    lost++;
    return lost < MOST_LOST
        ? again(error, 1, resend)
        : CompletableFuture.failedFuture(call.unknown(error));
  }

  /** Ends the call with an error that no further try can change. */
  <R> CompletableFuture<R> fault(Throwable error) {
    Throwable fault = DynamoDbErrors.fault(error, call.key());
    boolean known = !uncertain || fault instanceof TidemarkException;
    return CompletableFuture.failedFuture(known ? fault : call.unknown(error));
  }
}
