package dev.tidemark.kernel;

/**
 * How many records a look at a store may give. Stores differ in what they make of none: to MongoDB
 * a limit of 0 is no limit, and a negative one counts as positive.
 */
public final class Most {
  private Most() {}

  /**
   * Requires that a look asks for some.
   *
   * @param most how many it may give
   * @return the same
   * @throws IllegalArgumentException if that is less than 1
   */
  public static int some(int most) {
    if (most < 1) {
      throw new Misuse.Argument("most must be at least 1, was " + most);
    }
    return most;
  }
}
