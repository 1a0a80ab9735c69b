package dev.tidemark.outbox;

import dev.tidemark.metrics.Ongoing;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Measures for how long the store of one relay has not answered, for a health check: a time of a
 * minute means that a call of the store hangs, that the relay's thread has died, or that the store
 * refuses what the relay asks. The time stands still during calls of the sender, however long these
 * take, so a broker that is away or slow does not make it grow. A record that cannot be read does
 * not either. Safe for use by many threads.
 *
 * <pre>{@code
 * StoreSilence silence = new StoreSilence();
 * Relay relay = Relay.builder(records, sender).listener(silence).build();
 * }</pre>
 */
public final class StoreSilence implements RelayListener {
  private final LongSupplier nanos;
  private long answered;
  private long pausedAt;
  private boolean isPaused;

  /** Begins now. */
  public StoreSilence() {
    this(System::nanoTime);
  }

  /**
   * Begins now.
   *
   * @param nanos elapsed time, as {@link System#nanoTime} has it
   */
  public StoreSilence(LongSupplier nanos) {
    this.nanos = Objects.requireNonNull(nanos, "nanos");
    this.answered = nanos.getAsLong();
  }

  @Override
  public synchronized void passed(RelayPass pass) {
    if (pass.storeAnswered()) {
      answered = now();
    }
  }

  @Override
  public synchronized Ongoing.Scope sending(RelayPass found) {
    passed(found);
    pausedAt = now();
    isPaused = true;
    return this::goOn;
  }

  private synchronized void goOn() {
    if (isPaused) {
      answered += nanos.getAsLong() - pausedAt;
      isPaused = false;
    }
  }

  /**
   * For how long the store has not answered.
   *
   * @return the time since its last answer, without that of calls of the sender
   */
  public synchronized Duration time() {
    return Duration.ofNanos(now() - answered);
  }

  private long now() {
    return isPaused ? pausedAt : nanos.getAsLong();
  }
}
