package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidemark.Edit;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Executions that are wrong in one way each: their sources with a few words replaced. */
@DisplayName("The tests of executions catch")
final class ExecutionMutantsTest {
  private static final List<Class<?>> TESTS =
      List.of(
          ExecutionsTest.class,
          ExecutionLeasesTest.class,
          LateAnswersTest.class,
          InterruptsTest.class,
          ExecutionStepsTest.class,
          ExecutionPartsTest.class,
          ExecutionFaultsTest.class,
          FlowTest.class,
          StoredExecutionsTest.class,
          CompletionTest.class,
          ReadBackTest.class,
          RenamedTest.class,
          MapperTest.class,
          HandedInTest.class,
          FingerprintTest.class,
          IdempotentTest.class,
          ProxiedInterfacesTest.class,
          IdempotentRequestsTest.class,
          ThrownTest.class,
          StoredTextsTest.class,
          WithinTest.class,
          CompletionBesideRunTest.class,
          ParkingFaultsTest.class);

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource({
    "dev.tidemark.execution.ExecutionMutants#all",
    "dev.tidemark.execution.ResultMutants#all"
  })
  void caught(Edit mutant) throws Exception {
    List<String> red = mutant.red(folder, TESTS);
    System.out.println("execution mutant caught: " + mutant + ": " + red);
    assertFalse(red.isEmpty(), () -> "not caught: " + mutant);
  }

  @Test
  @DisplayName("nothing in the sound ones, by the same way")
  void sound() throws Exception {
    assertEquals(List.of(), Edit.red(TESTS, folder));
  }
}
