package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A change")
final class ChangeTest {

  @Test
  @DisplayName("adds a number to a set once, of whatever class it comes")
  void distinctNumbers() {
    Change change = Change.change().addToSet("s", 1, 1L, 1.0, new BigDecimal("1.00"), 2);
    assertEquals(
        List.of(new Operation(Operation.Kind.ADD_ALL, Path.of("s"), Set.of(1, 2))),
        change.operations());
  }
}
