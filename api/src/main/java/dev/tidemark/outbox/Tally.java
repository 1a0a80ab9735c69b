package dev.tidemark.outbox;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.TooLargeException;
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

  /** An interrupt has ended the pass: nothing more is sent. */
  boolean isInterrupted;

  /** The shards of records that have something to send again already, by their keys. */
  final Map<Object, Integer> again = new LinkedHashMap<>();

  /** Whether the store was asked for leases. */
  boolean isTended;

  /** Whether it was, and others have all shards; not while this relay stands back. */
  boolean asksNone;

  /** Whether the outbox was asked for records. */
  boolean isAsked;

  /** How many looks for records the store has answered. */
  int looked;

  /** How many it has not. */
  int unlooked;

  /** How many changes it was asked for in vain. */
  int unwritten;

  /** Whether the store did not answer, be it for one shard. */
  private boolean isUnanswered;

  /** Whether it did not where it was asked for leases, be it for one of them. */
  private boolean isUntended;

  /** Whether nobody knows of a change whether the store has made it. */
  private boolean isUnsure;

  private @Nullable Throwable error;

  /**
   * Takes over what a pass cannot tell that has asked the outbox for less than the one before.
   *
   * @param looks whether it has looked at shards
   */
  void goesOn(Tally before, boolean looks) {
    if (!looks) {
      unreadable = Math.max(unreadable, before.unreadable);
      heldBack = Math.max(heldBack, before.heldBack);
    }
    isUnanswered |= !isAsked && !asksNone && before.isUnanswered;
    isUntended |= !isAsked && !isTended && before.isUntended;
  }

  /** Whether the store has answered, and has made each change or has not. */
  boolean isSettled() {
    return isAnswered() && !isUnsure;
  }

  private boolean isAnswered() {
    return !isUnanswered && !isUntended;
  }

  void error(Throwable error) {
    this.error = isInterrupted ? this.error : told(this.error, error);
  }

  /** An interrupt has ended the pass, which nothing else tells of. */
  void interrupted(InterruptedException error) {
    isInterrupted = true;
    this.error = error;
  }

  /** Which of two errors is told: one of a record without room, else the first. */
  static @Nullable Throwable told(@Nullable Throwable first, @Nullable Throwable next) {
    return rank(next) > rank(first) ? next : first;
  }

  private static int rank(@Nullable Throwable error) {
    return error instanceof TooLargeException ? 2 : error == null ? 0 : 1;
  }

  /** The store did not answer, and this is why. */
  void unanswered(Throwable error) {
    isUnanswered = true;
    error(error);
  }

  /** The store did not answer, unless it has answered with a record that cannot be read. */
  void unread(Throwable error) {
    isUnanswered |= !(error instanceof CorruptRecordException);
    error(error);
  }

  /** As {@link #unread}, where it was asked for a lease. */
  void untended(Throwable error) {
    isUntended |= !(error instanceof CorruptRecordException);
    error(error);
  }

  /** The store has not said whether it has made a change. */
  void unsure(Throwable error) {
    isUnsure = true;
    error(error);
  }

  /** Counts what a look has seen, beside the records that it gave. */
  void note(Look look) {
    heldBack += look.heldBack();
    unreadable += look.unreadable();
    if (look.error() != null) {
      unread(look.error());
    }
    countLook(true, look.records().isEmpty() ? look.error() : null);
  }

  /**
   * Counts a look for records, and why it was in vain.
   *
   * @param counts whether it is one by which this relay finds its work
   * @param error null if it was not in vain
   */
  void countLook(boolean counts, @Nullable Throwable error) {
    if (error != null) {
      unread(error);
    }
    boolean isAnswered = error == null || error instanceof CorruptRecordException;
    looked += counts && isAnswered ? 1 : 0;
    unlooked += counts && !isAnswered ? 1 : 0;
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
        isAnswered() && (written > 0 || !isUnsure),
        error);
  }
}
