package dev.tidemark.mongodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.UnfitChangeException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/** Neutral values and those of BSON. */
final class Values {
  /** Of a value that is a UUID. */
  static final String NO_UUIDS =
      "is given a UUID, which the client does not store: set uuidRepresentation of its settings,"
          + " STANDARD where nothing is stored yet";

  private static final int UUID_BYTES = 16;

  private Values() {}

  /**
   * A value of the caller's.
   *
   * @throws IllegalArgumentException if it has no BSON form: more than 34 digits, a name that leads
   *     elsewhere
   */
  static BsonValue encode(Object value, CodecRegistry registry) {
    return encoded(value, registry);
  }

  /** A value of tracking's: 16 bytes are a UUID. */
  static BsonValue mark(Object value) {
    return encoded(value, null);
  }

  private static BsonValue encoded(@Nullable Object value, @Nullable CodecRegistry registry) {
    if (value == null || value instanceof BsonValue) {
      return value == null ? BsonNull.VALUE : (BsonValue) value;
    }
    if (value instanceof String text) {
      return new BsonString(text);
    }
    if (value instanceof Number number) {
      return number(number, registry);
    }
    if (value instanceof Boolean truth) {
      return BsonBoolean.valueOf(truth);
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = bytes(buffer);
      boolean uuid = registry == null && bytes.length == UUID_BYTES;
      return new BsonBinary(
          uuid ? BsonBinarySubType.UUID_STANDARD : BsonBinarySubType.BINARY, bytes);
    }
    if (value instanceof byte[] bytes) {
      return new BsonBinary(bytes);
    }
    if (value instanceof Collection<?> elements) {
      BsonArray array = new BsonArray();
      elements.forEach(element -> array.add(encoded(element, registry)));
      return array;
    }
    return value instanceof Map<?, ?> map ? document(map, registry) : byCodec(value, registry);
  }

  private static BsonDocument document(Map<?, ?> map, @Nullable CodecRegistry registry) {
    BsonDocument document = new BsonDocument();
    map.forEach(
        (name, value) ->
            document.append(
                Properties.checkNameInValue(String.valueOf(name)), encoded(value, registry)));
    return document;
  }

  private static BsonValue number(Number number, @Nullable CodecRegistry registry) {
    if (number instanceof Long || number instanceof java.util.concurrent.atomic.AtomicLong) {
      return new BsonInt64(number.longValue());
    }
    if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
      return new BsonInt32(number.intValue());
    }
    if (number instanceof Double || number instanceof Float) {
      return new BsonDouble(number.doubleValue());
    }
    if (number instanceof BigInteger whole) {
      return whole.bitLength() < Long.SIZE
          ? new BsonInt64(whole.longValueExact())
          : decimal(new BigDecimal(whole));
    }
    return number instanceof BigDecimal decimal ? decimal(decimal) : byCodec(number, registry);
  }

  private static BsonDecimal128 decimal(BigDecimal decimal) {
    try {
      return new BsonDecimal128(new Decimal128(decimal));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "is a number that MongoDB does not hold: at most 34 digits, to 1E+6144", e);
    }
  }

  private static BsonValue byCodec(Object value, @Nullable CodecRegistry registry) {
    if (registry == null) {
      throw new CorruptRecordException(
          "no mark is a " + value.getClass().getSimpleName(), null, null);
    }
    try {
      return encodeBy(value, codecOf(value, registry));
    } catch (CodecConfigurationException e) {
      throw new UnfitChangeException(
          value instanceof UUID
              ? NO_UUIDS
              : "is given a "
                  + value.getClass().getName()
                  + ", for which the collection has no codec; give a string, number, boolean,"
                  + " bytes, list or map, or register a codec",
          e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <V> Codec<V> codecOf(V value, CodecRegistry registry) {
    return (Codec<V>) registry.get(value.getClass());
  }

  /** A value as its own codec writes it; another where it is configured to write none. */
  static <V> BsonValue encodeOr(V value, BsonValue otherwise, CodecRegistry registry) {
    try {
      return encodeBy(value, codecOf(value, registry));
    } catch (CodecConfigurationException e) {
      return otherwise;
    }
  }

  /** Whether a codec is one of the driver's own. */
  static boolean isDrivers(Codec<?> codec) {
    return codec.getClass().getName().startsWith("org.bson.codecs.");
  }

  /** A value as a codec writes it. */
  static <V> BsonValue encodeBy(V value, Codec<V> codec) {
    BsonDocument holder = new BsonDocument();
    try (Writer writer = new Writer(holder)) {
      writer.writeStartDocument();
      writer.writeName("v");
      codec.encode(writer, value, EncoderContext.builder().build());
      writer.writeEndDocument();
    }
    return Objects.requireNonNull(holder.get("v"));
  }

  /** What a codec reads of a value. */
  static <V> V decodeBy(BsonValue value, Codec<V> codec) {
    try (Reader reader = new Reader(new BsonDocument("v", value))) {
      reader.readStartDocument();
      reader.readName();
      return codec.decode(reader, DecoderContext.builder().build());
    }
  }

  /**
   * Whether a value has all that another has: members may be more, nulls missing, numbers of
   * another type, and the elements of a set in another order.
   */
  static boolean contains(BsonValue value, BsonValue other) {
    if (value instanceof BsonDocument whole && other instanceof BsonDocument part) {
      return part.entrySet().stream()
          .allMatch(
              member ->
                  contains(whole.getOrDefault(member.getKey(), BsonNull.VALUE), member.getValue()));
    }
    if (value instanceof BsonArray all && other instanceof BsonArray given) {
      return all.size() == given.size()
          && (IntStream.range(0, all.size()).allMatch(i -> contains(all.get(i), given.get(i)))
              || elements(all).equals(elements(given)));
    }
    return value.equals(other) || comparable(value).equals(comparable(other));
  }

  /** Whether values are equal, with the members of documents in one order: a map may have it. */
  static boolean isSame(BsonValue value, @Nullable BsonValue other) {
    if (value instanceof BsonDocument one && other instanceof BsonDocument two) {
      return List.copyOf(one.keySet()).equals(List.copyOf(two.keySet()))
          && one.entrySet().stream()
              .allMatch(member -> isSame(member.getValue(), two.get(member.getKey())));
    }
    if (value instanceof BsonArray one && other instanceof BsonArray two) {
      return one.size() == two.size()
          && IntStream.range(0, one.size()).allMatch(i -> isSame(one.get(i), two.get(i)));
    }
    return value.equals(other);
  }

  private static Set<Object> elements(BsonArray array) {
    return array.stream().map(Values::comparable).collect(Collectors.toSet());
  }

  /** The forms in which a value may be stored that equal it: bytes have two. */
  static List<BsonValue> equals(BsonValue value) {
    boolean plain = value.isBinary() && isBytes(value.asBinary());
    if (plain && value.asBinary().getData().length == UUID_BYTES) {
      byte[] bytes = value.asBinary().getData();
      return List.of(
          new BsonBinary(BsonBinarySubType.BINARY, bytes),
          new BsonBinary(BsonBinarySubType.UUID_STANDARD, bytes));
    }
    return List.of(value);
  }

  /** Whether a value is binary of one of the forms that neutral bytes have. */
  static boolean isBytes(BsonBinary value) {
    return value.getType() == BsonBinarySubType.BINARY.getValue()
        || value.getType() == BsonBinarySubType.UUID_STANDARD.getValue();
  }

  /** Equal for values that mean the same, in whatever form or order they are stored. */
  static Object comparable(BsonValue id) {
    if (id.isDocument()) {
      Map<String, Object> members = new HashMap<>();
      id.asDocument().forEach((name, member) -> members.put(name, comparable(member)));
      return members;
    }
    Object value = decode(id);
    return value instanceof Number number
        ? Evaluator.exact(number).stripTrailingZeros()
        : List.of(id.getBsonType(), value);
  }

  /** What is stored, as a value of a key is given. */
  static Object keyPart(BsonValue stored) {
    if (stored.isObjectId()) {
      return stored.asObjectId().getValue();
    }
    boolean uuid =
        stored.isBinary()
            && stored.asBinary().getType() == BsonBinarySubType.UUID_STANDARD.getValue();
    return uuid ? stored.asBinary().asUuid() : decode(stored);
  }

  /** What is stored, as neutral values; what has none stays as it is. */
  static Object decode(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32 -> (long) value.asInt32().getValue();
      case INT64 -> value.asInt64().getValue();
      case DOUBLE ->
          Double.isFinite(value.asDouble().getValue()) ? value.asDouble().getValue() : value;
      case DECIMAL128 -> decodeDecimal(value);
      case STRING -> value.asString().getValue();
      case BOOLEAN -> value.asBoolean().getValue();
      case BINARY -> ByteBuffer.wrap(value.asBinary().getData()).asReadOnlyBuffer();
      case ARRAY -> value.asArray().stream().map(Values::decode).toList();
      case DOCUMENT -> decode(value.asDocument());
      default -> value;
    };
  }

  private static Object decodeDecimal(BsonValue value) {
    Decimal128 number = value.asDecimal128().getValue();
    if (number.isNaN() || number.isInfinite()) {
      return value;
    }
    try {
      return number.bigDecimalValue();
    } catch (ArithmeticException e) { // negative zero, which no BigDecimal is
      return BigDecimal.ZERO;
    }
  }

  /** A neutral value, with nulls for those of BSON. */
  static @Nullable Object orNull(@Nullable BsonValue value) {
    if (value instanceof BsonArray array) {
      return array.stream().map(Values::orNull).toList();
    }
    if (value instanceof BsonDocument document) {
      Map<String, @Nullable Object> map = new HashMap<>();
      document.forEach((name, member) -> map.put(name, orNull(member)));
      return map;
    }
    return value == null || value.isNull() ? null : decode(value);
  }

  /** A document as neutral values. */
  static Map<String, Object> decode(BsonDocument document) {
    Map<String, Object> map = new LinkedHashMap<>();
    document.forEach((name, value) -> map.put(name, decode(value)));
    return map;
  }

  /** The value at a path; null if there is none. */
  static @Nullable BsonValue at(BsonDocument document, Path path) {
    BsonValue value = document;
    for (String segment : path.segments()) {
      value = value != null && value.isDocument() ? value.asDocument().get(segment) : null;
    }
    return value;
  }

  /** The value at a path; null if there is none. */
  static @Nullable Object at(Map<String, Object> map, Path path) {
    Object value = map;
    for (String segment : path.segments()) {
      value = value instanceof Map<?, ?> members ? members.get(segment) : null;
    }
    return value;
  }

  /** A document as a codec writes it. */
  static <V> BsonDocument written(V value, Codec<V> codec) {
    BsonDocument document = new BsonDocument();
    try (Writer writer = new Writer(document)) {
      codec.encode(writer, value, EncoderContext.builder().build());
    }
    return document;
  }

  /** What a codec reads from a document. */
  static <V> V read(BsonDocument document, Codec<V> codec) {
    try (Reader reader = new Reader(document)) {
      return codec.decode(reader, DecoderContext.builder().build());
    }
  }

  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static BsonBinary copy(BsonBinary bytes) {
    return new BsonBinary(bytes.getType(), bytes.getData().clone());
  }

  /** Writes bytes of its own: who changes an entity in place must not change what was written. */
  private static final class Writer extends BsonDocumentWriter {
    Writer(BsonDocument document) {
      super(document);
    }

    @Override
    protected void doWriteBinaryData(BsonBinary value) {
      super.doWriteBinaryData(copy(value));
    }
  }

  /** Gives bytes of their own: who changes an entity in place must not change what was read. */
  private static final class Reader extends BsonDocumentReader {
    Reader(BsonDocument document) {
      super(document);
    }

    @Override
    protected BsonBinary doReadBinaryData() {
      return copy(super.doReadBinaryData());
    }
  }
}
