package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conditions and actions of one conditional write, as they come together. Mutable; for one use. */
final class Update {
  private final Aliases aliases;
  private final Operations operations;
  private final String keyAttribute;
  private final StringBuilder condition = new StringBuilder();
  private final Conditions ofMarks;

  /** The placeholders are numbered, after a prefix such that none is the caller's own. */
  Update(String keyAttribute, String prefix) {
    this.keyAttribute = keyAttribute;
    this.aliases = new Aliases(prefix);
    this.operations = new Operations(aliases);
    this.ofMarks = new Conditions(aliases, Properties.OF_MARKS, keyAttribute);
  }

  /** Requires something of tracking's attributes. */
  void require(Condition required) {
    require(required, ofMarks);
  }

  void require(Condition required, Properties properties) {
    require(required, new Conditions(aliases, properties, keyAttribute));
  }

  private void require(Condition required, Conditions conditions) {
    if (required instanceof Condition.And and) {
      and.all().forEach(part -> require(part, conditions)); // without parentheses
    } else {
      require(conditions.render(required));
    }
  }

  /** A condition as text, whose placeholders are given besides. */
  void require(String required) {
    if (!required.isEmpty()) {
      condition.append(condition.isEmpty() ? "" : " AND ").append(required);
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
    return condition.toString();
  }

  Map<String, String> names() {
    return aliases.names();
  }

  /** The values; null for none, since DynamoDB refuses an empty map of them. */
  @Nullable Map<String, AttributeValue> values() {
    Map<String, AttributeValue> values = aliases.values();
    return values.isEmpty() ? null : values;
  }

  /**
   * The placeholders of one request: every name and every value of a caller is behind one, so that
   * none becomes part of an expression. DynamoDB refuses placeholders that no expression uses, so
   * whoever asks for one uses it. Mutable; for one request.
   */
  static final class Aliases {
    private static final int MOST_NAME_BYTES = 65_535;

    /** Those of most requests, which have few and no other prefix. */
    private static final List<String> USUAL =
        IntStream.range(0, 32).mapToObj(number -> Edit.PREFIX + number).toList();

    private static final List<String> USUAL_NAMES = USUAL.stream().map("#"::concat).toList();
    private static final List<String> USUAL_VALUES = USUAL.stream().map(":"::concat).toList();

    private final String prefix;
    private final List<String> names = new ArrayList<>();
    private final List<AttributeValue> values = new ArrayList<>();
    private Map<String, String> givenNames = Map.of();
    private Map<String, AttributeValue> givenValues = Map.of();

    /** Placeholders that start with a prefix: {@code #p0}, {@code :p0}. */
    Aliases(String prefix) {
      this.prefix = prefix;
    }

    private String alias(String mark, int number, List<String> usual) {
      return number < usual.size() && prefix.equals(Edit.PREFIX)
          ? usual.get(number)
          : mark + prefix + number;
    }

    private String nameAt(int number) {
      return alias("#", number, USUAL_NAMES);
    }

    private String valueAt(int number) {
      return alias(":", number, USUAL_VALUES);
    }

    String name(String attribute) {
      int known = names.indexOf(attribute);
      if (known < 0) {
        requireShort(attribute);
        names.add(attribute);
      }
      return nameAt(known < 0 ? names.size() - 1 : known);
    }

    private static void requireShort(String attribute) {
      int bytes =
          attribute.length() < MOST_NAME_BYTES / 3
              ? 0
              : attribute.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MOST_NAME_BYTES) {
        throw new IllegalArgumentException(
            "attribute name '%s…' has %d bytes, DynamoDB takes %d"
                .formatted(attribute.substring(0, 64), bytes, MOST_NAME_BYTES));
      }
    }

    String path(Path path) {
      List<String> segments = path.segments();
      String joined = name(segments.get(0));
      for (int i = 1; i < segments.size(); i++) {
        joined += "." + name(segments.get(i));
      }
      return joined;
    }

    String value(AttributeValue value) {
      int known = values.indexOf(value);
      if (known < 0) {
        values.add(value);
      }
      return valueAt(known < 0 ? values.size() - 1 : known);
    }

    /** Placeholders of the caller's own expressions, as far as those use them. */
    void given(Map<String, String> ownNames, Map<String, AttributeValue> ownValues) {
      givenNames = ownNames;
      givenValues = ownValues;
    }

    /** The names behind the placeholders. */
    Map<String, String> names() {
      Map<String, String> all = new HashMap<>(givenNames);
      for (int i = 0; i < names.size(); i++) {
        all.put(nameAt(i), names.get(i));
      }
      return all;
    }

    /** The values behind the placeholders. */
    Map<String, AttributeValue> values() {
      Map<String, AttributeValue> all = new HashMap<>(givenValues);
      for (int i = 0; i < values.size(); i++) {
        all.put(valueAt(i), values.get(i));
      }
      return all;
    }
  }
}
