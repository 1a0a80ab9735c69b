package dev.tidemark.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.store.MapStore;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Notes of clusters")
final class ClusterMarksTest {
  private static final Duration DELAY = Duration.ofMinutes(1);

  private final MapStore store = new MapStore();
  private final Clusters clusters = Clusters.of("b", List.of("a", "b", "c"), DELAY);
  private final ClusterMarks marks = new ClusterMarks(store, "orders", clusters);
  private final OutboxMessage message =
      new OutboxMessage("m", Instant.EPOCH, OutgoingMessage.to("t", "x"), "a");

  private void spoil(boolean hasRevision) {
    store.plain.replaceAll(
        (key, record) -> {
          Map<String, Object> fields = new TreeMap<>(record.fields());
          fields.put(hasRevision ? "expires" : StoredRecord.REVISION, List.of("of another type"));
          return new StoredRecord(key, fields);
        });
  }

  @Test
  @DisplayName(
      "that cannot be read say that nothing was sent, and are written anew by their cluster")
  void unreadable() {
    for (boolean hasRevision : List.of(true, false)) {
      assertNull(marks.note("m"));
      assertTrue(marks.isSent(message));
      spoil(hasRevision);
      assertFalse(marks.isSent(message));
      assertEquals(1, store.plain.size());
      assertNull(marks.note("m"));
      assertTrue(marks.isSent(message));
    }
    store.plain.replaceAll((key, record) -> new StoredRecord(key, Map.of("state", "DONE")));
    assertFalse(marks.isSent(message));
    assertNull(marks.note("m"));
    assertTrue(marks.isSent(message));
  }

  @Test
  @DisplayName("have keys that DynamoDB takes, of the longest ID too")
  void longest() {
    for (String longest : List.of("/".repeat(512), "€".repeat(512))) {
      String id = OutgoingMessage.to("t", "x").id(longest).id().orElseThrow();
      assertNull(marks.note(id));
    }
    assertEquals(2, store.plain.size());
    store.plain.keySet().forEach(key -> assertTrue(key.getBytes(UTF_8).length <= 2_048, key));
  }

  @Test
  @DisplayName("that cannot be read are stored anew by the next save of what was seen")
  void seen() {
    Sightings sightings = new Sightings(store, "orders", 0, clusters);
    sightings.know();
    sightings.add(message, 1);
    sightings.save();
    spoil(false);
    sightings.next(7);
    assertThrows(CorruptRecordException.class, sightings::save);
    sightings.know();
    sightings.next(8);
    sightings.save();
    Sightings later = new Sightings(store, "orders", 0, clusters);
    later.know();
    assertEquals(8, later.next());
  }

  @Test
  @DisplayName("are of no cluster whose name has an @, since two could be joined to one then")
  void names() {
    for (List<String> all : List.of(List.of("b", "eu@b"), List.of("eu@b", "b"))) {
      assertThrows(IllegalArgumentException.class, () -> Clusters.of(all.get(0), all, DELAY));
    }
  }
}
