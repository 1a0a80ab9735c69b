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
  private static final int LIVES = 400;

  static List<RunMutant> mutants() {
    return List.of(
        RunMutant.named(
            "takes a recorded refusal for a change after a lost reply",
            "Run",
            "accepted(own, own.hasCreated(found, names), found.entity(), found.marks());",
            """
            accepted(own, own.hasCreated(found, names), found.entity(), found.marks());
            for (int place : own.places()) {
              if (results.get(place) instanceof Result.Judged<T> judged
                  && judged.outcome() instanceof Outcome.Refused) {
                results.set(
                    place,
                    new Result.Judged<>(new Outcome.Applied<>(found.entity(), false, null)));
              }
            }
            """),
        RunMutant.named(
            "forgets that an attempt was uncertain",
            "Run",
            "attempt.marking().attemptWasUncertain();\n    if (tries.lose()",
            "if (tries.lose()"),
        RunMutant.named(
            "answers from the marks before it looks at its own token",
            "Run",
            "Attempt<T> own = lost.madeOf(before, attempt -> attempt.isIn(found, names));",
            """
            if (before != null && !pass.isOpen(before, found)) {
              write(stored, before, byRule);
              return;
            }
            Attempt<T> own = lost.madeOf(before, attempt -> attempt.isIn(found, names));
            """),
        RunMutant.named(
                "judges the caller's rule before the marks",
                "Run",
                "int rule = before == null ? -1 : failedRule(before, stored, byRule);",
                """
                int rule =
                    before != null && before.request().hasRule() ? before.places().get(0) : byRule;
                """)
            .and(
                "Pass",
                "if (judged.isPresent()) {",
                "if (place != byRule && judged.isPresent()) {"),
        RunMutant.named(
            "takes every refusal of what it wrote over for the rule's",
            "Run",
            "before.isInformed() && before.isMadeOver(stored.found(), names);",
            "before.isInformed();"),
        RunMutant.named(
            "takes a write that was lost and then turned away for not made",
            "Run",
            "lost.fail(attempt, uncertain ? attempt.marking().unknown(error) : outlasted, results);",
            "lost.fail(attempt, outlasted, results);"));
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
