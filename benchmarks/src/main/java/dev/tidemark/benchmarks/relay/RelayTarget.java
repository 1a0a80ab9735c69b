package dev.tidemark.benchmarks.relay;

import dev.tidemark.EntityStore;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;

/** A store whose entities publish. */
public interface RelayTarget extends AutoCloseable {
  /**
   * Its name.
   *
   * @return such as {@code mongodb}
   */
  String name();

  /**
   * An empty table of entities that publish.
   *
   * @param streams whether it has a stream, where that has to be switched on
   * @return what publishes, and where it waits
   */
  Outgoing fresh(boolean streams);

  /**
   * Entities that publish, and where their messages wait.
   *
   * @param entities the entities
   * @param records their messages
   */
  record Outgoing(EntityStore<?> entities, OutboxRecords records) {}

  /**
   * What reads the table's stream.
   *
   * @param outgoing the table
   * @param relay is told what comes
   * @return a poll, which is made again and again
   */
  AutoCloseablePoll stream(Outgoing outgoing, Relay relay);

  /** A poll of a stream that is closed in the end. */
  interface AutoCloseablePoll extends AutoCloseable {
    /** Polls once. */
    void poll();

    @Override
    void close();
  }

  @Override
  void close();
}
