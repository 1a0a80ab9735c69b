package dev.tidemark.lab.storm;

import dev.tidemark.EntityStore;
import dev.tidemark.Outcome;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A store as one process of a consumer has it. For any number of threads.
 *
 * @param store over a client of its own
 * @param natively applies an event by an update in the store's own words; never a delete
 */
record Node(EntityStore<Ledger> store, Function<Event, Outcome<Ledger>> natively) {
  /** The same with something put around the portable store. */
  Node around(UnaryOperator<EntityStore<Ledger>> around) {
    return new Node(around.apply(store), natively);
  }
}
