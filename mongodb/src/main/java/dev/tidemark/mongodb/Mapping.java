package dev.tidemark.mongodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Path;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.FilledIn;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.UnfitChangeException;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * An entity class and its documents, by the collection's own codec; and keys as {@code _id}, scalar
 * or a document of two fields, and as filters.
 */
final class Mapping<T> {
  private final Class<T> type;
  private final Codec<T> codec;
  private final CodecRegistry registry;
  private final MarkFields markFields;
  private final boolean carriesMarks;
  private final MappedClass mapped;
  private final PropertyValues values;
  private final Properties properties;
  private final FilledIn filledIn = new FilledIn();
  private final List<String> keyFields;

  /**
   * How a class is mapped.
   *
   * @param keyFields the names of the two fields of a compound key; empty for a scalar one
   * @param unmappedToo whether changes may name what the class does not map
   */
  Mapping(
      Class<T> type,
      CodecRegistry registry,
      Names names,
      List<String> keyFields,
      boolean unmappedToo) {
    keyFields.forEach(Properties::checkName);
    if (keyFields.size() == 2 && keyFields.get(0).equals(keyFields.get(1))) {
      throw new IllegalArgumentException("the fields of a compound key must differ");
    }
    this.keyFields = List.copyOf(keyFields);
    this.type = type;
    this.codec = codec(type, registry);
    this.registry = registry;
    this.markFields = new MarkFields(names);
    this.carriesMarks = codec instanceof MongoMarksCodec;
    Codec<?> mapper = MongoMarksCodec.unwrapped(codec);
    this.mapped = new MappedClass(type, mapper, registry, unmappedToo);
    this.values = new PropertyValues(mapped, mapper, registry);
    this.properties = new Properties(mapped, values, names);
  }

  /** The collection's codec, if it can make an entity: it would else fail at the first call. */
  private static <T> Codec<T> codec(Class<T> type, CodecRegistry registry) {
    try {
      Codec<T> codec = registry.get(type);
      Codec<?> mapper = MongoMarksCodec.unwrapped(codec);
      boolean made = Modifier.isAbstract(type.getModifiers());
      if (!made && mapper.getClass().getName().startsWith("org.bson.codecs.pojo.")) {
        Object unused = Values.read(new BsonDocument(), mapper);
      }
      return codec;
    } catch (CodecConfigurationException e) {
      throw new IllegalArgumentException(
          "the collection has no codec that maps "
              + type.getName()
              + "; give it a record, a class with a public constructor without parameters and a"
              + " PojoCodecProvider, or a codec of your own: "
              + e.getMessage(),
          e);
    }
  }

  /** The class's simple name. */
  String owner() {
    return mapped.name();
  }

  CodecRegistry registry() {
    return registry;
  }

  MarkFields markFields() {
    return markFields;
  }

  /** What is known of what the class fills in. */
  FilledIn filledIn() {
    return filledIn;
  }

  /** What is known of the class's properties. */
  Properties properties() {
    return properties;
  }

  /** How the values of keys, changes and conditions are stored. */
  PropertyValues values() {
    return values;
  }

  /** Whether entities have a property of all marks, so that these have to be read. */
  boolean carriesMarks() {
    return carriesMarks;
  }

  /**
   * The entity in a document.
   *
   * @throws CorruptRecordException if the class cannot hold it; the key is the caller's to add
   */
  T entity(BsonDocument document) {
    BsonDocument own = carriesMarks ? document : markFields.withoutMarks(document);
    try {
      return Values.read(own, codec);
    } catch (CorruptRecordException e) {
      throw e;
    } catch (Throwable e) { // a codec's, whatever it throws
      RuntimeException fault = Faults.unchecked(e);
      String reason = properties.unreadable(own).or(() -> hindering(own)).orElse("");
      throw new CorruptRecordException(
          "the stored entity cannot be mapped to " + type.getName() + reason,
          null,
          Faults.silent(fault));
    }
  }

  /** The live entity in a document for whoever needs it; null for a deleted one. */
  @Nullable T live(@Nullable BsonDocument document) {
    return document == null || document.isEmpty() || markFields.isDeleted(document)
        ? null
        : entity(document);
  }

  /** The same for an outcome, which is what it is without the entity, too. */
  @Nullable T liveIfMapped(@Nullable BsonDocument document) {
    try {
      return live(document);
    } catch (CorruptRecordException e) {
      return null;
    }
  }

  /** The first field without which the rest can be mapped. */
  private Optional<String> hindering(BsonDocument own) {
    return own.keySet().stream()
        .filter(name -> !name.equals("_id") && isMappedWithout(name, own))
        .findFirst()
        .map(name -> Properties.misfit(name, own.get(name)));
  }

  private boolean isMappedWithout(String name, BsonDocument own) {
    BsonDocument others = new BsonDocument();
    own.forEach(others::put);
    others.remove(name);
    try {
      return Values.read(others, codec) != null;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  /**
   * An entity's own fields.
   *
   * @throws IllegalArgumentException if the class's codec has no codec for one of them, or if one
   *     is tracking's
   */
  BsonDocument document(T entity) {
    BsonDocument document = written(entity);
    markFields.requireNone(document, type);
    return document;
  }

  private BsonDocument written(T entity) {
    try {
      return codec instanceof MongoMarksCodec<T> marked
          ? marked.withoutMarks(entity)
          : Values.written(entity, codec);
    } catch (CodecConfigurationException e) {
      boolean uuid = String.valueOf(e.getMessage()).contains("uuidRepresentation");
      throw new UnfitChangeException(
          "an entity of %s cannot be stored: a property %s"
              .formatted(
                  type.getSimpleName(), uuid ? Values.NO_UUIDS : "has no codec that writes it"),
          Faults.silent(e));
    }
  }

  /** An entity that gets the key's fields. */
  T keyed(T entity, BsonDocument key) {
    BsonDocument document = document(entity);
    BsonDocument keyed = key.clone();
    document.forEach(keyed::putIfAbsent);
    return entity(keyed);
  }

  /**
   * Checks that a function left the key alone.
   *
   * @throws IllegalArgumentException if it did not
   */
  static void requireKey(BsonDocument after, BsonDocument key, EntityKey shown) {
    key.forEach(
        (name, value) -> {
          if (after.containsKey(name)
              && !Values.comparable(after.get(name)).equals(Values.comparable(value))) {
            throw new IllegalArgumentException(
                "the function must not change '" + name + "', which is part of the " + shown);
          }
        });
  }

  /**
   * The value of {@code _id}.
   *
   * @throws IllegalArgumentException if the key has another number of values, or one that MongoDB
   *     does not take
   */
  BsonValue id(EntityKey key) {
    int expected = Math.max(1, keyFields.size());
    if (key.parts().size() != expected) {
      throw new IllegalArgumentException(
          "key must have "
              + expected
              + (expected == 1 ? " value" : " values")
              + " in this store, had "
              + key.parts().size());
    }
    if (keyFields.isEmpty()) {
      return checked(Path.of("_id"), key.parts().get(0));
    }
    BsonDocument id = new BsonDocument();
    for (int i = 0; i < expected; i++) {
      String field = keyFields.get(i);
      id.append(field, checked(Path.of("_id", field), key.parts().get(i)));
    }
    return id;
  }

  /** Equal for keys of one document; a bad one as it is, to be refused where it is used. */
  Object identity(EntityKey key) {
    try {
      return ReadRule.identity(id(key));
    } catch (RuntimeException | Error e) { // a codec's, too
      Throwable unused = Faults.survived(e);
      return key.parts();
    }
  }

  /** The same key by what is stored of it, whatever form of it was given: what follows is one. */
  EntityKey stored(EntityKey key) {
    BsonValue id = id(key);
    List<Object> parts =
        keyFields.isEmpty()
            ? List.of(part(Path.of("_id"), id))
            : keyFields.stream()
                .map(
                    field ->
                        part(
                            Path.of("_id", field),
                            Objects.requireNonNull(id.asDocument().get(field))))
                .toList();
    return new EntityKey(parts, key.routing());
  }

  /** The plain value that is stored exactly so; else the stored value itself. */
  private Object part(Path field, BsonValue stored) {
    try {
      Object given = EntityKey.key(Values.keyPart(stored)).parts().get(0);
      return checked(field, given).equals(stored) ? given : stored;
    } catch (RuntimeException e) {
      return stored;
    }
  }

  /** A value that a filter compares with, and does not take for an operator or a pattern. */
  private BsonValue checked(Path field, Object value) {
    BsonValue encoded = values.key(field, value);
    boolean operators =
        encoded.isDocument()
            && encoded.asDocument().keySet().stream().anyMatch(name -> name.startsWith("$"));
    switch (encoded.getBsonType()) {
      case ARRAY, REGULAR_EXPRESSION, UNDEFINED, NULL ->
          throw new IllegalArgumentException(
              field + " must not be of type " + encoded.getBsonType() + " on MongoDB");
      default -> {
        if (operators) {
          throw new IllegalArgumentException(field + " must not have names that start with $");
        }
        return encoded;
      }
    }
  }

  /** The document of a key alone: {@code _id}, and the fields that route it. */
  BsonDocument key(EntityKey key) {
    BsonDocument document = new BsonDocument("_id", id(key));
    key.routing()
        .forEach(
            (field, value) -> {
              String name = Properties.checkName(field);
              if (name.equals("_id")) {
                throw new IllegalArgumentException("_id is no routing field");
              }
              document.append(name, checked(Path.of(name), value));
            });
    return document;
  }

  /** Whether no change may touch a field. */
  static boolean isOfKey(EntityKey key, String field) {
    return field.equals("_id") || key.routing().containsKey(field);
  }

  /** A filter on the key and more. */
  BsonDocument filter(EntityKey key, List<BsonDocument> more) {
    BsonDocument filter = key(key);
    return more.isEmpty() ? filter : filter.append("$and", new BsonArray(more));
  }
}
