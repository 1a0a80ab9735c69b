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

/** Options that do not do what they say: sources of the kernel with a few words replaced. */
@DisplayName("Lives in which every option is in the dice catch")
final class EveryOptionMutantsTest {
  private static final Path KERNEL = Path.of("../api/src/main/java/dev/tidemark/kernel");

  /** The lives on the reference, for classes that are loaded anew. */
  static final class Lives {
    private final Backend backend = new ReferenceBackend();

    void lived() {
      new EveryOptionContract(backend).lives();
    }
  }

  private static SourceMutant mutant(String name, String type, String sound, String wrong) {
    Path source = KERNEL.resolve(type + ".java");
    return new SourceMutant(name, source, sound, wrong, Lives.class, "lived");
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "compact ids that are unknown to who writes plain ones",
            "Verdict",
            "Ids.allForms(id)",
            "Ids.allForms(id).subList(0, 1)"),
        mutant(
            "subscribers that share their marks",
            "Names",
            "String as = tracking.subscriber().isEmpty() ? \"\" :",
            "String as = tracking.subscriber().length() < 99 ? \"\" :"),
        mutant(
            "a position that was given up and passes for a duplicate under another policy",
            "SourceMark",
            " && seen.isEmpty() && (horizon == null || floor.compareTo(horizon) > 0)",
            ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
