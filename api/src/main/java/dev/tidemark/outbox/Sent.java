package dev.tidemark.outbox;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The answer of a {@link Sender} for one message: taken, or failed with a reason. A failure also
 * says what is to blame for it, since a relay counts tries against a message and parks it in the
 * end:
 *
 * <ul>
 *   <li>{@link #deferred}: not this message, such as a broker that is away or throttles. No try is
 *       counted, however long that lasts.
 *   <li>{@link #rejected}: this message. Each try is counted.
 *   <li>{@link #failed}: nobody knows. Each try is counted, and as long as nothing else is taken by
 *       the same {@link #destinations destination} the message has ten times as many.
 * </ul>
 */
public sealed interface Sent {
  /** What is to blame for a failure. */
  enum Blame {
    /** The message: it would fail in a world in which all else is well. */
    MESSAGE,
    /** Nobody knows. */
    UNKNOWN,
    /** Where the message was to go, or the way there. */
    DESTINATION
  }

  /**
   * The broker has taken it for good.
   *
   * @param destinations as {@link Sent#destinations} has them
   */
  record Taken(Set<String> destinations) implements Sent {
    private static final Taken ALWAYS = new Taken(Set.of());

    /**
     * Copies the destinations.
     *
     * @param destinations as {@link Sent#destinations} has them
     */
    public Taken {
      destinations = Set.copyOf(destinations);
    }

    @Override
    public Taken at(String... destinations) {
      return new Taken(Set.copyOf(List.of(destinations)));
    }
  }

  /**
   * It could not be sent, or nobody knows whether it was.
   *
   * @param error why
   * @param blame what is to blame
   * @param destinations as {@link Sent#destinations} has them
   */
  record Failed(Throwable error, Blame blame, Set<String> destinations) implements Sent {
    /**
     * Requires the reason.
     *
     * @param error why
     * @param blame what is to blame
     * @param destinations as {@link Sent#destinations} has them
     */
    public Failed {
      Objects.requireNonNull(error, "error");
      Objects.requireNonNull(blame, "blame");
      destinations = Set.copyOf(destinations);
    }

    @Override
    public Failed at(String... destinations) {
      return new Failed(error, blame, Set.copyOf(List.of(destinations)));
    }
  }

  /**
   * Where the message went, or was to go: parts of the world that may be away by themselves, such
   * as queues or partitions. What is taken counts for the message's topic, too.
   *
   * @return none if the sender does not say; the message's topic counts in their place
   */
  Set<String> destinations();

  /**
   * Says where the message went, or was to go.
   *
   * @param destinations names by which answers of this sender are compared
   * @return an answer that says so
   */
  Sent at(String... destinations);

  /**
   * The broker has taken the message for good.
   *
   * @return the answer that says so
   */
  static Taken taken() {
    return Taken.ALWAYS;
  }

  /**
   * The message could not be sent, or nobody knows whether it was, and nobody knows what is to
   * blame. A relay takes it for {@link #deferred} where the error, or one of its causes, is that an
   * executor took no work, a thread was interrupted or a client of HTTP was closed.
   *
   * @param error why
   * @return the answer that says so
   */
  static Failed failed(Throwable error) {
    return new Failed(error, Blame.UNKNOWN, Set.of());
  }

  /**
   * The message could not be sent, or nobody knows whether it was, and the message is not to blame:
   * another try may succeed without anybody changing the message. It waits, and so do the later
   * messages of its entity that keep an order, until it can be sent: it is never parked for this.
   *
   * @param error why
   * @return the answer that says so
   */
  static Failed deferred(Throwable error) {
    return new Failed(error, Blame.DESTINATION, Set.of());
  }

  /**
   * The message was refused for what it is, such as for its size.
   *
   * @param error why
   * @return the answer that says so
   */
  static Failed rejected(Throwable error) {
    return new Failed(error, Blame.MESSAGE, Set.of());
  }
}
