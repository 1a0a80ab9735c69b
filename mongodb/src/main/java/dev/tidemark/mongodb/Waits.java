package dev.tidemark.mongodb;

import dev.tidemark.Freshness;
import dev.tidemark.Key;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.bson.BsonValue;

/**
 * Waits until an entity has seen a message. A few short pauses first, since most often the
 * projector is just behind; then the entity's change stream says when a look is worth its while;
 * where there is none, pauses that grow.
 */
final class Waits<T> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
  private static final int PAUSES_BEFORE_STREAM = 3;

  /** An interrupt is seen after it, and a connection is in use for so long. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(1);

  private final Context<T> context;
  private final Key key;
  private final Supplier<Freshness<T>> look;
  private final long end;
  private Duration pause = FIRST_PAUSE;

  private Waits(Context<T> context, Key key, Supplier<Freshness<T>> look, Duration timeout) {
    this.context = context;
    this.key = key;
    this.look = look;
    this.end = System.nanoTime() + timeout.toNanos();
  }

  /** The first look that is Fresh, or the last one in time; an interrupt ends the wait. */
  static <T> Freshness<T> until(
      Context<T> context, Key key, Supplier<Freshness<T>> look, Duration timeout) {
    Waits<T> waits = new Waits<>(context, key, look, timeout);
    Freshness<T> soon = waits.byPauses(look.get(), PAUSES_BEFORE_STREAM);
    return waits.byPauses(waits.byStream(soon), Integer.MAX_VALUE);
  }

  private boolean isWaiting(Freshness<T> seen) {
    boolean notYet = seen instanceof Freshness.NotYet;
    return notYet && left() > 0 && !Thread.currentThread().isInterrupted();
  }

  private long left() {
    return end - System.nanoTime();
  }

  private Freshness<T> byPauses(Freshness<T> first, int most) {
    Freshness<T> seen = first;
    for (int count = 0; count < most && isWaiting(seen); count++) {
      pause();
      seen = again(seen);
    }
    return seen;
  }

  /** Three quarters of a pause at least, so that many who wait do not look all at once. */
  private void pause() {
    long nanos = pause.toNanos();
    long some = nanos - ThreadLocalRandom.current().nextLong(nanos / 4);
    LockSupport.parkNanos(this, Math.min(left(), some));
    Duration next = pause.multipliedBy(2);
    pause = next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
  }

  /** A further look; the driver breaks off that of an interrupted thread. */
  private Freshness<T> again(Freshness<T> seen) {
    if (Thread.currentThread().isInterrupted()) {
      return seen;
    }
    try {
      return look.get();
    } catch (RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        return seen;
      }
      throw e;
    }
  }

  private Freshness<T> byStream(Freshness<T> first) {
    Duration request = request();
    if (!isWaiting(first) || request.compareTo(LONGEST_PAUSE) < 0) {
      return first;
    }
    BsonValue id = context.keys().id(key);
    try (ChangeStream stream = ChangeStream.open(context.transport(), id, request)) {
      return stream.isOpen() ? listen(stream, request, first) : first;
    }
  }

  /**
   * As long as each of the fewest requests that fill the time that is left, but for one pause at
   * the end: that ends at the deadline, which a request would pass.
   */
  private Duration request() {
    long listening = Math.max(0, left() - LONGEST_PAUSE.toNanos());
    long requests = listening / LONGEST_REQUEST.toNanos() + 1;
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(listening / requests));
  }

  private Freshness<T> listen(ChangeStream stream, Duration request, Freshness<T> first) {
    Freshness<T> seen = again(first); // what was written before the stream was open
    pause = FIRST_PAUSE;
    while (isWaiting(seen) && stream.isOpen() && left() >= request.toNanos()) {
      if (stream.awaitChange() || left() <= 0) {
        seen = again(seen);
        if (isWaiting(seen)) {
          pause(); // an entity of many changes is looked at no more often than by pauses
        }
      }
    }
    pause = LONGEST_PAUSE;
    return seen;
  }
}
