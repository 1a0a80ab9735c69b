package dev.tidemark.outbox;

import java.time.Duration;

/** The shards that a relay works on. */
interface Shards {
  /** Keeps what it has, and takes what nobody has; does nothing where it is too early for that. */
  void tend(Tally tally);

  boolean isMine(int shard);

  /** Whether there are some that are this relay's, and were not when this was asked before. */
  boolean hasNew();

  /** How long {@link #tend} has time. */
  Duration untilNext();

  /** Gives everything back. */
  void release();

  /** Gives everything back, and leaves what is free to others for a while, if there are any. */
  void standBack(Duration time);

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
        public boolean hasNew() {
          return false;
        }

        @Override
        public Duration untilNext() {
          return Duration.ofDays(1);
        }

        @Override
        public void release() {}

        @Override
        public void standBack(Duration time) {}
      };
}
