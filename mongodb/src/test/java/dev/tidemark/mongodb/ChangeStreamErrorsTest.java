package dev.tidemark.mongodb;

import static com.mongodb.client.model.Filters.in;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoException;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.changestream.FullDocument;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The intake of a change stream takes no error of an event for a lost history:")
final class ChangeStreamErrorsTest {
  private static final Document CHANGES =
      new Document("$match", in("operationType", "insert", "update").toBsonDocument());

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

  /** An update that comes with more than 16 MB: what was set, and the document after it. */
  private static void enlarge(StreamScene scene, String id) {
    var updated =
        scene.events.updateOne(
            Filters.eq("_id", id), Updates.set("more", "x".repeat(9 * 1024 * 1024)));
    assertEquals(1, updated.getModifiedCount());
  }

  private static ChangeStreamIntakeBuilder updates(StreamScene scene) {
    return scene.stream().pipeline(List.of(CHANGES)).fullDocument(FullDocument.UPDATE_LOOKUP);
  }

  @Test
  @DisplayName("one with more than 16 MB is a dead letter that names its document; others go on")
  void oversized() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      enlarge(scene, "a0");
      scene.insert("c", "c");
      enlarge(scene, "b0");
      scene.insert("d", "d");
      ChangeStreamIntake stream = scene.run(updates(scene), () -> scene.has("d", "d"));
      assertTrue(stream.held().isEmpty());
      assertEquals("b", scene.texts("b"));
      assertEquals("c", scene.texts("c"));
      assertEquals(0, scene.count("find"), "nothing is read again");
      List<Document> letters = scene.letters.find().into(new ArrayList<>());
      assertEquals(
          List.of("a0", "b0"),
          letters.stream().map(l -> l.get("_id", Document.class).getString("_id")).toList());
      for (Document letter : letters) {
        assertEquals(true, letter.getBoolean("leftOut"));
        assertTrue(letter.getString("reason").contains("more than the 16 MB"), letter::toJson);
        assertTrue(letter.getString("reason").contains("(update)"), letter::toJson);
      }
      scene.insert("e", "e");
      scene.run(updates(scene), () -> scene.has("e", "e"));
      assertEquals(2, scene.letters.countDocuments());
    }
  }

  @Test
  @DisplayName("one with more than 16 MB is held where nothing keeps dead letters, and found again")
  void oversizedWithoutLetters() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      enlarge(scene, "a0");
      scene.insert("c", "c");
      for (int run = 0; run < 2; run++) {
        ChangeStreamIntakeBuilder bare =
            scene.stream(ChangeStreamIntake.builder(StreamScene::delivery, scene::handle))
                .pipeline(List.of(CHANGES))
                .fullDocument(FullDocument.UPDATE_LOOKUP);
        int[] steps = {0};
        ChangeStreamIntake stream = scene.run(bare, () -> scene.has("c", "c") && ++steps[0] > 20);
        HeldChanges held = stream.held().orElseThrow();
        assertEquals(1, held.count());
        assertTrue(held.reason().contains("more than the 16 MB"), held::reason);
      }
      assertEquals(0, scene.count("find"));
    }
  }

  @Test
  @DisplayName("one that the pipeline cannot take ends the run, and the place stays in front of it")
  void pipeline() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      Document place = scene.kept();
      ChangeStreamIntake stream =
          scene.stream()
              .pipeline(
                  List.of(
                      CHANGES,
                      Document.parse("{$addFields: {number: {$toInt: '$fullDocument.text'}}}")))
              .build();
      MongoException cannot = assertThrows(MongoException.class, stream::run);
      assertEquals(241, cannot.getCode());
      assertEquals(0, scene.count("find"), "nothing is read again");
      assertEquals(place, scene.place());
      scene.run(() -> scene.has("b", "b"));
    }
  }

  @ParameterizedTest(name = "{0}.")
  @ValueSource(ints = {1, 8, 9, 14, 15, 96, 241, 16755, 40324, 50810})
  @DisplayName("an error at a resume that does not say so ends the run, as")
  void lasting(int code) {
    try (StreamScene scene = scene()) {
      prepare(scene);
      Document place = scene.kept();
      scene.fail(scene.events, "aggregate", "errorCode: " + code, 1);
      ChangeStreamIntake stream = scene.stream().build();
      assertThrows(RuntimeException.class, stream::run);
      assertEquals(0, scene.count("find"), "nothing is read again");
      assertEquals(place, scene.place());
      scene.run(() -> scene.has("b", "b"));
    }
  }

  @Test
  @DisplayName("a pipeline that takes the places away ends the run, though it stood at a place")
  void takesPlaces() {
    try (StreamScene scene = scene()) {
      prepare(scene);
      ChangeStreamIntake stream =
          scene.stream()
              .pipeline(List.of(Aggregates.project(new Document("_id", 0))))
              .endingWhereHistoryIsLost()
              .build();
      assertThrows(MongoException.class, stream::run);
    }
  }

  @ParameterizedTest(name = "{0}.")
  @CsvSource({
    "{_data: '826B0787E1000000192B022C0100296E5A1004'}, 1795655649",
    "{_data: '8200000001'}, 1",
    "{_data: '82zz'}, -1",
    "{_data: 7}, -1",
    "{}, -1"
  })
  @DisplayName(
      "a place tells its time, by which a server that is silent is told from one behind it")
  void time(String place, long seconds) {
    assertEquals(seconds, StreamTime.seconds(BsonDocument.parse(place)).orElse(-1));
  }
}
