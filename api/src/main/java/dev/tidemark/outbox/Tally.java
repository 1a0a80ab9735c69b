package dev.tidemark.outbox;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a pass counts. For one thread. */
final class Tally {
  /** The shards that the relay works on. */
  final Set<Integer> mine = new HashSet<>();

  /** The shards that were looked at to their end. */
  final Set<Integer> ended = new HashSet<>();

  /** The shards of records that have something to be sent now. */
  final Set<Integer> found = new HashSet<>();

  /** How many of their changes the store has made. */
  int written;

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

  /** The shards of records that have something to send again already, by their keys. */
  final Map<Object, Integer> again = new LinkedHashMap<>();

  private @Nullable Throwable error;

  void error(Throwable error) {
    if (this.error == null) {
      this.error = error;
    }
  }

  /** Counts what a look has seen, beside the records that it gave. */
  void note(Look look) {
    heldBack += look.heldBack();
    unreadable += look.unreadable();
    if (look.error() != null) {
      error(look.error());
    }
  }

  RelayPass pass(String records, Duration elapsed) {
    return new RelayPass(
        records,
        mine.size(),
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
