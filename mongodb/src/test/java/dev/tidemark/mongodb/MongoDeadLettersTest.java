package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The dead letters of a change stream")
final class MongoDeadLettersTest {
  private final StreamScene scene = new StreamScene();

  @BeforeEach
  void needsStreams() {
    assumeFalse(
        MongoServers.server().embedded(), "missing capability: change streams: it has none");
  }

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
    assertEquals(new Document("source", source).append("_id", "bad"), bad.get("_id"));
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
    MongoDeadLetters kept = MongoDeadLetters.of(scene.letters);
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
    MongoDeadLetters kept = MongoDeadLetters.of(scene.letters);
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
          MongoDeadLetters.of(timed.letters).redrive(timed.events, timed.intake().build()));
      assertFalse(timed.isReadAgainstTime(timed.letters));
    }
  }
}
