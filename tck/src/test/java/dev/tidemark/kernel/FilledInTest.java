package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a class fills in where nothing is stored")
final class FilledInTest {
  private final FilledIn filledIn = new FilledIn();

  /** What is left of one reading once what was generated is taken back. */
  private Map<String, Object> left(
      Map<String, Object> stored, Supplier<? extends Map<String, Object>> reading) {
    Map<String, Object> mapped = new HashMap<>(reading.get());
    filledIn.takeBack(mapped, stored, value -> value, reading);
    return mapped;
  }

  @Test
  @DisplayName("is taken back where it is another at each reading")
  void generated() {
    assertEquals(
        Map.of("total", 1),
        left(Map.of("total", 1), () -> Map.of("total", 1, "label", UUID.randomUUID().toString())));
  }

  @Test
  @DisplayName("is taken back where it is the time, however fast a reading is")
  void times() {
    for (int i = 0; i < 200; i++) {
      Supplier<Map<String, Object>> clock = () -> Map.of("seen", System.currentTimeMillis());
      assertEquals(Map.of(), left(Map.of(), clock), "reading " + i);
    }
  }

  @Test
  @DisplayName("stays where it is the same each time, and is asked for once")
  void constants() {
    AtomicInteger readings = new AtomicInteger();
    Map<String, Object> row = Map.of("state", "OPEN", "tags", List.of());
    for (int i = 0; i < 3; i++) {
      Map<String, Object> same =
          left(
              Map.of(),
              () -> {
                readings.incrementAndGet();
                return row;
              });
      assertEquals(row, same);
    }
    assertEquals(3 + 1, readings.get()); // one more tells of both
  }

  @Test
  @DisplayName("is taken back inside a part, unless the part has more than the class maps")
  void parts() {
    Supplier<Map<String, Object>> reading =
        () -> Map.of("part", Map.of("name", "a", "code", UUID.randomUUID().toString()));
    Map<String, Object> stored = Map.of("part", Map.of("name", "a"));
    assertEquals(stored, left(stored, reading));
    Map<String, Object> newer = Map.of("part", Map.of("name", "a", "more", 1));
    Object part = left(newer, reading).get("part");
    assertEquals(Set.of("name", "code"), part instanceof Map<?, ?> map ? map.keySet() : Set.of());
  }
}
