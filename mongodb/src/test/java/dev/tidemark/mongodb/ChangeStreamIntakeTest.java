package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.changestream.FullDocument;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The intake of a change stream")
final class ChangeStreamIntakeTest {
  private final StreamScene scene = new StreamScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("hands over what is in the collection, and then what is inserted, in order")
  void order() {
    scene.insert("a", "abc");
    scene.run(() -> scene.has("a", "abc"));
    scene.insert("b", "xyz");
    scene.run(() -> scene.has("b", "xyz"));
    var updated = scene.events.updateMany(Filters.empty(), Updates.set("seen", true));
    var deleted = scene.events.deleteMany(Filters.empty());
    assertEquals(List.of(6L, 6L), List.of(updated.getModifiedCount(), deleted.getDeletedCount()));
    scene.insert("c", "c");
    ChangeStreamIntake stream = scene.run(() -> scene.has("c", "c"));
    assertEquals(List.of("a", "b", "c", "x", "y", "z", "c"), scene.handed());
    assertEquals(1, scene.count("find"));
    assertEquals(Optional.empty(), stream.held());
    assertEquals(Optional.empty(), stream.fault());
  }

  @Test
  @DisplayName("loses nothing that is inserted right after the collection was read")
  void between() {
    scene.insert("a", "a");
    scene.afterReading(() -> scene.insert("b", "b"));
    scene.catchUp(() -> scene.count("find") > 0);
    assertEquals("b", scene.texts("b"));
    assertEquals(1, scene.count("find"));
  }

  @Test
  @DisplayName("goes on from its place, and hands over nothing that was done before")
  void resumes() {
    scene.run(() -> scene.place() != null);
    scene.insert("a", "a");
    scene.run(() -> scene.has("a", "a"));
    scene.insert("b", "bcd"); // while nothing runs
    scene.run(() -> scene.has("b", "bcd"));
    assertEquals(List.of("a", "b", "c", "d"), scene.handed());
    assertEquals(List.of("open", "resume", "find", "resume", "resume"), scene.commands);
  }

  @Test
  @DisplayName(
      "gets again, after a crash, what was done and whose place was not kept, to no effect")
  void crash() {
    scene.run(() -> scene.place() != null);
    Document place = scene.kept();
    scene.insert("a", "ab");
    scene.crashing.add("a");
    scene.runToCrash();
    assertEquals("ab", scene.texts("a"));
    assertEquals(place, scene.place());
    scene.crashing.clear();
    scene.insert("c", "c");
    scene.run(() -> scene.has("c", "c"));
    assertEquals("ab", scene.texts("a"));
    assertEquals(List.of("a", "b", "a", "b", "c"), scene.handed());
  }

  @Test
  @DisplayName("loses nothing that its process had read and not handled when it died")
  void crashBefore() {
    scene.run(() -> scene.place() != null);
    scene.insert("a", "a");
    scene.failing.add("a");
    scene.crashing.add("a");
    scene.runToCrash();
    assertEquals("", scene.texts("a"));
    scene.failing.clear();
    scene.crashing.clear();
    scene.run(() -> scene.has("a", "a"));
  }

  @Test
  @DisplayName("holds what waits behind a gap, keeps no place beyond it, and goes on with the rest")
  void gap() {
    scene.run(() -> scene.place() != null);
    Document before = scene.kept();
    scene.insert("a2", "a", 2, "b");
    scene.insert("a3", "a", 3, "c");
    scene.insert("b", "xyz");
    ChangeStreamIntake first =
        scene.run(() -> scene.has("b", "xyz") && attempts(scene.batches) > 3);
    HeldChanges held = first.held().orElseThrow();
    assertEquals(2, held.count());
    assertEquals("Gap", held.reason());
    assertTrue(held.attempts() > 1, held::toString);
    assertTrue(held.pause().compareTo(Duration.ofMillis(20)) > 0, held::toString);
    scene.batches.clear();
    scene.insert("a1", "a", 1, "a");
    assertEquals("a2", scene.firstBehindPlace());
    ChangeStreamIntake second = scene.run(() -> scene.has("a", "abc")); // what is held was not lost
    assertEquals(Optional.empty(), second.held());
    assertEquals(List.of("b", "c"), scene.handed().subList(0, 2));
    assertNotEquals(before, scene.place());
    scene.batches.clear();
    scene.insert("c", "c");
    scene.run(() -> scene.has("c", "c"));
    assertEquals(List.of("c"), scene.handed());
  }

  /** How often what is held was tried by itself. */
  private static long attempts(List<List<String>> batches) {
    return batches.stream().filter(List.of("b", "c")::equals).count();
  }

  @Test
  @DisplayName("lets nothing of an entity overtake what failed before it")
  void overtaking() {
    scene.run(() -> scene.place() != null);
    scene.insert("a", "a");
    scene.failing.add("a");
    boolean[] inserted = {false};
    scene.run(
        () -> {
          if (!scene.batches.isEmpty() && !inserted[0]) {
            inserted[0] = true;
            scene.insert("later", "a", 2, "b");
          }
          if (scene.handed().contains("b")) {
            scene.failing.clear();
          }
          return scene.has("a", "ab") || isOvertaken();
        });
    assertFalse(isOvertaken(), scene.batches::toString);
  }

  private boolean isOvertaken() {
    return scene.batches.stream().anyMatch(b -> b.contains("b") && !b.contains("a"));
  }

  @Test
  @DisplayName("waits for what it holds once that is as much as it may hold")
  void bound() {
    scene.run(() -> scene.place() != null);
    scene.insert("a2", "a", 2, "b");
    scene.insert("a3", "a", 3, "c");
    boolean[] inserted = {false};
    scene.run(
        scene.stream().holdingAtMost(2),
        () -> {
          if (!scene.batches.isEmpty() && !inserted[0]) {
            inserted[0] = true;
            scene.insert("b", "x");
          }
          return attempts(scene.batches) > 5;
        });
    assertEquals(new HashSet<>(List.of("b", "c")), new HashSet<>(scene.handed()));
    scene.insert("a1", "a", 1, "a");
    scene.run(() -> scene.has("a", "abc") && scene.has("b", "x"));
  }

  @Test
  @DisplayName("hands over what a pipeline lets through, and knows each event by its place")
  void pipeline() {
    scene.insert("a0", "a", 1, "a");
    List<String> identities = new ArrayList<>();
    var intake =
        ChangeStreamIntake.builder(
                change -> {
                  identities.add(ChangeStreamIntake.identity(change).value());
                  return Delivery.of(
                      ChangeStreamIntake.identity(change), change.document(Document.class));
                },
                deliveries -> {
                  throw new IllegalStateException("not now");
                })
            .deadLetters(MongoDeadLetters.of(scene.letters, StreamScene.NAME))
            .listener(taken -> {});
    boolean[] changed = {false};
    scene.run(
        scene.stream(intake)
            .pipeline(List.of(Aggregates.match(Filters.ne("operationType", "replace"))))
            .fullDocument(FullDocument.UPDATE_LOOKUP),
        () -> {
          if (identities.size() == 1 && !changed[0]) {
            changed[0] = true;
            var updated = scene.events.updateOne(Filters.empty(), Updates.set("text", "b"));
            var deleted = scene.events.deleteOne(Filters.empty());
            assertTrue(updated.wasAcknowledged() && deleted.wasAcknowledged());
          }
          return scene.letters.countDocuments() == 2;
        });
    assertEquals(3, new HashSet<>(identities).size(), identities::toString);
    List<String> types =
        scene.letters.find().into(new ArrayList<>()).stream()
            .map(letter -> letter.get("event", Document.class).getString("operationType"))
            .toList();
    assertEquals(List.of("update", "delete"), types);
    identities.clear();
    assertEquals(
        new MongoDeadLetters.Redriven(0, 2),
        MongoDeadLetters.of(scene.letters, StreamScene.NAME).redrive(scene.events, intake.build()));
    assertEquals(2, new HashSet<>(identities).size(), "each by its own place still");
  }

  @Test
  @DisplayName("stays as it was built, whatever its builder is told later")
  void built() {
    scene.insert("a", "a");
    ChangeStreamIntakeBuilder settings = scene.stream();
    scene.afterOpening(settings::fromNow);
    scene.run(settings, () -> scene.has("a", "a"));
  }

  @Test
  @DisplayName("starts with what is inserted from now on where that is chosen, and remembers that")
  void fromNow() {
    scene.insert("a", "a");
    scene.run(scene.stream().fromNow(), () -> scene.place() != null);
    scene.insert("b", "b");
    scene.run(scene.stream().fromNow(), () -> scene.has("b", "b"));
    assertEquals("", scene.texts("a"));
    assertEquals(0, scene.count("find"));
  }

  @Test
  @DisplayName("loses nothing that comes while it is opened from now on, even if that is not done")
  void whileOpening() {
    scene.afterOpening(() -> scene.insert("a", "a"));
    scene.failing.add("a");
    scene.run(scene.stream().fromNow(), () -> !scene.batches.isEmpty());
    assertNotEquals(null, scene.place());
    scene.failing.clear();
    scene.run(scene.stream().fromNow(), () -> scene.has("a", "a"));
  }

  @Test
  @DisplayName("hands over about 16 MB of large documents at a time where it reads the collection")
  void large() {
    for (String id : List.of("a", "b", "c", "d")) {
      Document event = new Document("_id", id).append("entity", id).append("version", 1);
      event.append("text", id).append("padding", "x".repeat(6 * 1024 * 1024));
      assertTrue(scene.events.insertOne(event).wasAcknowledged());
    }
    scene.run(() -> scene.has("d", "d"));
    assertEquals(List.of(List.of("a", "b", "c"), List.of("d")), scene.batches);
  }

  @Test
  @DisplayName("reads of the collection what a filter lets through")
  void filter() {
    scene.insert("a", "a");
    scene.insert("b", "b");
    scene.run(scene.stream().readingFirst(Filters.eq("entity", "b")), () -> scene.has("b", "b"));
    assertEquals("", scene.texts("a"));
  }

  @Test
  @DisplayName("keeps the place up to date while nothing happens")
  void quiet() {
    scene.run(() -> scene.place() != null);
    Document place = scene.kept();
    scene.run(
        () -> {
          var unused = scene.letters.replaceOne(Filters.eq("_id", 1), new Document());
          return !scene.kept().equals(place);
        });
    assertEquals(List.of(), scene.batches);
  }

  @Test
  @DisplayName("ends by a stop with its place kept, and by an interrupt as well")
  void ends() {
    scene.insert("a", "a");
    scene.run(scene.stream().savingEvery(Duration.ofHours(1)), () -> scene.has("a", "a"));
    Document first = scene.kept();
    scene.insert("b", "b");
    scene.run(scene.stream().savingEvery(Duration.ofHours(1)), () -> scene.has("b", "b"));
    assertNotEquals(first, scene.place());
    scene.insert("c", "c");
    Document second = scene.kept();
    scene.run(
        scene.stream().savingEvery(Duration.ofHours(1)),
        () -> {
          boolean isDone = scene.has("c", "c");
          if (isDone) {
            Thread.currentThread().interrupt();
          }
          return isDone;
        });
    assertTrue(Thread.interrupted(), "it is told further");
    assertNotEquals(second, scene.place());
  }

  @Test
  @DisplayName("runs once, and takes no settings that are none")
  void input() {
    ChangeStreamIntake stream = scene.run(() -> true);
    assertThrows(IllegalStateException.class, stream::run);
    ChangeStreamIntakeBuilder settings = scene.stream();
    assertThrows(IllegalArgumentException.class, () -> settings.holdingAtMost(0));
    assertThrows(IllegalArgumentException.class, () -> settings.savingEvery(Duration.ZERO));
    Duration second = Duration.ofSeconds(1);
    assertThrows(
        IllegalArgumentException.class, () -> settings.pauses(second, Duration.ofMillis(1)));
    var intake = scene.intake().build();
    assertThrows(
        IllegalArgumentException.class,
        () -> ChangeStreamIntake.stream(scene.client, scene.events, intake, scene.events, "a"));
    assertThrows(
        IllegalArgumentException.class,
        () -> ChangeStreamIntake.stream(scene.client, scene.events, intake, scene.places, ""));
  }

  @Test
  @DisplayName("is not resumed from the place of another collection")
  void otherSource() {
    scene.run(() -> scene.place() != null);
    var intake = scene.intake().build();
    ChangeStreamIntake other =
        ChangeStreamIntake.stream(scene.client, scene.letters, intake, scene.places, "view")
            .build();
    IllegalStateException refused = assertThrows(IllegalStateException.class, other::run);
    assertTrue(String.valueOf(refused.getMessage()).contains("'view'"), refused::getMessage);
    assertEquals(List.of(), scene.batches);
  }

  @Test
  @DisplayName("reads a document by the codecs of the collection, and takes another one for poison")
  void decodes() {
    StreamedChange change =
        StreamedChange.of(
            "shop.rows",
            scene.events.getCodecRegistry(),
            BsonDocument.parse("{_id: 'a', texts: 'abc'}"));
    assertEquals(new StreamScene.Row("a", "abc"), change.document(StreamScene.Row.class));
    StreamedChange other =
        StreamedChange.of(
            "shop.rows",
            scene.events.getCodecRegistry(),
            BsonDocument.parse("{_id: 7, texts: []}"));
    assertThrows(IllegalArgumentException.class, () -> other.document(StreamScene.Row.class));
    assertFalse(other.toString().contains("7"));
  }
}
