package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Random runs find a run that")
final class RunMutantsTest {
  /** More than it took to find any of them. */
  private static final int LIVES = 4_000;

  static List<RunMutant> mutants() {
    return List.of(
        RunMutant.named(
            "takes a recorded refusal for a change after a lost reply",
            "Run",
            "verdicts.accept(own, own.acceptedAs(found, names));",
            """
            verdicts.accept(own, own.acceptedAs(found, names));
            for (Task<T> task : own.tasks()) {
              if (task.result instanceof Result.Judged<T> judged
                  && judged.outcome() instanceof dev.tidemark.Outcome.Refused) {
                task.result =
                    new Result.Judged<>(
                        new dev.tidemark.Outcome.Applied<>(found.entity(), false, null));
              }
            }
            """),
        RunMutant.named(
            "forgets that an attempt was uncertain",
            "Run",
            "attempt.wasUncertain();\n    if (tries.lose()",
            "if (tries.lose()"),
        RunMutant.named(
            "answers from the marks before it looks at its own token",
            "Run",
            "Attempt<T> own = lost.whichWrote(before, attempt -> attempt.isIn(found, names));",
            """
            if (before != null && !verdicts.isOpen(found, before.first())) {
              write(stored, before, Boolean.TRUE.equals(ruled) ? before.first() : null);
              return;
            }
            Attempt<T> own = lost.whichWrote(before, attempt -> attempt.isIn(found, names));
            """),
        RunMutant.named(
                "judges the caller's rule before the marks",
                "Run",
                "before != null && RuleRefusal.refused(before.request(), stored, atOnce, ruled, names);",
                "before != null && (before.request().hasRule() || Boolean.TRUE.equals(ruled));")
            .and(
                "InformedWalk",
                "if (judged.isPresent()) {",
                "if (task != ruledOut && judged.isPresent()) {"),
        RunMutant.named(
                "takes every refusal of what it wrote over for the rule's",
                "RuleRefusal",
                ": isSame(over.found(), stored.found(), names);",
                ": true;")
            .from(950),
        RunMutant.named(
            "takes a write that was lost and then turned away for not made",
            "Run",
            "uncertain ? attempt.unknown(error) : tries.outlasted(key(), error)",
            "tries.outlasted(key(), error)"));
  }

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void found(RunMutant mutant) throws Exception {
    Optional<AssertionError> found = mutant.findings(folder, Sizes.seed(), LIVES);
    assertTrue(found.isPresent(), () -> "not found in " + LIVES + " lives: " + mutant.name());
    String said = String.valueOf(found.orElseThrow().getMessage());
    System.out.println(
        "run mutant found: " + mutant.name() + ": " + said.lines().limit(2).toList());
  }
}
