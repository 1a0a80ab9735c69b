package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
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

  /** The place of the last part of an event. */
  private String last = "";

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
    last = key.equals("first") ? event.getResumeToken().getString("_data").getValue() : last;
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

  /** The places that were kept while a stream ran. */
  private final Set<Object> kept = new HashSet<>();

  private boolean keeps() {
    return kept.add(Objects.requireNonNull(scene.kept().get("_data")));
  }

  /** Has the parts of an event, behind which nothing comes. */
  private void split() {
    scene.run(() -> scene.place() != null);
    scene.insert("first", "a", 1, "one");
    scene.insert("second", "a", 1, "two");
  }

  /** A pipeline that does not split takes no place of a part: nor does the record get one. */
  private void assertKeptInFront() {
    assertEquals(List.of("first two", "too"), seen, "read once");
    assertFalse(kept.contains(last), "a place behind parts");
    scene.insert("third", "a", 2, "!");
    scene.run(stream(), () -> scene.has("a", "two!"));
    assertEquals("third !", seen.get(seen.size() - 1));
    scene.insert("fourth", "a", 3, "?");
    assertEquals("fourth", scene.firstBehindPlace());
  }

  @Test
  @DisplayName("keeps no place of the last part, from which no other pipeline goes on")
  void place() {
    split();
    int[] asked = {0};
    scene.run(stream(), () -> (keeps() || scene.has("a", "two")) && ++asked[0] > 60);
    assertKeptInFront();
  }

  @Test
  @DisplayName("keeps none of it where an error comes behind the parts, either")
  void placeBehindError() {
    split();
    int[] asked = {0};
    scene.run(
        stream(),
        () -> {
          boolean unused = keeps();
          if (asked[0] == 0 && scene.has("a", "two")) {
            scene.commands.clear();
            scene.fail(scene.events, "getMore', 'aggregate", "closeConnection: true", 3);
            asked[0] = 1;
          }
          return asked[0] > 0 && ++asked[0] > 60 && scene.count("resume") > 2;
        });
    assertKeptInFront();
  }

  @Test
  @DisplayName("looks at what is too large in front of the stage that splits, which has to be last")
  void narrow() {
    Document splitting = Document.parse("{$changeStreamSplitLargeEvent: {}}");
    for (List<Document> stages :
        List.<List<Document>>of(
            List.of(splitting), List.of(SPLIT, splitting), List.of(SPLIT), List.of())) {
      List<Bson> narrow =
          OversizedEvents.narrow(stages, MongoClientSettings.getDefaultCodecRegistry());
      assertEquals(stages.size() + 1, narrow.size());
      List<String> names =
          narrow.stream().map(stage -> stage.toBsonDocument().getFirstKey()).toList();
      List<String> expected = new ArrayList<>();
      stages.forEach(stage -> expected.addAll(stage.keySet()));
      expected.add(
          expected.contains("$changeStreamSplitLargeEvent") ? names.size() - 2 : names.size() - 1,
          "$project");
      assertEquals(expected, names);
    }
  }
}
