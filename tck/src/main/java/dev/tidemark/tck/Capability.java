package dev.tidemark.tck;

/** What a contract may need of a configuration beyond storing and comparing. */
public enum Capability {
  /** Replies can be dropped after the store has carried a write out. */
  LOST_REPLIES,
  /** Throttling and transaction conflicts can be injected. */
  INJECTED_CONTENTION,
  /** The store reports capacity units. */
  CAPACITY_UNITS,
  /** Requests can be counted. */
  REQUEST_COUNTS,
  /** The store's replication log can be read. */
  OPLOG,
  /** The store has replicas of which one can be made to step down. */
  STEP_DOWN,
  /** One command carries guard and change of a portable change (MongoDB's pipeline updates). */
  PIPELINE_UPDATES
}
