package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.marks.Marks;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.StringCodec;
import org.bson.codecs.configuration.CodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.ClassModel;
import org.bson.codecs.pojo.Convention;
import org.bson.codecs.pojo.Conventions;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.PropertyCodecProvider;
import org.bson.codecs.pojo.PropertyCodecRegistry;
import org.bson.codecs.pojo.PropertyModelBuilder;
import org.bson.codecs.pojo.TypeWithTypeParameters;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("POJOs are mapped as their own codec maps them: by conventions, models, codecs")
final class ConventionsTest {
  private static final Instant LATER = Instant.EPOCH.plusSeconds(5);

  /** Names with underscores, as many applications have them. */
  private static final Convention SNAKES =
      model -> {
        for (PropertyModelBuilder<?> property : model.getPropertyModelBuilders()) {
          String name = property.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
          property.readName(name).writeName(name);
        }
      };

  /** Times as texts of milliseconds. */
  private static final class Millis implements Codec<Instant> {
    @Override
    public void encode(BsonWriter writer, Instant time, EncoderContext context) {
      writer.writeString("" + time.toEpochMilli());
    }

    @Override
    public Instant decode(BsonReader reader, DecoderContext context) {
      return Instant.ofEpochMilli(Long.parseLong(reader.readString()));
    }

    @Override
    public Class<Instant> getEncoderClass() {
      return Instant.class;
    }
  }

  private static final Convention MILLIS =
      model ->
          model.getPropertyModelBuilders().stream()
              .filter(property -> property.getName().equals("sentAt"))
              .forEach(ConventionsTest::byMillis);

  @SuppressWarnings("unchecked")
  private static void byMillis(PropertyModelBuilder<?> property) {
    ((PropertyModelBuilder<Instant>) property).codec(new Millis());
  }

  /** Texts from their end. */
  private static final class Reversed implements Codec<String> {
    @Override
    public void encode(BsonWriter writer, String text, EncoderContext context) {
      writer.writeString(new StringBuilder(text).reverse().toString());
    }

    @Override
    public String decode(BsonReader reader, DecoderContext context) {
      return new StringBuilder(reader.readString()).reverse().toString();
    }

    @Override
    public Class<String> getEncoderClass() {
      return String.class;
    }
  }

  /** What gives times and texts their codecs, where the classes say nothing of it. */
  private static final class OwnCodecs implements PropertyCodecProvider {
    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable Codec<T> get(
        TypeWithTypeParameters<T> type, PropertyCodecRegistry registry) {
      if (type.getType() == String.class) {
        return (Codec<T>) new Reversed();
      }
      return type.getType() == Instant.class ? (Codec<T>) new Millis() : null;
    }
  }

  /** A part of a row. */
  public static final class Parcel {
    private @Nullable Instant sentAt;
    private @Nullable Long netWeight;
    private @Nullable String label;

    public @Nullable Instant getSentAt() {
      return sentAt;
    }

    public void setSentAt(@Nullable Instant value) {
      sentAt = value;
    }

    public @Nullable Long getNetWeight() {
      return netWeight;
    }

    public void setNetWeight(@Nullable Long value) {
      netWeight = value;
    }

    public @Nullable String getLabel() {
      return label;
    }

    public void setLabel(@Nullable String value) {
      label = value;
    }
  }

  /** A row, whose key no annotation names. */
  public static class Row {
    private @Nullable String code;
    private @Nullable String orderStatus;
    private @Nullable Long paidCents;
    private @Nullable Instant sentAt;
    private @Nullable Parcel firstParcel;

    public @Nullable String getCode() {
      return code;
    }

    public void setCode(@Nullable String value) {
      code = value;
    }

    public @Nullable String getOrderStatus() {
      return orderStatus;
    }

    public void setOrderStatus(@Nullable String value) {
      orderStatus = value;
    }

    public @Nullable Long getPaidCents() {
      return paidCents;
    }

    public void setPaidCents(@Nullable Long value) {
      paidCents = value;
    }

    public @Nullable Instant getSentAt() {
      return sentAt;
    }

    public void setSentAt(@Nullable Instant value) {
      sentAt = value;
    }

    public @Nullable Parcel getFirstParcel() {
      return firstParcel;
    }

    public void setFirstParcel(@Nullable Parcel value) {
      firstParcel = value;
    }
  }

  /** A row that carries its marks. */
  public static final class Carrying extends Row {
    private @Nullable Marks allMarks;

    public @Nullable Marks getAllMarks() {
      return allMarks;
    }

    public void setAllMarks(@Nullable Marks value) {
      allMarks = value;
    }
  }

  /** A record with a string that the registry stores in its own way. */
  public record Referring(String id, @Nullable String ref) {}

  private final MongoFixture fixture = new MongoFixture();
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static List<Convention> with(Convention further) {
    return Stream.concat(Conventions.DEFAULT_CONVENTIONS.stream(), Stream.of(further)).toList();
  }

  private static PojoCodecProvider by(Convention further) {
    return PojoCodecProvider.builder().conventions(with(further)).automatic(true).build();
  }

  private <T> MongoCollection<T> collection(Class<T> type, CodecProvider pojos) {
    return collection(
        type,
        CodecRegistries.fromRegistries(
            MongoClientSettings.getDefaultCodecRegistry(), CodecRegistries.fromProviders(pojos)));
  }

  private <T> MongoCollection<T> collection(Class<T> type, CodecRegistry registry) {
    return fixture
        .client
        .getDatabase("tests")
        .getCollection("c" + UUID.randomUUID(), type)
        .withCodecRegistry(registry);
  }

  private BsonDocument stored(MongoCollection<?> rows) {
    return Objects.requireNonNull(
        rows.withDocumentClass(BsonDocument.class)
            .find(Filters.eq("_id", key.parts().get(0)))
            .first());
  }

  private static Row placed(Row row) {
    row.setOrderStatus("PLACED");
    row.setPaidCents(1L);
    row.setSentAt(Instant.EPOCH);
    Parcel parcel = new Parcel();
    parcel.setSentAt(Instant.EPOCH);
    parcel.setNetWeight(3L);
    row.setFirstParcel(parcel);
    return row;
  }

  private void place(MongoEntityStore<Row> store) {
    assertTrue(store.apply(message(), key, Row::new, ConventionsTest::placed).isApplied());
  }

  private void assertRefused(MongoEntityStore<?> store, Change change, String text) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> store.update(message(), key, change),
            change::toString);
    assertTrue(String.valueOf(refused.getMessage()).contains(text), refused.getMessage());
  }

  @Test
  @DisplayName(
      "names are those of the conventions, nested ones too; others are refused with a hint")
  void names() {
    MongoEntityStore<Row> store = MongoEntityStore.of(collection(Row.class, by(SNAKES)));
    place(store);
    Change paid =
        change()
            .set("order_status", "PAID")
            .add("paid_cents", 25)
            .add("first_parcel.net_weight", 4)
            .onlyIf(attribute("order_status").is("PLACED"));
    assertTrue(store.update(message(), key, paid).isApplied());
    Row row = store.find(key).orElseThrow();
    assertEquals("PAID", row.getOrderStatus());
    assertEquals(26L, row.getPaidCents());
    assertEquals(7L, Objects.requireNonNull(row.getFirstParcel()).getNetWeight());
    assertRefused(store, change().set("orderStatus", "PAID"), "stored as 'order_status'");
    assertRefused(store, change().add("first_parcel.netWeight", 1), "stored as 'net_weight'");
    assertRefused(
        store,
        change().add("paid_cents", 1).onlyIf(attribute("orderStatus").isMissing()),
        "stored as 'order_status'");
  }

  @Test
  @DisplayName("the key is the property that a model names")
  void id() {
    ClassModel<Row> model = ClassModel.builder(Row.class).idPropertyName("code").build();
    MongoCollection<Row> rows =
        collection(
            Row.class, PojoCodecProvider.builder().register(model).register(Parcel.class).build());
    MongoEntityStore<Row> store = MongoEntityStore.of(rows);
    place(store);
    assertEquals(key.parts().get(0), store.find(key).orElseThrow().getCode());
    assertRefused(store, change().set("code", "2"), "is the key");
    assertFalse(stored(rows).containsKey("code"));
  }

  @Test
  @DisplayName("values have the form of the property's own codec, nested ones too")
  void codecs() {
    MongoCollection<Row> rows = collection(Row.class, by(MILLIS));
    MongoEntityStore<Row> store = MongoEntityStore.of(rows);
    place(store);
    Change sent =
        change()
            .set("sentAt", LATER)
            .set("firstParcel.sentAt", LATER)
            .onlyIf(attribute("firstParcel.sentAt").is(Instant.EPOCH));
    assertTrue(store.update(message(), key, sent).isApplied());
    assertEquals(new BsonString("5000"), stored(rows).get("sentAt"));
    Row row = store.find(key).orElseThrow();
    assertEquals(LATER, row.getSentAt());
    assertEquals(LATER, Objects.requireNonNull(row.getFirstParcel()).getSentAt());
  }

  @Test
  @DisplayName("a value is refused, nested ones too, that only a provider of codecs can store")
  void providers() {
    MongoCollection<Row> rows =
        collection(
            Row.class,
            PojoCodecProvider.builder().automatic(true).register(new OwnCodecs()).build());
    MongoEntityStore<Row> store = MongoEntityStore.of(rows);
    place(store);
    BsonDocument before = stored(rows);
    for (String parent : List.of("", "firstParcel.")) {
      String time = parent + "sentAt";
      String text = parent + (parent.isEmpty() ? "orderStatus" : "label");
      assertRefused(store, change().set(time, LATER), "'" + time + "'");
      assertRefused(store, change().set(text, "PAID"), "'" + text + "'");
      Change counted = change().add("paidCents", 1);
      assertRefused(store, counted.onlyIf(attribute(time).is(LATER)), "'" + time + "'");
      assertRefused(store, counted.onlyIf(attribute(text).in("PAID")), "'" + text + "'");
    }
    assertEquals(before, stored(rows));
  }

  @Test
  @DisplayName("a string has the form in which the registry stores strings")
  void strings() {
    MongoCollection<Referring> rows =
        collection(
            Referring.class,
            CodecRegistries.fromRegistries(
                CodecRegistries.fromCodecs(
                    new StringCodec().withRepresentation(BsonType.OBJECT_ID)),
                MongoClientSettings.getDefaultCodecRegistry()));
    MongoEntityStore<Referring> store = MongoEntityStore.of(rows);
    ObjectId id = new ObjectId();
    EntityKey hex = EntityKey.key(id.toHexString());
    Change create = change().set("ref", id.toHexString()).createIfMissing();
    assertTrue(store.update(message(), hex, create).isApplied());
    BsonDocument document =
        Objects.requireNonNull(rows.withDocumentClass(BsonDocument.class).find().first());
    assertEquals(new BsonObjectId(id), document.get("ref"));
    assertEquals(id.toHexString(), store.find(hex).orElseThrow().ref());
  }

  @Test
  @DisplayName("a property that is written under another name than it is read by is refused")
  void twoNames() {
    Convention apart =
        model -> model.getProperty("orderStatus").readName("status").writeName("state");
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> MongoEntityStore.of(collection(Row.class, by(apart))));
    assertTrue(String.valueOf(refused.getMessage()).contains("'orderStatus'"), "names it");
  }

  @Test
  @DisplayName("marks are read and put back under the name that a convention gives")
  void marks() {
    MongoCollection<Carrying> rows =
        collection(
            Carrying.class,
            CodecRegistries.fromRegistries(
                CodecRegistries.fromProviders(
                    MongoMarksCodec.provider(Tracking.defaults(), by(SNAKES))),
                MongoClientSettings.getDefaultCodecRegistry()));
    MongoEntityStore<Carrying> store = MongoEntityStore.of(rows);
    MessageId first = message();
    assertTrue(
        store
            .update(first, key, change().set("order_status", "NEW").createIfMissing())
            .isApplied());
    Carrying read = Objects.requireNonNull(rows.find().first());
    Marks marks = Objects.requireNonNull(read.getAllMarks());
    assertTrue(marks.attributes().containsKey("_rev"));
    read.setOrderStatus("PUT");
    assertEquals(
        1,
        rows.replaceOne(
                Filters.and(Filters.eq("_id", key.parts().get(0)), MongoMarks.unchanged(marks)),
                read)
            .getModifiedCount());
    assertInstanceOf(Outcome.Duplicate.class, store.skip(first, key));
    assertEquals("PUT", store.find(key).orElseThrow().getOrderStatus());
    assertFalse(stored(rows).containsKey("all_marks"));
  }
}
