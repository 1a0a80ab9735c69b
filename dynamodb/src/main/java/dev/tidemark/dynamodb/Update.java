package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conditions and actions of one conditional write, as they come together. Mutable; for one use. */
final class Update {
  private final Aliases aliases;
  private final Operations operations;
  private final String keyAttribute;
  private final List<String> conditions = new ArrayList<>();

  /** The placeholders start with a prefix that the caller's own do not have. */
  Update(String keyAttribute, String prefix) {
    this.keyAttribute = keyAttribute;
    this.aliases = new Aliases(prefix);
    this.operations = new Operations(aliases);
  }

  /** Requires something of tracking's attributes. */
  void require(Condition condition) {
    require(condition, Properties.OF_MARKS);
  }

  void require(Condition condition, Properties properties) {
    require(new Conditions(aliases, properties, keyAttribute).render(condition));
  }

  /** A condition as text, whose placeholders are given besides. */
  void require(String condition) {
    if (!condition.isEmpty()) {
      conditions.add(condition);
    }
  }

  void requireExists(boolean exists) {
    String key = aliases.name(keyAttribute);
    require((exists ? "attribute_exists(" : "attribute_not_exists(") + key + ")");
  }

  /** Changes tracking's attributes, or makes a change whose values are DynamoDB's already. */
  void change(Collection<? extends Operation> changes) {
    operations.addAll(changes, Properties.OF_MARKS);
  }

  Operations operations() {
    return operations;
  }

  /** The placeholders. */
  Aliases aliases() {
    return aliases;
  }

  String condition() {
    return String.join(" AND ", conditions);
  }

  Map<String, String> names() {
    return aliases.names();
  }

  /** The values; null for none, since DynamoDB refuses an empty map of them. */
  @Nullable Map<String, AttributeValue> values() {
    return aliases.values().isEmpty() ? null : aliases.values();
  }

  /**
   * The placeholders of one request: every name and every value of a caller is behind one, so that
   * none becomes part of an expression. DynamoDB refuses placeholders that no expression uses, so
   * whoever asks for one uses it. Mutable; for one request.
   */
  static final class Aliases {
    private static final int MOST_NAME_BYTES = 65_535;

    private final String prefix;
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, AttributeValue> values = new LinkedHashMap<>();
    private final Map<String, String> aliasOfName = new LinkedHashMap<>();
    private final Map<AttributeValue, String> aliasOfValue = new LinkedHashMap<>();

    /** Placeholders that start with a prefix: {@code #p0}, {@code :p0}. */
    Aliases(String prefix) {
      this.prefix = prefix;
    }

    String name(String attribute) {
      String known = aliasOfName.get(attribute);
      return known != null ? known : newName(attribute);
    }

    private String newName(String attribute) {
      int bytes =
          attribute.length() < MOST_NAME_BYTES / 3
              ? 0
              : attribute.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MOST_NAME_BYTES) {
        throw new IllegalArgumentException(
            "attribute name '%s…' has %d bytes, DynamoDB takes %d"
                .formatted(attribute.substring(0, 64), bytes, MOST_NAME_BYTES));
      }
      String alias = "#" + prefix + aliasOfName.size();
      aliasOfName.put(attribute, alias);
      names.put(alias, attribute);
      return alias;
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
      String known = aliasOfValue.get(value);
      if (known != null) {
        return known;
      }
      String alias = ":" + prefix + aliasOfValue.size();
      aliasOfValue.put(value, alias);
      values.put(alias, value);
      return alias;
    }

    /** Placeholders of the caller's own expressions, as far as those use them. */
    void given(Map<String, String> moreNames, Map<String, AttributeValue> moreValues) {
      names.putAll(moreNames);
      values.putAll(moreValues);
    }

    /** The names behind the placeholders. */
    Map<String, String> names() {
      return names;
    }

    /** The values behind the placeholders. */
    Map<String, AttributeValue> values() {
      return values;
    }
  }
}
