package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonDiscriminator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the codec of a class would not read back is refused before it is written")
final class OwnClassCodecTest {
  private static final Change REFUSED = change().set("at", Instant.EPOCH);

  /** A row. */
  record Row(String id, @Nullable Long total, @Nullable String note, @Nullable Instant at) {}

  /** Stores times as texts; what it cannot do without is there or not. */
  private record RowCodec(boolean needsTotal) implements Codec<Row> {
    private static final DocumentCodec DOCUMENTS = new DocumentCodec();

    @Override
    public void encode(BsonWriter writer, Row row, EncoderContext context) {
      Document document = new Document("_id", Objects.requireNonNull(row.id()));
      put(document, "total", row.total());
      put(document, "note", row.note());
      put(document, "at", row.at() == null ? null : "" + row.at());
      DOCUMENTS.encode(writer, document, context);
    }

    private static void put(Document document, String name, @Nullable Object value) {
      if (value != null) {
        document.append(name, value);
      }
    }

    @Override
    public Row decode(BsonReader reader, DecoderContext context) {
      Document document = DOCUMENTS.decode(reader, context);
      Long total = document.getLong("total");
      if (needsTotal) {
        Objects.requireNonNull(total);
      }
      Object note = document.get("note");
      String at = document.getString("at");
      return new Row(
          document.getString("_id"),
          total,
          note instanceof String text ? text : null,
          at == null ? null : Instant.parse(at));
    }

    @Override
    public Class<Row> getEncoderClass() {
      return Row.class;
    }
  }

  /** A payment of some kind. */
  @BsonDiscriminator
  public abstract static class Payment {
    private @Nullable Long cents;

    public @Nullable Long getCents() {
      return cents;
    }

    public void setCents(@Nullable Long value) {
      cents = value;
    }
  }

  /** One kind. */
  @BsonDiscriminator("card")
  public static final class Card extends Payment {}

  private final MongoFixture fixture = new MongoFixture();
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private <T> MongoCollection<T> collection(Class<T> type, CodecRegistry first) {
    return fixture
        .client
        .getDatabase("tests")
        .getCollection("c" + UUID.randomUUID(), type)
        .withCodecRegistry(
            CodecRegistries.fromRegistries(first, MongoClientSettings.getDefaultCodecRegistry()));
  }

  private MongoCollection<Row> rows(boolean needsTotal) {
    return collection(Row.class, CodecRegistries.fromCodecs(new RowCodec(needsTotal)));
  }

  private Row first() {
    return new Row((String) key.parts().get(0), 1L, "new", Instant.EPOCH);
  }

  private String refused(MongoEntityStore<?> store, Change change) {
    return String.valueOf(
        assertThrows(
                IllegalArgumentException.class,
                () -> store.update(message(), key, change),
                change::toString)
            .getMessage());
  }

  @Test
  @DisplayName("a value in a form, or of a type, that a codec of the user's own does not read")
  void values() {
    MongoEntityStore<Row> store = MongoEntityStore.of(rows(false));
    assertTrue(refused(store, REFUSED.createIfMissing()).contains("'at'"));
    assertTrue(store.find(key).isEmpty());
    Change create = change().set("total", 2L).set("note", "x").createIfMissing();
    assertTrue(store.update(message(), key, create).isApplied());
    for (Change change :
        new Change[] {
          REFUSED,
          change().set("at", "secret"),
          change().set("total", 2),
          change().set("note", 5),
          change().set("other", "x"),
          change().set("total", 3L).onlyIf(attribute("at").is(Instant.EPOCH))
        }) {
      assertFalse(refused(store, change).contains("secret"), change::toString);
    }
    Change more = change().add("total", 3L).set("at", "" + Instant.EPOCH);
    Change ruled = more.onlyIf(attribute("note").is("x").and(attribute("total").is(2)));
    assertTrue(store.update(message(), key, ruled).isApplied());
    Row row = store.find(key).orElseThrow();
    assertEquals(new Row(row.id(), 5L, "x", Instant.EPOCH), row);
  }

  @Test
  @DisplayName("any value, where the codec asks for more than the key, unless told otherwise")
  void untried() {
    MongoCollection<Row> rows = rows(true);
    MongoEntityStore<Row> store = MongoEntityStore.of(rows);
    assertTrue(store.apply(message(), key, this::first, UnaryOperator.identity()).isApplied());
    Change noted = change().set("note", "x");
    assertTrue(refused(store, REFUSED).contains("cannot be tried"));
    assertTrue(refused(store, noted).contains("cannot be tried"));
    assertTrue(refused(store, change().remove("total")).contains("cannot be tried"));
    assertTrue(store.update(message(), key, change().set("total", 3L)).isApplied());
    MongoEntityStore<Row> unmapped = MongoEntityStore.builder(rows).unmappedAttributes().build();
    assertTrue(unmapped.update(message(), key, noted).isApplied());
    assertTrue(refused(unmapped, noted.createIfMissing()).contains("codec reads"));
    Change creates = noted.createIfMissing().add("total", 2L);
    assertTrue(unmapped.update(message(), key, creates).isApplied());
    assertEquals(5L, store.find(key).orElseThrow().total());
  }

  @Test
  @DisplayName("an entity of an abstract class, of which a change does not say what it is")
  void abstractClasses() {
    MongoCollection<Payment> payments =
        collection(
            Payment.class,
            CodecRegistries.fromProviders(
                PojoCodecProvider.builder().register(Payment.class, Card.class).build()));
    MongoEntityStore<Payment> store = MongoEntityStore.of(payments);
    Change five = change().add("cents", 5L).createIfMissing();
    assertTrue(refused(store, five).contains("codec reads"));
    assertTrue(store.find(key).isEmpty());
    assertTrue(store.update(message(), key, five.set("_t", "card")).isApplied());
    assertTrue(store.update(message(), key, change().add("cents", 2L)).isApplied());
    assertEquals(7L, store.find(key).map(Payment::getCents).orElseThrow());
  }
}
