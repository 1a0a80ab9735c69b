package dev.tidemark.execution;

import java.util.function.Predicate;

/**
 * What the request of a key is compared by.
 *
 * @param text as it is stored
 * @param earlier whether an earlier version of this library stored that text for the request
 */
record Fingerprint(String text, Predicate<String> earlier) {
  /** One that is stored. */
  static Fingerprint stored(String text) {
    return new Fingerprint(text, other -> false);
  }

  /** Whether what is stored is that of the same request. */
  boolean matches(String stored) {
    return text.equals(stored) || earlier.test(stored);
  }
}
