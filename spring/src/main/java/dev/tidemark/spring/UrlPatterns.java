package dev.tidemark.spring;

import java.util.Collection;

/**
 * Refuses URL patterns that are none of the servlet specification, and the root: a server takes
 * them for the name of one path, or ignores them, so that requests would pass the filter by.
 */
final class UrlPatterns {
  private static final String ONE_PATH_OR_PREFIX = "(/[^*?{}]*)?(/\\*)?";
  private static final String EXTENSION = "\\*\\.[^*?{}/]+";

  private UrlPatterns() {}

  static void require(Collection<String> patterns) {
    for (String pattern : patterns) {
      if (pattern.length() < 2 // the root alone, all, or nothing: by the server
          || !pattern.matches(ONE_PATH_OR_PREFIX + "|" + EXTENSION)) {
        throw new SetupException(
            "A filter of idempotency keys has the URL pattern '"
                + pattern
                + "', which servers do not take for a filter, or take each in their own way.",
            "In tidemark.idempotency.url-patterns, or in a registration of your own, write /* for all, /payments/*"
                + " for all that begins so, /payments for one path, or *.pay for an ending; the"
                + " filter's appliesTo tells further.");
      }
    }
  }
}
