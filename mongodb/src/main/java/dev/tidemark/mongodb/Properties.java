package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.UnfitChangeException;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a change may name and set, checked before anything is sent: the properties of a POJO or a
 * record, or any field where the class says nothing.
 */
final class Properties {
  private static final int DEEPEST = 40;

  private final MappedClass owner;
  private final Names names;
  private final PropertyValues values;

  /**
   * The properties of a class.
   *
   * @throws IllegalArgumentException if one has a name that tracking owns
   */
  Properties(MappedClass owner, PropertyValues values, Names names) {
    this.owner = owner;
    this.values = values;
    this.names = names;
    for (String name : owner.stored()) {
      if (names.owns(name)) {
        throw new IllegalArgumentException(
            "property '%s' of %s has a name that tracking owns; choose other AttributeNames"
                .formatted(name, owner.name()));
      }
    }
  }

  /**
   * Checks a change.
   *
   * @param id the fields of the key
   * @throws IllegalArgumentException if it touches the key or what tracking owns, or sets a value
   *     of another type than a mapped property's; fields that are not mapped may be anything
   */
  void check(Change change, EntityKey key, BsonDocument id) {
    for (Operation operation : change.operations()) {
      Path path = checkPath(operation.path());
      String name = path.segments().get(0);
      if (owner.isKey(name)) {
        throw new IllegalArgumentException("property '" + name + "' is the key");
      }
      requireChangeable(name, key);
      owner.check(path);
      values.check(operation, id);
      requireParts(change, operation);
    }
    change.condition().ifPresent(condition -> check(condition, id));
    if (mayCreate(change)) {
      Set<String> fields = new HashSet<>(inside(List.of(), given(change)));
      owner.discriminator().ifPresent(fields::add); // which is tried on what the change makes
      requireWhole(owner, fields);
    }
  }

  /** Whether a change creates an entity where there is none, of which its rule may be false. */
  boolean mayCreate(Change change) {
    Condition rule = change.condition().orElse(Condition.always());
    return change.rules().creates() && new ReadRule(new BsonDocument(), values).isTrue(rule);
  }

  /**
   * The same change, which names the class of what it creates, as a class with subclasses needs.
   */
  Change naming(Change change) {
    boolean makes = change.rules().creates() && !change.operations().isEmpty();
    return owner
        .ownName()
        .filter(name -> makes && !touches(change, name.getKey()))
        .map(name -> change.setIfAbsent(Path.of(name.getKey()), name.getValue()))
        .orElse(change);
  }

  private static boolean touches(Change change, String name) {
    return change.operations().stream()
        .anyMatch(operation -> operation.path().segments().get(0).equals(name));
  }

  /**
   * The same of operators.
   *
   * @param touched the top-level fields that they change
   */
  void name(BsonDocument operators, Set<String> touched) {
    owner
        .ownName()
        .filter(name -> !touched.contains(name.getKey()))
        .ifPresent(
            name ->
                operators
                    .computeIfAbsent("$setOnInsert", none -> new BsonDocument())
                    .asDocument()
                    .put(name.getKey(), new BsonString(name.getValue())));
  }

  private void check(Condition condition, BsonDocument id) {
    for (Path path : Evaluator.paths(condition)) {
      checkPath(path);
      if (names.owns(path.segments().get(0))) {
        throw new UnfitChangeException(
            "attribute '%s' is owned by tracking, so that no condition asks for it"
                .formatted(shown(path.toString())));
      }
      if (owner.isMarks(path.segments().get(0))) {
        throw new UnfitChangeException(
            "property '%s' of %s has all marks, which are not stored there, so that no condition asks for it"
                .formatted(path.segments().get(0), owner.name()));
      }
      owner.check(path);
    }
    values.check(condition, id);
  }

  private static Path checkPath(Path path) {
    path.segments().forEach(Properties::checkName);
    if (path.segments().size() > DEEPEST) {
      throw refused(path.toString(), "must not lead deeper than " + DEEPEST + " levels");
    }
    return path;
  }

  /**
   * Checks a name, which must be read neither as a path nor as an operator.
   *
   * @throws IllegalArgumentException if it could be
   */
  static String checkName(String name) {
    if (name.isEmpty() || name.startsWith("$") || name.indexOf('.') >= 0) {
      throw refused(name, "must not be empty, have a dot or start with a dollar");
    }
    return checkNameInValue(name);
  }

  /** Checks a name inside a value: never a path or an operator, so only a NUL does not do. */
  static String checkNameInValue(String name) {
    if (name.indexOf('\0') >= 0) {
      throw refused(name, "must not have a NUL");
    }
    return name;
  }

  private static IllegalArgumentException refused(String name, String why) {
    return new IllegalArgumentException("field name '" + shown(name) + "' " + why + " on MongoDB");
  }

  private static String shown(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64) + "…";
  }

  /** The paths of what a change gives. */
  private static Set<List<String>> given(Change change) {
    return change.operations().stream()
        .filter(operation -> operation.kind() != Operation.Kind.REMOVE)
        .map(operation -> operation.path().segments())
        .collect(Collectors.toSet());
  }

  /** The names inside a parent to which paths lead. */
  private static Set<String> inside(List<String> parent, Set<List<String>> paths) {
    int depth = parent.size();
    return paths.stream()
        .filter(path -> path.size() > depth && path.subList(0, depth).equals(parent))
        .map(path -> path.get(depth))
        .collect(Collectors.toSet());
  }

  /** Checks that parts which an operation makes, or takes something from, could be read back. */
  private void requireParts(Change change, Operation operation) {
    if (operation.kind() == Operation.Kind.REMOVE) {
      requireLess(operation.path().segments());
    }
    if (operation.createsParents()) {
      for (Path parent : Expressions.parents(operation.path())) {
        MappedClass part = classAt(parent.segments());
        if (part != null) {
          requireWhole(part, inside(parent.segments(), given(change)));
        }
      }
    }
  }

  /**
   * Checks that an entity could be read back without a field.
   *
   * @throws IllegalArgumentException if its class cannot do without
   */
  void requireLess(List<String> path) {
    MappedClass part = classAt(path.subList(0, path.size() - 1));
    if (part != null && part.required().contains(path.get(path.size() - 1))) {
      throw new UnfitChangeException(
          "attribute '%s' of %s %s: without it the entity could not be read back"
              .formatted(
                  shown(String.join(".", path)),
                  owner.name(),
                  part.whyRequired(path.get(path.size() - 1))));
    }
  }

  /**
   * The documents that have to be there, since operators would make them where they are missing so
   * that their classes could not read them.
   *
   * @param led the paths on which operators make documents
   * @param made the paths of what they give
   */
  Set<Path> requiredParts(Set<List<String>> led, Set<List<String>> made) {
    Set<Path> parts = new HashSet<>();
    for (List<String> path : led) {
      for (int depth = 1; depth < path.size(); depth++) {
        List<String> parent = path.subList(0, depth);
        MappedClass part = classAt(parent);
        if (part != null && !inside(parent, made).containsAll(part.required())) {
          parts.add(new Path(parent));
        }
      }
    }
    return parts;
  }

  /**
   * Checks that an entity made by operators could be read back.
   *
   * @param led the paths on which operators make documents
   * @param made the paths of what they give
   * @throws IllegalArgumentException if it, or a part of it, lacks something
   */
  void requireWhole(Set<List<String>> led, Set<List<String>> made) {
    requireWhole(owner, inside(List.of(), made));
    for (Path part : requiredParts(led, made)) {
      MappedClass lacking = Objects.requireNonNull(classAt(part.segments()));
      requireWhole(lacking, inside(part.segments(), made));
    }
  }

  private @Nullable MappedClass classAt(List<String> path) {
    boolean named = !path.isEmpty() && !path.contains("");
    PropertyType type = named ? values.at(new Path(path)) : null;
    return path.isEmpty() ? owner : type == null ? null : type.members();
  }

  /** Checks that a document made of some fields could be read back. */
  private static void requireWhole(MappedClass made, Set<String> fields) {
    for (String name : made.required()) {
      if (!fields.contains(name)) {
        throw new UnfitChangeException(
            ("a change that may create an entity of %s has to set '%s', which %s: without it the"
                    + " entity could not be read back%s")
                .formatted(made.name(), name, made.whyRequired(name), made.hintRequired(name)));
      }
    }
  }

  /**
   * Checks the name of a top-level field.
   *
   * @throws IllegalArgumentException if tracking or the key owns it
   */
  void requireChangeable(String field, EntityKey key) {
    if (names.owns(field) || owner.isMarks(field)) {
      throw new IllegalArgumentException("field '" + shown(field) + "' is owned by tracking");
    }
    if (Mapping.isOfKey(key, field)) {
      throw new IllegalArgumentException("field '" + shown(field) + "' is part of the key");
    }
  }

  /** The highest number that a property holds; null where any can stand there that is stored. */
  @Nullable Number most(Path path) {
    PropertyType type = values.at(path);
    return type == null ? null : type.most();
  }

  /** Whether a property has room for a sum. */
  boolean holds(Path path, @Nullable Object sum) {
    Number most = most(path);
    if (most == null || !(sum instanceof Number number)) {
      return true;
    }
    BigDecimal exact = Evaluator.exact(number);
    return exact.compareTo(Evaluator.exact(most)) <= 0
        && exact.compareTo(Evaluator.exact(NumberClass.least(most))) >= 0;
  }

  /** What of a document the class cannot hold, as far as its properties tell. */
  Optional<String> unreadable(BsonDocument document) {
    for (String name : owner.required()) {
      if (!document.containsKey(name)) {
        return Optional.of(
            ": field '%s' is missing, which %s".formatted(name, owner.whyRequired(name)));
      }
    }
    for (String name : owner.stored()) {
      BsonValue value = document.get(name, BsonNull.VALUE);
      PropertyType type = values.at(Path.of(name));
      if (!value.isNull() && type != null && !type.reads(value)) {
        return Optional.of(misfit(name, value));
      }
    }
    return Optional.empty();
  }

  /** Names a field and its type, never its value. */
  static String misfit(String name, @Nullable BsonValue value) {
    String type = value == null ? "nothing" : value.getBsonType().toString();
    return ": field '" + shown(name) + "' does not fit, which is stored as " + type;
  }
}
