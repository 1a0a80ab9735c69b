package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.Result;
import java.util.List;
import java.util.Map;

/**
 * One conditional write of several messages to one entity.
 *
 * @param marking guard and marks of those that it applies
 * @param change what its updates come to, one after the other; nothing where it is of functions
 * @param isOfFunctions whether the entity after it comes from functions
 * @param isInformed whether it is made over what was read
 * @param isOfTombstone whether it records its messages on a tombstone, which stays one
 * @param results of all messages up to the last that it applies, as they are if it is accepted
 * @param places which of them it applies, in order
 * @param <T> the entity's type
 */
public record FoldedWrite<T>(
    Marking marking,
    Change change,
    boolean isOfFunctions,
    boolean isInformed,
    boolean isOfTombstone,
    Map<Integer, Result<T>> results,
    List<Integer> places) {
  /**
   * Copies the collections.
   *
   * @param marking guard and marks of those that it applies
   * @param change what its updates come to, one after the other; nothing where it is of functions
   * @param isOfFunctions whether the entity after it comes from functions
   * @param isInformed whether it is made over what was read
   * @param isOfTombstone whether it records its messages on a tombstone, which stays one
   * @param results of all messages up to the last that it applies, as they are if it is accepted
   * @param places which of them it applies, in order
   */
  public FoldedWrite {
    results = Map.copyOf(results);
    places = List.copyOf(places);
  }
}
