package dev.tidemark.execution;

import dev.tidemark.mutants.SourceMutant;
import java.util.List;

/** Defects in what is told of a key over many calls: by invocations, operators and flows. */
final class KeyMutants {
  private KeyMutants() {}

  static List<SourceMutant> all() {
    return List.of(
        SourceMutant.of(
            "a lease that each invocation watches from the beginning",
            "Claims",
            "this.watch = other.watch;",
            "this.watch = new Watch(nanos);",
            ExecutionLeasesTest.class,
            "watchedByInvocations"));
  }
}
