package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Values are the same")
final class SameValueTest {
  /** Equal by its key alone, as entities are. */
  record Line(String id, @Nullable Integer count) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Line line && line.id.equals(id);
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }
  }

  private static Object lines(Integer count) {
    return new LinkedHashSet<>(List.of(new Line("a", 1), new Line("b", count)));
  }

  @Test
  @DisplayName("where all their parts are")
  void same() {
    assertTrue(SameValue.isSame(null, null));
    assertTrue(SameValue.isSame("a", "a"));
    assertTrue(SameValue.isSame(new byte[] {1, 2}, new byte[] {1, 2}));
    assertTrue(SameValue.isSame(Instant.EPOCH, Instant.ofEpochSecond(0)));
    assertTrue(SameValue.isSame(Optional.of("a"), Optional.of("a")));
    assertTrue(SameValue.isSame(lines(2), lines(2)));
    assertTrue(SameValue.isSame(Map.of("k", List.of(1L)), Map.of("k", List.of(1L))));
  }

  @Test
  @DisplayName("not where one part differs, whatever a class of the user's calls equal")
  void others() {
    assertFalse(SameValue.isSame(null, "a"));
    assertFalse(SameValue.isSame(1, 1L));
    assertFalse(SameValue.isSame(BigDecimal.ONE, new BigDecimal("1.0")));
    assertFalse(SameValue.isSame(new byte[] {1}, new byte[] {2}));
    assertFalse(SameValue.isSame(new Line("a", 1), new Line("a", 2)));
    assertFalse(SameValue.isSame(new Line("a", 1), new Line("a", null)));
    assertFalse(SameValue.isSame(lines(2), lines(3)));
    assertFalse(SameValue.isSame(Optional.of(new Line("a", 1)), Optional.of(new Line("a", 2))));
    assertFalse(SameValue.isSame(Arrays.asList("a", "b"), Arrays.asList("a")));
    Map<String, Integer> one = new LinkedHashMap<>(Map.of("a", 1));
    one.put("b", 2);
    Map<String, Integer> other = new LinkedHashMap<>(Map.of("b", 2));
    other.put("a", 1);
    assertFalse(SameValue.isSame(one, other), "in another order");
  }

  @Test
  @DisplayName("not where a class does not tell its parts")
  void unknown() {
    Object one = new Object();
    assertFalse(SameValue.isSame(one, one));
    assertFalse(SameValue.isSame(Set.of(one), Set.of(one)));
  }
}
