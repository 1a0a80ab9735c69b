package dev.tidemark.spring;

import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayPass;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A relay on a thread of its own, and what its passes told. */
final class RunningRelay {
  private static final Duration LONGEST_END = Duration.ofSeconds(20);

  private final String records;
  private final Clock clock;
  private volatile Instant lastGood;
  private volatile @Nullable RelayPass last;
  private @Nullable Relay relay;
  private @Nullable Thread thread;

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
    if (pass.error() == null) {
      lastGood = clock.instant();
    }
  }

  /** When a pass ended last without an error; before the first, when the relay was made. */
  Instant lastGood() {
    return lastGood;
  }

  @Nullable RelayPass last() {
    return last;
  }

  boolean isAlive() {
    return thread != null && thread.isAlive();
  }

  void start(Relay made) {
    relay = made;
    thread = new Thread(made::run, "tidemark-relay-" + records);
    thread.setDaemon(true);
    thread.start();
  }

  void askToStop() {
    if (relay != null) {
      relay.stop();
    }
  }

  /** Waits until what is in hand is sent and taken off; not for ever, since a sender may hang. */
  void awaitEnd() {
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
