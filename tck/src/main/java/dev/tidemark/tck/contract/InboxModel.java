package dev.tidemark.tck.contract;

import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Inboxed;

/** One message in the inbox of one subscriber, as the documentation has it. */
final class InboxModel {
  /** Seconds to which a store may round. */
  private static final long KEPT = Transactions.KEPT.toMillis() + 500;

  private Inboxed stored = Inboxed.NOTHING;
  private long expires;
  private long leaseEnd;

  Inboxed stored() {
    return stored;
  }

  /** What is in the way of a handler; empty if nothing is. */
  String inTheWay(long now) {
    boolean free =
        stored == Inboxed.NOTHING || expires <= now || (stored == Inboxed.CLAIM && leaseEnd < now);
    return free ? "" : stored == Inboxed.CLAIM ? "InFlight" : "Duplicate";
  }

  void claim(long now, long lease) {
    stored = Inboxed.CLAIM;
    expires = now + KEPT;
    leaseEnd = now + lease;
  }

  void record(long now) {
    stored = Inboxed.RECORD;
    expires = now + KEPT;
  }

  void giveUp() {
    stored = Inboxed.NOTHING;
  }
}
