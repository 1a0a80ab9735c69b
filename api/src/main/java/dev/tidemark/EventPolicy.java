package dev.tidemark;

/**
 * What an entity does with events of a source that arrive late or early.
 *
 * <ul>
 *   <li>{@link #dropLate()}: applies what is ahead of the mark and drops what is below it. For a
 *       source that is delivered in order.
 *   <li>{@link #contiguous()}: applies only the next position; a later one is a {@link
 *       Outcome.Gap}. For a dense source: all its positions reach the entity.
 *   <li>{@link #denseWindow(int)}: tolerates disorder within a bound, losing nothing and doubling
 *       nothing. {@link #sparseWindow(int)} does so where holes are normal.
 * </ul>
 *
 * <p>What an event meets, by its position:
 *
 * <table>
 * <caption>Outcomes by policy</caption>
 * <tr><th>position</th><th>drop late</th><th>contiguous</th><th>denseWindow(n)</th>
 *     <th>sparseWindow(n)</th></tr>
 * <tr><td>no mark yet</td><td>Applied</td><td>Applied if the first, else Gap</td>
 *     <td>as contiguous, but Applied and remembered within n</td><td>Applied</td></tr>
 * <tr><td>equal, or remembered</td><td>Duplicate</td><td>Duplicate</td><td>Duplicate</td>
 *     <td>Duplicate</td></tr>
 * <tr><td>below</td><td>Stale</td><td>Duplicate: all below was applied</td>
 *     <td>Duplicate; BeyondHorizon up to the highest hole given up</td>
 *     <td>BeyondHorizon below the lowest kept, once n are kept; else Applied</td></tr>
 * <tr><td>next</td><td>Applied</td><td>Applied</td>
 *     <td>Applied, and the mark moves over what was seen</td><td>Applied</td></tr>
 * <tr><td>further ahead</td><td>Applied</td><td>Gap</td>
 *     <td>Applied while n suffice, then Gap, or the hole is given up</td>
 *     <td>Applied, and the lowest is forgotten</td></tr>
 * </table>
 *
 * <p>The first position of a dense source is 1 unless {@link #startingAt} says otherwise; one below
 * it is bad input, which every call refuses with an {@link IllegalArgumentException} before
 * anything is sent. Dense policies need positions that are numbers. A source has one mark, of its
 * highest generation: an event of a lower generation is Stale, one of a higher generation starts
 * afresh.
 *
 * <p>An entity may outlive its policy. A change of the policy keeps the marks, and a mark says how
 * far a source came, but not by which policy. So a policy treats events below a mark that another
 * policy left as follows:
 *
 * <ul>
 *   <li>contiguous and dense windows take all as applied ({@link Outcome.Duplicate});
 *   <li>drop late takes all as passed ({@link Outcome.Stale});
 *   <li>a sparse window cannot tell what was applied from what was dropped, and answers {@link
 *       Outcome.BeyondHorizon}, which is not done;
 *   <li>after a sparse window, dense policies answer BeyondHorizon for what it forgot, and {@link
 *       Outcome.Gap} for its holes. To remember that, contiguous takes two requests for each event;
 *       a dense window takes one.
 * </ul>
 *
 * <p>Where redeliveries may still come after such a change, let the subscriber work off the source
 * before it, so that what lies below the mark was applied, and use {@link
 * Tracking#acknowledgingBeyondHorizon()} from then on. {@link EntityStore#skip} passes a hole that
 * will never be filled.
 *
 * @param kind what to do with an event
 * @param size the size of a window; 0 for the other policies
 * @param startingAt the position of the first event of a dense source; 1 by default
 * @param givesUpHoles whether a dense window gives up holes rather than answer {@link Outcome.Gap}
 */
public record EventPolicy(Kind kind, int size, long startingAt, boolean givesUpHoles) {
  /** What to do with an event. */
  public enum Kind {
    /** See {@link EventPolicy#dropLate()}. */
    DROP_LATE,
    /** See {@link EventPolicy#contiguous()}. */
    CONTIGUOUS,
    /** See {@link EventPolicy#denseWindow(int)}. */
    DENSE_WINDOW,
    /** See {@link EventPolicy#sparseWindow(int)}. */
    SPARSE_WINDOW
  }

  /**
   * Checks that the settings go together.
   *
   * @param kind what to do with an event
   * @param size the size of a window; 0 for the other policies
   * @param startingAt the position of the first event of a dense source; 1 by default
   * @param givesUpHoles whether a dense window gives up holes rather than answer {@link
   *     Outcome.Gap}
   * @throws IllegalArgumentException if they do not, or one is out of its range
   */
  public EventPolicy {
    boolean window = kind == Kind.DENSE_WINDOW || kind == Kind.SPARSE_WINDOW;
    if (window && (size < 1 || size > 10_000)) {
      throw new IllegalArgumentException("the size of a window must be 1 to 10000, was " + size);
    }
    if ((!window && size != 0) || (givesUpHoles && kind != Kind.DENSE_WINDOW)) {
      throw new IllegalArgumentException(
          "size is for window policies and givingUpHoles for dense windows only; "
              + kind
              + " was given size "
              + size
              + " and givingUpHoles "
              + givesUpHoles);
    }
    boolean dense = window ? kind == Kind.DENSE_WINDOW : kind == Kind.CONTIGUOUS;
    if (startingAt < 0 || (startingAt != 1 && !dense)) {
      throw new IllegalArgumentException(
          "the first position of "
              + kind
              + " must be "
              + (dense ? "0 or more" : "1")
              + ", was "
              + startingAt);
    }
  }

  /**
   * Late events are dropped as {@link Outcome.Stale}; holes are not noticed.
   *
   * @return the policy
   */
  public static EventPolicy dropLate() {
    return new EventPolicy(Kind.DROP_LATE, 0, 1, false);
  }

  /**
   * Every position in turn; one further ahead is a {@link Outcome.Gap}.
   *
   * @return the policy, with 1 as the first position
   */
  public static EventPolicy contiguous() {
    return new EventPolicy(Kind.CONTIGUOUS, 0, 1, false);
  }

  /**
   * Positions of a dense source in any order, as far as they are at most that much ahead of the
   * lowest missing one (and up to 20 more, so that compaction is rare). Further ahead is a {@link
   * Outcome.Gap} unless holes are given up.
   *
   * @param size 1 to 10,000
   * @return the policy, with 1 as the first position
   * @throws IllegalArgumentException if the size is out of that range
   */
  public static EventPolicy denseWindow(int size) {
    return new EventPolicy(Kind.DENSE_WINDOW, size, 1, false);
  }

  /**
   * A window for a source in which holes are normal. An entity remembers the highest positions, at
   * least as many as the window's size. A position at or below the highest forgotten one is {@link
   * Outcome.BeyondHorizon}.
   *
   * @param size 1 to 10,000
   * @return the policy for a sparse source
   * @throws IllegalArgumentException if the size is out of that range
   */
  public static EventPolicy sparseWindow(int size) {
    return new EventPolicy(Kind.SPARSE_WINDOW, size, 1, false);
  }

  /**
   * An event beyond the window is applied, and the holes below the window are given up: what
   * arrives for them later is {@link Outcome.BeyondHorizon}.
   *
   * @return the policy, giving up holes
   * @throws IllegalStateException if this is not a dense window
   */
  public EventPolicy givingUpHoles() {
    if (kind != Kind.DENSE_WINDOW) {
      throw new IllegalStateException("givingUpHoles() is for dense windows, not for " + kind);
    }
    return new EventPolicy(Kind.DENSE_WINDOW, size, startingAt, true);
  }

  /**
   * The position of the first event of every source, where that is not 1. An event below it is
   * refused with an {@link IllegalArgumentException}.
   *
   * @param first 0 or more
   * @return the policy, starting there
   * @throws IllegalArgumentException if it is negative
   * @throws IllegalStateException if the source is not dense
   */
  public EventPolicy startingAt(long first) {
    if (!isDense()) {
      throw new IllegalStateException("startingAt() is for contiguous and dense window policies");
    }
    return new EventPolicy(kind, size, first, givesUpHoles);
  }

  /**
   * Whether every position is expected to arrive.
   *
   * @return true for contiguous and dense windows
   */
  public boolean isDense() {
    return kind == Kind.CONTIGUOUS || kind == Kind.DENSE_WINDOW;
  }

  @Override
  public String toString() {
    return kind + (size > 0 ? "(" + size + ")" : "");
  }
}
