package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.tidemark.intake.IntakeBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The intake of a change stream whose pipeline projects fields away")
final class ChangeStreamPipelinesTest {
  private final StreamScene scene = new StreamScene();
  private final List<String> identities = new ArrayList<>();

  @AfterEach
  void close() {
    scene.close();
  }

  private IntakeBuilder<StreamedChange> poisoned() {
    return ChangeStreamIntake.builder(
            change -> {
              identities.add(ChangeStreamIntake.identity(change).value());
              throw new IllegalArgumentException("no event");
            },
            scene::handle)
        .deadLetters(MongoDeadLetters.of(scene.letters, StreamScene.NAME))
        .listener(taken -> {});
  }

  /** The letters of two inserts, of which a pipeline keeps some fields. */
  private List<Document> letters(String... kept) {
    scene.run(() -> scene.place() != null);
    scene.insert("x", "a", 1, "a");
    scene.insert("y", "a", 2, "b");
    scene.run(
        scene.stream(poisoned())
            .pipeline(
                List.of(
                    Aggregates.match(Filters.eq("operationType", "insert")),
                    Aggregates.project(Projections.include(kept)))),
        () -> identities.size() >= 2 && scene.letters.countDocuments() > 0);
    assertEquals(2, new HashSet<>(identities).size(), identities::toString);
    return scene.letters.find().into(new ArrayList<>());
  }

  private static List<Object> ids(List<Document> letters) {
    return letters.stream().map(letter -> letter.get("_id", Document.class).get("_id")).toList();
  }

  /** What is handed over again has the identities that it had. */
  private void assertRedriven() {
    List<String> before = List.copyOf(identities);
    identities.clear();
    assertEquals(
        new MongoDeadLetters.Redriven(0, 2),
        MongoDeadLetters.of(scene.letters, StreamScene.NAME)
            .redrive(scene.events, poisoned().build()));
    assertEquals(new HashSet<>(before), new HashSet<>(identities));
  }

  @Test
  @DisplayName("knows an insert by its document where there is no documentKey")
  void withoutKey() {
    List<Document> letters = letters("operationType", "fullDocument");
    assertEquals(List.of("x", "y"), ids(letters));
    assertTrue(letters.get(0).containsKey("document"));
    assertRedriven();
  }

  @Test
  @DisplayName("keeps the event of an insert among the dead letters where there is no fullDocument")
  void withoutDocument() {
    List<Document> letters = letters("operationType", "documentKey");
    assertEquals(List.of("x", "y"), ids(letters));
    assertTrue(letters.get(0).containsKey("event"));
    assertRedriven();
  }

  @Test
  @DisplayName("keeps the event of an insert where its document lacks the id")
  void withoutId() {
    List<Document> letters = letters("operationType", "documentKey", "fullDocument.text");
    assertEquals(List.of("x", "y"), ids(letters));
    assertFalse(letters.get(0).containsKey("document"));
    assertRedriven();
  }

  @Test
  @DisplayName("knows inserts by their places where nothing has an id, and loses none of them")
  void withoutAnyId() {
    List<Document> letters = letters("operationType", "fullDocument.text");
    assertTrue(letters.get(0).get("_id", Document.class).containsKey("token"));
    assertRedriven();
  }
}
