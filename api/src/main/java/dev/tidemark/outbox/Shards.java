package dev.tidemark.outbox;

import java.time.Duration;

/** The shards that a relay works on. */
interface Shards {
  /** Keeps what it has, and takes what nobody has; does nothing where it is too early for that. */
  void tend(Tally tally);

  boolean isMine(int shard);

  /** How long {@link #tend} has time. */
  Duration untilNext();

  /** Gives everything back. */
  void release();

  /** Of a relay that works alone, or beside others that do the same. */
  Shards ALL =
      new Shards() {
        @Override
        public void tend(Tally tally) {}

        @Override
        public boolean isMine(int shard) {
          return true;
        }

        @Override
        public Duration untilNext() {
          return Duration.ofDays(1);
        }

        @Override
        public void release() {}
      };
}
