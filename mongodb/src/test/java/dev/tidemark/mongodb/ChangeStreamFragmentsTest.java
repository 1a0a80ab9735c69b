package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The intake of a change stream that splits large events")
final class ChangeStreamFragmentsTest {
  /**
   * Makes the parts of one event of the inserts of "one" and "two", each with what the other lacks.
   * So does {@code $changeStreamSplitLargeEvent}, which not every server has.
   */
  private static final Document SPLIT =
      Document.parse(
          """
          {$replaceWith: {$switch: {
            branches: [
              {case: {$eq: ['$fullDocument.text', 'one']},
               then: {_id: '$_id', splitEvent: {fragment: 1, of: 2}, added: 'too',
                      operationType: '$operationType', ns: '$ns', documentKey: '$documentKey'}},
              {case: {$eq: ['$fullDocument.text', 'two']},
               then: {_id: '$_id', splitEvent: {fragment: 2, of: 2}, fullDocument: '$fullDocument'}}],
            default: '$$ROOT'}}}
          """);

  private final StreamScene scene = new StreamScene();
  private final List<String> seen = new ArrayList<>();

  @BeforeEach
  void needsStreams() {
    assumeFalse(
        MongoServers.server().embedded(), "missing capability: change streams: it has none");
  }

  @AfterEach
  void close() {
    scene.close();
  }

  private ChangeStreamIntakeBuilder stream() {
    return scene.stream(
            ChangeStreamIntake.builder(this::decoded, scene::handle)
                .deadLetters(MongoDeadLetters.of(scene.letters, StreamScene.NAME)))
        .pipeline(List.of(SPLIT));
  }

  private Delivery decoded(StreamedChange change) {
    ChangeStreamDocument<RawBsonDocument> event = change.event().orElseThrow();
    String key = Objects.requireNonNull(event.getDocumentKey()).getString("_id").getValue();
    seen.add(key + " " + change.document().getString("text").getValue());
    if (key.equals("first")) {
      seen.add(Objects.requireNonNull(event.getExtraElements()).getString("added").getValue());
    }
    return StreamScene.delivery(change);
  }

  @Test
  @DisplayName("hands over the whole of them, and goes on behind it")
  void joined() {
    scene.run(() -> scene.place() != null);
    scene.insert("first", "a", 1, "one");
    scene.insert("second", "a", 1, "two");
    scene.insert("third", "a", 2, "!");
    scene.run(stream(), () -> scene.has("a", "two!"));
    assertEquals(List.of("first two", "too", "third !"), seen);
    scene.insert("fourth", "a", 3, "?");
    scene.run(stream(), () -> scene.has("a", "two!?"));
    assertEquals(List.of("fourth ?"), seen.subList(3, seen.size()));
    assertEquals(0, scene.letters.countDocuments());
  }

  @Test
  @DisplayName("keeps its place in front of one of which the rest is still to come")
  void between() {
    scene.run(() -> scene.place() != null);
    scene.insert("first", "a", 1, "one");
    int[] asked = {0};
    scene.run(stream(), () -> ++asked[0] > 60);
    assertEquals(List.of(), seen);
    scene.insert("second", "a", 1, "two");
    scene.run(stream(), () -> scene.has("a", "two"));
    assertEquals(List.of("first two", "too"), seen);
  }
}
