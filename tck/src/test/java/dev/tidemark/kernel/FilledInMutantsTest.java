package dev.tidemark.kernel;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The tests of what a class fills in catch")
final class FilledInMutantsTest {
  private static SourceMutant mutant(String name, String sound, String wrong, String test) {
    Path source = Path.of("../api/src/main/java/dev/tidemark/kernel/FilledIn.java");
    return new SourceMutant(name, source, sound, wrong, FilledInTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "what a class fills in taken for what is stored",
            "if (!given.equals(value)",
            "if (name.isEmpty()",
            "generated"),
        mutant("a time that passes for a constant", "awaitNextMillisecond();\n", "", "times"),
        mutant(
            "a constant that is asked for each time",
            "if (known.isEmpty()) {",
            "if (known.size() < 9) {",
            "constants"),
        mutant(
            "a part of a newer class that is taken back",
            "if (!covers(mapped, stored)\n",
            "if (false\n",
            "parts"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
