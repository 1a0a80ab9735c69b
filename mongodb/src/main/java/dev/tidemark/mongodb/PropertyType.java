package dev.tidemark.mongodb;

import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.SameValue;
import dev.tidemark.kernel.UnfitChangeException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.EnumCodec;
import org.bson.codecs.RepresentationConfigurable;
import org.bson.codecs.StringCodec;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What a class has at one place, a property, a member or an element, and the codec by which the
 * driver stores it there. A value is stored as that codec writes it; one of another class counts as
 * what the codec reads from it, if nothing is lost. Immutable.
 */
final class PropertyType {
  private final Class<?> type;
  private final List<Type> arguments;
  private final Codec<Object> codec;
  private final CodecRegistry registry;
  private final boolean isPlain;

  /** Of its elements or members, where these are all of one type. */
  private final @Nullable PropertyType inner;

  private volatile @Nullable MappedClass members;

  private PropertyType(
      Class<?> type, List<Type> arguments, Codec<?> codec, CodecRegistry registry) {
    this.type = type;
    this.arguments = arguments;
    @SuppressWarnings("unchecked")
    Codec<Object> any = (Codec<Object>) codec;
    this.codec = any;
    this.isPlain = codec instanceof StringCodec text && text.getRepresentation() == BsonType.STRING;
    this.registry = registry;
    boolean nests = isCollection() || isMap();
    this.inner = nests ? of(arguments.get(arguments.size() - 1), null, null, registry) : null;
  }

  /**
   * What stands at a place of a declared type.
   *
   * @param representation what the property's annotation asks for; null if it has none
   * @param own the codec that the property has by itself; null if it has none
   * @return null if the driver finds no codec by the type
   */
  static @Nullable PropertyType of(
      Type declared,
      @Nullable BsonType representation,
      @Nullable Codec<?> own,
      CodecRegistry registry) {
    Type raw = declared instanceof ParameterizedType some ? some.getRawType() : declared;
    if (!(raw instanceof Class<?> unboxed)) {
      return null;
    }
    Class<?> type = MappedClass.boxed(unboxed);
    List<Type> arguments =
        declared instanceof ParameterizedType some
            ? List.of(some.getActualTypeArguments())
            : List.of();
    Codec<?> codec = own == null ? codec(type, arguments, registry) : own;
    if (representation != null && own == null) {
      codec =
          codec instanceof RepresentationConfigurable<?> other
              ? other.withRepresentation(representation)
              : null;
    }
    return codec == null ? null : new PropertyType(type, arguments, codec, registry);
  }

  private static @Nullable Codec<?> codec(
      Class<?> type, List<Type> arguments, CodecRegistry registry) {
    try {
      return arguments.isEmpty() ? registry.get(type) : registry.get(type, arguments);
    } catch (CodecConfigurationException e) {
      return type.isEnum() ? ofNames(type) : null;
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the driver's own last resort
  private static Codec<?> ofNames(Class<?> type) {
    return new EnumCodec(type);
  }

  /** The value as it is stored; what is BSON already stays so. */
  BsonValue stored(Object value) {
    if (value instanceof BsonValue ready) {
      return ready;
    }
    if (isPlain && value instanceof String text) {
      return new BsonString(text);
    }
    if (inner != null && isCollection() && value instanceof Collection<?> elements) {
      return new BsonArray(elements.stream().map(inner::inside).toList());
    }
    if (inner != null && isMap() && value instanceof Map<?, ?> map) {
      return document(map, inner);
    }
    return type.isInstance(value) ? written(value) : converted(value);
  }

  /** The same of an element or a member, which may be null. */
  private BsonValue inside(@Nullable Object value) {
    if (value == null || value instanceof BsonNull) {
      return BsonNull.VALUE;
    }
    return value instanceof BsonValue ready ? checked(ready) : stored(value);
  }

  private static BsonDocument document(Map<?, ?> map, PropertyType inner) {
    BsonDocument document = new BsonDocument();
    map.forEach(
        (name, member) ->
            document.append(
                Properties.checkNameInValue(String.valueOf(name)), inner.inside(member)));
    return document;
  }

  /** The same of a value that is BSON already, if the codec reads it so. */
  BsonValue checked(BsonValue value) {
    BsonValue again = reread(value);
    if (again == null) {
      throw misfit(value);
    }
    return value;
  }

  private BsonValue written(Object value) {
    try {
      return Values.encodeBy(value, codec);
    } catch (RuntimeException e) { // whose text may show the value
      throw new UnfitChangeException(
          value instanceof UUID
              ? Values.NO_UUIDS
              : "is %s, whose codec does not store the value".formatted(shown()),
          Faults.silent(e));
    }
  }

  private BsonValue converted(Object value) {
    BsonValue neutral =
        value instanceof UUID uuid
            ? Values.encodeOr(uuid, new BsonBinary(uuid), registry)
            : Values.encode(value, registry);
    BigDecimal exact = decimal(value);
    if (exact == null
        && value instanceof Number
        && Values.decode(neutral) instanceof Number finite) {
      exact = Evaluator.exact(finite);
    }
    Object number = exact == null ? null : NumberClass.of(type, exact);
    BsonValue stored = number == null ? reread(neutral) : written(number);
    if (stored == null) {
      throw misfit(neutral);
    }
    return stored;
  }

  /** What the codec writes of what it reads; null if it does not read that, or not all of it. */
  private @Nullable BsonValue reread(BsonValue value) {
    try {
      BsonValue again = Values.encodeBy(Values.decodeBy(value, codec), codec);
      return Values.contains(again, value) ? again : null;
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Whether the codec reads a stored value. */
  boolean reads(BsonValue value) {
    try {
      return Values.decodeBy(value, codec) != null;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  /** Whether the codec writes another form each time, and reads the same value from both. */
  boolean isAnotherForm(@Nullable BsonValue one, BsonValue other) {
    if (one == null || one.isNull() || other.isNull()) {
      return false;
    }
    Object value = Values.decodeBy(other, codec);
    return !Values.encodeBy(value, codec).equals(other)
        && SameValue.isSame(value, Values.decodeBy(one, codec));
  }

  /** A value to compare with; numbers of any class compare with numbers. */
  BsonValue compared(Object value) {
    if (value instanceof BsonValue ready && !isComparable(ready)) {
      throw misfit(ready);
    }
    if (!(value instanceof Number number) || !isNumber() || !isDrivers()) {
      return stored(value);
    }
    Object binary = binary(number);
    if (binary != null) {
      return written(binary);
    }
    BigDecimal exact = decimal(value);
    return Values.encode(exact == null ? value : exact, registry);
  }

  private boolean isComparable(BsonValue value) {
    return value.isNull() || (value.isNumber() && isNumber() && isDrivers()) || reads(value);
  }

  /** The same number as a binary property has it; null of other properties and numbers. */
  private @Nullable Object binary(Number number) {
    if ((type != Double.class && type != Float.class)
        || !(Values.decode(Values.encode(number, registry)) instanceof Number finite)) {
      return null;
    }
    BigDecimal exact = Evaluator.exact(finite);
    Object own = NumberClass.of(type, exact);
    return own != null && new BigDecimal(own.toString()).compareTo(exact) == 0 ? own : null;
  }

  /** What a property of decimals takes a binary number for; null of other properties and values. */
  private @Nullable BigDecimal decimal(Object value) {
    boolean isBinary =
        (value instanceof Double real && Double.isFinite(real))
            || (value instanceof Float single && Float.isFinite(single));
    return isBinary && (type == BigDecimal.class || type == Decimal128.class)
        ? Evaluator.exact((Number) value)
        : null;
  }

  /** What is added to a number. */
  BsonValue amount(Number amount) {
    if (!isNumber()) {
      throw new UnfitChangeException("is " + shown() + ", not a number to add to");
    }
    if (highest() != null && Evaluator.exact(neutral(amount)).stripTrailingZeros().scale() > 0) {
      throw new UnfitChangeException("is a whole number, the amount is not");
    }
    BsonValue stored = stored(amount);
    if (!stored.isNumber()) {
      throw new UnfitChangeException(
          "is stored as %s, to which nothing is added".formatted(stored.getBsonType()));
    }
    if (!isDrivers() && !isLinear(amount, stored)) {
      throw new UnfitChangeException(
          "is " + shown() + ", whose codec does not store sums as the sum; use apply()");
    }
    return stored;
  }

  /** Whether a sum is stored as the sum of what is stored, as far as one amount tells. */
  private boolean isLinear(Number amount, BsonValue stored) {
    BigDecimal two = BigDecimal.valueOf(2);
    Object nothing = Values.decode(stored(ofItsClass(BigDecimal.ZERO)));
    Object twice =
        Values.decode(stored(ofItsClass(Evaluator.exact(neutral(amount)).multiply(two))));
    return nothing instanceof Number zero
        && twice instanceof Number sum
        && Values.decode(stored) instanceof Number one
        && Evaluator.exact(zero).signum() == 0
        && Evaluator.exact(sum).compareTo(Evaluator.exact(one).multiply(two)) == 0;
  }

  private Object ofItsClass(BigDecimal exact) {
    Object number = NumberClass.of(type, exact);
    return number == null ? exact : number;
  }

  private Number neutral(Number amount) {
    return Values.decode(Values.encode(amount, registry)) instanceof Number number
        ? number
        : amount;
  }

  /** Elements of the list, given as a list, or of the set, given as a set. */
  BsonArray elements(Collection<?> elements) {
    boolean list = elements instanceof List;
    if (list ? Set.class.isAssignableFrom(type) : List.class.isAssignableFrom(type)) {
      throw new UnfitChangeException(
          list ? "is a set, to which nothing is appended" : "is a list, no set");
    }
    if (inner != null && isCollection()) {
      return new BsonArray(elements.stream().map(inner::inside).toList());
    }
    if (!Collection.class.isAssignableFrom(type)) {
      throw new UnfitChangeException("is " + shown() + ", not an array");
    }
    BsonValue stored = stored(list ? new ArrayList<>(elements) : new LinkedHashSet<>(elements));
    if (!stored.isArray()) {
      throw new UnfitChangeException(
          "is stored as %s, not as an array".formatted(stored.getBsonType()));
    }
    return stored.asArray();
  }

  /** One element to look for. */
  BsonValue element(Object value) {
    return inner == null || !isCollection()
        ? Values.encode(value, registry)
        : inner.compared(value);
  }

  /**
   * Whether it is a generic class that the driver maps: it stores values of that by a codec that
   * nobody else gets, so that only what is inside is known.
   */
  boolean isGeneric() {
    return !arguments.isEmpty() && !DeclaredTypes.isContainer(type) && isPojo();
  }

  /** Java's own, such as Optional, are stored by the codecs of a user's provider for properties. */
  private boolean isPojo() {
    return DriverModel.has(codec) && !type.getName().startsWith("java.");
  }

  /** Whether more is known of it than its arguments. */
  boolean isTold() {
    return arguments.isEmpty() || DeclaredTypes.isContainer(type) || isPojo();
  }

  /** What stands under a name inside it; null where the class does not tell. */
  @Nullable PropertyType member(String name) {
    MappedClass mapped = members();
    return mapped != null ? mapped.member(name) : isMap() ? inner : null;
  }

  /** The class of which it is one, where the driver maps its properties. */
  @Nullable MappedClass members() {
    MappedClass known = members;
    if (known == null && MappedClass.isMapped(codec)) {
      known = MappedClass.nested(type, arguments, codec, registry);
      members = known;
    }
    return known;
  }

  /**
   * Checks that changes can lead inside.
   *
   * @param isProperty whether it is a property of the entity; what is deeper may be another type
   * @param unmappedToo whether they may where only the user's own codec knows what is there
   */
  void requireMembers(boolean isProperty, boolean unmappedToo) {
    if (isDrivers()) {
      boolean has = Map.class.isAssignableFrom(type) || MappedClass.isMapped(codec);
      if (isProperty && !has && !codec.getClass().getName().contains("Document")) {
        throw new UnfitChangeException("is " + shown() + ", which has no members");
      }
    } else if (!unmappedToo) {
      throw new UnfitChangeException(
          "is %s, which a codec of its own stores, so that no change leads inside; set it as a whole, or build the store with unmappedAttributes()"
              .formatted(shown()));
    }
  }

  /** The highest of the whole numbers that it holds; null for all else. */
  private @Nullable Long highest() {
    return NumberClass.highest(type);
  }

  /** The highest number that it holds, where more than that can be stored; null of others. */
  @Nullable Number most() {
    return NumberClass.most(type);
  }

  /** Whether its values are texts themselves, or whatever is stored. */
  boolean isText() {
    return CharSequence.class.isAssignableFrom(type)
        || type == Character.class
        || BsonValue.class.isAssignableFrom(type);
  }

  private boolean isNumber() {
    return Number.class.isAssignableFrom(type);
  }

  private boolean isCollection() {
    return isDrivers() && Collection.class.isAssignableFrom(type) && arguments.size() == 1;
  }

  private boolean isMap() {
    return isDrivers() && Map.class.isAssignableFrom(type) && arguments.size() == 2;
  }

  /** Whether the codec is one of the driver's own. */
  boolean isDrivers() {
    return Values.isDrivers(codec);
  }

  private UnfitChangeException misfit(BsonValue value) {
    return new UnfitChangeException(
        "is %s, which does not hold the value, of type %s".formatted(shown(), value.getBsonType()));
  }

  /** What it is, in words. */
  private String shown() {
    if (isNumber()) {
      return (highest() == null ? "a number" : "a whole number")
          + " ("
          + type.getSimpleName()
          + ")";
    }
    if (type == String.class) {
      return isPlain ? "a string" : "a string in a form of its own";
    }
    if (type == ObjectId.class) {
      return "an ObjectId";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "an array";
    }
    return Map.class.isAssignableFrom(type) ? "a document" : "of type " + type.getSimpleName();
  }
}
