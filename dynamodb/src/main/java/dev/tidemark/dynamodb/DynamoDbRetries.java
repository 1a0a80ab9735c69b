package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.TidemarkException;
import dev.tidemark.kernel.Marking;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** The further tries of one call, with growing pauses and jitter, and how it ends without any. */
final class DynamoDbRetries {
  /** What a try costs of these that the SDK has repeated by itself. */
  static final int REPEATED = 21;

  private static final int MOST_TRIES = 40;

  /**
   * How many times as long as a lost race took its loser stays aside. Writers of one entity that
   * all try again at once lose again: with 24 of them 2.6 requests a message, so 1.4.
   */
  private static final int TIMES_ASIDE = 64;

  private static final Duration LONGEST_ASIDE = Duration.ofSeconds(5);
  private static final int MOST_LOST = 3;
  static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(10), Duration.ofMillis(400));

  private final Marking marking;
  private final DynamoDbTransport transport;
  private int tries;
  private int lost;
  private boolean uncertain;

  DynamoDbRetries(Marking marking, DynamoDbTransport transport) {
    this.marking = marking;
    this.transport = transport;
  }

  /** The tries that are left, for another write to the same entity. */
  DynamoDbRetries of(Marking next) {
    DynamoDbRetries same = new DynamoDbRetries(next, transport);
    same.tries = tries;
    return same;
  }

  /** Notes that an attempt may have been carried out. */
  void uncertain() {
    uncertain = true;
    marking.attemptWasUncertain();
  }

  /** Ends this round, and goes on with another after a pause, while there are tries left. */
  <R> CompletableFuture<R> again(
      @Nullable Throwable error, int cost, Supplier<CompletableFuture<R>> next) {
    tries += cost;
    if (tries <= MOST_TRIES) {
      return transport
          .pause(BACKOFF.computeDelay(tries))
          .thenCompose(done -> DynamoDbRounds.next(next));
    }
    return CompletableFuture.failedFuture(
        uncertain
            ? marking.unknown(error)
            : new ContentionException(
                "other writers or throttling outlasted " + MOST_TRIES + " tries",
                marking.key(),
                error));
  }

  /**
   * Goes on with a write that no race can refuse, once most of those who are in the race have ended
   * theirs: between half of that time and all of it.
   */
  <R> CompletableFuture<R> aside(Duration race, Supplier<CompletableFuture<R>> next) {
    tries++;
    if (tries > MOST_TRIES) {
      return again(null, 0, next);
    }
    Duration most = race.multipliedBy(TIMES_ASIDE);
    long nanos = (most.compareTo(LONGEST_ASIDE) < 0 ? most : LONGEST_ASIDE).toNanos();
    long some = nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    return transport.pause(Duration.ofNanos(some)).thenCompose(done -> DynamoDbRounds.next(next));
  }

  /** Goes on after a request whose reply did not come. */
  <R> CompletableFuture<R> lost(Throwable error, Supplier<CompletableFuture<R>> resend) {
    uncertain();
    lost++;
    return lost < MOST_LOST
        ? again(error, 1, resend)
        : CompletableFuture.failedFuture(marking.unknown(error));
  }

  /** Ends the call with an error that no further try can change. */
  <R> CompletableFuture<R> fault(Throwable error) {
    Throwable fault = DynamoDbErrors.fault(error, marking.key());
    boolean known = !uncertain || fault instanceof TidemarkException;
    return CompletableFuture.failedFuture(known ? fault : marking.unknown(error));
  }
}
