package dev.tidemark.lab.storm;

import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import java.util.Objects;

/**
 * One event of one ledger, which is delivered once or more often, and what these deliveries were
 * told. Equal by identity; for any number of threads.
 */
final class Event {
  private final int ledger;
  private final Kind kind;
  private final int position;
  private final boolean creates;
  private final Told told = new Told();

  /**
   * An event.
   *
   * @param ledger the number of the ledger
   * @param kind which policy it meets
   * @param position counted from 1 in each kind
   * @param creates whether it creates a ledger that is not there yet
   */
  Event(int ledger, Kind kind, int position, boolean creates) {
    this.ledger = ledger;
    this.kind = kind;
    this.position = position;
    this.creates = creates;
  }

  int ledger() {
    return ledger;
  }

  Kind kind() {
    return kind;
  }

  int position() {
    return position;
  }

  boolean creates() {
    return creates || kind == Kind.LIFE;
  }

  /** Whether it deletes the ledger: every second event of a life does. */
  boolean deletes() {
    return kind == Kind.LIFE && position % 2 == 0;
  }

  /** Whether it brings back a ledger that was deleted. */
  boolean revives() {
    return kind == Kind.LIFE && position > 1 && !deletes();
  }

  Told told() {
    return told;
  }

  /** What its effect adds to the journal. */
  String code() {
    return kind.letter() + position;
  }

  /** What its effect adds to the sum. */
  long weight() {
    return weight(code());
  }

  static long weight(String code) {
    return 1 + Math.floorMod(code.hashCode() * 31L, 1_000L);
  }

  String id() {
    return id(ledger);
  }

  static String id(int ledger) {
    return "ledger-" + ledger;
  }

  EntityKey key() {
    return EntityKey.key(id());
  }

  /** The identity by which the ledger remembers it. */
  Message message() {
    return kind == Kind.NOTE
        ? MessageId.of(id(), code())
        : SourceEvent.of(kind.type(), id(), position);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Objects.hash(ledger, kind, position);
  }

  @Override
  public String toString() {
    return id() + "/" + code() + " told " + told;
  }
}
