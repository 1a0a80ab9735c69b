package dev.tidemark.mongodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Names;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** An entity class and its documents, by the collection's own codec. */
final class Mapping<T> {
  private final Class<T> type;
  private final Codec<T> codec;
  private final CodecRegistry registry;
  private final MarkFields records;
  private final boolean carriesMarks;
  private final MappedClass mapped;
  private final Properties properties;

  Mapping(Class<T> type, CodecRegistry registry, Names names, boolean unmappedToo) {
    this.type = type;
    this.codec = codec(type, registry);
    this.registry = registry;
    this.records = new MarkFields(names);
    this.carriesMarks = MongoMarksCodec.isMarked(codec);
    this.mapped = new MappedClass(type, codec, unmappedToo);
    this.properties = new Properties(mapped, registry, names);
  }

  /** The collection's codec, if it can make an entity: it would else fail at the first call. */
  private static <T> Codec<T> codec(Class<T> type, CodecRegistry registry) {
    try {
      Codec<T> codec = registry.get(type);
      Codec<?> mapper = MongoMarksCodec.unwrapped(codec);
      boolean made = Modifier.isAbstract(type.getModifiers());
      if (!made && mapper.getClass().getName().startsWith("org.bson.codecs.pojo.")) {
        Object unused = mapper.decode(new BsonDocumentReader(new BsonDocument()), decoding());
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

  private static DecoderContext decoding() {
    return DecoderContext.builder().build();
  }

  /** The class's simple name. */
  String owner() {
    return mapped.name();
  }

  CodecRegistry registry() {
    return registry;
  }

  MarkFields records() {
    return records;
  }

  MappedClass mapped() {
    return mapped;
  }

  /** What is known of the class's properties. */
  Properties properties() {
    return properties;
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
    BsonDocument own = carriesMarks ? document : records.withoutMarks(document);
    try {
      return decoded(own);
    } catch (CorruptRecordException e) {
      throw e;
    } catch (RuntimeException e) {
      String reason = properties.unreadable(own).or(() -> hindering(own)).orElse("");
      throw new CorruptRecordException(
          "the stored entity cannot be mapped to " + type.getName() + reason,
          null,
          Faults.silent(e));
    }
  }

  /** The same for an outcome, which is what it is without the entity, too. */
  @Nullable T entityIfMapped(BsonDocument document) {
    try {
      return entity(document);
    } catch (CorruptRecordException e) {
      return null;
    }
  }

  private T decoded(BsonDocument own) {
    try (BsonDocumentReader reader = new BsonDocumentReader(own)) {
      return codec.decode(reader, DecoderContext.builder().build());
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
      return decoded(others) != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** An entity's own fields. */
  BsonDocument document(T entity) {
    if (codec instanceof MongoMarksCodec<T> marked) {
      return records.withoutMarks(marked.withoutMarks(entity));
    }
    BsonDocument document = new BsonDocument();
    try (BsonDocumentWriter writer = new BsonDocumentWriter(document)) {
      codec.encode(writer, entity, EncoderContext.builder().build());
    }
    return records.withoutMarks(document);
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
          if (after.containsKey(name) && !Values.same(after.get(name), value)) {
            throw new IllegalArgumentException(
                "the function must not change '" + name + "', which is part of the " + shown);
          }
        });
  }
}
