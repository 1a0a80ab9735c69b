package dev.tidemark.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a pass counts. For one thread. */
final class Tally {
  int shards;
  int pending;
  long oldest;
  int sent;
  int failed;
  int parked;
  int prevented;
  int refused;
  int takenOver;
  boolean isInterrupted;
  private @Nullable Throwable error;

  void error(Throwable error) {
    if (this.error == null) {
      this.error = error;
    }
  }

  RelayPass pass(String records, Duration elapsed) {
    return new RelayPass(
        records,
        shards,
        pending,
        Duration.ofMillis(oldest),
        sent,
        failed,
        parked,
        prevented,
        refused,
        takenOver,
        elapsed,
        error);
  }
}
