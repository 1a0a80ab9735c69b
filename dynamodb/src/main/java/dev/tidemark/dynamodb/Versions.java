package dev.tidemark.dynamodb;

/**
 * Checks that the AWS SDK on the class path is new enough: an older one, or a mix, would fail with
 * a class or method that is not there, at some later call.
 */
final class Versions {
  /** The oldest with which the tests pass. */
  static final String LEAST = "2.31.0";

  private static final String SDK = "software.amazon.awssdk.";

  private Versions() {}

  /**
   * Asks for what came last to each artifact.
   *
   * @throws IllegalStateException if something is missing
   */
  static void check(ClassLoader loader) {
    find(loader, "dynamodb-enhanced", "enhanced.dynamodb.model.IgnoreNullsMode");
    find(loader, "retries-spi", "retries.api.BackoffStrategy");
    Class<?> exception = find(loader, "sdk-core", "core.exception.SdkException");
    try {
      Object unused = exception.getMethod("numAttempts");
    } catch (NoSuchMethodException e) {
      throw tooOld("sdk-core", "SdkException.numAttempts()", e);
    }
  }

  private static Class<?> find(ClassLoader loader, String artifact, String name) {
    try {
      return Class.forName(SDK + name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw tooOld(artifact, SDK + name, e);
    }
  }

  private static IllegalStateException tooOld(String artifact, String missing, Throwable cause) {
    return new IllegalStateException(
        "the AWS SDK on the class path is older than "
            + LEAST
            + ", or of several versions: its "
            + artifact
            + " has no "
            + missing
            + "; import software.amazon.awssdk:bom of "
            + LEAST
            + " or later",
        cause);
  }
}
