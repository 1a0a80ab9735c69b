package dev.tidemark.execution;

import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.std.NullifyingDeserializer;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Ids;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.kernel.Unfinished;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values as JSON, read back only as the type that was asked for. */
final class Json {
  private static final Pattern ID =
      Pattern.compile("\"(\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12})\"");

  private final ObjectMapper mapper;
  private final ObjectMapper plain;
  private final StoredNames names;
  private final Fingerprints fingerprints;
  private final Set<Class<?>> readable = ConcurrentHashMap.newKeySet();

  /**
   * By a copy of a mapper.
   *
   * @throws IllegalArgumentException if it is no mapper for {@link OwnMapper}
   */
  Json(ObjectMapper mapper, StoredNames names) {
    this.mapper = OwnMapper.of(mapper);
    this.plain = OwnMapper.plain(this.mapper);
    this.names = names;
    this.fingerprints = new Fingerprints(this.mapper, plain);
  }

  /** The mapper by which a type is stored. */
  private ObjectMapper of(Class<?> type) {
    return MapperIndependent.class.isAssignableFrom(type) ? plain : mapper;
  }

  /** How many bytes of UTF-8 a value may take as JSON, whether it is written or read. */
  int mostBytes() {
    return OwnMapper.mostBytes(mapper);
  }

  /** How many of them one text may take, which has a bound of its own. */
  int mostBytesOfText() {
    return Math.min(mostBytes(), mapper.getFactory().streamReadConstraints().getMaxStringLength());
  }

  /**
   * Requires that there is a way to read a type, before anything of it is written. Whether a value
   * of it can be read is only known once there is one.
   */
  void requireReadable(Class<?> type) {
    if (readable.contains(Misuse.given("type", type))) {
      return;
    }
    requireDone(type);
    String missing;
    boolean isMade;
    try {
      ObjectMapper by = of(type);
      DeserializationConfig config = by.getDeserializationConfig();
      DefaultDeserializationContext context =
          ((DefaultDeserializationContext) by.getDeserializationContext())
              .createDummyInstance(config);
      JavaType java = by.constructType(type);
      JsonDeserializer<Object> reader = context.findRootValueDeserializer(java);
      missing = new MissingModules(config).of(reader, java);
      isMade = config.getProblemHandlers() != null || isMade(reader); // these may make one
    } catch (Throwable e) {
      throw new Misuse.Argument(
          type.getName() + " cannot be read from JSON, by which it would be stored",
          Faults.survived(e));
    }
    if (missing != null) {
      throw new Misuse.Argument(
          type.getName() + " cannot be stored, since a module of Jackson is missing. " + missing);
    }
    if (!isMade) {
      throw new Misuse.Argument(
          type.getName()
              + " cannot be read from JSON, by which it would be stored: Jackson cannot make one;"
              + " name a class that has a constructor which Jackson can call, or a subtype by"
              + " @JsonDeserialize or @JsonTypeInfo");
    }
    readable.add(type);
  }

  private static void requireDone(Class<?> type) {
    if (Unfinished.is(type)) {
      throw new Misuse.Argument(
          type.getName()
              + " says that work has begun, and not that it is done, so it cannot be stored: wait"
              + " for the work, and name the type of what comes of it");
    }
  }

  /** Whether there may be values: not of an interface, nor of a class without a creator. */
  private static boolean isMade(JsonDeserializer<?> reader) {
    if (reader instanceof BeanDeserializerBase bean) {
      ValueInstantiator maker = bean.getValueInstantiator();
      return maker.canInstantiate()
          || maker.canCreateFromBigInteger()
          || maker.canCreateFromBigDecimal();
    }
    return !(reader instanceof AbstractDeserializer || reader instanceof NullifyingDeserializer);
  }

  /**
   * A value for the record.
   *
   * @throws IllegalArgumentException if it cannot be written
   * @throws TooLargeException if it would not be read
   */
  Stored store(Class<?> type, Object value) {
    return new Stored(names.of(type), text(type, value));
  }

  /** A value as JSON, as a store gives it back; faults as above. */
  String text(Class<?> type, Object value) {
    byte[] bytes = wellFormed(written(type, value));
    if (bytes.length > mostBytes()) {
      throw new TooLargeException(
          ("a %s takes %d bytes as JSON, and no more than %d are read again; let it have less, or"
                  + " give a mapper whose StreamReadConstraints allow a longer document")
              .formatted(type.getName(), bytes.length, mostBytes()),
          null,
          null);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String written(Class<?> type, Object value) {
    requireDone(value.getClass());
    try {
      return of(type).writerFor(type).writeValueAsString(value);
    } catch (Throwable e) {
      throw new Misuse.Argument(
          type.getName()
              + " cannot be written as JSON"
              + MissingModules.behind(of(type).getSerializationConfig(), e),
          Faults.silent(Faults.survived(e)));
    }
  }

  /** A text as stores have it: half of a surrogate pair is a question mark. */
  static byte[] wellFormed(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** An ID of the library's own, in the form that a UUID has by default. */
  Stored storeId(UUID id) {
    return new Stored(names.of(UUID.class), '"' + id.toString() + '"');
  }

  /** An ID that was stored so, or by the user's mapper, as earlier versions did. */
  UUID readId(String what, Stored stored) {
    if (stored.json() != null && names.isOf(UUID.class, stored.type())) {
      Matcher id = ID.matcher(stored.json());
      if (id.matches()) {
        return UUID.fromString(id.group(1));
      }
    }
    return read(what, UUID.class, stored);
  }

  /**
   * A value that a person hands in.
   *
   * @throws IllegalArgumentException if it cannot be written, or cannot be read again
   */
  Stored handedIn(Class<?> type, Object value) {
    requireReadable(type);
    Stored stored = store(type, value);
    try {
      Object unused = readNew("what is handed in", type, stored.json());
    } catch (CorruptRecordException e) {
      throw new Misuse.Argument(e.getMessage() + ", though it was written", e.getCause());
    }
    return stored;
  }

  /**
   * A value that is about to be stored.
   *
   * @param read gives what every later call will read of it, or throws what each of them will meet
   */
  record Written<R>(Stored stored, Supplier<R> read) {}

  /**
   * Writes a value, and reads it back.
   *
   * @throws IllegalArgumentException if it cannot be written
   * @throws TooLargeException if it would not be read
   * @throws CorruptRecordException if later calls would read it as another one, as nobody must
   */
  <R> Written<R> write(String what, Class<R> type, R value) {
    Stored stored = store(type, value);
    try {
      R read = readNew(what, type, stored.json());
      return new Written<>(stored, () -> read);
    } catch (CorruptRecordException e) {
      CorruptRecordException unread =
          new CorruptRecordException(
              e.getMessage()
                  + ", though it was written, so the key waits for a person: let the class be read"
                  + " from what is written of it, and see Executions.complete and forget, or for a step"
                  + " Executions.release with its result",
              null,
              e.getCause());
      if (isRead(type, stored)) {
        throw unread;
      }
      return new Written<>(
          stored,
          () -> {
            throw unread;
          });
    } catch (Error e) { // of the JVM itself
      return new Written<>(
          stored,
          () -> {
            throw e;
          });
    }
  }

  private boolean isRead(Class<?> type, Stored stored) {
    try {
      Object unused = read("it", type, stored);
      return true;
    } catch (CorruptRecordException e) {
      return false;
    }
  }

  /** A value of the record, which must have been stored as the same type. */
  <R> R read(String what, Class<R> type, @Nullable Stored stored) {
    if (stored == null || stored.json() == null) {
      throw new CorruptRecordException(what + " has no value stored", null, null);
    }
    if (!names.isOf(type, stored.type())) {
      throw new CorruptRecordException(
          what
              + " is stored as %s, and is asked for as %s; if that is the same class under another"
                  .formatted(stored.type(), type.getName())
              + " name, say so by ExecutionsBuilder.storedAs",
          null,
          null);
    }
    return read(what, type, stored.json());
  }

  <R> R read(String what, Class<R> type, String json) {
    return read(what, type, json, false);
  }

  /** A value of a text that was written now, which must be written so again. */
  <R> R readNew(String what, Class<R> type, @Nullable String json) {
    return read(what, type, Objects.requireNonNull(json), true);
  }

  private <R> R read(String what, Class<R> type, String json, boolean isNew) {
    ObjectMapper own = of(type);
    try {
      return read(own, what, type, json, isNew);
    } catch (CorruptRecordException e) {
      if (own == mapper) {
        throw e;
      }
      try { // earlier versions wrote each type by the user's mapper
        return read(mapper, what, type, json, isNew);
      } catch (CorruptRecordException again) {
        throw e;
      }
    }
  }

  private <R> R read(ObjectMapper by, String what, Class<R> type, String json, boolean isNew) {
    R value;
    String other;
    try {
      Renamed renamed = new Renamed(isNew);
      value = by.readerFor(type).withHandler(renamed).readValue(json);
      other = value == null ? "is stored as null" : renamed.seen(by, type, value, json);
    } catch (Throwable e) {
      throw new CorruptRecordException(
          what + " cannot be read as " + type.getName(), null, Faults.silent(Faults.survived(e)));
    }
    if (value == null || other != null) {
      throw new CorruptRecordException(what + " " + other, null, null);
    }
    return value;
  }

  /** What a request is compared by. */
  Fingerprint fingerprint(@Nullable Object request) {
    return fingerprints.of(request);
  }

  /** What requests are compared by. */
  Fingerprints fingerprints() {
    return fingerprints;
  }

  /** The first half of a SHA-256, in hexadecimal digits. */
  static String digest(byte[]... parts) {
    return HexFormat.of().formatHex(sha256(parts), 0, 16);
  }

  /** A UUID of version 8 that follows from a text, and tells nothing of it. */
  static UUID uuid(String text) {
    return Ids.uuid(sha256(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        sha.update(part);
      }
      return sha.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
