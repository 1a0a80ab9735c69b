package dev.tidemark.kernel;

/**
 * What a backend found under a key, in its own form.
 *
 * @param <T> the entity's type
 */
public interface Stored<T> {
  /**
   * The same as the judge reads it, with the marks that concern any message of the run.
   *
   * @return the record
   */
  Found<T> found();

  /**
   * What calls functions on the entity.
   *
   * @return new each time, with no function called
   */
  FoldedFunctions<T> functions();
}
