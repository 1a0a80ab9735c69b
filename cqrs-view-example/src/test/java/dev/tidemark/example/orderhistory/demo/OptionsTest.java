package dev.tidemark.example.orderhistory.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The demonstration's options")
class OptionsTest {
  private static final List<String> BOTH = List.of("dynamodb", "mongodb");

  @Test
  @DisplayName("are 2,000 orders of one seed on both stores, if nothing is said")
  void defaults() {
    assertEquals(new Options(1, 2_000, BOTH), Options.of());
  }

  @Test
  @DisplayName("are read with a space or an equals sign")
  void read() {
    assertEquals(new Options(9, 40, BOTH), Options.of("--seed", "9", "--orders=40"));
    assertEquals(new Options(1, 2_000, List.of("mongodb")), Options.of("--store", "mongodb"));
  }

  @Test
  @DisplayName("are refused where they make no sense")
  void refused() {
    for (String[] args :
        List.of(
            new String[] {"--sede=1"},
            new String[] {"--seed", "one"},
            new String[] {"--orders", "9"},
            new String[] {"--orders"},
            new String[] {"--store", "redis"})) {
      assertThrows(IllegalArgumentException.class, () -> Options.of(args));
    }
  }
}
