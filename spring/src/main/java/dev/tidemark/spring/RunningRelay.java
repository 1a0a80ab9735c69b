package dev.tidemark.spring;

import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayPass;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A relay on a thread of its own, its stream of hints on another, and what its passes told. */
final class RunningRelay {
  private static final Logger LOGGER = LoggerFactory.getLogger(RunningRelay.class);
  private static final Duration LONGEST_END = Duration.ofSeconds(20);

  private final String records;
  private final Clock clock;
  private volatile Instant lastGood;
  private volatile @Nullable RelayPass last;
  private volatile boolean isStopped;
  private volatile Runnable end = () -> {};
  private @Nullable Relay relay;
  private @Nullable Thread thread;
  private @Nullable Thread hints;

  RunningRelay(String records, Clock clock) {
    this.records = records;
    this.clock = clock;
    this.lastGood = clock.instant();
  }

  String records() {
    return records;
  }

  void passed(RelayPass pass) {
    last = pass;
    if (pass.error() == null || pass.failed() > 0) { // the store has answered
      lastGood = clock.instant();
    }
  }

  /** When the store answered a pass last; before the first pass, when the relay was made. */
  Instant lastGood() {
    return lastGood;
  }

  @Nullable RelayPass last() {
    return last;
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
    made.run();
    end.run();
    LOGGER.info("The relay of {} has ended.", records);
  }

  /** A stream that ends leaves the relay as it is without one: it looks. */
  private void poll(RelayHints.Stream stream) {
    try (stream) {
      while (!isStopped) {
        stream.poll();
      }
    } catch (Exception e) { // its text may quote what is stored
      LOGGER.warn("No hints for the relay of {} any more: {}", records, e.getClass().getName());
    }
  }

  /** Ends it for good. */
  void askToStop(Runnable behind) {
    end = behind;
    askToStop();
  }

  void askToStop() {
    isStopped = true;
    if (relay != null) {
      relay.stop();
    }
    if (hints != null) {
      hints.interrupt();
    }
  }

  /** Waits until what is in hand is sent and taken off; not for ever, since a sender may hang. */
  void awaitEnd() {
    await(thread);
    await(hints);
  }

  private static void await(@Nullable Thread thread) {
    if (thread == null) {
      return;
    }
    try {
      thread.join(LONGEST_END.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
