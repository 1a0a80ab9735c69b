package dev.tidemark.mongodb;

import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Tracked;
import dev.tidemark.Tracking;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.PropertyCodecProvider;
import org.bson.codecs.pojo.PropertyCodecRegistry;
import org.bson.codecs.pojo.TypeWithTypeParameters;
import org.bson.codecs.pojo.annotations.BsonDiscriminator;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A part of a POJO is written so that its class reads it")
final class ClassesOfPartsTest {
  /** Cannot be read without the name of its class. */
  @BsonDiscriminator(key = "_t")
  public abstract static class Shape {
    private @Nullable Integer size;

    public @Nullable Integer getSize() {
      return size;
    }

    public void setSize(@Nullable Integer size) {
      this.size = size;
    }
  }

  /** A shape. */
  @BsonDiscriminator(key = "_t", value = "circle")
  public static final class Circle extends Shape {}

  /** Whose members are of its argument's type. */
  public static final class Box<T> {
    private @Nullable T value;
    private @Nullable List<T> all;

    public @Nullable T getValue() {
      return value;
    }

    public void setValue(@Nullable T value) {
      this.value = value;
    }

    public @Nullable List<T> getAll() {
      return all;
    }

    public void setAll(@Nullable List<T> all) {
      this.all = all;
    }
  }

  /** Stores Optionals as their values, as the driver's documentation has it. */
  static final class Optionals implements PropertyCodecProvider {
    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable Codec<T> get(
        TypeWithTypeParameters<T> type, PropertyCodecRegistry registry) {
      return type.getType() == Optional.class && type.getTypeParameters().size() == 1
          ? (Codec<T>) codec(registry.get(type.getTypeParameters().get(0)))
          : null;
    }

    private static <V> Codec<Optional<V>> codec(Codec<V> inner) {
      return new Codec<>() {
        @Override
        public void encode(BsonWriter writer, Optional<V> value, EncoderContext context) {
          value.ifPresentOrElse(some -> inner.encode(writer, some, context), writer::writeNull);
        }

        @Override
        public Optional<V> decode(BsonReader reader, DecoderContext context) {
          return Optional.of(inner.decode(reader, context));
        }

        @Override
        @SuppressWarnings("unchecked")
        public Class<Optional<V>> getEncoderClass() {
          return (Class<Optional<V>>) (Class<?>) Optional.class;
        }
      };
    }
  }

  /** May have a box. */
  public static final class Holder {
    @BsonId public @Nullable String id;
    public Optional<Part> part = Optional.empty();
  }

  /** What it may have. */
  public static final class Part {
    public @Nullable String city;
    public @Nullable Integer no;
  }

  /** Has shapes and boxes. */
  @Tracked
  public static final class Store {
    private @Nullable String id;
    private @Nullable Shape shape;
    private @Nullable Map<String, Shape> byName;
    private @Nullable Box<Integer> box;
    private @Nullable Box<String> text;

    @BsonId
    public @Nullable String getId() {
      return id;
    }

    public void setId(@Nullable String id) {
      this.id = id;
    }

    public @Nullable Shape getShape() {
      return shape;
    }

    public void setShape(@Nullable Shape shape) {
      this.shape = shape;
    }

    public @Nullable Map<String, Shape> getByName() {
      return byName;
    }

    public void setByName(@Nullable Map<String, Shape> byName) {
      this.byName = byName;
    }

    public @Nullable Box<Integer> getBox() {
      return box;
    }

    public void setBox(@Nullable Box<Integer> box) {
      this.box = box;
    }

    public @Nullable Box<String> getText() {
      return text;
    }

    public void setText(@Nullable Box<String> text) {
      this.text = text;
    }
  }

  private static final CodecRegistry REGISTRY =
      CodecRegistries.fromRegistries(
          MongoClientSettings.getDefaultCodecRegistry(),
          CodecRegistries.fromProviders(
              PojoCodecProvider.builder()
                  .register(Circle.class, Shape.class)
                  .automatic(true)
                  .build()));
  private static final int MANY = 2_000_000_000;

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Store> stores =
      fixture
          .client
          .getDatabase("tests")
          .getCollection("p" + UUID.randomUUID(), Store.class)
          .withCodecRegistry(REGISTRY);
  private final MongoEntityStore<Store> store = MongoEntityStore.of(stores);
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    stores.drop();
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private Store stored() {
    return store.find(key).orElseThrow();
  }

  private void assertApplied(Change change) {
    assertTrue(store.update(id(), key, change.createIfMissing()).isApplied(), change::toString);
  }

  private void refused(Change change) {
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(id(), key, change.createIfMissing()),
        change::toString);
  }

  private static @Nullable Integer size(@Nullable Shape shape) {
    return assertInstanceOf(Circle.class, shape).getSize();
  }

  @Test
  @DisplayName("a change makes none of an abstract class but with the name of its own")
  void abstractParts() {
    assertApplied(change().add("box.value", 1).createParents());
    refused(change().set("shape.size", 5).createParents());
    refused(change().add("byName.x.size", 5).createParents());
    assertApplied(
        change()
            .set("shape.size", 5)
            .set("shape._t", "circle")
            .set("byName.x._t", "circle")
            .createParents());
    assertApplied(change().set("shape.size", 6).set("byName.x.size", 7));
    assertEquals(6, size(stored().shape));
    assertEquals(7, size(Objects.requireNonNull(stored().byName).get("x")));
    refused(change().remove("shape._t"));
    assertApplied(change().remove("shape"));
    Circle circle = new Circle();
    circle.setSize(8);
    assertApplied(change().set("shape", circle));
    assertEquals(8, size(stored().shape));
  }

  @Test
  @DisplayName("operators make none of an abstract class but with the name of its own")
  void operators() {
    assertApplied(change().add("box.value", 1).createParents());
    for (Bson some : List.of(set("shape.size", 5), set("byName.x.size", 5))) {
      assertThrows(InvalidChangeException.class, () -> store.update(id(), key, some));
      MongoNativeUpdate creating = MongoNativeUpdate.of(some).createIfMissing();
      assertThrows(IllegalArgumentException.class, () -> store.update(id(), key, creating));
    }
    Bson circle = combine(set("shape.size", 5), set("shape._t", "circle"));
    assertTrue(store.update(id(), key, circle).isApplied());
    assertTrue(store.update(id(), key, set("shape.size", 6)).isApplied());
    assertThrows(IllegalArgumentException.class, () -> store.update(id(), key, unset("shape._t")));
    assertEquals(6, size(stored().shape));
  }

  @Test
  @DisplayName("an abstract class itself keeps the name of its own")
  void abstractEntities() {
    MongoCollection<Shape> shapes = stores.withDocumentClass(Shape.class);
    MongoEntityStore<Shape> abstractOnes =
        MongoEntityStore.builder(shapes).tracking(Tracking.defaults()).build();
    Change circle = change().set("size", 5).set("_t", "circle").createIfMissing();
    assertTrue(abstractOnes.update(id(), key, circle).isApplied());
    assertThrows(
        IllegalArgumentException.class,
        () -> abstractOnes.update(id(), key, change().remove("_t")));
    assertEquals(5, size(abstractOnes.find(key).orElseThrow()));
  }

  @Test
  @DisplayName("what is inside a generic class is of the type that its argument says")
  void generics() {
    Change add = change().add("box.value", MANY).createParents();
    assertApplied(add);
    assertThrows(InvalidChangeException.class, () -> store.update(id(), key, add));
    for (Object wrong : List.of("two", 5_000_000_000L, 0.5)) {
      refused(change().set("box.value", wrong));
      refused(change().append("box.all", wrong));
    }
    refused(change().set("text.value", 5).createParents());
    refused(change().set("box.valeu", 5));
    assertApplied(change().append("box.all", 1, 2L).set("text.value", "two").createParents());
    Box<Integer> box = Objects.requireNonNull(stored().box);
    assertEquals(MANY, box.getValue());
    assertEquals(List.of(1, 2), box.getAll());
    assertEquals("two", Objects.requireNonNull(stored().text).getValue());
    assertTrue(store.apply(id(), key, one -> one).isDone());
  }

  @Test
  @DisplayName("what a provider of codecs for properties stores is left to it")
  void optionals() {
    CodecRegistry registry =
        CodecRegistries.fromRegistries(
            MongoClientSettings.getDefaultCodecRegistry(),
            CodecRegistries.fromProviders(
                PojoCodecProvider.builder().register(new Optionals()).automatic(true).build()));
    MongoEntityStore<Holder> holders =
        MongoEntityStore.builder(stores.withDocumentClass(Holder.class).withCodecRegistry(registry))
            .build();
    Change made = change().set("part.city", "Ulm").add("part.no", 1).createParents();
    assertTrue(holders.update(id(), key, made.createIfMissing()).isApplied());
    Change more = change().add("part.no", 1).onlyIf(attribute("part.city").is("Ulm"));
    assertTrue(holders.update(id(), key, more).isApplied());
    assertEquals(2, holders.find(key).orElseThrow().part.orElseThrow().no);
  }
}
