package dev.tidemark.execution;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Executions that are wrong in one way each: their sources with a few words replaced. */
@DisplayName("The tests of executions catch")
final class ExecutionMutantsTest {
  @ParameterizedTest(name = "{0}")
  @MethodSource({
    "dev.tidemark.execution.ExecutionMutants#all",
    "dev.tidemark.execution.FlowMutants#all",
    "dev.tidemark.execution.KeyMutants#all",
    "dev.tidemark.execution.ResultMutants#all"
  })
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
