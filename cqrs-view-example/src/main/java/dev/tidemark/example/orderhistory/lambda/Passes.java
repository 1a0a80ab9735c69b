package dev.tidemark.example.orderhistory.lambda;

import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.RelayPass;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The passes of one invocation: lets relays run, one after the other, and stops each once it has
 * nothing to send or its time is over. It is told of their passes. For one thread.
 */
final class Passes implements RelayListener {
  /**
   * How long to wait for shards that another invocation has: longer than a relay takes to see that
   * their owner is silent.
   */
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final long end;
  private @Nullable Relay running;
  private int shards;
  private long waits;
  private long stops;
  private int sent;
  private @Nullable String error;

  /**
   * The passes of an invocation.
   *
   * @param time for all of them; one pass is made whatever it is
   */
  Passes(Duration time) {
    this.end = System.nanoTime() + time.toNanos();
  }

  /**
   * Lets a relay send until nothing is due. What it had is given back when this returns.
   *
   * @param relay tells these passes of its own
   * @param records what it works on
   * @param left how many relays share the time that is left, this one included
   */
  void run(Relay relay, OutboxRecords records, int left) {
    long now = System.nanoTime();
    running = relay;
    shards = records.shards();
    waits = now + WAIT.toNanos();
    stops = now + (end - now) / left;
    relay.run();
  }

  @Override
  public void passed(RelayPass pass) {
    sent += pass.sent();
    if (error == null && pass.error() != null) {
      error = pass.records() + ": " + pass.error().getClass().getName();
    }
    long now = System.nanoTime();
    boolean waitsForShards = pass.shards() < shards && now - waits < 0;
    if (running != null && (now - stops >= 0 || (pass.sent() == 0 && !waitsForShards))) {
      running.stop();
    }
  }

  /**
   * How many messages were sent.
   *
   * @throws IllegalStateException if a pass met an error
   */
  int sent() {
    if (error != null) { // its text may quote values
      throw new IllegalStateException("%s; %d messages were sent".formatted(error, sent));
    }
    return sent;
  }
}
