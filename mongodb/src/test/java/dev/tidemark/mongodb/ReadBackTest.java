package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.intake.Intake;
import dev.tidemark.kernel.UnfitChangeException;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonCreator;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a change stores, the class can read back")
final class ReadBackTest {
  private static final String SECRET = "s3cr3t";

  /** A record with components that cannot be null. */
  public record Count(
      @BsonId String id,
      int count,
      long total,
      @Nullable Short small,
      @Nullable Float ratio,
      @Nullable BigDecimal price) {}

  /** A record with a set that rounds fractions. */
  public record Rated(@BsonId String id, @Nullable Set<Float> ratios) {}

  /** A part with a component that cannot be null. */
  public record Part(int times, @Nullable String note) {}

  /** A record with a part that may be missing. */
  public record Parted(@BsonId String id, @Nullable Part part, @Nullable Map<String, Part> parts) {}

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Count> counts =
      fixture.client.getDatabase("tests").getCollection("r" + UUID.randomUUID(), Count.class);
  private final MongoEntityStore<Count> store = MongoEntityStore.of(counts);
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private void create() {
    Change change = change().set("count", 1).set("total", 1L).createIfMissing();
    assertTrue(store.update(id(), key, change).isApplied());
  }

  private void assertRefused(Change change, String named) {
    List<String> sent =
        fixture.commands.names(
            () -> {
              IllegalArgumentException fault =
                  assertThrows(
                      IllegalArgumentException.class, () -> store.update(id(), key, change));
              assertTrue(String.valueOf(fault.getMessage()).contains(named), fault::getMessage);
            });
    assertEquals(List.of(), sent);
  }

  @Test
  @DisplayName("a record that lacks a primitive component is refused before it is made")
  void primitives() {
    assertRefused(change().set("total", 1L).createIfMissing(), "'count'");
    assertRefused(change().add("count", 1).createIfMissing(), "'total'");
    assertRefused(change().add("count", 1).remove("total").recreate(), "'total'");
    assertThrows(
        IllegalArgumentException.class,
        () ->
            store.update(
                id(), key, MongoNativeUpdate.of(Updates.inc("count", 1)).createIfMissing()));
    assertTrue(
        store.writeAll(List.of(Write.update(id(), key, change().createIfMissing()))).stream()
            .noneMatch(result -> result.isDone()));
    assertEquals(0, counts.countDocuments());
    MongoNativeUpdate whole =
        MongoNativeUpdate.of(
            Updates.combine(Updates.inc("count", 1), Updates.setOnInsert("total", 5L)));
    assertTrue(store.update(id(), key, whole.createIfMissing()).isApplied());
    assertEquals(5L, store.find(key).orElseThrow().total());
  }

  public record Sums(@BsonId String id, @Nullable Long out, @Nullable Long in) {}

  @Test
  @DisplayName("a primitive component is not taken away, and a part is not made without its own")
  void parts() {
    create();
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(id(), key, change().set("total", 2L).remove("count")));
    MongoEntityStore<Parted> parted =
        MongoEntityStore.of(
            fixture
                .client
                .getDatabase("tests")
                .getCollection("r" + UUID.randomUUID(), Parted.class));
    for (String part : List.of("part.", "parts.x.")) {
      Change noted = change().createParents().set(part + "note", "x").createIfMissing();
      assertThrows(
          IllegalArgumentException.class, () -> parted.update(id(), key, noted), noted::toString);
      assertTrue(parted.update(id(), key, noted.add(part + "times", 1)).isApplied());
      Change taking = change().remove(part + "times");
      assertThrows(IllegalArgumentException.class, () -> parted.update(id(), key, taking));
      assertTrue(parted.update(id(), key, change().remove(part + "note")).isApplied());
    }
    Part made = new Part(1, null);
    Parted expected = new Parted((String) key.parts().get(0), made, Map.of("x", made));
    assertEquals(expected, parted.find(key).orElseThrow());
  }

  @Test
  @DisplayName("nor is a part made of nothing by what takes something away")
  void emptied() {
    MongoEntityStore<Parted> parted =
        MongoEntityStore.of(fixture.documents().withDocumentClass(Parted.class));
    assertTrue(parted.update(id(), key, change().createIfMissing()).isApplied());
    for (String part : List.of("part.", "parts.x.")) {
      Change taking = change().remove(part + "note").createParents();
      assertThrows(
          UnfitChangeException.class, () -> parted.update(id(), key, taking), taking::toString);
      assertTrue(parted.update(id(), key, taking.add(part + "times", 1)).isApplied());
    }
    assertEquals(new Part(1, null), parted.find(key).orElseThrow().part());
  }

  /** A record that checks itself. */
  public record Checked(@BsonId String id, String status, boolean paid, @Nullable Long total) {
    public Checked {
      Objects.requireNonNull(status);
    }
  }

  @Test
  @DisplayName("a record is not made that its constructor refuses")
  void checked() {
    MongoCollection<Checked> collection =
        fixture.client.getDatabase("tests").getCollection("r" + UUID.randomUUID(), Checked.class);
    MongoEntityStore<Checked> checked = MongoEntityStore.of(collection);
    Change paid = change().set("paid", true).add("total", 1L).createIfMissing();
    assertThrows(UnfitChangeException.class, () -> checked.update(id(), key, paid));
    assertEquals(0, collection.countDocuments());
    assertTrue(checked.update(id(), key, paid.set("status", "NEW")).isApplied());
    assertEquals("NEW", checked.find(key).orElseThrow().status());
  }

  /** A class that needs a status, and a time of what is paid. */
  public record Paid(@BsonId String id, String status, @Nullable Instant at, boolean paid) {
    public Paid {
      Objects.requireNonNull(status);
    }
  }

  @Test
  @DisplayName("nor is a change refused that a rule keeps from making one")
  void ruled() {
    MongoCollection<Paid> collection =
        fixture.client.getDatabase("tests").getCollection("r" + UUID.randomUUID(), Paid.class);
    MongoEntityStore<Paid> store = MongoEntityStore.of(collection);
    Change pay = change().set("at", Instant.EPOCH).createIfMissing();
    assertThrows(UnfitChangeException.class, () -> store.update(id(), key, pay));
    Change ruled = pay.onlyIf(attribute("status").is("NEW"));
    assertFalse(store.update(id(), key, ruled).isApplied());
    assertEquals(0, collection.countDocuments());
    collection.insertOne(new Paid((String) key.parts().get(0), "NEW", null, false));
    assertTrue(store.update(id(), key, ruled).isApplied());
  }

  /** A class whose creator asks for two properties together. */
  public static final class Bill {
    private final String id;
    private final @Nullable Boolean paid;
    private final @Nullable Instant at;

    @BsonCreator
    public Bill(
        @BsonId String id,
        @BsonProperty("paid") @Nullable Boolean paid,
        @BsonProperty("at") @Nullable Instant at) {
      if (Boolean.TRUE.equals(paid) && at == null) {
        throw new IllegalArgumentException("a bill that is paid needs the time");
      }
      this.id = id;
      this.paid = paid;
      this.at = at;
    }

    @BsonId
    public String getId() {
      return id;
    }

    public @Nullable Boolean getPaid() {
      return paid;
    }

    public @Nullable Instant getAt() {
      return at;
    }
  }

  @Test
  @DisplayName("nor is one refused for what its class asks for beside the value")
  void together() {
    MongoCollection<Bill> collection =
        fixture
            .documents()
            .withDocumentClass(Bill.class)
            .withCodecRegistry(
                CodecRegistries.fromRegistries(
                    MongoClientSettings.getDefaultCodecRegistry(),
                    CodecRegistries.fromProviders(
                        PojoCodecProvider.builder().automatic(true).build())));
    MongoEntityStore<Bill> store = MongoEntityStore.of(collection);
    collection.insertOne(new Bill((String) key.parts().get(0), false, Instant.EPOCH));
    Change pay = change().set("paid", true).onlyIf(attribute("paid").is(true).not());
    assertTrue(store.update(id(), key, pay).isApplied());
    assertEquals(true, store.find(key).orElseThrow().getPaid());
    for (Change wrong : List.of(change().set("at", new BsonString("now")), pay.createIfMissing())) {
      assertThrows(UnfitChangeException.class, () -> store.update(id(), key, wrong));
    }
  }

  @Test
  @DisplayName("numbers that may be null are that until something is added to them")
  void addedLater() {
    MongoEntityStore<Sums> sums =
        MongoEntityStore.of(
            fixture.client.getDatabase("tests").getCollection("s" + UUID.randomUUID(), Sums.class));
    assertTrue(sums.update(id(), key, change().createIfMissing().add("in", 2)).isApplied());
    assertEquals(
        List.of(Optional.empty(), Optional.of(2L)),
        sums.find(key)
            .map(row -> List.of(Optional.ofNullable(row.out()), Optional.ofNullable(row.in())))
            .orElseThrow());
  }

  @Test
  @DisplayName("an intake tells why a change does not fit the class")
  void told() {
    assertTold(change().set("total", 1L).createIfMissing(), "has to set 'count'");
    assertTold(change().set("missing", SECRET), "'missing' is not mapped");
    assertTold(change().set("count", SECRET), "property 'count'");
    assertTold(change().set("price", new Object()), "no codec");
  }

  private void assertTold(Change change, String text) {
    Projector<Count> projector =
        Projector.into(store).updating(String.class, event -> key, event -> change).build();
    Intake<String> intake =
        Intake.<String>builder(event -> event, event -> Delivery.of(id(), event), projector::handle)
            .build();
    String reason = intake.take(List.of("it")).fates().get(0).reason();
    assertTrue(reason.startsWith("UnfitChangeException: ") && reason.contains(text), reason);
    assertTrue(!reason.contains(SECRET), reason);
  }

  @Test
  @DisplayName("a stored record without a primitive component is a fault that names it")
  void missing() {
    create();
    counts.updateOne(new BsonDocument(), Updates.unset("count"));
    CorruptRecordException fault =
        assertThrows(CorruptRecordException.class, () -> store.find(key));
    assertEquals(Optional.of(key), fault.key());
    String text = String.valueOf(fault.getMessage());
    assertTrue(text.contains("'count'") && text.contains(Count.class.getName()), text);
    assertTrue(store.update(id(), key, change().set("total", 9L).returning()).isApplied());
    assertTrue(store.update(id(), key, Updates.set("total", 8L)).isApplied());
    assertTrue(
        store
            .update(id(), key, MongoNativeUpdate.of(Updates.set("total", 7L)).returning())
            .isApplied());
    assertTrue(store.update(id(), key, change().set("count", 2)).isApplied());
    assertEquals(7L, store.find(key).orElseThrow().total());
  }

  @Test
  @DisplayName("no text of a fault has the value that did not fit")
  void silent() {
    create();
    counts.updateOne(new BsonDocument(), Updates.set("total", SECRET));
    for (Throwable t = assertThrows(CorruptRecordException.class, () -> store.find(key));
        t != null;
        t = t.getCause()) {
      assertTrue(!t.toString().contains(SECRET), t::toString);
    }
  }

  @Test
  @DisplayName("numbers beyond the property's class, and of a class that its codec does not read")
  void ranges() {
    create();
    assertRefused(change().set("count", 1L << 31), "'count'");
    assertRefused(change().add("count", 1L << 31), "'count'");
    assertRefused(change().set("total", new BigDecimal("1E+30")), "'total'");
    assertRefused(change().add("total", new BigDecimal("1E+30")), "'total'");
    assertRefused(change().set("small", 40_000), "'small'");
    assertRefused(change().set("ratio", 1E+300), "'ratio'");
    assertRefused(change().set("price", "5"), "'price'");
    Change fits =
        change()
            .set("count", Integer.MAX_VALUE)
            .set("small", 7)
            .set("ratio", 1)
            .set("price", new BigDecimal("0.1"));
    assertTrue(store.update(id(), key, fits).isApplied());
    assertEquals(new BigDecimal("0.1"), store.find(key).orElseThrow().price());
  }

  @Test
  @DisplayName("a decimal takes numbers of each class, as on every store")
  void decimals() {
    create();
    assertTrue(store.update(id(), key, change().add("price", 5)).isApplied());
    assertTrue(store.update(id(), key, change().add("price", 0.1)).isApplied());
    assertEquals(new BigDecimal("5.1"), store.find(key).orElseThrow().price());
    Condition same =
        Condition.attribute("price").is(5.1).and(Condition.attribute("price").atMost(5.1f));
    assertTrue(store.update(id(), key, change().set("price", 0.1f).onlyIf(same)).isApplied());
    assertEquals(new BigDecimal("0.1"), store.find(key).orElseThrow().price());
    assertTrue(store.update(id(), key, change().set("price", 7L)).isApplied());
    assertEquals(new BigDecimal("7"), store.find(key).orElseThrow().price());
  }

  @Test
  @DisplayName("a binary number is equal to what was given for it, of whatever class")
  void binaries() {
    create();
    BigDecimal tenth = new BigDecimal("0.1");
    assertTrue(store.update(id(), key, change().set("ratio", tenth)).isApplied());
    Condition same = attribute("ratio").is(tenth).and(attribute("ratio").atMost(0.1));
    Condition more = attribute("ratio").greaterThan(new BigDecimal("0.10000000000001"));
    assertTrue(
        store.update(id(), key, change().set("count", 2).onlyIf(same.and(more))).isApplied());
  }

  @Test
  @DisplayName(
      "a float rounds fractions, and takes no whole number or decimal that it does not hold")
  void floats() {
    create();
    for (Number lost :
        List.of(
            16_777_217,
            16_777_217L,
            16_777_217.0,
            123_456_790,
            2_147_483_600,
            2_147_483_650L,
            new BigDecimal("1E-60"),
            1e-60)) {
      assertRefused(change().set("ratio", lost), "'ratio'");
    }
    for (Number held :
        List.of(
            16_777_216,
            1 << 30,
            0,
            0.0,
            1e30,
            0.1,
            new BigDecimal("0.1"),
            Math.PI,
            Float.MIN_VALUE)) {
      assertTrue(store.update(id(), key, change().set("ratio", held)).isApplied());
      assertEquals(held.floatValue(), store.find(key).orElseThrow().ratio());
    }
  }

  @Test
  @DisplayName("a sum beyond the property's class is InvalidChangeException, nothing written")
  void sums() {
    create();
    assertTrue(
        store
            .update(id(), key, change().set("count", Integer.MAX_VALUE - 1).set("small", -32_768))
            .isApplied());
    assertTrue(store.update(id(), key, change().add("count", 1)).isApplied());
    assertThrows(
        InvalidChangeException.class, () -> store.update(id(), key, change().add("count", 1)));
    assertThrows(
        InvalidChangeException.class, () -> store.update(id(), key, change().add("small", -1)));
    assertTrue(
        store
            .writeAll(
                List.of(
                    Write.update(id(), key, change().add("count", 1)),
                    Write.update(id(), key, change().add("count", 1))))
            .stream()
            .noneMatch(result -> result.isDone()));
    Count count = store.find(key).orElseThrow();
    assertEquals(Integer.MAX_VALUE, count.count());
    assertEquals(Short.MIN_VALUE, count.small());
  }

  @Test
  @DisplayName("a set of floats has once what two fractions are rounded to, also by one batch")
  void floatsOfASet() {
    MongoCollection<Rated> rated =
        fixture.client.getDatabase("tests").getCollection("r" + UUID.randomUUID(), Rated.class);
    Change set = change().set("ratios", Set.of(0.1)).createIfMissing();
    Change added = change().addToSet("ratios", 0.10000000149011612);
    var results =
        MongoEntityStore.of(rated)
            .writeAll(
                List.of(
                    Write.update(MessageId.of("m1"), key, set),
                    Write.update(MessageId.of("m2"), key, added)));
    assertEquals(2, results.stream().filter(Result::isDone).count());
    BsonDocument stored =
        Objects.requireNonNull(rated.withDocumentClass(BsonDocument.class).find().first());
    assertEquals(1, stored.getArray("ratios").size());
  }
}
