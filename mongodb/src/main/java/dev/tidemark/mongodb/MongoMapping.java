package dev.tidemark.mongodb;

import dev.tidemark.Key;
import dev.tidemark.kernel.Names;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;

/** An entity class and its documents, by the collection's own codec. */
final class MongoMapping<T> {
  private final Codec<T> codec;
  private final CodecRegistry registry;
  private final MongoRecords records;
  private final boolean carriesMarks;
  private final MongoProperties properties;

  MongoMapping(Class<T> type, CodecRegistry registry, Names names) {
    this.codec = registry.get(type);
    this.registry = registry;
    this.records = new MongoRecords(names);
    this.carriesMarks = MongoMarksCodec.isMarked(codec);
    this.properties = MongoProperties.of(type, codec, names);
  }

  CodecRegistry registry() {
    return registry;
  }

  MongoRecords records() {
    return records;
  }

  /** What is known of the class's properties. */
  MongoProperties properties() {
    return properties;
  }

  /** Whether entities have a property of all marks, so that these have to be read. */
  boolean carriesMarks() {
    return carriesMarks;
  }

  /** The entity in a document. */
  T entity(BsonDocument document) {
    BsonDocument own = carriesMarks ? document : records.withoutMarks(document);
    try (BsonDocumentReader reader = new BsonDocumentReader(own)) {
      return codec.decode(reader, DecoderContext.builder().build());
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
  static void requireKey(BsonDocument after, BsonDocument key, Key shown) {
    key.forEach(
        (name, value) -> {
          if (after.containsKey(name) && !MongoValues.same(after.get(name), value)) {
            throw new IllegalArgumentException(
                "the function must not change '" + name + "', which is part of the " + shown);
          }
        });
  }
}
