package dev.tidemark.lab.storm;

import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;

/** What the deliveries of one event were told. For any number of threads. */
final class Told {
  /** No delivery was told so. */
  static final int NEVER = -1;

  private int applied;
  private int appliedInWave = NEVER;
  private long appliedInLife = NEVER;
  private int unknown;
  private int unknownInWave = NEVER;
  private int duplicate;
  private int stale;
  private int gap;
  private int deleted;
  private int failed;

  /** Takes note of what one delivery was told. */
  synchronized void note(int wave, Result<Ledger> result) {
    if (result instanceof Result.Judged<Ledger> judged) {
      note(wave, judged.outcome());
    } else if (result instanceof Result.Failed<Ledger> fault) {
      fault(wave, fault.fault());
    }
  }

  private void note(int wave, Outcome<Ledger> outcome) {
    if (outcome instanceof Outcome.Applied<Ledger> || outcome instanceof Outcome.Recorded<Ledger>) {
      applied++;
      appliedInWave = wave;
      appliedInLife = outcome.entity().map(Ledger::getLife).orElse((long) NEVER);
    } else if (outcome instanceof Outcome.Duplicate<Ledger>) {
      duplicate++;
    } else if (outcome instanceof Outcome.Stale<Ledger>) {
      stale++;
    } else if (outcome instanceof Outcome.Gap<Ledger>) {
      gap++;
    } else if (outcome instanceof Outcome.Deleted<Ledger>) {
      deleted++;
    }
  }

  /** What the client throws is as open as a fault of the library's own that says so. */
  private void fault(int wave, RuntimeException fault) {
    boolean says = fault instanceof OutcomeUnknownException;
    if (says) {
      unknown++;
    } else {
      failed++;
    }
    if (unknownInWave == NEVER && (says || !(fault instanceof TidemarkException))) {
      unknownInWave = wave;
    }
  }

  synchronized int applied() {
    return applied;
  }

  /** The wave in which it was told to be applied. */
  synchronized int appliedInWave() {
    return appliedInWave;
  }

  /** The life of the ledger in which it was applied; {@link #NEVER} where the outcome said none. */
  synchronized long appliedInLife() {
    return appliedInLife;
  }

  synchronized int unknown() {
    return unknown;
  }

  /** The first wave in which a delivery ended without an outcome. */
  synchronized int unknownInWave() {
    return unknownInWave;
  }

  synchronized int duplicate() {
    return duplicate;
  }

  synchronized int stale() {
    return stale;
  }

  synchronized int gap() {
    return gap;
  }

  /** How often its ledger was found deleted. */
  synchronized int deleted() {
    return deleted;
  }

  /** How many deliveries met a fault other than an unknown outcome. */
  synchronized int failed() {
    return failed;
  }

  /** Whether it may have come into effect, as far as deliveries were told. */
  synchronized boolean mayBeApplied() {
    return applied > 0 || unknownInWave != NEVER;
  }

  @Override
  public synchronized String toString() {
    return String.format(
        "applied=%d(wave %d, life %d) unknown=%d failed=%d duplicate=%d stale=%d gap=%d deleted=%d",
        applied, appliedInWave, appliedInLife, unknown, failed, duplicate, stale, gap, deleted);
  }
}
