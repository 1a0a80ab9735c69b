package dev.tidemark.lambda;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions whose log is silent: the source of a batch with a few words replaced. */
@DisplayName("The tests of functions catch")
final class BatchMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a first ID that was handed on to a message of another body",
            "SqsBatch",
            "end > 0 && first.endsWith(ofBody)",
            "end > 0",
            SqsBatchTest.class,
            "identities"),
        SourceMutant.of(
            "a function whose thread stays interrupted since one message was",
            "Batch",
            "intake.takeOnContainerThread(messages)",
            "intake.take(messages)",
            SqsBatchTest.class,
            "interrupted"),
        SourceMutant.of(
            "a function whose log waits for a minute",
            "Batch",
            "IntakeListener.logEachBatch()",
            "IntakeListener.log()",
            BatchLogTest.class,
            "again"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
