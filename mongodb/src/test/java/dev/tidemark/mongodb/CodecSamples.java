package dev.tidemark.mongodb;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.UuidRepresentation;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.UuidCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.PropertyCodecProvider;
import org.bson.codecs.pojo.PropertyCodecRegistry;
import org.bson.codecs.pojo.TypeWithTypeParameters;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonRepresentation;
import org.bson.types.Binary;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Classes whose codecs store properties in other forms than their values have in Java. */
final class CodecSamples {
  private CodecSamples() {}

  /** Stored as a number, by a codec of its own. */
  public enum Status {
    OPEN,
    PAID
  }

  /** Stored by its name. */
  public enum Color {
    RED,
    GREEN
  }

  /** Stored as a string, by a codec of its own. */
  public record Coded(int value) {}

  /** A record whose key is stored as an {@code ObjectId}. */
  public record Paid(
      @BsonId @BsonRepresentation(BsonType.OBJECT_ID) String id,
      @Nullable Status status,
      int total) {}

  /** A record inside others. */
  public record Visit(
      @BsonRepresentation(BsonType.OBJECT_ID) @Nullable String ref,
      @Nullable Status status,
      int times) {}

  /** A key of two values. */
  public record LineKey(@BsonRepresentation(BsonType.OBJECT_ID) String order, int number) {}

  /** An entity with a key of two values, and a field that routes it. */
  public record Line(@BsonId LineKey id, @Nullable Status status, int total) {}

  /** An entity whose key is a UUID. */
  public record ByUuid(@BsonId UUID id, int total) {}

  /** A class with a codec of the user's own. */
  public record Own(ObjectId id, int total) {}

  /** Numbers with codecs of the user's own: one in tenths, one above a hundred. */
  public record Scaled(@BsonId String id, @Nullable Short tenths, @Nullable Byte shifted) {}

  /** One property of each kind. */
  public record All(
      @BsonId @BsonRepresentation(BsonType.OBJECT_ID) String id,
      @BsonRepresentation(BsonType.OBJECT_ID) @Nullable String ref,
      @Nullable Status status,
      @Nullable Color plain,
      @Nullable UUID uuid,
      @Nullable Integer whole,
      @Nullable Long count,
      @Nullable Double rate,
      @Nullable Float share,
      @Nullable BigDecimal exact,
      @Nullable Instant at,
      @Nullable LocalDate day,
      @Nullable Visit visit,
      @Nullable List<Visit> history,
      @Nullable Set<Status> seen,
      @Nullable Map<String, Visit> byName,
      @Nullable Coded coded,
      @Nullable Character letter,
      @Nullable Binary bytes) {
    static All empty(String id) {
      return new All(
          id, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null);
    }

    All as(String other) {
      return new All(
          other, ref, status, plain, uuid, whole, count, rate, share, exact, at, day, visit,
          history, seen, byName, coded, letter, bytes);
    }

    All with(Visit one, List<Visit> many, Map<String, Visit> named) {
      return new All(
          id, ref, status, plain, uuid, whole, count, rate, share, exact, at, day, one, many, seen,
          named, coded, letter, bytes);
    }

    All seen(Set<Status> all) {
      return new All(
          id, ref, status, plain, uuid, whole, count, rate, share, exact, at, day, visit, history,
          all, byName, coded, letter, bytes);
    }

    All count(long other) {
      return new All(
          id, ref, status, plain, uuid, whole, other, rate, share, exact, at, day, visit, history,
          seen, byName, coded, letter, bytes);
    }

    All rate(double other) {
      return new All(
          id, ref, status, plain, uuid, whole, count, other, share, exact, at, day, visit, history,
          seen, byName, coded, letter, bytes);
    }
  }

  static All all() {
    String ref = new ObjectId().toHexString();
    Visit visit = new Visit(ref, Status.PAID, 3);
    return new All(
        "",
        ref,
        Status.PAID,
        Color.RED,
        UUID.randomUUID(),
        5,
        6L,
        7.0,
        0.5f,
        new BigDecimal("8.50"),
        Instant.parse("2026-01-02T03:04:05.678Z"),
        LocalDate.parse("2026-01-02"),
        visit,
        List.of(visit),
        Set.of(Status.PAID),
        Map.of("x", visit),
        new Coded(5),
        'x',
        new Binary("bytes".getBytes(StandardCharsets.UTF_8)));
  }

  /** A POJO whose key is stored as an {@code ObjectId}. */
  public static final class Bean {
    @BsonId
    @BsonRepresentation(BsonType.OBJECT_ID)
    private @Nullable String id;

    private @Nullable Color color;
    private int total;

    /** An empty one. */
    public Bean() {}

    static Bean of(String id) {
      Bean bean = new Bean();
      bean.id = id;
      return bean;
    }

    /** {@return the key} */
    public @Nullable String getId() {
      return id;
    }

    /**
     * Sets the key.
     *
     * @param id the key
     */
    public void setId(@Nullable String id) {
      this.id = id;
    }

    /** {@return a constant} */
    public @Nullable Color getColor() {
      return color;
    }

    /**
     * Sets a constant.
     *
     * @param color the constant
     */
    public void setColor(@Nullable Color color) {
      this.color = color;
    }

    /** {@return a number} */
    public int getTotal() {
      return total;
    }

    /**
     * Sets a number.
     *
     * @param total the number
     */
    public void setTotal(int total) {
      this.total = total;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bean bean && String.valueOf(bean.id).equals(String.valueOf(id));
    }

    @Override
    public int hashCode() {
      return String.valueOf(id).hashCode();
    }
  }

  private static final class StatusCodec implements Codec<Status> {
    @Override
    public void encode(BsonWriter writer, Status value, EncoderContext context) {
      writer.writeInt32(value == Status.OPEN ? 1 : 2);
    }

    @Override
    public Status decode(BsonReader reader, DecoderContext context) {
      return reader.readInt32() == 1 ? Status.OPEN : Status.PAID;
    }

    @Override
    public Class<Status> getEncoderClass() {
      return Status.class;
    }
  }

  private static final class CodedCodec implements Codec<Coded> {
    @Override
    public void encode(BsonWriter writer, Coded value, EncoderContext context) {
      writer.writeString("c" + value.value());
    }

    @Override
    public Coded decode(BsonReader reader, DecoderContext context) {
      return new Coded(Integer.parseInt(reader.readString().substring(1)));
    }

    @Override
    public Class<Coded> getEncoderClass() {
      return Coded.class;
    }
  }

  private static final class OwnCodec implements Codec<Own> {
    @Override
    public void encode(BsonWriter writer, Own value, EncoderContext context) {
      writer.writeStartDocument();
      writer.writeObjectId("_id", value.id());
      writer.writeInt32("total", value.total());
      writer.writeEndDocument();
    }

    @Override
    public Own decode(BsonReader reader, DecoderContext context) {
      ObjectId id = new ObjectId(0, 0);
      int total = 0;
      reader.readStartDocument();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        switch (reader.readName()) {
          case "_id" -> id = reader.readObjectId();
          case "total" ->
              total =
                  reader.getCurrentBsonType() == BsonType.INT64
                      ? (int) reader.readInt64()
                      : reader.readInt32();
          default -> reader.skipValue();
        }
      }
      reader.readEndDocument();
      return new Own(id, total);
    }

    @Override
    public Class<Own> getEncoderClass() {
      return Own.class;
    }
  }

  private record NumberCodec<N extends Number>(
      Class<N> type, java.util.function.ToIntFunction<N> to, java.util.function.IntFunction<N> from)
      implements Codec<N> {
    @Override
    public void encode(BsonWriter writer, N value, EncoderContext context) {
      writer.writeInt32(to.applyAsInt(value));
    }

    @Override
    public N decode(BsonReader reader, DecoderContext context) {
      return from.apply(reader.readInt32());
    }

    @Override
    public Class<N> getEncoderClass() {
      return type;
    }
  }

  static CodecRegistry scaled() {
    return CodecRegistries.fromRegistries(
        CodecRegistries.fromCodecs(
            new NumberCodec<>(Short.class, n -> n * 10, n -> (short) (n / 10)),
            new NumberCodec<>(Byte.class, n -> n + 100, n -> (byte) (n - 100))),
        com.mongodb.MongoClientSettings.getDefaultCodecRegistry());
  }

  /** Colors as numbers, known to the properties of POJOs alone. */
  private static final class Colors implements PropertyCodecProvider {
    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable Codec<T> get(
        TypeWithTypeParameters<T> type, PropertyCodecRegistry registry) {
      return type.getType() == Color.class ? (Codec<T>) new ColorCodec() : null;
    }
  }

  private static final class ColorCodec implements Codec<Color> {
    @Override
    public void encode(BsonWriter writer, Color value, EncoderContext context) {
      writer.writeInt32(value == Color.RED ? 0 : 1);
    }

    @Override
    public Color decode(BsonReader reader, DecoderContext context) {
      return reader.readInt32() == 0 ? Color.RED : Color.GREEN;
    }

    @Override
    public Class<Color> getEncoderClass() {
      return Color.class;
    }
  }

  static CodecRegistry registry(CodecRegistry defaults, UuidRepresentation uuids) {
    return CodecRegistries.withUuidRepresentation(
        CodecRegistries.fromRegistries(
            CodecRegistries.fromCodecs(new StatusCodec(), new CodedCodec(), new OwnCodec()),
            CodecRegistries.fromCodecs(new UuidCodec(uuids)),
            defaults,
            CodecRegistries.fromProviders(PojoCodecProvider.builder().automatic(true).build())),
        uuids);
  }

  static CodecRegistry beansByOwnProvider() {
    return CodecRegistries.fromRegistries(
        com.mongodb.MongoClientSettings.getDefaultCodecRegistry(),
        CodecRegistries.fromProviders(
            PojoCodecProvider.builder().automatic(true).register(new Colors()).build()));
  }
}
