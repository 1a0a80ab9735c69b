package dev.tidemark.execution;

import dev.tidemark.mutants.SourceMutant;
import java.util.List;

/** Defects in what flows find of unfinished executions, and go on with. */
final class FlowMutants {
  private FlowMutants() {}

  static List<SourceMutant> all() {
    return List.of(
        SourceMutant.of(
            "a flow whose name is too long for an index",
            "Executions",
            "MOST_KEY_BYTES - 2",
            "MOST_KEY_BYTES",
            FlowTest.class,
            "names"),
        SourceMutant.of(
            "a released execution that is always the first to go on",
            "Claims",
            "case RELEASED -> now - 1;",
            "case RELEASED -> 0;",
            FlowTest.class,
            "failing"),
        SourceMutant.of(
            "a forgotten flow that runs anew",
            "Resuming",
            "if (claims.isForgotten(found)) {",
            "if (found.flow().isEmpty()) {",
            FlowTest.class,
            "notResumed"),
        SourceMutant.of(
            "a request that cannot be read and stays the first",
            "Resuming",
            "pass(key, found, e);",
            "e.addSuppressed(new IllegalStateException());",
            FlowTest.class,
            "unreadable"),
        SourceMutant.of(
            "a flow whose time is over and that stays the first",
            "Resuming",
            "claims.pass(key, found);\n        return",
            "return",
            FlowTest.class,
            "expired"),
        SourceMutant.of(
            "a record that cannot be read, in the place of a sound one",
            "Resuming",
            "return !(e instanceof CorruptRecordException);",
            "return true;",
            FlowTest.class,
            "unreadableRecords"),
        SourceMutant.of(
            "a store that is away, asked again and again",
            "Resuming",
            "return !(e instanceof CorruptRecordException);",
            "return false;",
            FlowTest.class,
            "away"),
        SourceMutant.of(
            "a refused look ahead that counts as made",
            "Flow",
            "      lookAheadNext(claims);\n",
            "",
            FlowTest.class,
            "refusedAhead"),
        SourceMutant.of(
            "a second refused look that is lost",
            "Resuming",
            "refusals.forEach(another -> Faults.suppress(another, first));",
            "",
            FlowTest.class,
            "refusedAhead"),
        SourceMutant.of(
            "an error of the index in the place of which another one is thrown",
            "Resuming",
            "if (first instanceof Error error) {\n        throw error;\n      }",
            "",
            FlowTest.class,
            "refusedAhead"),
        SourceMutant.of(
            "a look that ends where nobody can go on",
            "Resuming",
            "more = left > 0 &&",
            "more = left < 0 &&",
            FlowTest.class,
            "unreadableRecords"),
        SourceMutant.of(
            "a look at all that nobody can go on with",
            "Resuming",
            "MOST_IN_VAIN = 1_000;",
            "MOST_IN_VAIN = 10_000;",
            FlowTest.class,
            "tooManyUnreadableRecords"),
        SourceMutant.of(
            "an owner at work, in the place of one that went silent",
            "Resuming",
            "&& !claims.isLive(key, one)",
            "",
            FlowTest.class,
            "besideAhead"),
        SourceMutant.of(
            "a clock that was ahead, and an execution that waits for it",
            "Flow",
            "if (most > 0\n",
            "if (most < 0\n",
            FlowTest.class,
            "ahead"),
        SourceMutant.of(
            "a look ahead at each call",
            "Flow",
            "boolean isTime = now - nextAhead >= 0;",
            "boolean isTime = true;",
            FlowTest.class,
            "looksAhead"),
        SourceMutant.of(
            "executions that are resumed though none is wanted",
            "Resuming",
            "boolean more = left > 0;",
            "boolean more = true;",
            FlowTest.class,
            "ahead"),
        SourceMutant.of(
            "a step that shortens the time for which its claim is kept",
            "Claims",
            "Math.max(soonest, expires(now, known, leaseEnd))",
            "expires(now, known, leaseEnd)",
            FlowTest.class,
            "takenOverForLess"),
        SourceMutant.of(
            "a flow that nobody can go on with once a version without it has tried",
            "Claims",
            "kept == null ? call.flow : kept.flow()",
            "call.flow",
            FlowTest.class,
            "takenOver"),
        SourceMutant.of(
            "a flow without its request once a version without it has tried",
            "Claims",
            "kept == null ? call.request : kept.request()",
            "call.request",
            FlowTest.class,
            "takenOver"),
        SourceMutant.of(
            "work that is forgotten as early as who took it over would forget its own",
            "Claims",
            "goesOn == null ? 0 : goesOn.lasts()",
            "0",
            FlowTest.class,
            "takenOverForLess"),
        SourceMutant.of(
            "work that is forgotten as early as who let it go would forget its own",
            "Claims",
            "hasWrite(before) || !finished ? before",
            "hasWrite(before) ? before",
            FlowTest.class,
            "takenOverForLess"),
        SourceMutant.of(
            "a look ahead used up by a call that wants none",
            "Flow",
            "most > 0\n        && looksAhead(claims)",
            "looksAhead(claims)",
            FlowTest.class,
            "looksAhead"),
        SourceMutant.of(
            "a look ahead at executions that are at work in functions",
            "Claims",
            "longer(judge.lease(), INVOCATION)",
            "judge.lease()",
            FlowTest.class,
            "longLeases"),
        SourceMutant.of(
            "a lease that is not watched beside keys that have none",
            "Claims",
            "found == null || found.state() != State.RUNNING",
            "found == null",
            FlowTest.class,
            "aheadBesideReplays"),
        SourceMutant.of(
            "what was resumed, lost behind a look that was refused",
            "Resuming",
            "faults.add(Faults.unchecked(e));\n      refusals.add(e);\n      return false;",
            "throw e;",
            FlowTest.class,
            "refusedLooks"),
        SourceMutant.of(
            "an index that is away, taken for one with nothing",
            "Resuming",
            "if (seen.isEmpty() && !refusals.isEmpty()) {",
            "if (refusals.size() > 1_000) {",
            FlowTest.class,
            "refusedLooks"));
  }
}
