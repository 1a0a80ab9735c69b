package dev.tidemark.lab.orders;

import java.util.List;
import java.util.Map;

/**
 * Where the messages of one run are sent, and what its consumers have left of them. Poison that
 * they found is among the dead letters.
 */
interface Feed extends AutoCloseable {
  /** Sends messages in this order; they are stored when this returns. */
  void send(List<Letter> letters);

  /** How many messages no consumer has acknowledged yet; 0 where nobody acknowledges. */
  long left();

  /** Whether consumers tell what they have done; else only the views show it. */
  default boolean isAcknowledged() {
    return true;
  }

  /** The bodies of the dead letters, in no order. */
  List<String> deadLetters();

  /** Lets everything that was sent come again, once more. No consumer runs meanwhile. */
  void replay();

  /** What a consumer of this run has to know, in any process. */
  Map<String, String> settings();

  @Override
  void close();
}
