package dev.tidemark.mongodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.UnfitChangeException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.bson.BsonBinary;
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
  private static final int MOST_PROVEN = 1_000;

  private final MappedClass owner;
  private final Codec<?> codec;
  private final CodecRegistry registry;
  private final boolean canProve;
  private final Set<String> proven = ConcurrentHashMap.newKeySet();

  /**
   * The values of a class.
   *
   * @param codec by which the driver maps it
   */
  PropertyValues(MappedClass owner, Codec<?> codec, CodecRegistry registry) {
    this.owner = owner;
    this.codec = codec;
    this.registry = registry;
    this.canProve = isCustomized(codec) && readsNothing(codec);
  }

  /** Whether the codec may store a property in another way than its type tells. */
  private static boolean isCustomized(Codec<?> codec) {
    String name = codec.getClass().getName();
    return name.startsWith("org.bson.codecs.pojo.") || !name.startsWith("org.bson.codecs.");
  }

  private static boolean readsNothing(Codec<?> codec) {
    try {
      return Values.read(new BsonDocument(), codec) != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** What the class has at a path; null where it does not tell. */
  @Nullable PropertyType at(Path path) {
    PropertyType type = owner.member(path.segments().get(0));
    for (int i = 1; type != null && i < path.segments().size(); i++) {
      type = type.member(path.segments().get(i));
    }
    return type;
  }

  /** What an operation gives: one value, or an array of elements. */
  BsonValue given(Operation operation) {
    Path path = operation.path();
    return switch (operation.kind()) {
      case ASSIGN, ASSIGN_IF_ABSENT ->
          proven(path, convert(path, operation.value(), PropertyType::stored));
      case INCREASE -> proven(path, amount(path, operation.amount()));
      case APPEND_ALL, ADD_ALL, REMOVE_ALL, REMOVE ->
          convert(path, operation.elements(), PropertyType::elements);
    };
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

  /** The same of a value that a caller gave as BSON, which has to be what the codec reads. */
  void check(Operation operation) {
    if (operation.kind() == Operation.Kind.REMOVE) {
      return;
    }
    BsonValue given = given(operation);
    if (operation.value() instanceof BsonValue) {
      convert(operation.path(), given, PropertyType::checked);
    }
  }

  /** Checks the values that a condition compares with. */
  void check(Condition condition) {
    if (condition instanceof Condition.Joined joined) {
      joined.parts().forEach(this::check);
    } else if (condition instanceof Condition.Test test) {
      compared(test);
    }
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
      case CONTAINS -> Values.equals(convert(path, test.value(), PropertyType::element));
      case LESS, AT_MOST, GREATER, AT_LEAST -> List.of(compared(path, test.value()));
      case EXISTS, SIZE_BELOW, OF_KIND -> List.of();
    };
  }

  private BsonValue compared(Path path, Object value) {
    BsonValue compared = convert(path, value, PropertyType::compared);
    return compared.isNumber() ? compared : proven(path, compared);
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
      return proven(path, convert(path, value, PropertyType::key));
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
  private BsonValue proven(Path path, BsonValue value) {
    String name = path.segments().get(0);
    String asked = name + ' ' + value.getBsonType();
    if (!canProve || path.segments().size() > 1 || proven.contains(asked)) {
      return value;
    }
    BsonValue again;
    try {
      again = Values.written(Values.read(new BsonDocument(name, value), any()), any()).get(name);
    } catch (RuntimeException e) {
      if (isOfType(e)) {
        throw unfit(false, path, notRead(value), Faults.silent(e));
      }
      return value; // the class asks for more than one property
    }
    if (again != null && !again.isNull() && !Values.contains(again, value)) {
      throw unfit(false, path, notRead(value), new IllegalArgumentException("another form"));
    }
    if (proven.size() < MOST_PROVEN && !name.equals("_id")) {
      proven.add(asked);
    }
    return value;
  }

  private static String notRead(BsonValue value) {
    return "is stored in another form by the codec of its class, which does not read a value of type "
        + value.getBsonType();
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
