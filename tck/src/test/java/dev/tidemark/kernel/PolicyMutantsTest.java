package dev.tidemark.kernel;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Marks that say more than they know: the source of the kernel with a few words replaced. */
@DisplayName("The tests of policies that change catch")
final class PolicyMutantsTest {
  private static final Path KERNEL = Path.of("../api/src/main/java/dev/tidemark/kernel");

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    Path source = KERNEL.resolve(type + ".java");
    return new SourceMutant(name, source, sound, wrong, PolicyChangesTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "a position that was given up and passes for a duplicate",
            "SourceMark",
            " && seen.isEmpty() && (horizon == null || floor.compareTo(horizon) > 0)",
            "",
            "givenUp"),
        mutant(
            "the position before the first of a window, which passes for a duplicate",
            "SourceMark",
            " && seen.isEmpty() && (horizon",
            " && (horizon",
            "everyChange"),
        mutant(
            "a dense policy that takes what a sparse one forgot for a duplicate",
            "Judge",
            "if (isAtOrBelow(position, normal.horizon())) {",
            "if (false) {",
            "everyChange"),
        mutant(
            "a sparse policy that forgets the floor of a dense one",
            "Judge",
            "horizon = mark.floor();",
            "",
            "everyChange"),
        new SourceMutant(
            "a cache that answers by the policy of another store",
            KERNEL.resolve("Recall.java"),
            "this.owner = List.of(store, tracking);",
            "this.owner = List.of(store, tracking.subscriber(), tracking.names());",
            RecallTest.class,
            "policies"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
