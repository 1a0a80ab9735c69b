package dev.tidemark.benchmarks.measure;

import java.util.List;

/**
 * A technique that applies each message by itself.
 *
 * @param name what rows and goals call it
 * @param isGuarded whether a redelivered message leaves the entity alone
 * @param step applies one message
 */
public record OneByOne(String name, boolean isGuarded, Step step) implements Technique {
  /** What a technique does with one message. */
  @FunctionalInterface
  public interface Step {
    /**
     * Applies a message.
     *
     * @param event the message
     * @return whether it took effect now
     * @throws Exception if something failed
     */
    boolean apply(Event event) throws Exception;
  }

  /**
   * A technique that recognises duplicates.
   *
   * @param name what rows and goals call it
   * @param step applies one message
   * @return the technique
   */
  public static Technique guarded(String name, Step step) {
    return new OneByOne(name, true, step);
  }

  /**
   * A technique that applies whatever comes.
   *
   * @param name what rows and goals call it
   * @param step applies one message
   * @return the technique
   */
  public static Technique unguarded(String name, Step step) {
    return new OneByOne(name, false, step);
  }

  @Override
  public int handle(List<Event> events) throws Exception {
    int applied = 0;
    for (Event event : events) {
      applied += step.apply(event) ? 1 : 0;
    }
    return applied;
  }
}
