package dev.tidemark.servlet;

import jakarta.servlet.ServletContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Which headers of a response are stored, and replayed to whoever sends the request again. Headers
 * of CORS and of a connection cannot be among them. Safe for use by many threads.
 */
final class ReplayedHeaders {
  /** How the headers begin by which a browser is told who may read an answer. */
  private static final String CORS = "Access-Control-";

  private static final Set<String> OF_CONNECTION =
      names(
          "Connection",
          "Content-Length",
          "Keep-Alive",
          "Proxy-Connection",
          "TE",
          "Trailer",
          "Transfer-Encoding",
          "Upgrade");

  private final Set<String> names;
  private final AtomicBoolean toldOfCors = new AtomicBoolean();

  private ReplayedHeaders(Set<String> names) {
    this.names = names;
  }

  /**
   * Those of some names.
   *
   * @throws IllegalArgumentException for a header of CORS, and for one of a connection or message
   */
  static ReplayedHeaders of(String... names) {
    for (String name : names) {
      if (OF_CONNECTION.contains(name) || name.regionMatches(true, 0, CORS, 0, CORS.length())) {
        throw new IllegalArgumentException(
            name
                + " cannot be replayed, since it depends on the request or its connection; leave"
                + " it out, and set headers of CORS by a filter before the IdempotencyFilter");
      }
    }
    return new ReplayedHeaders(names(names));
  }

  private static Set<String> names(String... names) {
    Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    all.addAll(Set.of(names));
    return all;
  }

  /** Those that the work has set, with their values. What filters in front have set is theirs. */
  Map<String, List<String>> in(SentResponse response) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : names) {
      List<String> values = List.copyOf(response.sent(name));
      if (response.hasSet(name) && !values.isEmpty()) {
        headers.put(name, values);
      }
    }
    return headers;
  }

  /** Tells the log once of headers of CORS that the work has set, and that no replay has. */
  void tellOfCors(SentResponse response, ServletContext log) {
    if (response.hasSet(CORS + "Allow-Origin") && !toldOfCors.getAndSet(true)) {
      log.log(
          "CORS headers were set behind the IdempotencyFilter: browsers can read neither a"
              + " replay, nor what the filter answers by itself; set them by a filter before"
              + " it, such as Spring's CorsFilter");
    }
  }
}
