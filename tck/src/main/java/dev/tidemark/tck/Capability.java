package dev.tidemark.tck;

/** What a contract may need of a configuration beyond storing and comparing. */
public enum Capability {
  /** Replies can be dropped after the store has carried a write out. */
  LOST_REPLIES,
  /** Throttling and transaction conflicts can be injected. */
  INJECTED_CONTENTION,
  /** Requests can be counted. */
  REQUEST_COUNTS,
  /** One command carries guard and change, and tells why it refused. */
  ONE_COMMAND_REFUSALS,
  /** Several connections write at the same time. */
  PARALLEL_WRITERS,
  /** Records can be stored literally, in the store's own JSON. */
  NATIVE_JSON,
  /** Several records are written together, or none. */
  TRANSACTIONS,
  /** Outgoing messages that wait in records are found and taken. */
  OUTBOX
}
