package dev.tidemark.mongodb;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The driver's own writers and readers of documents share arrays with the entity. */
@DisplayName("What a function changes in place is stored")
final class InPlaceTest {
  private static final CodecRegistry BEANS =
      CodecRegistries.fromRegistries(
          MongoClientSettings.getDefaultCodecRegistry(),
          CodecRegistries.fromProviders(PojoCodecProvider.builder().automatic(true).build()));

  private final MongoFixture fixture = new MongoFixture();
  private final EntityKey key = key("sketch-" + UUID.randomUUID());

  /** A part with bytes. */
  public static final class Inner {
    public byte[] bytes = new byte[2];
  }

  /** A class with bytes in each place. */
  public static final class Sketch {
    @BsonId public @Nullable String id;
    public byte[] bytes = new byte[2];
    public Inner inner = new Inner();
    public List<byte[]> list = new ArrayList<>(List.of(new byte[2]));
  }

  /** A record with bytes. */
  @SuppressWarnings("ArrayRecordComponent") // as users have it
  public record Bitmap(@BsonId @Nullable String id, byte[] bytes) {}

  private <T> MongoEntityStore<T> store(Class<T> type) {
    return MongoEntityStore.of(
        fixture
            .client
            .getDatabase("tests")
            .withCodecRegistry(BEANS)
            .getCollection("inPlace" + type.getSimpleName(), type));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static UnaryOperator<Sketch> in(UnaryOperator<byte[]> change) {
    return sketch -> {
      byte[] unused = change.apply(sketch.bytes);
      return sketch;
    };
  }

  private static byte[] raised(byte[] bytes, int at) {
    bytes[at]++;
    return bytes;
  }

  @Test
  @DisplayName("in the bytes of a class, of its parts and of its lists")
  void pojo() {
    MongoEntityStore<Sketch> store = store(Sketch.class);
    List<UnaryOperator<Sketch>> functions =
        List.of(
            in(bytes -> raised(bytes, 0)),
            sketch -> {
              raised(sketch.inner.bytes, 0);
              return sketch;
            },
            sketch -> {
              raised(sketch.list.get(0), 0);
              return sketch;
            });
    assertTrue(store.apply(message(), key, Sketch::new, sketch -> sketch).isApplied());
    for (UnaryOperator<Sketch> function : functions) {
      assertTrue(store.apply(message(), key, function).isApplied());
    }
    Sketch stored = store.find(key).orElseThrow();
    byte[] once = {1, 0};
    assertArrayEquals(once, stored.bytes);
    assertArrayEquals(once, stored.inner.bytes);
    assertArrayEquals(once, stored.list.get(0));
  }

  @Test
  @DisplayName("in the bytes of a record")
  void records() {
    MongoEntityStore<Bitmap> store = store(Bitmap.class);
    UnaryOperator<Bitmap> raise =
        bitmap -> {
          raised(bitmap.bytes(), 0);
          return bitmap;
        };
    assertTrue(store.apply(message(), key, () -> new Bitmap(null, new byte[2]), raise).isApplied());
    assertTrue(store.apply(message(), key, raise).isApplied());
    assertArrayEquals(new byte[] {2, 0}, store.find(key).orElseThrow().bytes());
  }

  @Test
  @DisplayName("in the bytes of a document")
  void documents() {
    MongoEntityStore<BsonDocument> store = store(BsonDocument.class);
    UnaryOperator<BsonDocument> raise =
        document -> {
          raised(document.getBinary("bytes").getData(), 0);
          return document;
        };
    BsonDocument initial = new BsonDocument("bytes", new BsonBinary(new byte[2]));
    assertTrue(store.apply(message(), key, () -> initial, raise).isApplied());
    assertTrue(store.apply(message(), key, raise).isApplied());
    byte[] stored = store.find(key).orElseThrow().getBinary("bytes").getData();
    assertArrayEquals(new byte[] {2, 0}, stored);
  }

  @Test
  @DisplayName("but not where the function fails, in a batch with others")
  void takenBack() {
    MongoEntityStore<Sketch> store = store(Sketch.class);
    assertTrue(store.apply(message(), key, Sketch::new, sketch -> sketch).isApplied());
    UnaryOperator<Sketch> failing =
        in(
            bytes -> {
              raised(bytes, 0);
              throw new IllegalStateException("half done");
            });
    UnaryOperator<Sketch> other =
        sketch -> {
          sketch.bytes = raised(sketch.bytes.clone(), 1);
          return sketch;
        };
    assertEquals(
        2,
        store
            .writeAll(
                List.of(Write.apply(message(), key, failing), Write.apply(message(), key, other)))
            .size());
    assertArrayEquals(new byte[] {0, 1}, store.find(key).orElseThrow().bytes);
  }

  @Test
  @DisplayName("and not in a value with which entities begin")
  void initial() {
    MongoEntityStore<Sketch> store = store(Sketch.class);
    Sketch empty = new Sketch();
    UnaryOperator<Sketch> raise = in(bytes -> raised(bytes, 0));
    assertTrue(store.apply(message(), key, () -> empty, raise).isApplied());
    EntityKey second = key("sketch-" + UUID.randomUUID());
    assertTrue(store.apply(message(), second, () -> empty, raise).isApplied());
    assertArrayEquals(new byte[] {1, 0}, store.find(second).orElseThrow().bytes);
  }

  /** Maps that keep their order. */
  public static final class Ranking {
    @BsonId public @Nullable String id;
    public LinkedHashMap<String, Integer> ranks = new LinkedHashMap<>();
    public List<LinkedHashMap<String, Integer>> more = new ArrayList<>();
  }

  private static Map<String, Integer> moved(Map<String, Integer> ranks) {
    ranks.put("a", Objects.requireNonNull(ranks.remove("a")));
    return ranks;
  }

  @Test
  @DisplayName("in the order of a map, though its members are the same")
  void order() {
    MongoEntityStore<Ranking> store = store(Ranking.class);
    UnaryOperator<Ranking> first =
        ranking -> {
          ranking.ranks.put("a", 1);
          ranking.ranks.put("b", 2);
          ranking.more.add(new LinkedHashMap<>(ranking.ranks));
          return ranking;
        };
    assertTrue(store.apply(message(), key, Ranking::new, first).isApplied());
    List<UnaryOperator<Ranking>> functions =
        List.of(
            ranking -> {
              Map<String, Integer> unused = moved(ranking.ranks);
              return ranking;
            },
            ranking -> {
              Map<String, Integer> unused = moved(ranking.more.get(0));
              return ranking;
            });
    for (UnaryOperator<Ranking> function : functions) {
      assertTrue(store.apply(message(), key, function).isApplied());
    }
    Ranking stored = store.find(key).orElseThrow();
    assertEquals(List.of("b", "a"), List.copyOf(stored.ranks.keySet()));
    assertEquals(List.of("b", "a"), List.copyOf(stored.more.get(0).keySet()));
    assertFalse(store.apply(message(), key, ranking -> ranking).isApplied());
  }
}
