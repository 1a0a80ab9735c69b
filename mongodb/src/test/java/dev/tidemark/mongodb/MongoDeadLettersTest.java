package dev.tidemark.mongodb;

import static java.time.ZoneOffset.UTC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.intake.DeadLetters.Reason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The dead letters of a change stream")
final class MongoDeadLettersTest {
  private static final Reason BUG = new Reason("NullPointerException", false, 30);

  private final StreamScene scene = new StreamScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName(
      "keep poison with its reason, let the stream go on behind it, and hand it over again")
  void poison() {
    scene.run(() -> scene.place() != null);
    assertTrue(
        scene.events.insertOne(new Document("_id", "bad").append("entity", 7)).wasAcknowledged());
    scene.failing.add("a");
    scene.insert("a", "a");
    scene.insert("b", "b");
    scene.run(
        scene.stream(scene.intake().parkAfter(3)),
        () -> scene.has("b", "b") && scene.letters.countDocuments() == 2);
    List<Document> letters = scene.letters.find().into(new ArrayList<>());
    Document bad = letters.get(0);
    String source = scene.events.getNamespace().getFullName();
    assertEquals(
        new Document("stream", StreamScene.NAME).append("source", source).append("_id", "bad"),
        bad.get("_id"));
    assertEquals("BsonInvalidOperationException", bad.getString("reason"));
    assertEquals("undecodable", bad.getString("kind"));
    assertEquals(7, bad.get("document", Document.class).get("entity"));
    Document parked = letters.get(1);
    assertEquals("parked", parked.getString("kind"));
    assertEquals("IllegalStateException", parked.getString("reason"));
    assertEquals(3, parked.getInteger("tries"));
    scene.batches.clear();
    scene.insert("c", "c");
    scene.run(() -> scene.has("c", "c"));
    assertEquals(List.of("c"), scene.handed(), "the place is behind what the dead letters have");
    scene.failing.clear();
    MongoDeadLetters kept = MongoDeadLetters.of(scene.letters, StreamScene.NAME);
    assertEquals(
        new MongoDeadLetters.Redriven(1, 1), kept.redrive(scene.events, scene.intake().build()));
    assertEquals("a", scene.texts("a"));
    assertEquals(1, scene.letters.countDocuments());
  }

  @Test
  @DisplayName("keep what leaves no room for the reason without the document")
  void largePoison() {
    scene.run(() -> scene.place() != null);
    String text = "x".repeat(16 * 1024 * 1024 - 100);
    assertTrue(
        scene.events.insertOne(new Document("_id", "bad").append("x", text)).wasAcknowledged());
    scene.run(() -> scene.letters.countDocuments() == 1);
    Document letter = scene.letters.find().into(new ArrayList<>()).get(0);
    assertFalse(letter.containsKey("document"));
    assertTrue(letter.getBoolean("leftOut"));
    MongoDeadLetters kept = MongoDeadLetters.of(scene.letters, StreamScene.NAME);
    assertEquals(
        new MongoDeadLetters.Redriven(0, 1), kept.redrive(scene.events, scene.intake().build()));
  }

  @Test
  @DisplayName("hold the stream back where they do not take a change")
  void lettersFail() {
    scene.run(() -> scene.place() != null);
    assertTrue(scene.events.insertOne(new Document("_id", "bad")).wasAcknowledged());
    int[] kept = {0};
    var intake =
        scene
            .intake()
            .deadLetters(
                (change, reason) -> {
                  if (++kept[0] < 4) {
                    throw new IllegalStateException("no room");
                  }
                });
    ChangeStreamIntake stream = scene.run(scene.stream(intake), () -> kept[0] == 2);
    assertTrue(stream.held().orElseThrow().reason().startsWith("the dead letters did not take it"));
    scene.run(scene.stream(intake), () -> kept[0] == 4);
  }

  @Test
  @DisplayName("may take longer to be handed over than the client allows for an operation")
  void deadline() {
    try (StreamScene timed = StreamScene.within(Duration.ofMinutes(1))) {
      assertEquals(
          new MongoDeadLetters.Redriven(0, 0),
          MongoDeadLetters.of(timed.letters, StreamScene.NAME)
              .redrive(timed.events, timed.intake().build()));
      assertFalse(timed.isReadAgainstTime(timed.letters));
    }
  }

  @Test
  @DisplayName("are those of the stream that gave them up, where streams share a collection")
  void ofEachStream() {
    MongoDeadLetters ofView = MongoDeadLetters.of(scene.letters, StreamScene.NAME);
    MongoDeadLetters ofOther = MongoDeadLetters.of(scene.letters, "other");
    ofView.keep(change("a"), BUG);
    ofOther.keep(change("a"), BUG);
    ofOther.keep(change("b"), BUG);
    assertEquals(3, scene.letters.countDocuments());
    assertEquals(
        new MongoDeadLetters.Redriven(1, 0), ofView.redrive(scene.events, scene.intake().build()));
    assertEquals("a", scene.texts("a"));
    assertEquals("", scene.texts("b"));
    assertEquals(2, scene.letters.countDocuments());
    assertEquals(
        new MongoDeadLetters.Redriven(2, 0), ofOther.redrive(scene.events, scene.intake().build()));
    assertThrows(IllegalArgumentException.class, () -> MongoDeadLetters.of(scene.letters, ""));
  }

  @Test
  @DisplayName("are not removed where they were kept anew while they were handed over")
  void keptAnew() {
    StreamedChange change = change("a");
    MongoDeadLetters.of(scene.letters, StreamScene.NAME, Clock.fixed(Instant.EPOCH, UTC))
        .keep(change, BUG);
    MongoDeadLetters letters = MongoDeadLetters.of(scene.letters, StreamScene.NAME);
    var intake =
        ChangeStreamIntake.builder(
                again -> {
                  letters.keep(change, BUG);
                  return StreamScene.delivery(again);
                },
                scene::handle)
            .listener(taken -> {});
    assertEquals(
        new MongoDeadLetters.Redriven(0, 1), letters.redrive(scene.events, intake.build()));
    assertEquals(1, scene.letters.countDocuments());
    assertEquals(
        new MongoDeadLetters.Redriven(1, 0), letters.redrive(scene.events, scene.intake().build()));
  }

  /** An event of an entity, as the collection would have it. */
  private StreamedChange change(String entity) {
    BsonDocument event =
        BsonDocument.parse(
            "{_id: '%s', entity: '%s', version: 1, text: '%s'}".replace("%s", entity));
    return StreamedChange.of(
        scene.events.getNamespace().getFullName(), scene.events.getCodecRegistry(), event);
  }
}
