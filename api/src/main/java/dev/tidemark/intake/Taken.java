package dev.tidemark.intake;

import java.util.List;

/**
 * The result of one batch: what to tell the carrier of each message.
 *
 * @param fates what became of each message, in the order of the batch
 * @param <M> the carrier's messages
 */
public record Taken<M>(List<Fate<M>> fates) {
  /** What to do with a message. */
  public enum Kind {
    /** It is handled: acknowledge it. */
    DONE,
    /** The dead letters have it: acknowledge it. */
    DEAD,
    /** It has to be delivered again, though it may be handled already. */
    AGAIN
  }

  /**
   * What became of one message.
   *
   * @param message the message
   * @param kind what to do with it
   * @param reason why it is a dead letter or has to come again, without keys and payloads; empty if
   *     it is done
   * @param handled whether nothing is left to do for the message. True also if the message has to
   *     come {@link Kind#AGAIN} only because an earlier message of its lane is not done; a caller
   *     that recognizes such a message may leave it out of the next batch
   * @param <M> the carrier's messages
   */
  public record Fate<M>(M message, Kind kind, String reason, boolean handled) {
    /** Names what to do, not the message. */
    @Override
    public String toString() {
      return kind + (reason.isEmpty() ? "" : ": " + reason);
    }
  }

  /**
   * Copies the list.
   *
   * @param fates what became of each message, in the order of the batch
   */
  public Taken {
    fates = List.copyOf(fates);
  }

  /**
   * What may be acknowledged one by one: of a lane nothing behind the first message that is not
   * done.
   *
   * @return in the order of the batch, dead letters among them
   */
  public List<M> toAcknowledge() {
    return fates.stream().filter(fate -> fate.kind() != Kind.AGAIN).map(Fate::message).toList();
  }

  /**
   * What has to come again.
   *
   * @return all others, in the order of the batch
   */
  public List<M> toRetry() {
    return fates.stream().filter(fate -> fate.kind() == Kind.AGAIN).map(Fate::message).toList();
  }

  /**
   * How many messages became dead letters.
   *
   * @return 0 or more
   */
  public int dead() {
    return (int) fates.stream().filter(fate -> fate.kind() == Kind.DEAD).count();
  }

  /** Counts. */
  @Override
  public String toString() {
    return "Taken[%d of %d to acknowledge, %d of them dead letters]"
        .formatted(toAcknowledge().size(), fates.size(), dead());
  }
}
