package dev.tidemark.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a request: one string of a structured field (RFC 9651), without parameters. Quotes may
 * be left out where nothing in the key needs them.
 */
final class IdempotencyKey {
  static final String HEADER = "Idempotency-Key";

  private static final int LONGEST = 255;
  private static final String BARE = "!#$%&'*+-.^_`|~:/=";

  private IdempotencyKey() {}

  /** Whether a request has a key, well-formed or not. */
  static boolean isIn(HttpServletRequest request) {
    return request.getHeader(HEADER) != null;
  }

  /** The key; null if it is malformed, or not the only one. */
  static @Nullable String of(HttpServletRequest request) {
    List<String> lines = Collections.list(request.getHeaders(HEADER));
    String key = lines.size() == 1 ? parse(lines.get(0).strip()) : null;
    return key == null || key.isEmpty() || key.length() > LONGEST ? null : key;
  }

  private static @Nullable String parse(String text) {
    return text.startsWith("\"") ? quoted(text) : bare(text);
  }

  private static @Nullable String bare(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean alphanumeric = c < 128 && Character.isLetterOrDigit(c);
      if (!alphanumeric && BARE.indexOf(c) < 0) {
        return null;
      }
    }
    return text;
  }

  private static @Nullable String quoted(String text) {
    StringBuilder key = new StringBuilder();
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return i == text.length() - 1 ? key.toString() : null;
      }
      if (c == '\\') {
        c = ++i < text.length() ? text.charAt(i) : 0;
        if (c != '"' && c != '\\') {
          return null;
        }
      }
      if (c < ' ' || c > '~') {
        return null;
      }
      key.append(c);
    }
    return null;
  }
}
