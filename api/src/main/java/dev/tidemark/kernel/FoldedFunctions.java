package dev.tidemark.kernel;

import dev.tidemark.Write;

/**
 * Calls the functions of a {@link Fold}, one after the other, on an entity that was read.
 *
 * @param <T> the entity's type
 */
@FunctionalInterface
public interface FoldedFunctions<T> {
  /**
   * Calls one function on what those before it left. What it throws is the fault of that write
   * alone, and leaves the entity as those before it left it.
   *
   * @param write the function, with its initial value
   */
  void apply(Write.Action.Apply<T> write);
}
