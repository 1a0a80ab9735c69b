package dev.tidemark.execution;

import dev.tidemark.execution.StoredExecution.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a claim deserves of the record that is stored under its key. It is pure: it is told the time
 * and knows no store.
 *
 * @param lease how long a claim holds that says nothing of it
 * @param skew by how much the clocks of owners may differ
 * @param parks whether an execution whose owner went silent waits for a person
 */
record ClaimJudge(Duration lease, Duration skew, boolean parks) {

  /** What to do. */
  enum Verdict {
    /** Claims it as if there were no record. */
    FRESH,
    /** Claims it with what is known of its steps. */
    TAKE_OVER,
    /** Leaves it for a person. */
    PARK,
    /** Answers by the record. */
    FINISHED,
    /** Answers that the key came with another request. */
    REUSED,
    /** Answers that a person has to look. */
    PARKED,
    /** Leaves it to a call with a completion, which alone can ask whether the work is done. */
    ELSEWHERE,
    /** Somebody is at work. */
    LIVE;

    /** Whether it counts if the write was made in which the record's work ends. */
    boolean asksForWrite() {
      return this != FRESH && this != REUSED && this != ELSEWHERE;
    }
  }

  /**
   * Judges.
   *
   * @param found what is stored; null if nothing is
   * @param fingerprint of the request
   * @param now the time in milliseconds
   * @param unchanged how long the record has been seen as it is
   * @param ending of the call's work, which may be a write that tells of itself
   */
  Verdict judge(
      @Nullable ExecutionRecord found,
      Fingerprint fingerprint,
      long now,
      Duration unchanged,
      Ending<?, ?> ending) {
    if (found == null) {
      return Verdict.FRESH;
    }
    boolean live = found.state() == State.RUNNING && !left(found, now, unchanged).isZero();
    if (!live && isExpired(found, now)) {
      return Verdict.FRESH;
    }
    if (!fingerprint.matches(found.fingerprint())) {
      return Verdict.REUSED;
    }
    boolean hasWrite = Claims.hasWrite(found);
    boolean isElsewhere = hasWrite && !ending.isByWrite();
    if (found.state() != State.PARKED && !live && isElsewhere) {
      return Verdict.ELSEWHERE;
    }
    // a fence is the time of a claim: what was written behind it may be forgotten by now
    Duration since = Duration.ofMillis(now - found.fence()).plus(skew);
    boolean isUntold = hasWrite && ending.mayForgetIn(since);
    return switch (found.state()) {
      case DONE, FAILED -> Verdict.FINISHED;
      case PARKED -> Verdict.PARKED;
      case RELEASED -> isUntold ? Verdict.PARK : Verdict.TAKE_OVER;
      case RUNNING -> live ? Verdict.LIVE : parks || isUntold ? Verdict.PARK : Verdict.TAKE_OVER;
    };
  }

  /**
   * How long the lease of a running execution may still hold: zero once it is over by the clock, or
   * has been seen unchanged for longer than it lasts. A lease whose end is missing is over only by
   * being watched.
   */
  Duration left(ExecutionRecord found, long now, Duration unchanged) {
    Duration length = found.leaseMillis() > 0 ? Duration.ofMillis(found.leaseMillis()) : lease;
    Duration watched = length.minus(unchanged);
    if (found.leaseEnd() <= 0) {
      return watched.isNegative() ? Duration.ZERO : watched.plusMillis(1);
    }
    // to the end of its last millisecond
    Duration told = Duration.ofMillis(found.leaseEnd() - now + 1).plus(skew);
    Duration least = told.compareTo(watched) < 0 ? told : watched.plusMillis(1);
    return least.isNegative() || watched.isNegative() ? Duration.ZERO : least;
  }

  /** Whether the record may be forgotten; one that says nothing of it may not. */
  static boolean isExpired(ExecutionRecord found, long now) {
    return found.expires() > 0 && found.expires() <= now / 1000;
  }
}
