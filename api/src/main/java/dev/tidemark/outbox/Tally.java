package dev.tidemark.outbox;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a pass counts. For one thread. */
final class Tally {
  int shards;
  int pending;
  long oldest;
  int sent;

  /** How many were sent when the store was last told. */
  int takenOff;

  int failed;
  int parked;
  int prevented;
  int refused;
  int takenOver;
  int heldBack;
  int ahead;
  int unreadable;

  /** The shards that have more than was looked at. */
  final Set<Integer> goesOn = new HashSet<>();

  /** The shards of records that have something to send again already, by their keys. */
  final Map<Object, Integer> again = new LinkedHashMap<>();

  private @Nullable Throwable error;

  void error(Throwable error) {
    if (this.error == null) {
      this.error = error;
    }
  }

  /** Counts what a look has seen, beside the records that it gave. */
  void note(int shard, Look look) {
    heldBack += look.heldBack();
    unreadable += look.unreadable();
    if (look.goesOn()) {
      goesOn.add(shard);
    }
    if (look.error() != null) {
      error(look.error());
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
        heldBack,
        ahead,
        unreadable,
        elapsed,
        error);
  }
}
