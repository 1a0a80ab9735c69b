package dev.tidemark.store;

import org.jspecify.annotations.Nullable;

/**
 * What came of a write.
 *
 * @param <R> how what is stored is told
 */
public sealed interface Answer<R> {
  /**
   * It was carried out.
   *
   * @param <R> how what is stored is told
   */
  record Written<R>() implements Answer<R> {}

  /**
   * The condition was false, and nothing was written.
   *
   * @param found what is stored, read consistently; null if nothing is
   * @param <R> how what is stored is told
   */
  record Refused<R>(@Nullable R found) implements Answer<R> {}

  /**
   * It failed: that it was carried out is not known.
   *
   * @param <R> how what is stored is told
   */
  sealed interface Failed<R> extends Answer<R> {
    /**
     * Why.
     *
     * @return what the store said, or what ended the wait
     */
    RuntimeException error();
  }

  /**
   * It was not carried out, and may be if it is asked again: throttled, or in conflict with
   * another.
   *
   * @param error what the store said
   * @param <R> how what is stored is told
   */
  record Busy<R>(RuntimeException error) implements Failed<R> {}

  /**
   * No answer came: it may have been carried out.
   *
   * @param error what ended the wait
   * @param late whether a deadline of the store's own client ended the wait; a request that has
   *     passed three such deadlines is not sent again
   * @param <R> how what is stored is told
   */
  record Lost<R>(RuntimeException error, boolean late) implements Failed<R> {
    /**
     * An answer that got lost on the way.
     *
     * @param error what ended the wait
     */
    public Lost(RuntimeException error) {
      this(error, false);
    }
  }
}
