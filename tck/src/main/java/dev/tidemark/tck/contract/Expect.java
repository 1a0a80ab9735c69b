package dev.tidemark.tck.contract;

import dev.tidemark.Outcome;
import dev.tidemark.Outcome.Applied;
import dev.tidemark.Outcome.BeyondHorizon;
import dev.tidemark.Outcome.Deleted;
import dev.tidemark.Outcome.Duplicate;
import dev.tidemark.Outcome.Gap;
import dev.tidemark.Outcome.Missing;
import dev.tidemark.Outcome.Recorded;
import dev.tidemark.Outcome.Refused;
import dev.tidemark.Outcome.Stale;

/** Which arm an outcome has to be. */
final class Expect {
  private Expect() {}

  static <T> Applied<T> applied(Outcome<T> outcome) {
    if (outcome instanceof Applied<T> arm) {
      return arm;
    }
    throw other("Applied", outcome);
  }

  static <T> Recorded<T> recorded(Outcome<T> outcome) {
    if (outcome instanceof Recorded<T> arm) {
      return arm;
    }
    throw other("Recorded", outcome);
  }

  static <T> Duplicate<T> duplicate(Outcome<T> outcome) {
    if (outcome instanceof Duplicate<T> arm) {
      return arm;
    }
    throw other("Duplicate", outcome);
  }

  static <T> Stale<T> stale(Outcome<T> outcome) {
    if (outcome instanceof Stale<T> arm) {
      return arm;
    }
    throw other("Stale", outcome);
  }

  static <T> Gap<T> gap(Outcome<T> outcome) {
    if (outcome instanceof Gap<T> arm) {
      return arm;
    }
    throw other("Gap", outcome);
  }

  static <T> Refused<T> refused(Outcome<T> outcome) {
    if (outcome instanceof Refused<T> arm) {
      return arm;
    }
    throw other("Refused", outcome);
  }

  static <T> Missing<T> missing(Outcome<T> outcome) {
    if (outcome instanceof Missing<T> arm) {
      return arm;
    }
    throw other("Missing", outcome);
  }

  static <T> Deleted<T> deleted(Outcome<T> outcome) {
    if (outcome instanceof Deleted<T> arm) {
      return arm;
    }
    throw other("Deleted", outcome);
  }

  static <T> BeyondHorizon<T> beyondHorizon(Outcome<T> outcome) {
    if (outcome instanceof BeyondHorizon<T> arm) {
      return arm;
    }
    throw other("BeyondHorizon", outcome);
  }

  private static AssertionError other(String expected, Outcome<?> outcome) {
    return new AssertionError("expected " + expected + " but was " + outcome);
  }
}
