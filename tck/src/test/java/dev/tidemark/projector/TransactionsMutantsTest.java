package dev.tidemark.projector;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches with transactions that lose events or stand still. */
@DisplayName("The tests of transactions in batches catch")
final class TransactionsMutantsTest {
  private static final Path MAIN = Path.of("../api/src/main/java/dev/tidemark");

  private static SourceMutant together(String name, String sound, String wrong, String test) {
    return mutant(name, "projector/Together.java", sound, wrong, test);
  }

  private static SourceMutant mutant(
      String name, String file, String sound, String wrong, String test) {
    return new SourceMutant(
        name, MAIN.resolve(file), sound, wrong, TransactionsInBatchesTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        together(
            "events of a source that keep the order in which they came",
            "Turns.of(shown)",
            "java.util.stream.IntStream.range(0, shown.size()).boxed().toList()",
            "anyOrder"),
        together(
            "a transaction that overtakes an undone event of its source",
            "transacts ? ofAny : ofUnknown",
            "ofUnknown",
            "anyOrder"),
        together(
            "an event that overtakes an undone transaction of its source",
            "ofUnknown.ended(shown.get(index), result);",
            "",
            "anyOrder"),
        mutant(
            "an event that is taken for ignored, since its identity could not be told",
            "projector/ProjectorBatch.java",
            "if (one.fault() != null) {",
            "if (one.message() == null) { return new Result.Judged<>(new Outcome.Ignored<>()); }"
                + " if (one.fault() != null) {",
            "anyBatch"),
        mutant(
            "an event that overtakes one that nobody can identify",
            "projector/Told.java",
            "if (waits && one.behind == null",
            "if (false && one.behind == null",
            "unidentified"),
        mutant(
            "an event that overtakes one behind it that nobody can identify",
            "projector/Told.java",
            "&& !(isInFront && first.lane().isPresent())",
            "&& place > undone",
            "unidentified"),
        mutant(
            "an event that overtakes one of its entity that waits for its lane",
            "projector/ProjectorBatch.java",
            "holds.ended(writes.get(i), result",
            "holds.ended(handlers.inItsLane(one.delivery(), one.alone()), result",
            "acrossLanes"),
        mutant(
            "an event that overtakes an earlier one behind it in its lane that waits",
            "projector/ProjectorBatch.java",
            "Turns.of(writes)",
            "IntStream.range(0, writes.size()).boxed().toList()",
            "anyBatch"),
        mutant(
            "more events that overtake one that waits than a window remembers",
            "projector/ProjectorBatch.java",
            "holds.ended(writes.get(i), result == null ? MAY_OVERTAKE : result);",
            "if (result != null) { holds.ended(writes.get(i), result); }",
            "crowd"),
        together(
            "an event that waits for an ignored one of its source",
            "message == null || one.isIgnored()",
            "message == null",
            "ignored"),
        mutant(
            "a window that lets events overtake a transaction whose entities drop late ones",
            "kernel/Holds.java",
            "boolean all = ofAll ||",
            "boolean all =",
            "two"),
        together(
            "an event that overtakes an undone one of its entity from one piece to the next",
            "ofEntities.ended(write(index), result);",
            "",
            "between"),
        together(
            "a piece in which more events overtake than a window remembers",
            "ofEntities.countedBy(write(index)) != null",
            "false",
            "crowd"),
        together(
            "what waits behind all that is not done, and perhaps for what it needs",
            "doing == null ? null : awaited(index, transaction != null)",
            "results.stream().anyMatch(one -> one != null && !one.isDone())"
                + " ? deliveries.get(index).message() : null",
            "between"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
