package dev.tidemark.kernel;

import dev.tidemark.Decision;
import dev.tidemark.Write;
import org.jspecify.annotations.Nullable;

/**
 * Calls the functions of a {@link Run}, one after the other, on an entity that was read.
 *
 * @param <T> the entity's type
 */
public interface FoldedFunctions<T> {
  /**
   * Calls one function on what those before it left. What it throws is the fault of that write
   * alone. A fault or a refusal leaves the entity as those before it left it.
   *
   * @param write the function, with its initial value
   * @return what it decided
   */
  Decision<T> apply(Write.Action.Apply<T> write);

  /**
   * Whether the function that was called last, and did not refuse, changed the entity.
   *
   * @return false if what it gave is stored as what it got
   */
  boolean changed();

  /**
   * The entity as the functions left it.
   *
   * @return null if there is none
   */
  @Nullable T entity();
}
