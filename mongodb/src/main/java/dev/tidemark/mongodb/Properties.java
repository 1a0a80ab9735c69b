package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Key;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Names;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What a change may name and set, checked before anything is sent: the properties of a POJO or a
 * record, or any field where the class says nothing.
 */
final class Properties {
  private static final Operation.Cases<Collection<?>> GIVEN =
      new Operation.Cases<>(
          assign -> List.of(assign.value()),
          assign -> List.of(assign.value()),
          increase -> List.of(increase.amount()),
          Operation.AppendAll::elements,
          Operation.AddAll::elements,
          Operation.RemoveAll::elements,
          remove -> List.of());

  private final String owner;
  private final Map<String, Class<?>> types;
  private final Names names;
  private final @Nullable String idProperty;
  private final Set<String> required;
  private final Numbers numbers;
  private final MappedNames mapped;

  private Properties(
      String owner,
      Map<String, Class<?>> types,
      Names names,
      @Nullable String idProperty,
      Set<String> required,
      Numbers numbers,
      MappedNames mapped) {
    this.idProperty = idProperty;
    this.required = required;
    this.numbers = numbers;
    this.mapped = mapped;
    this.owner = owner;
    this.types = types;
    this.names = names;
  }

  /**
   * The properties of a class.
   *
   * @throws IllegalArgumentException if one has a name that tracking owns
   */
  static Properties of(
      Class<?> type, Codec<?> codec, CodecRegistry registry, Names names, boolean unmappedToo) {
    Map<String, Class<?>> types = new TreeMap<>(Reflection.properties(type, codec));
    for (String name : types.keySet()) {
      if (names.owns(name)) {
        throw new IllegalArgumentException(
            "property '"
                + name
                + "' of "
                + type.getName()
                + " has a name that tracking owns; choose other AttributeNames");
      }
    }
    return new Properties(
        type.getSimpleName(),
        types,
        names,
        Reflection.idProperty(type, codec),
        Reflection.required(type, codec),
        new Numbers(registry),
        MappedNames.of(type, codec, unmappedToo));
  }

  /**
   * Checks a change.
   *
   * @throws IllegalArgumentException if it touches the key or what tracking owns, or sets a value
   *     of another type than a mapped property's; fields that are not mapped may be anything
   */
  void check(Change change, Key key, CodecRegistry registry) {
    for (Operation operation : change.operations()) {
      Path path = FieldNames.check(operation.path());
      String name = path.segments().get(0);
      if (name.equals(idProperty)) {
        throw new IllegalArgumentException("property '" + name + "' is the key");
      }
      requireChangeable(name, key);
      mapped.check(path);
      checkValues(operation, registry);
    }
    change.condition().ifPresent(this::check);
    if (change.rules().creates() && !required.isEmpty()) {
      requireWhole(
          change.operations().stream()
              .filter(operation -> !(operation instanceof Operation.Remove))
              .map(operation -> operation.path().segments().get(0))
              .toList());
    }
  }

  /**
   * Checks that a document made of some fields could be read back.
   *
   * @throws IllegalArgumentException if one is missing that the class cannot do without
   */
  void requireWhole(Collection<String> fields) {
    for (String name : required) {
      if (!fields.contains(name)) {
        throw new IllegalArgumentException(
            "a change that may create an entity of "
                + owner
                + " has to set '"
                + name
                + "', which is of a primitive type: without it the entity could not be read back;"
                + " or give the component a type that can be null");
      }
    }
  }

  /** The highest whole number that a property holds; null where others can stand there too. */
  @Nullable Long highest(Path path) {
    Class<?> type = path.segments().size() > 1 ? null : types.get(path.segments().get(0));
    return type == null ? null : PropertyType.highest(type);
  }

  /** Whether a property has room for a sum. */
  boolean holds(Path path, @Nullable Object sum) {
    Long highest = highest(path);
    if (highest == null || !(sum instanceof Number number)) {
      return true;
    }
    BigDecimal exact = Evaluator.exact(number);
    return exact.compareTo(BigDecimal.valueOf(highest)) <= 0
        && exact.compareTo(BigDecimal.valueOf(-highest - 1)) >= 0;
  }

  /** What of a document the class cannot hold, as far as its properties tell. */
  Optional<String> unreadable(BsonDocument document) {
    for (String name : required) {
      if (!document.containsKey(name)) {
        return Optional.of(": field '" + name + "' is missing, which is of a primitive type");
      }
    }
    for (Map.Entry<String, Class<?>> property : types.entrySet()) {
      BsonValue value = document.get(property.getKey(), BsonNull.VALUE);
      boolean known = !value.isNull() && PropertyType.of(property.getValue()) != PropertyType.OTHER;
      if (known && !numbers.reads(property.getValue(), value)) {
        return Optional.of(misfit(property.getKey(), value));
      }
    }
    return Optional.empty();
  }

  /** Names a field and its type, never its value. */
  static String misfit(String name, @Nullable BsonValue value) {
    String type = value == null ? "nothing" : value.getBsonType().toString();
    return ": field '" + shown(name) + "' does not fit, which is stored as " + type;
  }

  /**
   * Checks the name of a top-level field.
   *
   * @throws IllegalArgumentException if tracking or the key owns it
   */
  void requireChangeable(String field, Key key) {
    if (names.owns(field)) {
      throw new IllegalArgumentException("field '" + shown(field) + "' is owned by tracking");
    }
    if (Keys.owns(key, field)) {
      throw new IllegalArgumentException("field '" + shown(field) + "' is part of the key");
    }
  }

  private static String shown(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64) + "…";
  }

  private void check(Condition condition) {
    for (Path path : Evaluator.paths(condition)) {
      FieldNames.check(path);
      if (!names.owns(path.segments().get(0))) {
        mapped.check(path);
      }
    }
  }

  /** The check of names and of the key. */
  MappedNames mapped() {
    return mapped;
  }

  private void checkValues(Operation operation, CodecRegistry registry) {
    Path path = operation.path();
    List<BsonValue> values = values(operation, registry);
    Class<?> type = types.get(path.segments().get(0));
    if (type == null) {
      return;
    }
    PropertyType expected = PropertyType.of(type);
    Optional<String> misfit =
        path.segments().size() > 1
            ? unless(expected.isDocument(), "is " + expected.shown() + ", which has no members")
            : operation.match(
                new Operation.Cases<>(
                    assign -> misfit(type, values.get(0)),
                    assign -> misfit(type, values.get(0)),
                    increase -> misfit(type, values.get(0)).or(() -> misfit(expected, increase)),
                    append -> misfit(type, Set.class, "is a set, to which nothing is appended"),
                    add -> misfit(type, List.class, "is a list, no set"),
                    remove -> misfit(type, List.class, "is a list, no set"),
                    remove -> Optional.empty()));
    if (misfit.isPresent()) {
      throw new IllegalArgumentException(
          "property '" + path + "' of " + owner + " " + misfit.get());
    }
  }

  /** What a property is, if it does not hold the value. */
  private Optional<String> misfit(Class<?> type, BsonValue value) {
    PropertyType expected = PropertyType.of(type);
    return unless(
            expected.takes(value.getBsonType()),
            "is " + expected.shown() + ", the value is of type " + value.getBsonType())
        .or(
            () ->
                unless(
                    !expected.isNumber() || numbers.reads(type, value),
                    "is a "
                        + type.getSimpleName()
                        + ", which does not hold the number or its type, "
                        + value.getBsonType()));
  }

  private static Optional<String> misfit(PropertyType expected, Operation.Increase increase) {
    boolean whole = Evaluator.exact(increase.amount()).stripTrailingZeros().scale() <= 0;
    return unless(!expected.isWhole() || whole, "is a whole number, the amount is not");
  }

  private static Optional<String> misfit(Class<?> type, Class<?> other, String isOther) {
    PropertyType expected = PropertyType.of(type);
    return unless(expected.takes(BsonType.ARRAY), "is " + expected.shown() + ", not an array")
        .or(() -> unless(!other.isAssignableFrom(type), isOther));
  }

  private static Optional<String> unless(boolean fits, String misfit) {
    return fits ? Optional.empty() : Optional.of(misfit);
  }

  /** All that an operation gives, as it would be stored. */
  private static List<BsonValue> values(Operation operation, CodecRegistry registry) {
    try {
      return operation.match(GIVEN).stream().map(value -> Values.encode(value, registry)).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "attribute '" + operation.path() + "' " + e.getMessage(), e);
    }
  }
}
