package dev.tidemark.projector;

import dev.tidemark.tck.SourceMutant;
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
            "a transaction that was known too late for its batch, and is ignored",
            "projector/ProjectorBatch.java",
            "if (does.transaction() != null) {",
            "if (false) {",
            "identified"),
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
