package dev.tidemark.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of a form that came as a request's body. */
final class Form {
  static final Form NONE = new Form();

  private final Map<String, List<String>> fields = new LinkedHashMap<>();

  private Form() {}

  /**
   * Reads a form, whose bytes and escapes are both in the charset.
   *
   * @throws IllegalStateException if it is malformed
   */
  static Form of(byte[] body, Charset charset) {
    Form form = new Form();
    for (String pair : new String(body, ISO_8859_1).split("&", -1)) {
      if (!pair.isEmpty()) {
        int at = pair.indexOf('=');
        String name = decode(at < 0 ? pair : pair.substring(0, at), charset);
        String value = at < 0 ? "" : decode(pair.substring(at + 1), charset);
        form.fields.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
      }
    }
    return form;
  }

  private static String decode(String text, Charset charset) {
    try {
      return new String(URLDecoder.decode(text, ISO_8859_1).getBytes(ISO_8859_1), charset);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("the request's form is malformed", e);
    }
  }

  Set<String> names() {
    return fields.keySet();
  }

  /** The first value of a field; null if there is no such field. */
  @Nullable String first(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? null : values.get(0);
  }

  List<String> values(String name) {
    return fields.getOrDefault(name, List.of());
  }
}
