package dev.tidemark.mongodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.UnfitChangeException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * How the values of keys, changes and conditions are stored: as the codec of the entity's class
 * stores them at the same path, so that {@code update}, {@code find} and {@code apply} agree. The
 * one place that knows; whoever renders a value asks it. Safe for use by several threads.
 */
final class PropertyValues {
  private static final String UNTRIED =
      "cannot be tried, since the codec of its class does not read a document of the key and this"
          + " value alone: let it, use apply(), or build the store with unmappedAttributes()";

  private static final String NEVER_EQUAL =
      "is stored by a codec that writes another form of the same value each time, as one that"
          + " encrypts, so that a condition on it is never true; decide in a function, or compare a"
          + " keyed hash that is stored beside it";

  private final MappedClass owner;
  private final Codec<?> codec;
  private final CodecRegistry registry;

  /** Whether the codec is the user's own, of which nothing else is known. */
  private final boolean isOwn;

  /** Whether it reads a document without anything, as that of no abstract class does. */
  private final boolean readsNothing;

  private final boolean asksForMore;

  /**
   * The values of a class.
   *
   * @param codec by which the driver maps it
   */
  PropertyValues(MappedClass owner, Codec<?> codec, CodecRegistry registry) {
    this.owner = owner;
    this.codec = codec;
    this.registry = registry;
    this.isOwn = !Values.isDrivers(codec);
    this.readsNothing = (isOwn || DriverModel.has(codec)) && reads(new BsonDocument());
    this.asksForMore =
        (isOwn || DriverModel.has(codec))
            ? !readsNothing || owner.hasCreator()
            : MappedClass.isMapped(codec) && !reads(owner.least());
  }

  private boolean reads(BsonDocument document) {
    try {
      return Values.written(Values.read(document, any()), any()) != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Whether an entity that a change makes may be one that the codec does not read. */
  boolean asksForMore() {
    return asksForMore;
  }

  /** What the class has at a path; null where it does not tell. */
  @Nullable PropertyType at(Path path) {
    PropertyType type = owner.member(path.segments().get(0));
    for (int i = 1; type != null && i < path.segments().size(); i++) {
      type = type.member(path.segments().get(i));
    }
    return type == null || type.isGeneric() ? null : type;
  }

  /** What an operation gives: one value, or an array of elements. */
  BsonValue given(Operation operation) {
    Path path = operation.path();
    return switch (operation.kind()) {
      case ASSIGN, ASSIGN_IF_ABSENT -> convert(path, operation.value(), PropertyType::stored);
      case INCREASE -> amount(path, operation.amount());
      case ADD_ALL -> distinct(convert(path, operation.elements(), PropertyType::elements));
      case APPEND_ALL, REMOVE_ALL, REMOVE ->
          convert(path, operation.elements(), PropertyType::elements);
    };
  }

  /** Elements of which no two are stored as one, as times may be that differ by less. */
  private static BsonArray distinct(BsonValue elements) {
    Set<Object> known = new HashSet<>();
    return new BsonArray(
        elements.asArray().stream().filter(one -> known.add(ReadRule.identity(one))).toList());
  }

  /** Whole amounts have 64 bits, so that sums do, unless the class has fewer. */
  private BsonValue amount(Path path, Number amount) {
    BsonValue value = convert(path, amount, PropertyType::amount);
    return value.isInt32() && at(path) == null ? new BsonInt64(value.asInt32().getValue()) : value;
  }

  /** What a missing number counts as. */
  BsonValue zero(Operation increase) {
    return given(increase).isInt32() ? new BsonInt32(0) : new BsonInt64(0);
  }

  /**
   * Checks what an operation gives, and that the class's codec reads it as what it is.
   *
   * @param key the fields of the entity's key
   */
  void check(Operation operation, BsonDocument key) {
    if (operation.kind() == Operation.Kind.REMOVE) {
      if (isOwn && !owner.hasUnmapped() && !reads(key)) {
        throw unfit(false, operation.path(), UNTRIED, new IllegalArgumentException());
      }
      return;
    }
    BsonValue given = given(operation);
    if (operation.value() instanceof BsonValue) {
      convert(operation.path(), given, PropertyType::checked);
    }
    prove(operation.path(), given, key);
  }

  /** The same of the values that a condition compares with; numbers of any form are compared. */
  void check(Condition condition, BsonDocument key) {
    if (condition instanceof Condition.Joined joined) {
      joined.parts().forEach(part -> check(part, key));
    } else if (condition instanceof Condition.Test test) {
      if (!compared(test).equals(compared(test))) {
        throw unfit(false, test.path(), NEVER_EQUAL, new IllegalArgumentException());
      }
      operands(test).stream()
          .map(value -> bound(test.path(), value)) // which compared() has let pass
          .filter(value -> !value.isNumber())
          .forEach(value -> prove(test.path(), value, key));
    }
  }

  private static Collection<?> operands(Condition.Test test) {
    return switch (test.operator()) {
      case IN -> test.values();
      case EQUAL, LESS, AT_MOST, GREATER, AT_LEAST -> List.of(test.value());
      case CONTAINS, EXISTS, SIZE_BELOW, OF_KIND -> List.of();
    };
  }

  /** The values of a test, in the forms in which they may be stored; none if it has no values. */
  List<BsonValue> compared(Condition.Test test) {
    Path path = test.path();
    return switch (test.operator()) {
      case EQUAL -> Values.equals(compared(path, test.value()));
      case IN ->
          test.values().stream()
              .flatMap(value -> Values.equals(compared(path, value)).stream())
              .toList();
      case CONTAINS -> {
        requireKept(path, test.value());
        yield Values.equals(convert(path, test.value(), PropertyType::element));
      }
      case LESS, AT_MOST, GREATER, AT_LEAST -> List.of(ordered(test));
      case EXISTS, SIZE_BELOW, OF_KIND -> List.of();
    };
  }

  private BsonValue compared(Path path, Object value) {
    requireKept(path, value);
    return bound(path, value);
  }

  /** Refuses a time of which less is stored: it would be taken for another that is stored alike. */
  private void requireKept(Path path, Object value) {
    if (isCut(at(path), value)) {
      throw unfit(
          at(path) == null,
          path,
          "is given a %s with more than MongoDB keeps of it: times have milliseconds; truncatedTo(ChronoUnit.MILLIS) gives them"
              .formatted(value.getClass().getSimpleName()),
          new IllegalArgumentException());
    }
  }

  private boolean isCut(@Nullable PropertyType type, Object value) {
    return (type == null || type.isDrivers()) && FineTimes.in(value, registry);
  }

  /**
   * The bound of a condition of order. A time that is finer than what is stored lies between two
   * stored ones: where the condition is false of the one before it, the bound is the one behind.
   */
  private BsonValue ordered(Condition.Test test) {
    Path path = test.path();
    PropertyType type = at(path);
    BsonValue stored = bound(path, test.value());
    String wrong = StoredOrder.wrong(test.value(), stored, type == null || type.isText());
    if (wrong != null) {
      throw unfit(type == null, path, wrong, new IllegalArgumentException());
    }
    boolean isBehind =
        test.operator() == Condition.Operator.LESS
            || test.operator() == Condition.Operator.AT_LEAST;
    return isBehind && stored instanceof BsonDateTime time && isCut(type, test.value())
        ? new BsonDateTime(time.getValue() + 1)
        : stored;
  }

  /** What is stored of a bound, of a time without the rest. */
  private BsonValue bound(Path path, Object value) {
    return convert(path, value, PropertyType::compared);
  }

  /**
   * A value of the key. A UUID of which class and client say nothing has the standard form, in
   * which a document keeps it.
   */
  BsonValue key(Path path, Object value) {
    try {
      if (value instanceof java.util.UUID uuid && at(path) == null) {
        return Values.encodeOr(uuid, new BsonBinary(uuid), registry);
      }
      requireKept(path, value);
      BsonValue key =
          value instanceof BsonValue ready
              ? convert(path, ready, PropertyType::checked)
              : convert(path, value, PropertyType::stored);
      if (readsNothing && path.segments().size() == 1) {
        prove(path, key, new BsonDocument());
      }
      return key;
    } catch (UnfitChangeException e) {
      throw new UnfitChangeException("key: " + e.getMessage(), e);
    }
  }

  /** A value that came of what is stored; what the class would not read stays as it is. */
  BsonValue evaluated(Path path, Object value) {
    try {
      return convert(path, value, PropertyType::stored);
    } catch (UnfitChangeException e) {
      return Values.encode(value, registry);
    }
  }

  private <V> BsonValue convert(
      Path path, V value, BiFunction<PropertyType, V, BsonValue> conversion) {
    PropertyType type = at(path);
    try {
      return type == null ? Values.encode(value, registry) : conversion.apply(type, value);
    } catch (UnfitChangeException e) {
      throw unfit(type == null, path, e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("attribute '" + path + "' " + e.getMessage(), e);
    }
  }

  private UnfitChangeException unfit(
      boolean isOpen, Path path, @Nullable String why, Throwable cause) {
    String place =
        isOpen
            ? "attribute '%s'".formatted(path)
            : "property '%s' of %s".formatted(path, owner.name());
    return new UnfitChangeException(place + " " + why, cause);
  }

  /**
   * Asks the class's own codec, where providers, conventions or the user's code may store a
   * property otherwise than its type tells.
   */
  private void prove(Path path, BsonValue value, BsonDocument key) {
    if ((readsNothing || isOwn) && !isRead(path, value, key)) {
      boolean tried = reads(key);
      if (tried || !owner.hasUnmapped()) {
        throw unfit(false, path, tried ? notRead(value) : UNTRIED, new IllegalArgumentException());
      }
    }
  }

  /** Whether an entity with nothing but a key and a value is stored as it is read. */
  private boolean isRead(Path path, BsonValue value, BsonDocument key) {
    BsonValue nested = value;
    for (int i = path.segments().size() - 1; i > 0; i--) {
      nested = new BsonDocument(path.segments().get(i), nested);
    }
    BsonDocument alone = key.clone().append(path.segments().get(0), nested);
    try {
      Object entity = Values.read(alone, any());
      BsonValue again = Values.at(Values.written(entity, any()), path);
      PropertyType type = at(path);
      Object found = type == null ? null : owner.find(entity, path);
      if (again == null || again.isNull()) {
        return !isOwn || owner.hasUnmapped() || alone.size() == 1;
      }
      boolean isSame =
          Values.contains(again, value)
              && (type == null || found == null || Values.contains(type.stored(found), value));
      return isSame || isAnotherFormOf(entity, again, path);
    } catch (RuntimeException e) { // the class, or that of its parent, may ask for others too
      return !isOwn && (path.segments().size() > 1 || isOfMissing(e)) && !isOfType(e);
    }
  }

  /**
   * Whether a codec writes another form of a value each time, as one that encrypts, and reads it.
   */
  private boolean isAnotherFormOf(Object entity, BsonValue written, Path path) {
    BsonDocument again = Values.written(entity, any());
    Path property = Path.of(path.segments().get(0));
    Object found = owner.find(entity, property);
    return found != null
        && !written.equals(Values.at(again, path))
        && found.equals(owner.find(Values.read(again, any()), property));
  }

  /**
   * What is stored of a value that a function gave back: the form before it, where the codec writes
   * another one each time, as one that encrypts, and the value is the same.
   */
  BsonValue unlessSame(String name, @Nullable BsonValue before, BsonValue after) {
    PropertyType type = before == null || before.equals(after) ? null : at(Path.of(name));
    return before != null && type != null && type.isAnotherForm(before, after) ? before : after;
  }

  private static String notRead(BsonValue value) {
    return "is stored in another form by the codec of its class, which does not read a value of"
        + " type "
        + value.getBsonType();
  }

  /**
   * Whether a creator throws where it is not given all of its properties, as the driver says it.
   */
  private static boolean isOfMissing(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (String.valueOf(e.getMessage()).contains("Missing the following properties")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfType(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof BsonInvalidOperationException) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("unchecked")
  private Codec<Object> any() {
    return (Codec<Object>) codec;
  }
}
