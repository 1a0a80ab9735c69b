package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Projections;
import dev.tidemark.intake.IntakeListener;
import dev.tidemark.servers.MongoProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The intake of a change stream, where something fails,")
final class ChangeStreamIntakeFaultsTest {
  private static StreamScene scene() {
    return new StreamScene();
  }

  /** Has a place, behind which an event waits. */
  private static void prepare(StreamScene scene) {
    scene.run(() -> scene.place() != null);
    scene.insert("a", "a");
    scene.run(() -> scene.has("a", "a"));
    scene.insert("b", "b");
    scene.commands.clear();
  }

  private static void readsAgain(StreamScene scene) {
    scene.catchUp(() -> true);
    assertEquals("b", scene.texts("b"));
    assertEquals(1, scene.count("find"));
    scene.insert("c", "c");
    scene.run(() -> scene.has("c", "c"));
    assertEquals(1, scene.count("find"), "it goes on from its new place");
    assertEquals("a", scene.texts("a"), "once, though it was read twice");
  }

  @ParameterizedTest(name = "error {0}.")
  @ValueSource(ints = {136, 260, 280, 286})
  @DisplayName("reads the collection again where the server's history has lost its place, by")
  void historyLost(int code) {
    try (StreamScene scene = scene()) {
      prepare(scene);
      scene.fail(scene.events, "aggregate", "errorCode: " + code, 1);
      readsAgain(scene);
    }
  }

  @Test
  @DisplayName("reads the collection again where the history of a real server has lost its place")
  void tinyHistory() {
    try (MongoProcess tiny = MongoServers.start(1, "--oplogSize", "1", "--syncdelay", "1");
        StreamScene scene = new StreamScene(tiny.direct(0))) {
      prepare(scene);
      overflow(scene);
      Document place = scene.kept();
      ChangeStreamIntake ending = scene.stream().endingWhereHistoryIsLost().build();
      IllegalStateException lost = assertThrows(IllegalStateException.class, ending::run);
      assertTrue(
          String.valueOf(lost.getMessage()).contains("does not reach back"), lost::getMessage);
      assertEquals(place, scene.place());
      assertEquals("", scene.texts("b"));
      scene.commands.clear();
      readsAgain(scene);
    }
  }

  /** Writes until the place is no longer in the history. */
  private static void overflow(StreamScene scene) {
    BsonDocument place = BsonDocument.parse(scene.kept().toJson());
    for (int i = 0; i < 500 && !isLost(scene.events, place); i++) {
      Document noise = new Document("_id", i).append("text", "x".repeat(100_000));
      assertTrue(scene.letters.insertOne(noise).wasAcknowledged());
    }
  }

  private static boolean isLost(MongoCollection<Document> of, BsonDocument place) {
    try (var cursor = of.watch().resumeAfter(place).cursor()) {
      return cursor.available() > 1_000;
    } catch (MongoCommandException e) {
      return e.getErrorCode() == 286;
    }
  }

  @Test
  @DisplayName("never goes on from now by itself where only what comes was to be read")
  void fromNow() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      Document place = scene.kept();
      scene.fail(scene.events, "aggregate", "errorCode: 286", 1);
      ChangeStreamIntake stream = scene.stream().fromNow().build();
      IllegalStateException lost = assertThrows(IllegalStateException.class, stream::run);
      assertTrue(
          String.valueOf(lost.getMessage()).contains("delete the record 'view'"), lost::getMessage);
      assertEquals(286, assertInstanceOf(MongoException.class, lost.getCause()).getCode());
      assertEquals(place, scene.place());
      scene.run(scene.stream().fromNow(), () -> scene.has("b", "b"));
    }
  }

  @Test
  @DisplayName("may take longer for the collection than the client allows for an operation")
  void deadline() {
    try (StreamScene scene = StreamScene.within(Duration.ofMinutes(1))) {
      scene.insert("a", "a");
      scene.run(() -> scene.has("a", "a") && scene.place() != null);
      assertFalse(scene.isReadAgainstTime(scene.events));
    }
  }

  @Test
  @DisplayName("ends where the history does not reach back as far as reading the collection takes")
  void readingTakesTooLong() {
    try (StreamScene scene = scene()) {
      scene.insert("a", "a");
      scene.afterReading(() -> scene.fail(scene.events, "getMore", "errorCode: 286", 1));
      ChangeStreamIntake stream = scene.stream().build();
      IllegalStateException lost = assertThrows(IllegalStateException.class, stream::run);
      assertTrue(
          String.valueOf(lost.getMessage()).contains("as far as it takes to read"),
          lost::getMessage);
    }
  }

  @Test
  @DisplayName("reads the collection again where its place is of a time that is yet to come")
  void futurePlace() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      scene.place(
          place -> {
            String token = place.getString("_data");
            long seconds = Long.parseLong(token.substring(2, 10), 16) + 86_400;
            return new Document("_data", "82%08X%s".formatted(seconds, token.substring(10)));
          });
      int[] steps = {0};
      scene.run(
          () -> {
            if (++steps[0] == 20) {
              assertEquals("", scene.texts("b"));
              scene.pass(Duration.ofMinutes(2));
            }
            return scene.has("b", "b");
          });
      assertEquals(List.of("resume", "open", "resume", "find"), scene.commands);
    }
  }

  @ParameterizedTest(name = "{0}.")
  @ValueSource(strings = {"{}", "{_data: '82'}", "{_data: 7}", "{_data: 'zz'}", "{x: 1}"})
  @DisplayName("reads the collection again where its place is none, as")
  void noPlace(String place) {
    try (StreamScene scene = scene()) {
      prepare(scene);
      scene.place(stored -> Document.parse(place));
      readsAgain(scene);
    }
  }

  @ParameterizedTest(name = "{0}.")
  @ValueSource(
      strings = {
        "closeConnection: true",
        "errorCode: 6",
        "errorCode: 43",
        "errorCode: 134",
        "errorCode: 365"
      })
  @DisplayName("goes on from its place once the server answers again, after")
  void passes(String how) {
    try (StreamScene scene = scene()) {
      prepare(scene);
      scene.fail(scene.events, "aggregate", how, 5);
      ChangeStreamIntake stream = scene.run(() -> scene.has("b", "b"));
      assertEquals(Optional.empty(), stream.fault());
      assertEquals(0, scene.count("find"));
      assertTrue(scene.count("resume") > 2, scene.commands::toString);
      assertEquals(List.of("a", "b"), scene.handed());
    }
  }

  @ParameterizedTest(name = "error {0}.")
  @ValueSource(ints = {91, 134, 365})
  @DisplayName("goes on where its place could not be kept, and keeps it later, after")
  void placeFails(int code) {
    try (StreamScene scene = scene()) {
      prepare(scene);
      Document place = scene.kept();
      scene.fail(scene.places, "update", "errorCode: " + code + ", errorLabels: []", 1);
      scene.run(() -> scene.has("b", "b") && !place.equals(scene.place()));
    }
  }

  @Test
  @DisplayName(
      "hands nothing over from now on before its first place is kept, whenever it is killed")
  void firstPlaceFails() {
    try (StreamScene scene = scene()) {
      scene.fail(scene.places, "update", "errorCode: 134, errorLabels: []", 2);
      scene.afterOpening(() -> scene.insert("a", "a"));
      scene.crashing.add("a");
      scene.runToCrash(scene.stream().fromNow());
      assertNotEquals(null, scene.place());
      scene.crashing.clear();
      scene.insert("b", "b");
      scene.run(scene.stream().fromNow(), () -> scene.has("b", "b"));
    }
  }

  @Test
  @DisplayName("ends by what a listener throws, also where that is an exception of MongoDB")
  void listenerThrows() {
    try (StreamScene scene = scene()) {
      scene.insert("a", "a");
      MongoException thrown = new MongoTimeoutException("of another collection");
      List<ChangeStreamIntake> ending = new ArrayList<>();
      IntakeListener listener =
          taken -> {
            ending.forEach(ChangeStreamIntake::stop);
            throw thrown;
          };
      ChangeStreamIntake stream = scene.stream(scene.intake().listener(listener)).build();
      ending.add(stream); // or a wrong one would go on for ever
      IllegalStateException told = assertThrows(IllegalStateException.class, stream::run);
      assertSame(thrown, told.getCause());
      assertEquals(Optional.of(told), stream.fault());
    }
  }

  @Test
  @DisplayName("says that the collection was dropped, and keeps the place")
  void dropped() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      scene.events.drop();
      ends(scene);
      assertEquals("b", scene.texts("b"), "what came before is done");
      ends(scene);
      scene.insert("c", "c");
      scene.forgetPlace();
      scene.run(() -> scene.has("c", "c"));
    }
  }

  @Test
  @DisplayName("says that the collection was renamed, while it runs and after")
  void renamed() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      ChangeStreamIntakeBuilder settings = scene.stream();
      boolean[] renamed = {false};
      assertThrows(
          IllegalStateException.class,
          () ->
              scene.run(
                  settings,
                  () -> {
                    if (scene.has("b", "b") && !renamed[0]) {
                      renamed[0] = true;
                      scene.events.renameCollection(
                          new MongoNamespace("tests", "renamed" + UUID.randomUUID()));
                    }
                    return false;
                  }));
      ends(scene);
    }
  }

  @Test
  @DisplayName("says that the collection was dropped where the pipeline lets all through")
  void droppedByPipeline() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      scene.events.drop();
      ChangeStreamIntake stream = scene.stream().pipeline(List.of()).build();
      IllegalStateException ended = assertThrows(IllegalStateException.class, stream::run);
      assertTrue(
          String.valueOf(ended.getMessage()).contains("dropped or renamed"), ended::getMessage);
      assertEquals("b", scene.texts("b"));
      assertEquals(0, scene.letters.countDocuments());
    }
  }

  private static void ends(StreamScene scene) {
    ChangeStreamIntake stream = scene.stream().build();
    IllegalStateException ended = assertThrows(IllegalStateException.class, stream::run);
    assertTrue(
        String.valueOf(ended.getMessage()).contains("dropped or renamed"), ended::getMessage);
    assertTrue(
        String.valueOf(ended.getMessage()).contains("delete the record 'view'"), ended::getMessage);
  }

  @Test
  @DisplayName("does not read again and again where a pipeline takes the places away")
  void withoutPlaces() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      ChangeStreamIntake stream =
          scene.stream().pipeline(List.of(Aggregates.project(Projections.exclude("_id")))).build();
      scene.afterReading(() -> scene.insert("c", "c"));
      assertThrows(MongoException.class, stream::run);
      assertFalse(scene.count("find") > 1, scene.commands::toString);
    }
  }

  @Test
  @DisplayName("says so where a server has no change streams")
  void standalone() {
    try (MongoProcess alone = MongoServers.start(0);
        StreamScene scene = new StreamScene(alone.direct(0))) {
      hasNone(scene);
    }
  }

  private static void hasNone(StreamScene scene) {
    ChangeStreamIntake stream = scene.stream().build();
    IllegalStateException none = assertThrows(IllegalStateException.class, stream::run);
    assertTrue(String.valueOf(none.getMessage()).contains("needs a replica set"), none::getMessage);
    assertNotEquals(null, none.getCause());
  }
}
