package dev.tidemark.tck.contract;

import dev.tidemark.mutants.SourceMutant;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.ReferenceBackend;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** States of an entity that are taken for others: sources of the kernel with words replaced. */
@DisplayName("The combinations of states and writes catch")
final class EntityStatesMutantsTest {
  private static final Path KERNEL = Path.of("../api/src/main/java/dev/tidemark/kernel");

  /** The combinations on the reference, for classes that are loaded anew. */
  static final class Combinations {
    private final Backend backend = new ReferenceBackend();

    void tried() {
      new EntityStatesContract(backend).combinations();
    }
  }

  private static SourceMutant mutant(String name, String type, String sound, String wrong) {
    Path source = KERNEL.resolve(type + ".java");
    return new SourceMutant(name, source, sound, wrong, Combinations.class, "tried");
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "an update that makes what has to be there",
            "Requirement",
            "return rules().creates() && ",
            "return "),
        mutant(
            "a tombstone that is revived by what is recorded on it",
            "Transition",
            "effect instanceof Effect.Nothing ? Kind.RECORDS : Kind.REVIVES",
            "Kind.REVIVES"),
        mutant(
            "a revived entity that stays a tombstone",
            "Transition",
            "changes.addAll(marking.revived());",
            ""),
        mutant(
            "a tombstone that anybody may write blindly",
            "Transition",
            "return marking.recorded(marking.marks(found));",
            "return marking.informed(marking.marks(found), java.util.Set.of());"),
        mutant(
            "an entity that forgets its marks when it is deleted",
            "Transition",
            "? marking.tombstone(marking.marks(found))",
            "? marking.tombstone(java.util.Map.of())"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
