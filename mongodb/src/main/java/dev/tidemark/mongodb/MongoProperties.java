package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Key;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Names;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What a change may name and set, checked before anything is sent: the properties of a POJO or a
 * record, or any field where the class says nothing.
 */
final class MongoProperties {
  private final String owner;
  private final Map<String, Class<?>> types;
  private final Names names;
  private final @Nullable String idProperty;

  private MongoProperties(
      String owner, Map<String, Class<?>> types, Names names, @Nullable String idProperty) {
    this.idProperty = idProperty;
    this.owner = owner;
    this.types = types;
    this.names = names;
  }

  /**
   * The properties of a class.
   *
   * @throws IllegalArgumentException if one has a name that tracking owns
   */
  static MongoProperties of(Class<?> type, Codec<?> codec, Names names) {
    Map<String, Class<?>> types = new TreeMap<>(MongoReflection.properties(type, codec));
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
    return new MongoProperties(
        type.getSimpleName(), types, names, MongoReflection.idProperty(type, codec));
  }

  /**
   * Checks a change.
   *
   * @throws IllegalArgumentException if it touches the key or what tracking owns, or sets a value
   *     of another type than a mapped property's; fields that are not mapped may be anything
   */
  void check(Change change, Key key, CodecRegistry registry) {
    for (Operation operation : change.operations()) {
      Path path = MongoNames.check(operation.path());
      String name = path.segments().get(0);
      if (name.equals(idProperty)) {
        throw new IllegalArgumentException("property '" + name + "' is the key");
      }
      requireChangeable(name, key);
      checkValues(operation, registry);
    }
    change.condition().ifPresent(MongoProperties::check);
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
    if (MongoKeys.owns(key, field)) {
      throw new IllegalArgumentException("field '" + shown(field) + "' is part of the key");
    }
  }

  private static String shown(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64) + "…";
  }

  private static void check(Condition condition) {
    if (condition instanceof Condition.And and) {
      and.all().forEach(MongoProperties::check);
    } else if (condition instanceof Condition.Or or) {
      or.any().forEach(MongoProperties::check);
    } else if (condition instanceof Condition.Not not) {
      check(not.condition());
    } else {
      MongoNames.check(MongoConditions.path(condition));
    }
  }

  private void checkValues(Operation operation, CodecRegistry registry) {
    Path path = operation.path();
    Class<?> type = types.get(path.segments().get(0));
    if (type == null) {
      return;
    }
    MongoType expected = MongoType.of(type);
    if (path.segments().size() > 1) {
      require(expected.isDocument(), path, "is " + expected.shown() + ", which has no members");
      return;
    }
    if (operation instanceof Operation.Assign assign) {
      require(expected, path, MongoValues.encode(assign.value(), registry));
    } else if (operation instanceof Operation.AssignIfAbsent assign) {
      require(expected, path, MongoValues.encode(assign.value(), registry));
    } else if (operation instanceof Operation.Increase increase) {
      require(expected, path, MongoValues.encode(increase.amount(), registry));
      boolean whole = Evaluator.exact(increase.amount()).stripTrailingZeros().scale() <= 0;
      require(!expected.isWhole() || whole, path, "is a whole number, the amount is not");
    } else if (!(operation instanceof Operation.Remove)) {
      require(expected.takes(BsonType.ARRAY), path, "is " + expected.shown() + ", not an array");
      boolean list = operation instanceof Operation.AppendAll;
      boolean other = list ? Set.class.isAssignableFrom(type) : List.class.isAssignableFrom(type);
      require(!other, path, list ? "is a set, to which nothing is appended" : "is a list, no set");
    }
  }

  private void require(MongoType expected, Path path, BsonValue value) {
    require(
        expected.takes(value.getBsonType()),
        path,
        "is " + expected.shown() + ", the value is of type " + value.getBsonType());
  }

  private void require(boolean truth, Path path, String otherwise) {
    if (!truth) {
      throw new IllegalArgumentException("property '" + path + "' of " + owner + " " + otherwise);
    }
  }
}
