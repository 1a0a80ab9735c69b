package dev.tidemark.outbox;

import dev.tidemark.OutgoingMessage;
import java.time.Instant;

/**
 * A message that waits to be sent, as it is stored.
 *
 * @param id stable: the same at every try, and never another message's
 * @param storedAt when the write was made that published it, by the writer's clock
 * @param message what to send, and where
 * @param origin the cluster that published it; empty where there is one cluster
 */
public record OutboxMessage(String id, Instant storedAt, OutgoingMessage message, String origin) {
  /**
   * A message where there is one cluster.
   *
   * @param id stable: the same at every try, and never another message's
   * @param storedAt when the write was made that published it, by the writer's clock
   * @param message what to send, and where
   */
  public OutboxMessage(String id, Instant storedAt, OutgoingMessage message) {
    this(id, storedAt, message, "");
  }
}
