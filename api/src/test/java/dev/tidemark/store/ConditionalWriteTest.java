package dev.tidemark.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A write of a plain record")
final class ConditionalWriteTest {
  private static Map<String, Object> fields() {
    Map<String, Object> fields = new HashMap<>();
    fields.put(StoredRecord.REVISION, "r1");
    return fields;
  }

  private static Map<String, Object> with(String name, Object value) {
    Map<String, Object> fields = fields();
    fields.put(name, value);
    return fields;
  }

  @Test
  @DisplayName("takes what every store gives back as it was")
  void sound() {
    Map<String, Object> points = new LinkedHashMap<>();
    points.put("$ b.a", Map.of("done", true));
    points.put("a", Map.of());
    Map<String, Object> fields = with("points", points);
    fields.put("result", Map.<String, Object>of("type", "t", "order", 1L, "name", false));
    fields.put(StoredRecord.EXPIRES, Instant.ofEpochSecond(7));
    fields.put(StoredRecord.LEASE_END, 5L);
    fields.put(StoredRecord.PENDING, "!parked");
    assertEquals(fields, ConditionalWrite.create("k", fields).fields());
  }

  @Test
  @DisplayName("refuses what one of them could not, and tells no value")
  void refused() {
    Instant time = Instant.ofEpochSecond(1);
    for (Map<String, Object> wrong :
        List.of(
            Map.<String, Object>of("state", "secret"),
            with("key", "secret"),
            with("_id", "secret"),
            with("a.b", "secret"),
            with("$set", "secret"),
            with("", "secret"),
            with("n", 1),
            with("n", 1.5),
            with("list", List.of("secret")),
            with(StoredRecord.REVISION, 7L),
            with(StoredRecord.PENDING, 7L),
            with(StoredRecord.LEASE_END, "secret"),
            with(StoredRecord.EXPIRES, 7L),
            with(StoredRecord.EXPIRES, time.plusMillis(1)),
            with("lease", time),
            with("result", Map.of("at", time)),
            with("result", Map.of("a.b", "secret")),
            with("result", Map.of(7L, "secret")),
            with("points", Map.of("", Map.of())),
            with("points", Map.of(7L, Map.of())),
            with("points", Map.<String, Object>of("a", Map.of(), "b", "secret")),
            with("points", Map.of("a", Map.of("order", 1L))),
            with("points", Map.of("a", Map.of("name", "secret"))),
            with("points", Map.of("a", Map.of("b", Map.of()))))) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class,
              () -> ConditionalWrite.create("k", wrong),
              wrong::toString);
      assertFalse(refusal.toString().contains("secret"), refusal::toString);
    }
    assertThrows(
        IllegalArgumentException.class, () -> new ConditionalWrite("k", new Guard.Absent(), null));
    assertThrows(NullPointerException.class, ConditionalWriteTest::unguarded);
  }

  @SuppressWarnings("NullAway") // as a caller without its checks
  private static ConditionalWrite unguarded() {
    return new ConditionalWrite("k", null, Map.of(StoredRecord.REVISION, "r"));
  }

  @Test
  @DisplayName("is not changed with the map that it was made of, and shows no values")
  void copied() {
    Map<String, Object> fields = with("owner", "secret");
    ConditionalWrite write = ConditionalWrite.replace("secret", "secret", fields);
    fields.clear();
    assertEquals(with("owner", "secret"), write.fields());
    StoredRecord stored = new StoredRecord("secret", with("owner", "secret"));
    for (Object shown : List.of(write, stored, new Answer.Refused<>(stored))) {
      assertFalse(shown.toString().contains("secret"), shown::toString);
    }
  }
}
