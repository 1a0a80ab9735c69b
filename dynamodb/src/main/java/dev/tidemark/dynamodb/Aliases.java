package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The placeholders of one request: every name and every value of a caller is behind one, so that
 * none becomes part of an expression. Mutable; for one request.
 */
final class Aliases {
  private static final int MOST_NAME_BYTES = 65_535;

  private final String prefix;
  private final Map<String, String> names = new LinkedHashMap<>();
  private final Map<String, String> named = new HashMap<>();
  private final Map<AttributeValue, String> values = new LinkedHashMap<>();
  private final Map<String, AttributeValue> valued = new HashMap<>();

  /** Placeholders that start with a prefix: {@code #p0}, {@code :p0}. */
  Aliases(String prefix) {
    this.prefix = prefix;
  }

  String name(String attribute) {
    String known = names.get(attribute);
    if (known != null) {
      return known;
    }
    int bytes = attribute.length() < MOST_NAME_BYTES / 3 ? 0 : utf8(attribute);
    if (bytes > MOST_NAME_BYTES) {
      throw new IllegalArgumentException(
          "attribute name '"
              + attribute.substring(0, 64)
              + "…' has "
              + bytes
              + " bytes, DynamoDB takes "
              + MOST_NAME_BYTES);
    }
    String alias = "#" + prefix + names.size();
    names.put(attribute, alias);
    named.put(alias, attribute);
    return alias;
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  String path(Path path) {
    List<String> segments = path.segments();
    String joined = name(segments.get(0));
    for (String segment : segments.subList(1, segments.size())) {
      joined += "." + name(segment);
    }
    return joined;
  }

  String value(AttributeValue value) {
    String known = values.get(value);
    if (known != null) {
      return known;
    }
    String alias = ":" + prefix + values.size();
    values.put(value, alias);
    valued.put(alias, value);
    return alias;
  }

  /** The names behind the placeholders that some expressions use; DynamoDB refuses others. */
  Map<String, String> names(String... expressions) {
    return used(named, expressions);
  }

  /** The values behind the placeholders that some expressions use. */
  Map<String, AttributeValue> values(String... expressions) {
    return used(valued, expressions);
  }

  /** The entries whose placeholder some expression has. */
  static <V> Map<String, V> used(Map<String, V> all, String... expressions) {
    Map<String, V> used = new LinkedHashMap<>();
    if (all.isEmpty()) {
      return used;
    }
    char mark = all.keySet().iterator().next().charAt(0);
    for (String expression : expressions) {
      for (int at = expression.indexOf(mark); at >= 0; at = expression.indexOf(mark, at + 1)) {
        String placeholder = expression.substring(at, end(expression, at + 1));
        V value = all.get(placeholder);
        if (value != null) {
          used.put(placeholder, value);
        }
      }
    }
    return used;
  }

  private static int end(String expression, int from) {
    int end = from;
    while (end < expression.length() && isPart(expression.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_';
  }
}
