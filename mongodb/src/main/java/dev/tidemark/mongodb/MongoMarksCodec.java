package dev.tidemark.mongodb;

import com.mongodb.Jep395RecordCodecProvider;
import dev.tidemark.Marks;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
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
 * under a fresh revision. Put {@link #provider} before the defaults of the registry:
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

  private final Codec<T> mapper;
  private final String property;
  private final Names names;
  private final MongoRecords records;

  private MongoMarksCodec(Codec<T> mapper, String property, Names names) {
    this.mapper = mapper;
    this.property = property;
    this.names = names;
    this.records = new MongoRecords(names);
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
        Codec<C> marks = (Codec<C>) new PropertyCodec(new MongoRecords(names));
        return marks;
      }
      String property = MongoReflection.marks(type);
      if (property == null) {
        return null;
      }
      Codec<C> mapper =
          type.isRecord()
              ? new Jep395RecordCodecProvider().get(type, registry)
              : pojos.get(type, registry);
      if (mapper == null) {
        throw new CodecConfigurationException(type.getName() + " carries marks but is not mapped");
      }
      return new MongoMarksCodec<>(mapper, property, names);
    }
  }

  /** The property itself, as a document of what tracking owns. */
  private record PropertyCodec(MongoRecords records) implements Codec<Marks> {
    @Override
    public void encode(BsonWriter writer, Marks marks, EncoderContext context) {
      DOCUMENTS.encode(writer, records.nested(marks.attributes()), context);
    }

    @Override
    public Marks decode(BsonReader reader, DecoderContext context) {
      return Marks.of(records.flat(DOCUMENTS.decode(reader, context)));
    }

    @Override
    public Class<Marks> getEncoderClass() {
      return Marks.class;
    }
  }

  static boolean isMarked(Codec<?> codec) {
    return codec instanceof MongoMarksCodec<?>;
  }

  /** The user's mapper, which knows the properties. */
  static Codec<?> unwrapped(Codec<?> codec) {
    return codec instanceof MongoMarksCodec<?> marked ? marked.mapper : codec;
  }

  @Override
  public void encode(BsonWriter writer, T entity, EncoderContext context) {
    BsonDocument document = new BsonDocument();
    try (BsonDocumentWriter inner = new BsonDocumentWriter(document)) {
      mapper.encode(inner, entity, context);
    }
    BsonValue marks = document.remove(property);
    if (marks != null && marks.isDocument()) {
      document.putAll(marks.asDocument());
    }
    document.put(names.revision(), MongoValues.mark(TrackedCall.newToken()));
    DOCUMENTS.encode(writer, document, context);
  }

  @Override
  public T decode(BsonReader reader, DecoderContext context) {
    BsonDocument stored = DOCUMENTS.decode(reader, context);
    BsonDocument document = records.withoutMarks(stored);
    document.put(property, records.onlyMarks(stored));
    try (BsonDocumentReader inner = new BsonDocumentReader(document)) {
      return mapper.decode(inner, context);
    }
  }

  @Override
  public Class<T> getEncoderClass() {
    return mapper.getEncoderClass();
  }
}
