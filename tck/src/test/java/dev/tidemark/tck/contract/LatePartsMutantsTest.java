package dev.tidemark.tck.contract;

import dev.tidemark.mutants.SourceMutant;
import dev.tidemark.tck.ReferenceBackend;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The contracts of late events in transactions catch")
final class LatePartsMutantsTest {
  /** The contracts in memory, for {@link SourceMutant} to make. */
  static final class InMemory {
    private final ReferenceBackend backend = new ReferenceBackend();
    private final TransactionsAgainContract again = new TransactionsAgainContract(backend);

    void lives() {
      again.lives();
    }

    void tooOld() {
      again.tooOld();
    }

    void lateBesideGap() {
      new TransactionsContract(backend).lateBesideGap();
    }
  }

  private static SourceMutant mutant(String name, String sound, String wrong, String test) {
    Path source = Path.of("../api/src/main/java/dev/tidemark/kernel/LateParts.java");
    return new SourceMutant(name, source, sound, wrong, InMemory.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "a dropped event that is done no more once others have it",
            "known.stream().noneMatch(LateParts::waits)",
            "known.stream().noneMatch(one -> waits(one) || one instanceof Outcome.Duplicate)",
            "lives"),
        mutant(
            "an event that is too old for one entity and never done",
            "(outcome instanceof Outcome.BeyondHorizon && outcome.isDone())",
            "outcome.getClass() == null",
            "tooOld"),
        mutant(
            "an event that is dropped while an entity waits for what is before",
            "        && known.stream().noneMatch(LateParts::waits);",
            "        && known.size() > 0;",
            "lateBesideGap"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
