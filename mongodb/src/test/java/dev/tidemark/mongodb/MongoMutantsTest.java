package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.tck.Mutants;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contracts catch wrong stores on MongoDB")
final class MongoMutantsTest {
  @Test
  @DisplayName("each mutant fails the contract that is there for it")
  void caught() {
    List<Mutants.Verdict> missed =
        Mutants.run(new MongoBackend.Factory()).stream().filter(v -> !v.caught()).toList();
    assertEquals(List.of(), missed);
  }
}
