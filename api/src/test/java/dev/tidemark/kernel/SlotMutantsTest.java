package dev.tidemark.kernel;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Slots that forget too early: sources with a few words replaced. */
@DisplayName("The tests of slots catch")
final class SlotMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "an ID that is counted, and not recorded",
            "Slots",
            "(id == null ? 0 : 1)",
            "1",
            SlotsTest.class,
            "room"),
        SourceMutant.of(
            "an ID of a closed slot that is asked for in another form",
            "Plan",
            "open.isMissing().and(inForm(policy, names));",
            "open.isMissing();",
            SlotsTest.class,
            "otherForm"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
