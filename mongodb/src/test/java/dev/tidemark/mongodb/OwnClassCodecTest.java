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
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
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
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.conversions.Bson;
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

  private MongoCollection<Payment> payments() {
    return collection(
        Payment.class,
        CodecRegistries.fromProviders(
            PojoCodecProvider.builder().register(Payment.class, Card.class).build()));
  }

  private MongoEntityStore<Vault> vaults(Codec<Secret> codec) {
    return MongoEntityStore.of(vaultRows(codec));
  }

  private MongoCollection<Vault> vaultRows(Codec<Secret> codec) {
    return collection(
        Vault.class,
        CodecRegistries.fromRegistries(
            CodecRegistries.fromCodecs(codec),
            MongoClientSettings.getDefaultCodecRegistry(),
            CodecRegistries.fromProviders(PojoCodecProvider.builder().automatic(true).build())));
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
    MongoCollection<Payment> payments = payments();
    MongoEntityStore<Payment> store = MongoEntityStore.of(payments);
    Change five = change().add("cents", 5L).createIfMissing();
    assertTrue(refused(store, five).contains("codec reads"));
    assertTrue(store.find(key).isEmpty());
    assertTrue(store.update(message(), key, five.set("_t", "card")).isApplied());
    assertTrue(store.update(message(), key, change().add("cents", 2L)).isApplied());
    assertEquals(7L, store.find(key).map(Payment::getCents).orElseThrow());
  }

  @Test
  @DisplayName("an entity of a concrete class names it, as the codec does, however it is created")
  void concreteClasses() {
    MongoCollection<Payment> payments = payments();
    MongoEntityStore<Card> cards = MongoEntityStore.of(payments.withDocumentClass(Card.class));
    MongoEntityStore<Payment> all = MongoEntityStore.of(payments);
    Change five = change().add("cents", 5L).createIfMissing();
    MongoNativeUpdate more = MongoNativeUpdate.of(Updates.inc("cents", 5L)).createIfMissing();
    for (EntityUpdate update : List.of(five, more, five.set("_t", "card"))) {
      for (boolean batch : List.of(false, true)) {
        EntityKey of = MongoFixture.key();
        Write<Card> write = Write.update(message(), of, update);
        Write<Card> next = Write.update(message(), of, update);
        if (batch) {
          cards.writeAll(List.of(write, next)).forEach(told -> assertTrue(isApplied(told)));
        } else {
          assertTrue(cards.write(write).isApplied() && cards.write(next).isApplied());
        }
        assertEquals(10L, all.find(of).map(Payment::getCents).orElseThrow());
        assertTrue(cards.delete(message(), of).isDone());
        assertTrue(cards.update(message(), of, five.recreate()).isApplied());
        assertEquals(5L, all.find(of).map(Payment::getCents).orElseThrow());
      }
    }
    MongoNativeUpdate later = MongoNativeUpdate.of(Updates.inc("cents", 2L));
    List<Write<Card>> batch =
        List.of(
            Write.update(message(), key, more),
            Write.update(message(), key, more),
            Write.update(message(), key, later));
    Runnable folded = () -> cards.writeAll(batch).forEach(told -> assertTrue(isApplied(told)));
    assertEquals(1, fixture.commands.measure(folded).writes());
  }

  @Test
  @DisplayName("what a caller gave is not changed, and may take the name of the class away")
  void givenOperators() {
    MongoCollection<Payment> payments = payments();
    MongoEntityStore<Card> cards = MongoEntityStore.of(payments.withDocumentClass(Card.class));
    BsonDocument five = BsonDocument.parse("{$inc: {cents: 5}}");
    MongoNativeUpdate update = MongoNativeUpdate.of(five).createIfMissing();
    assertTrue(cards.update(message(), key, update).isApplied());
    assertEquals(BsonDocument.parse("{$inc: {cents: 5}}"), five);
    MongoEntityStore<Payment> all = MongoEntityStore.of(payments);
    assertThrows(
        IllegalArgumentException.class,
        () -> all.update(message(), MongoFixture.key(), update),
        "it names no class still");
    EntityKey bare = MongoFixture.key();
    Bson without = Updates.combine(Updates.inc("cents", 1L), Updates.unset("_t"));
    assertTrue(
        cards.update(message(), bare, MongoNativeUpdate.of(without).createIfMissing()).isApplied());
    assertTrue(cards.update(message(), bare, change().remove("_t").createIfMissing()).isDone());
    assertInstanceOf(
        Outcome.Recorded.class, cards.update(message(), bare, change().createIfMissing()));
  }

  private static boolean isApplied(Result<?> result) {
    return result.outcomeIfJudged().orElseThrow().isApplied();
  }

  /** What nobody is to read in the database. */
  record Secret(String text) {}

  /** Encrypts, so to speak: the same is another text each time. */
  static final class SecretCodec implements Codec<Secret> {
    private static final int NONCE = UUID.randomUUID().toString().length();

    @Override
    public void encode(BsonWriter writer, Secret value, EncoderContext context) {
      writer.writeString(UUID.randomUUID() + value.text());
    }

    @Override
    public Secret decode(BsonReader reader, DecoderContext context) {
      return new Secret(reader.readString().substring(NONCE));
    }

    @Override
    public Class<Secret> getEncoderClass() {
      return Secret.class;
    }
  }

  /** Has secrets. */
  public static final class Vault {
    @BsonId public @Nullable String id;
    public @Nullable Secret secret;
    public @Nullable Map<String, Secret> others;
  }

  @Test
  @DisplayName("a codec that writes another text each time is asked what it reads")
  void encrypted() {
    MongoEntityStore<Vault> vaults = vaults(new SecretCodec());
    Change set =
        change()
            .set("secret", new Secret("a"))
            .set("others", Map.of("b", new Secret("c")))
            .createIfMissing();
    assertTrue(vaults.update(message(), key, set).isApplied());
    assertTrue(
        vaults.update(message(), key, change().set("others.d", new Secret("e"))).isApplied());
    Vault vault = vaults.find(key).orElseThrow();
    assertEquals(new Secret("a"), vault.secret);
    assertEquals(Map.of("b", new Secret("c"), "d", new Secret("e")), vault.others);
  }

  @Test
  @DisplayName("a condition that is never true is refused, with the name of its property")
  void neverTrue() {
    MongoEntityStore<Vault> vaults = vaults(new SecretCodec());
    Change set = change().set("secret", new Secret("a")).createIfMissing();
    assertTrue(vaults.update(message(), key, set).isApplied());
    for (Condition condition :
        List.of(
            attribute("secret").is(new Secret("a")),
            attribute("secret").is(new Secret("a")).not(),
            attribute("others.b").is(new Secret("a")))) {
      Change change = change().set("others.b", new Secret("c")).onlyIf(condition);
      String text =
          String.valueOf(
              assertThrows(
                      IllegalArgumentException.class, () -> vaults.update(message(), key, change))
                  .getMessage());
      assertTrue(text.contains("of Vault is stored by a codec"), text);
    }
    Change there = change().set("secret", new Secret("b")).onlyIf(attribute("secret").exists());
    assertTrue(vaults.update(message(), key, there).isApplied());
  }

  @Test
  @DisplayName("what a codec writes as another text each time is left alone by functions")
  void encryptedBesideFunctions() {
    MongoCollection<Vault> rows = vaultRows(new SecretCodec());
    MongoEntityStore<Vault> vaults = MongoEntityStore.of(rows);
    Change set =
        change().set("secret", new Secret("a")).set("others.b", new Secret("c")).createParents();
    assertTrue(vaults.update(message(), key, set.createIfMissing()).isApplied());
    assertInstanceOf(
        Outcome.Recorded.class, vaults.apply(message(), key, UnaryOperator.identity()));
    Outcome<Vault> changed =
        vaults.apply(
            message(),
            key,
            vault -> {
              rows.updateOne(Filters.exists("secret"), Updates.set("secret", new Secret("new")));
              vault.others = Map.of();
              return vault;
            });
    assertTrue(changed.isApplied());
    Vault vault = vaults.find(key).orElseThrow();
    assertEquals(new Secret("new"), vault.secret);
    assertEquals(Map.of(), vault.others);
  }

  @Test
  @DisplayName("and where functions of a batch change it and take that back")
  void takenBack() {
    MongoCollection<Vault> rows = vaultRows(new SecretCodec());
    MongoEntityStore<Vault> vaults = MongoEntityStore.of(rows);
    Change set = change().set("secret", new Secret("a")).createIfMissing();
    assertTrue(vaults.update(message(), key, set).isApplied());
    List<Write<Vault>> batch =
        List.of(
            Write.apply(
                message(),
                key,
                vault -> {
                  rows.updateOne(
                      Filters.exists("secret"), Updates.set("secret", new Secret("new")));
                  vault.secret = new Secret("b");
                  return vault;
                }),
            Write.apply(
                message(),
                key,
                vault -> {
                  vault.secret = new Secret("a");
                  return vault;
                }));
    vaults.writeAll(batch).forEach(told -> assertTrue(isApplied(told)));
    assertEquals(new Secret("new"), vaults.find(key).orElseThrow().secret);
  }

  /** Writes what nobody gave it. */
  static final class TagCodec implements Codec<Secret> {
    @Override
    public void encode(BsonWriter writer, Secret value, EncoderContext context) {
      writer.writeString(UUID.randomUUID().toString());
    }

    @Override
    public Secret decode(BsonReader reader, DecoderContext context) {
      return new Secret(reader.readString());
    }

    @Override
    public Class<Secret> getEncoderClass() {
      return Secret.class;
    }
  }

  @Test
  @DisplayName("a codec that writes what it was not given")
  void generated() {
    MongoEntityStore<Vault> vaults = vaults(new TagCodec());
    Change set = change().set("secret", new Secret("a")).createIfMissing();
    assertTrue(refused(vaults, set).contains("'secret'"));
  }
}
