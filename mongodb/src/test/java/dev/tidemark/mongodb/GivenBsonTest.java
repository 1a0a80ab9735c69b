package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.kernel.UnfitChangeException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonRepresentation;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A value of BSON is one that the property's codec reads, wherever it is given")
final class GivenBsonTest {
  /** A part of a record. */
  public record Line(@Nullable String name) {}

  /** A record with what takes values inside, and with a key in another form than its own. */
  public record Row(
      @BsonId @BsonRepresentation(BsonType.OBJECT_ID) String id,
      @Nullable String status,
      @Nullable Long total,
      @Nullable List<String> history,
      @Nullable Set<Long> seen,
      @Nullable List<Line> lines,
      @Nullable Map<String, String> names) {}

  private static final BsonValue NUMBER = new BsonInt32(1);
  private static final BsonValue TEXT = new BsonString("a");

  private final MongoFixture fixture = new MongoFixture();
  private final MongoEntityStore<Row> store =
      MongoEntityStore.of(fixture.documents().withDocumentClass(Row.class));
  private final EntityKey key = EntityKey.key(new BsonObjectId(new ObjectId()));

  @AfterEach
  void close() {
    fixture.close();
  }

  private void take(EntityKey key, Change change) {
    assertTrue(
        store.update(MessageId.of(UUID.randomUUID()), key, change).isApplied(),
        () -> change + " " + change.condition());
    assertTrue(store.find(key).isPresent());
  }

  private void refuse(EntityKey key, Change change) {
    List<String> sent =
        fixture.commands.names(
            () ->
                assertThrows(
                    UnfitChangeException.class,
                    () -> store.update(MessageId.of(UUID.randomUUID()), key, change),
                    change::toString));
    assertEquals(List.of(), sent);
  }

  @Test
  @DisplayName("as an element, and as a member")
  void inside() {
    take(key, change().createIfMissing());
    refuse(key, change().append("history", NUMBER));
    refuse(key, change().set("history", List.of(TEXT, NUMBER)));
    refuse(key, change().addToSet("seen", TEXT));
    refuse(key, change().append("lines", new BsonDocument("name", NUMBER)));
    refuse(key, change().set("names", Map.of("x", NUMBER)));
    take(key, change().append("history", TEXT, BsonNull.VALUE).addToSet("seen", NUMBER));
    take(key, change().append("lines", new BsonDocument("name", TEXT)));
    take(key, change().append("lines", new BsonDocument("name", BsonNull.VALUE)));
    take(key, change().set("names", Map.of("x", TEXT)).set("total", NUMBER));
    take(key, change().set("history", new BsonArray(List.of(TEXT))));
  }

  @Test
  @DisplayName("as a key")
  void keys() {
    refuse(EntityKey.key(NUMBER), change().createIfMissing());
    assertThrows(UnfitChangeException.class, () -> store.find(EntityKey.key(TEXT)));
  }

  @Test
  @DisplayName("and in a condition, where any number is compared with numbers")
  void conditions() {
    Change set = change().set("status", "a").set("total", 1L).append("history", "a");
    take(key, set.addToSet("seen", 1L).createIfMissing());
    for (Condition never :
        List.of(
            attribute("status").is(NUMBER),
            attribute("status").in("a", NUMBER),
            attribute("status").is(NUMBER).not(),
            attribute("history").contains(NUMBER),
            attribute("seen").contains(TEXT),
            attribute("total").atLeast(TEXT))) {
      refuse(key, change().onlyIf(never));
    }
    for (Condition rule :
        List.of(
            attribute("status").in(BsonNull.VALUE, TEXT),
            attribute("total").is(NUMBER).and(attribute("total").atLeast(new BsonDouble(0.5))),
            attribute("history").contains(TEXT).and(attribute("seen").contains(NUMBER)),
            attribute("names.x").is(BsonNull.VALUE).not())) {
      take(key, change().set("status", "a").onlyIf(rule));
    }
  }
}
