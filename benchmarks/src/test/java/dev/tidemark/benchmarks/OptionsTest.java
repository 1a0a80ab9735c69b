package dev.tidemark.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The command line")
final class OptionsTest {
  @Test
  @DisplayName("measures all techniques on both stores unless it says otherwise")
  void defaults() {
    Options options = Options.of();
    assertEquals(Options.Mode.TECHNIQUES, options.mode());
    assertEquals(List.of("dynamodb", "mongodb"), options.stores());
  }

  @Test
  @DisplayName("chooses what, where and how often")
  void chosen() {
    Options options = Options.of("--growth", "--store", "mongodb", "--rounds", "6", "--publish");
    assertEquals(
        new Options(Options.Mode.GROWTH, List.of("mongodb"), 6, "", 100_000, true), options);
  }

  @Test
  @DisplayName("is refused where it makes no sense")
  void refused() {
    assertThrows(IllegalArgumentException.class, () -> Options.of("--store", "oracle"));
    assertThrows(IllegalArgumentException.class, () -> Options.of("--rounds", "1"));
    assertThrows(IllegalArgumentException.class, () -> Options.of("--rounds", "many"));
    assertThrows(IllegalArgumentException.class, () -> Options.of("--store"));
    assertThrows(IllegalArgumentException.class, () -> Options.of("--help"));
  }
}
