package dev.tidemark.tck.contract;

import dev.tidemark.mutants.SourceMutant;
import dev.tidemark.tck.ReferenceBackend;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The contract of completions catches")
final class CompletionMutantsTest {
  /** The contract in memory, for {@link SourceMutant} to make. */
  static final class InMemory {
    private final CompletionContract contract = new CompletionContract(new ReferenceBackend());

    void remembered() {
      contract.remembered();
    }

    void deleted() {
      contract.deleted();
    }

    void early() {
      contract.early();
    }
  }

  private static SourceMutant mutant(String name, String sound, String wrong, String test) {
    Path source = Path.of("../api/src/main/java/dev/tidemark/execution/EntityCompletion.java");
    return new SourceMutant(name, source, sound, wrong, InMemory.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "a finished key that is forgotten with its entity's tombstone",
            "return store.tracking().messageIds().keptFor();",
            "return Optional.of(store.tracking().tombstonesKeptFor());",
            "remembered"),
        mutant(
            "a write that a deleted entity forgets before its record",
            "return toldFor().filter(ids -> ids.compareTo(tombstone) < 0).or(() -> Optional.of(tombstone));",
            "return toldFor().filter(ids -> tombstone != null);",
            "deleted"),
        mutant(
            "an entity that is not there yet, taken for a refusal",
            "if (outcome instanceof Outcome.Missing) {",
            "if (outcome instanceof Outcome.Gap) {",
            "early"));
  }

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant) throws Exception {
    mutant.assertCaught(folder);
  }
}
