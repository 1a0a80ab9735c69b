package dev.tidemark.lab.outbox;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** What goes wrong. */
enum Case {
  /** One relay that needs no leases, killed again and again. */
  KILLS(1),
  /** The broker takes nothing for a while. */
  BROKER_DOWN(1),
  /** Two relays share the work; one is killed, then another, and their leases are taken over. */
  TWO_RELAYS(2),
  /** The same with four. */
  FOUR_RELAYS(4),
  /** Two relays; one is stopped cleanly again and again. */
  STOPS(2),
  /**
   * Relays that a stream tells what came, killed in turn: the stream is switched off and on, or its
   * place is lost.
   */
  STREAM_LOST(2),
  /**
   * A relay is killed, and MongoDB's oplog is cut short while nobody reads the stream: the place
   * that the next one goes on from is not in it any more.
   */
  HISTORY_LOST(1),
  /** MongoDB's collection is renamed, and gets its name back, while a relay reads its stream. */
  INVALIDATED(1),
  /** The shard of DynamoDB's stream ends, and has two children, while a relay reads it. */
  SHARD_SPLIT(1),
  /** DynamoDB answers every twentieth read of a stream by an iterator that has expired. */
  ITERATOR_EXPIRED(1),
  /** Some messages in between are refused until somebody has looked at them. */
  POISON(1);

  private final int relays;

  Case(int relays) {
    this.relays = relays;
  }

  /** How many relays run at the same time. */
  int relays() {
    return relays;
  }

  /** Whether a relay hears by the store's stream what came, and seldom looks by itself. */
  boolean hears() {
    return switch (this) {
      case STREAM_LOST, HISTORY_LOST, INVALIDATED, SHARD_SPLIT, ITERATOR_EXPIRED -> true;
      default -> false;
    };
  }

  /** Whether the trouble is the store's. */
  boolean isOf(String store) {
    return switch (this) {
      case HISTORY_LOST, INVALIDATED -> !store.equals(Connection.DYNAMODB);
      case SHARD_SPLIT, ITERATOR_EXPIRED -> store.equals(Connection.DYNAMODB);
      default -> true;
    };
  }

  /**
   * What a relay's log has to have of its stream, or the case was none; empty if anything will do.
   */
  Optional<String> told() {
    return switch (this) {
      case HISTORY_LOST, INVALIDATED, SHARD_SPLIT, ITERATOR_EXPIRED ->
          Optional.of("stream " + name());
      default -> Optional.empty();
    };
  }

  /** How long a relay rests at most after a message could not be sent. */
  Duration longestPause() {
    return this == POISON ? Duration.ofMillis(200) : Duration.ofSeconds(2);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
