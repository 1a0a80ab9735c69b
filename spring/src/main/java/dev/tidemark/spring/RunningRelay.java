package dev.tidemark.spring;

import dev.tidemark.metrics.Ongoing;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.StoreSilence;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A relay on a thread of its own, its stream of hints on another, and what its passes told. */
final class RunningRelay implements RelayListener {
  private static final Logger LOGGER = LoggerFactory.getLogger(RunningRelay.class);

  /** How long it rests where it has ended and nobody has stopped it. */
  private static final Duration REST = Duration.ofSeconds(5);

  private final String records;
  private final Clock clock;
  private final StoreSilence silence;
  private volatile @Nullable RelayPass last;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Completed where the relay's thread ends. */
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

  private @Nullable Relay relay;
  private @Nullable Thread thread;
  private @Nullable Thread hints;

  RunningRelay(String records, Clock clock) {
    this(records, clock, System::nanoTime);
  }

  RunningRelay(String records, Clock clock, LongSupplier nanos) {
    this.records = records;
    this.clock = clock;
    this.silence = new StoreSilence(nanos);
  }

  String records() {
    return records;
  }

  @Override
  public void passed(RelayPass pass) {
    last = pass;
    silence.passed(pass);
  }

  /** The store is not asked while the sender is. */
  @Override
  public Ongoing.Scope sending(RelayPass found) {
    last = found;
    return silence.sending(found);
  }

  /**
   * When the store answered last, or the relay was made if that was later. While the relay waits
   * for its sender this time moves on.
   */
  Instant lastGood() {
    return clock.instant().minus(silence.time());
  }

  @Nullable RelayPass last() {
    return last;
  }

  /** Whether nobody has asked it to end. */
  boolean isWanted() {
    return stopped.getCount() > 0;
  }

  boolean isAlive() {
    return thread != null && thread.isAlive();
  }

  void start(Relay made, RelayHints.@Nullable Stream stream) {
    relay = made;
    thread = started("tidemark-relay-" + records, () -> run(made));
    if (stream != null) {
      hints = started("tidemark-hints-" + records, () -> poll(stream));
    }
  }

  private static Thread started(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void run(Relay made) {
    LOGGER.info("The relay of {} runs.", records);
    try {
      do {
        runOnce(made);
      } while (!isStoppedWithin(REST));
    } finally {
      ended.complete(true);
    }
    LOGGER.info("The relay of {} has ended.", records);
  }

  /** The thread is this relay's own, so an interrupt is a sender's, and ends it for a while. */
  private void runOnce(Relay made) {
    try {
      made.run();
    } catch (RuntimeException e) { // its text may quote what is stored
      LOGGER.error("The relay of {} failed: {}", records, e.getClass().getName());
    }
    if (stopped.getCount() > 0) {
      LOGGER.warn("The relay of {} has ended by itself, and begins again in {}.", records, REST);
    }
  }

  private boolean isStoppedWithin(Duration most) {
    while (true) {
      try {
        return stopped.await(most.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) { // the thread is not interrupted any more
        LOGGER.debug("The relay of {} was interrupted.", records);
      }
    }
  }

  /** A stream that ends leaves the relay as it is without one: it looks. */
  private void poll(RelayHints.Stream stream) {
    try (stream) {
      while (stopped.getCount() > 0 && isAlive()) {
        stream.poll();
      }
    } catch (Exception e) { // its text may quote what is stored
      LOGGER.warn("No hints for the relay of {} any more: {}", records, e.getClass().getName());
    }
  }

  /**
   * Ends it for good.
   *
   * @param behind done once it has ended, be it before this, as by an Error
   */
  void askToStop(Runnable behind) {
    askToStop();
    var unused = ended.thenRun(() -> tell(behind));
  }

  private void tell(Runnable behind) {
    try {
      behind.run();
    } catch (Throwable e) { // its text may quote what is stored
      LOGGER.warn("What follows the relay of {} failed: {}", records, e.getClass().getName());
    }
  }

  void askToStop() {
    stopped.countDown();
    if (relay != null) {
      relay.stop();
    }
    if (hints != null) {
      hints.interrupt();
    }
  }

  /**
   * Waits until what is in hand is sent and taken off; not for ever, since a sender may hang.
   *
   * @param until how long at most, by {@link System#nanoTime}
   */
  void awaitEnd(long until) {
    await(thread, until);
    await(hints, until);
  }

  private static void await(@Nullable Thread thread, long until) {
    if (thread == null) {
      return;
    }
    try {
      thread.join(Math.max(1, (until - System.nanoTime()) / 1_000_000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
