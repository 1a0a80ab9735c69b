package dev.tidemark.mongodb;

/**
 * Checks that the driver on the class path is new enough: an older one would fail with a class that
 * is not there, at some later call.
 */
final class Versions {
  /** The oldest with which the tests pass. */
  static final String LEAST = "5.2.0";

  private static final String LATEST_CLASS = "com.mongodb.MongoOperationTimeoutException";

  private Versions() {}

  /**
   * Asks for the class that came last.
   *
   * @throws IllegalStateException if it is missing
   */
  static void check(ClassLoader loader) {
    try {
      Object unused = Class.forName(LATEST_CLASS, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalStateException(
          "the MongoDB driver on the class path is older than "
              + LEAST
              + ": it has no "
              + LATEST_CLASS
              + "; use mongodb-driver-sync of "
              + LEAST
              + " or later",
          e);
    }
  }
}
