package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The placeholders of one request: every name and every value of a caller is behind one, so that
 * none becomes part of an expression. Mutable; for one request.
 */
final class DynamoDbAliases {
  private static final Pattern PLACEHOLDER = Pattern.compile("[#:][A-Za-z0-9_]+");

  private static final int MOST_NAME_BYTES = 65_535;

  private final String prefix;
  private final Map<String, String> names = new LinkedHashMap<>();
  private final Map<AttributeValue, String> values = new LinkedHashMap<>();

  /** Placeholders that start with a prefix: {@code #p0}, {@code :p0}. */
  DynamoDbAliases(String prefix) {
    this.prefix = prefix;
  }

  String name(String attribute) {
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
    return names.computeIfAbsent(attribute, a -> "#" + prefix + names.size());
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  String path(Path path) {
    return path.segments().stream().map(this::name).collect(Collectors.joining("."));
  }

  String value(AttributeValue value) {
    return values.computeIfAbsent(value, v -> ":" + prefix + values.size());
  }

  /** The names behind the placeholders that some expressions use; DynamoDB refuses others. */
  Map<String, String> names(String... expressions) {
    return used(invert(names), expressions);
  }

  /** The values behind the placeholders that some expressions use. */
  Map<String, AttributeValue> values(String... expressions) {
    return used(invert(values), expressions);
  }

  private static <V> Map<String, V> invert(Map<V, String> map) {
    Map<String, V> inverted = new LinkedHashMap<>();
    map.forEach((value, alias) -> inverted.put(alias, value));
    return inverted;
  }

  /** The entries whose placeholder some expression has. */
  static <V> Map<String, V> used(Map<String, V> all, String... expressions) {
    Map<String, V> used = new LinkedHashMap<>();
    for (String expression : expressions) {
      Matcher matcher = PLACEHOLDER.matcher(expression);
      while (matcher.find()) {
        V value = all.get(matcher.group());
        if (value != null) {
          used.put(matcher.group(), value);
        }
      }
    }
    return used;
  }
}
