package dev.tidemark.spring;

import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import org.jspecify.annotations.Nullable;

/** The streams of one store, which tell relays at once what came. */
@FunctionalInterface
interface RelayHints {
  /** The stream of a relay's records, as they are stored; null if these are of another store. */
  @Nullable Stream of(OutboxRecords records, Relay relay);

  /** One stream, for one thread. */
  interface Stream extends AutoCloseable {
    /** Waits a moment for what comes, and tells the relay. An interrupt ends it early. */
    void poll();

    @Override
    default void close() {}
  }
}
