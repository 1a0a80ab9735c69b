package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A class's codec writes a set in the order of its elements' hashes. */
@DisplayName("The elements of a set may be stored in any order")
final class SetOrderTest {
  private static final CodecRegistry BEANS =
      CodecRegistries.fromRegistries(
          MongoClientSettings.getDefaultCodecRegistry(),
          CodecRegistries.fromProviders(PojoCodecProvider.builder().automatic(true).build()));

  private final MongoFixture fixture = new MongoFixture();
  private final EntityKey key = key("view-" + UUID.randomUUID());

  private MongoEntityStore<View> views() {
    return MongoEntityStore.of(
        fixture
            .client
            .getDatabase("tests")
            .withCodecRegistry(BEANS)
            .getCollection("sets", View.class));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Change tags(String... tags) {
    return change().addToSet("tags", (Object[]) tags).createIfMissing();
  }

  @Test
  @DisplayName("by a change that gives all of them")
  void given() {
    MongoEntityStore<View> views = views();
    for (List<String> tags : List.of(List.of("t0", "t1"), List.of("t1", "t0"))) {
      Change change = change().set("tags", tags).createIfMissing();
      assertTrue(views.update(message(), key, change).isApplied());
      assertEquals(Set.of("t0", "t1"), views.find(key).orElseThrow().getTags());
    }
  }

  @Test
  @DisplayName("by changes of a transaction, which add to what was read")
  void added() {
    MongoEntityStore<View> views = views();
    assertTrue(views.update(message(), key, tags("t1")).isApplied());
    assertTrue(
        MongoTransaction.on(fixture.client)
            .write(views, Write.update(message(), key, tags("t0")))
            .commit()
            .isCommitted());
    assertEquals(Set.of("t0", "t1"), views.find(key).orElseThrow().getTags());
  }

  /** Equal by its key alone, as entities are. */
  public static final class Line {
    public String id = "";
    public int count;

    static Line of(String id, int count) {
      Line line = new Line();
      line.id = id;
      line.count = count;
      return line;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Line line && line.id.equals(id);
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }
  }

  /** Has a set of what is equal by its key. */
  public static final class Cart {
    @BsonId public @Nullable String id;
    public Set<Line> lines = Set.of();
  }

  @Test
  @DisplayName("by functions, which change what their class calls equal")
  void changedInOtherOrder() {
    MongoEntityStore<Cart> carts =
        MongoEntityStore.of(
            fixture
                .client
                .getDatabase("tests")
                .withCodecRegistry(BEANS)
                .getCollection("carts", Cart.class));
    for (int count = 1; count < 4; count++) {
      List<Line> lines = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        lines.add(Line.of("line" + (count % 2 == 0 ? i : 4 - i), count)); // in turns
      }
      Outcome<Cart> outcome =
          carts.apply(
              message(),
              key,
              Cart::new,
              cart -> {
                cart.lines = new LinkedHashSet<>(lines);
                return cart;
              });
      assertTrue(outcome.isApplied());
      for (Line line : carts.find(key).orElseThrow().lines) {
        assertEquals(count, line.count);
      }
    }
  }
}
