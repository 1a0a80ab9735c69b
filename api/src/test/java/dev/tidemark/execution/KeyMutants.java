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
            "watchedByInvocations"),
        SourceMutant.of(
            "a write that is made again once its entity has forgotten it",
            "ClaimJudge",
            "case RELEASED -> isUntold ?",
            "case RELEASED -> isUntold && parks ?",
            ForgottenWriteTest.class,
            "forgotten"),
        SourceMutant.of(
            "a write that is made again by a clock behind that of its entity",
            "ClaimJudge",
            "found.fence()).plus(skew)",
            "found.fence())",
            ForgottenWriteTest.class,
            "clocks"),
        SourceMutant.of(
            "a write that is told for ever, and counts as forgotten",
            "Ending",
            "surelyTold().filter(told -> told.compareTo(time) < 0).isPresent()",
            "surelyTold().filter(told -> told.compareTo(time) > 0).isEmpty()",
            ForgottenWriteTest.class,
            "told"),
        SourceMutant.of(
            "a write that is made again once a tombstone was forgotten",
            "Ending",
            "Stream.of(completion.toldFor(), completion.toldIfDeletedFor())",
            "Stream.of(completion.toldFor(), completion.toldFor())",
            ForgottenWriteTest.class,
            "forgottenTombstone"),
        SourceMutant.of(
            "a fault of a flow that tells the key of an entity",
            "Resuming",
            "Faults.ofKey(",
            "Faults.withKey(",
            HandedInTest.class,
            "faultsOfEntities"),
        SourceMutant.of(
            "a fault of a flow that has lost what is suppressed",
            "../kernel/Faults",
            "same.addSuppressed(suppressed);",
            "",
            HandedInTest.class,
            "faultsOfEntities"),
        SourceMutant.of(
            "a request of a library's own that the mapper compares",
            "Fingerprints",
            "by(type.getRawClass())",
            "mapper",
            MapperTest.class,
            "independentRequests"),
        SourceMutant.of(
            "a result that stays when its key is forgotten",
            "Ledger",
            "named.forEach(parts::remove);",
            "",
            ExecutionsTest.class,
            "forgottenParts"),
        SourceMutant.of(
            "executions that are refused though they are kept for longer",
            "ExecutionsBuilder",
            "if (unfinished().compareTo(",
            "if (unfinishedFor.compareTo(",
            ExecutionsTest.class,
            "settings"));
  }
}
