package dev.tidemark.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contracts catch wrong stores")
final class MutantsTest {
  @Test
  @DisplayName("each mutant fails the contract that is there for it, in memory")
  void caught() {
    List<Mutants.Verdict> missed =
        Mutants.run(new ReferenceBackend.Factory()).stream().filter(v -> !v.caught()).toList();
    assertEquals(List.of(), missed);
  }
}
