package dev.tidemark.projector;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Projectors that misread what a transaction came to: their source with a few words replaced. */
@DisplayName("The tests of transactions in a projector catch")
final class TogetherMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a deleted entity beside others that is taken for marks that disagree",
            "Together",
            "has(committed, Outcome.Deleted.class) &&",
            "false &&",
            TogetherTest.class,
            "deleted"),
        SourceMutant.of(
            "marks that disagree beside a deleted entity, which come again for ever",
            "Together",
            " && !has(committed, Outcome.Duplicate.class)",
            "",
            TogetherTest.class,
            "deleted"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
