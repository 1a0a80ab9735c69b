package dev.tidemark.metrics;

import java.util.function.Supplier;

/**
 * Follows one call of a store, one execution or one pass of a relay from its beginning to its end,
 * on behalf of a listener. Tracing needs this, since a span has to exist while the store's client
 * works. A listener that is interested in ends alone needs no {@code Ongoing}.
 *
 * <p>An exception of an {@code Ongoing} is treated like one of its listener: it is logged once, and
 * does not reach the caller.
 *
 * @param <E> what it is told: a {@link StoreCall}, for instance
 */
@FunctionalInterface
public interface Ongoing<E> {
  /**
   * Takes note of what happened. A call of a store and a pass of a relay tell one thing, at their
   * end; an execution that does the work tells two.
   *
   * @param event what happened; never keys, values or payloads
   */
  void note(E event);

  /**
   * Begins a stretch of work on this thread, which is closed on the same thread: the whole of what
   * blocks its caller, and each sending of a request by an asynchronous client. Stretches may be
   * nested, and may be closed before the event is told or after it.
   *
   * @return what ends the stretch; does nothing unless overridden
   */
  default Scope enter() {
    return Scope.NONE;
  }

  /** A stretch of work on one thread. */
  @FunctionalInterface
  interface Scope extends AutoCloseable {
    /** Does nothing. */
    Scope NONE = () -> {};

    /** Ends the stretch. */
    @Override
    void close();

    /**
     * Begins two stretches, each of which is ended whatever the other one throws.
     *
     * @param outer begins the one that is ended last
     * @param inner begins the other one
     * @return both
     */
    static Scope both(Supplier<Scope> outer, Supplier<Scope> inner) {
      Scope last = outer.get();
      Scope first;
      try {
        first = inner.get();
      } catch (RuntimeException | Error e) {
        last.close();
        throw e;
      }
      return () -> {
        try {
          first.close();
        } finally {
          last.close();
        }
      };
    }
  }

  /**
   * Follows something for two listeners; each is told whatever the other one throws.
   *
   * @param first begins for the one that is told first
   * @param second begins for the other one, whose stretches are inside those of the first
   * @param <E> what they are told
   * @return both
   */
  static <E> Ongoing<E> both(Supplier<Ongoing<E>> first, Supplier<Ongoing<E>> second) {
    return new OngoingPair<>(OngoingPair.begun(first), OngoingPair.begun(second));
  }
}
