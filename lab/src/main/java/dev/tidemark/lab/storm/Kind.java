package dev.tidemark.lab.storm;

import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Tracking;
import java.time.Duration;

/** The kinds of events that a ledger gets, each under a policy of its own. */
enum Kind {
  /** Message IDs, kept for a duration. */
  NOTE("n"),
  /** A source of which late events are dropped. */
  PRICE("p"),
  /** A dense source, in order. */
  STOCK("s"),
  /** A dense source, in any order within a window. */
  STEP("w"),
  /** The dense source that creates, deletes and revives the ledger. */
  LIFE("l");

  /** For how long a ledger remembers notes. */
  static final Duration HORIZON = Duration.ofHours(2);

  private final String letter;

  Kind(String letter) {
    this.letter = letter;
  }

  /** What starts the code of each event of this kind. */
  String letter() {
    return letter;
  }

  /** The type of the source. */
  String type() {
    return name();
  }

  /** Whether events of a lower position may not come into effect after those of a higher one. */
  boolean isOrdered() {
    return this == PRICE || this == STOCK || this == LIFE;
  }

  /** What ledgers remember. */
  static Tracking tracking() {
    return Tracking.defaults()
        .messageIds(IdPolicy.keptFor(HORIZON))
        .events(PRICE.type(), EventPolicy.dropLate())
        .events(STOCK.type(), EventPolicy.contiguous())
        .events(STEP.type(), EventPolicy.denseWindow(16))
        .events(LIFE.type(), EventPolicy.contiguous());
  }
}
