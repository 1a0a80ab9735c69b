package dev.tidemark.lab.storm;

import dev.tidemark.EntityKey;

/** An event as a projector gets it: one type for each way in which it changes its ledger. */
sealed interface Effect {
  Event event();

  default EntityKey key() {
    return event().key();
  }

  /** Half of the events are changes, half are functions. */
  static Effect of(Event event) {
    if (event.deletes()) {
      return new Deleting(event);
    }
    if (event.revives() || event.weight() % 2 == 0) {
      return new OfChange(event);
    }
    return event.creates() ? new OfNew(event) : new OfFunction(event);
  }

  /** A portable change. */
  record OfChange(Event event) implements Effect {}

  /** A function of a ledger that must be there. */
  record OfFunction(Event event) implements Effect {}

  /** A function that creates the ledger. */
  record OfNew(Event event) implements Effect {}

  /** A delete. */
  record Deleting(Event event) implements Effect {}
}
