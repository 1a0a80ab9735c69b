package dev.tidemark.lambda;

/** ARNs as events have them. */
final class Arn {
  private Arn() {}

  /** The name of a queue: what stands behind the last colon. */
  static String queue(String arn) {
    return arn.substring(arn.lastIndexOf(':') + 1);
  }

  /** The name of a Kinesis stream, or of a table: what stands behind the first slash. */
  static String resource(String arn) {
    String[] parts = arn.split("/", 3);
    if (parts.length < 2) {
      throw new IllegalArgumentException("not the ARN of a stream: " + arn);
    }
    return parts[1];
  }
}
