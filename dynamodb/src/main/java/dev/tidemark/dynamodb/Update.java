package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
    if (required instanceof Condition.Joined joined && joined.join() == Condition.Join.AND) {
      joined.parts().forEach(part -> require(part, conditions)); // without parentheses
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

  /** Requires a map, which has an own type only here. */
  void requireMap(Path path) {
    require(isOfType(path, "M"));
  }

  void requireNotNull(Path path) {
    require("NOT " + isOfType(path, "NULL"));
  }

  private String isOfType(Path path, String type) {
    String value = aliases.value(AttributeValue.fromS(type));
    return "attribute_type(" + aliases.path(path) + ", " + value + ")";
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
    private static final List<String> NAMES = numbered("#");

    private static final List<String> VALUES = numbered(":");

    private final String prefix;
    private final List<String> names = new ArrayList<>();
    private final List<AttributeValue> values = new ArrayList<>();
    private Map<String, String> givenNames = Map.of();
    private Map<String, AttributeValue> givenValues = Map.of();

    /** Placeholders that start with a prefix: {@code #p0}, {@code :p0}. */
    Aliases(String prefix) {
      this.prefix = prefix;
    }

    private static List<String> numbered(String mark) {
      return IntStream.range(0, 32).mapToObj(number -> mark + Expressions.PREFIX + number).toList();
    }

    private String alias(List<String> usual, int number) {
      return number < usual.size() && prefix.equals(Expressions.PREFIX)
          ? usual.get(number)
          : usual.get(0).charAt(0) + prefix + number;
    }

    String name(String attribute) {
      int bytes = Values.utf8Length(attribute);
      if (bytes > MOST_NAME_BYTES) {
        throw new IllegalArgumentException(
            "attribute name '%s…' has %d bytes, DynamoDB takes %d"
                .formatted(attribute.substring(0, 64), bytes, MOST_NAME_BYTES));
      }
      return alias(NAMES, placeOf(attribute, names));
    }

    /** Where something stands among others, at whose end it is put if it is not there. */
    private static <V> int placeOf(V one, List<V> others) {
      int known = others.indexOf(one);
      if (known < 0) {
        others.add(one);
      }
      return known < 0 ? others.size() - 1 : known;
    }

    String path(Path path) {
      List<String> segments = path.segments();
      return segments.size() == 1
          ? name(segments.get(0))
          : segments.stream().map(this::name).collect(Collectors.joining("."));
    }

    String value(AttributeValue value) {
      return alias(VALUES, placeOf(value, values));
    }

    /** Placeholders of the caller's own expressions, as far as those use them. */
    void given(Map<String, String> ownNames, Map<String, AttributeValue> ownValues) {
      givenNames = ownNames;
      givenValues = ownValues;
    }

    /** The names behind the placeholders. */
    Map<String, String> names() {
      return behind(NAMES, givenNames, names);
    }

    /** The values behind the placeholders. */
    Map<String, AttributeValue> values() {
      return behind(VALUES, givenValues, values);
    }

    private <V> Map<String, V> behind(List<String> usual, Map<String, V> given, List<V> own) {
      Map<String, V> all = new HashMap<>(given);
      for (int i = 0; i < own.size(); i++) {
        all.put(alias(usual, i), own.get(i));
      }
      return all;
    }
  }
}
