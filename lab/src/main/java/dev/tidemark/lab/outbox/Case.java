package dev.tidemark.lab.outbox;

import java.time.Duration;
import java.util.Locale;

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
    return this == STREAM_LOST;
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
