package dev.tidemark.mongodb;

import com.mongodb.Jep395RecordCodecProvider;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Revision;
import dev.tidemark.marks.Marks;
import java.util.LinkedHashMap;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonReader;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecProvider;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.jspecify.annotations.Nullable;

/**
 * Maps classes that carry their marks in one property of type {@link Marks}: on reading, the fields
 * that tracking owns are gathered in that property; on writing they become top-level fields again,
 * under a fresh revision. An entity with null there, or with the partial marks of a projection that
 * left {@code _id} out, is not written: {@code IllegalArgumentException}, since its write would
 * erase marks. A new entity has {@link Marks#none()}. Put {@link #provider} before the defaults of
 * the registry:
 *
 * <pre>{@code
 * fromRegistries(
 *     fromProviders(MongoMarksCodec.provider(tracking)),
 *     MongoClientSettings.getDefaultCodecRegistry());
 * }</pre>
 *
 * <p>A write of the whole document must be conditional on the revision that was read, by {@link
 * MongoMarks#unchanged}; else it is a lost update. Safe for use by many threads.
 *
 * @param <T> the entity's type
 */
public final class MongoMarksCodec<T> implements Codec<T> {
  private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

  /** Tracking owns no field of an empty name. */
  private static final String PARTIAL = "";

  private final Codec<T> mapper;
  private final String property;
  private final Names names;
  private final MarkFields markFields;

  private MongoMarksCodec(Codec<T> mapper, String property, Names names) {
    this.mapper = mapper;
    this.property = property;
    this.names = names;
    this.markFields = new MarkFields(names);
  }

  /**
   * A provider of codecs for records and POJOs with a property of type {@link Marks}; it leaves all
   * other classes to the rest of the registry.
   *
   * @param tracking whose attribute names the collection uses
   * @return the provider
   */
  public static CodecProvider provider(Tracking tracking) {
    return provider(tracking, PojoCodecProvider.builder().automatic(true).build());
  }

  /**
   * The same over a POJO provider with conventions of the user's own.
   *
   * @param tracking whose attribute names the collection uses
   * @param pojos what maps the classes that are no records
   * @return the provider
   */
  public static CodecProvider provider(Tracking tracking, CodecProvider pojos) {
    return new Provider(Names.nested(tracking), pojos);
  }

  private record Provider(Names names, CodecProvider pojos) implements CodecProvider {
    @Override
    public <C> @Nullable Codec<C> get(Class<C> type, CodecRegistry registry) {
      if (type == Marks.class) {
        @SuppressWarnings("unchecked")
        Codec<C> marks = (Codec<C>) new PropertyCodec();
        return marks;
      }
      if (!MappedClass.carriesMarks(type)) {
        return null;
      }
      Codec<C> mapper =
          type.isRecord()
              ? new Jep395RecordCodecProvider().get(type, registry)
              : pojos.get(type, registry);
      String property = mapper == null ? null : MappedClass.marks(type, mapper);
      if (mapper == null || property == null) {
        throw new CodecConfigurationException(type.getName() + " carries marks but is not mapped");
      }
      return new MongoMarksCodec<>(mapper, property, names);
    }
  }

  /** The property itself, as a document of what tracking owns, field by field as it is stored. */
  private record PropertyCodec() implements Codec<Marks> {
    @Override
    public void encode(BsonWriter writer, Marks marks, EncoderContext context) {
      BsonDocument fields = new BsonDocument();
      marks.attributes().forEach((name, value) -> fields.put(name, Values.mark(value)));
      if (!marks.isWhole()) {
        fields.put(PARTIAL, BsonBoolean.TRUE);
      }
      DOCUMENTS.encode(writer, fields, context);
    }

    @Override
    public Marks decode(BsonReader reader, DecoderContext context) {
      BsonDocument fields = DOCUMENTS.decode(reader, context);
      boolean whole = fields.remove(PARTIAL) == null;
      return whole
          ? Marks.of(new LinkedHashMap<>(fields))
          : Marks.partial(new LinkedHashMap<>(fields));
    }

    @Override
    public Class<Marks> getEncoderClass() {
      return Marks.class;
    }
  }

  /** The user's mapper, which knows the properties. */
  static Codec<?> unwrapped(Codec<?> codec) {
    return codec instanceof MongoMarksCodec<?> marked ? marked.mapper : codec;
  }

  @Override
  public void encode(BsonWriter writer, T entity, EncoderContext context) {
    BsonDocument document = Values.written(entity, mapper);
    BsonValue marks = document.remove(property);
    if (marks == null || !marks.isDocument()) {
      throw erasing(
          "its property of type Marks is null; read it, or set Marks.none() if it is new");
    }
    if (marks.asDocument().containsKey(PARTIAL)) {
      throw erasing("its Marks are partial, of a projection; read the whole document");
    }
    markFields.requireNone(document, getEncoderClass());
    document.putAll(marks.asDocument());
    BsonValue before = document.get(names.revision());
    Object read = before != null && before.isString() ? before.asString().getValue() : null;
    document.put(names.revision(), Values.mark(Revision.after(read, Revision.newToken())));
    DOCUMENTS.encode(writer, document, context);
  }

  private IllegalArgumentException erasing(String reason) {
    String name = getEncoderClass().getSimpleName();
    return new IllegalArgumentException(
        "a write of this " + name + " would erase its marks: " + reason);
  }

  /** An entity's fields without its marks, which a store keeps by itself. */
  BsonDocument withoutMarks(T entity) {
    BsonDocument document = Values.written(entity, mapper);
    document.remove(property);
    return document;
  }

  @Override
  public T decode(BsonReader reader, DecoderContext context) {
    BsonDocument stored = DOCUMENTS.decode(reader, context);
    BsonDocument document = markFields.withoutMarks(stored);
    BsonDocument marks = markFields.onlyMarks(stored);
    if (!stored.containsKey("_id")) {
      marks.put(PARTIAL, BsonBoolean.TRUE);
    }
    document.put(property, marks);
    try (BsonDocumentReader inner = new BsonDocumentReader(document)) {
      return mapper.decode(inner, context);
    }
  }

  @Override
  public Class<T> getEncoderClass() {
    return mapper.getEncoderClass();
  }
}
