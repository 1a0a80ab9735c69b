package dev.tidemark.benchmarks.measure;

import java.util.List;

/** One way to apply messages to entities. Safe for use by the threads of a round. */
public interface Technique {
  /**
   * What rows and goals call it.
   *
   * @return a few words
   */
  String name();

  /**
   * Applies messages that were handed over together.
   *
   * @param events in the order of their sources
   * @return how many of them took effect now
   * @throws Exception if something failed, which fails the run
   */
  int handle(List<Event> events) throws Exception;

  /**
   * How messages are handed over.
   *
   * @return one at a time unless it says otherwise
   */
  default Shape shape() {
    return Shape.single();
  }

  /**
   * Whether a redelivered message leaves the entity alone.
   *
   * @return false for a write without any guard
   */
  default boolean isGuarded() {
    return true;
  }
}
