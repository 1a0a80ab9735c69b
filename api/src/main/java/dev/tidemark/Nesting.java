package dev.tidemark;

import java.util.List;

/** How deep conditions may be nested, so that every store and every stack takes them. */
final class Nesting {
  private static final int DEEPEST = 50;

  private Nesting() {}

  /**
   * Checks the parts of a new condition, which are no deeper than that themselves.
   *
   * @throws IllegalArgumentException if the new condition would be deeper
   */
  static void require(List<Condition> parts) {
    for (Condition part : parts) {
      if (depth(part) >= DEEPEST) {
        throw new IllegalArgumentException(
            "conditions nest at most "
                + DEEPEST
                + " deep, by and(), or() and not() inside each other; leave out not() of not(), and"
                + " join parts by one And or Or of a list");
      }
    }
  }

  private static int depth(Condition condition) {
    int deepest = -1;
    if (condition instanceof Condition.Joined joined) {
      deepest = 0;
      for (Condition part : joined.parts()) {
        deepest = Math.max(deepest, depth(part));
      }
    }
    return 1 + deepest;
  }
}
