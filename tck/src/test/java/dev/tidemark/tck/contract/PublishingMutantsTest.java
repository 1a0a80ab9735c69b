package dev.tidemark.tck.contract;

import dev.tidemark.mutants.SourceMutant;
import dev.tidemark.tck.ReferenceBackend;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The contracts of publishing catch")
final class PublishingMutantsTest {
  /** The contract in memory, for {@link SourceMutant} to make. */
  static final class InMemory {
    private final PublishingBatchesContract batches =
        new PublishingBatchesContract(new ReferenceBackend());
    private final PublishingContract contract = new PublishingContract(new ReferenceBackend());

    void stored() {
      contract.stored();
    }

    void order() {
      contract.order();
    }

    void onlyApplied() {
      contract.onlyApplied();
    }

    void alone() {
      contract.alone();
    }

    void folds() {
      contract.folds();
    }

    void stableIds() {
      contract.stableIds();
    }

    void due() {
      contract.due();
    }

    void deleted() {
      contract.deleted();
    }

    void forgotten() {
      contract.forgotten();
    }

    void bound() {
      contract.bound();
    }

    void boundOfBatches() {
      batches.bound();
    }

    void tooLarge() {
      batches.alone();
    }
  }

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    Path source = Path.of("../api/src/main/java/dev/tidemark/kernel", type + ".java");
    return new SourceMutant(name, source, sound, wrong, InMemory.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "a fold that loses a message's outbox",
            "Gathered",
            "    for (int place = 0; place < messages.size(); place++) {",
            "    published.clear();\n    for (int place = 0; place < messages.size(); place++) {",
            "folds"),
        mutant(
            "a decision that publishes nothing",
            "InformedWalk",
            "        gathered.publishes(task, published);",
            "",
            "order"),
        mutant(
            "a message that only publishes taken for one that is only recorded",
            "Composition",
            "\n        && change.rules().published().isEmpty();",
            ";",
            "alone"),
        mutant(
            "a refused message that publishes",
            "InformedWalk",
            "    if (recorded) {\n      OwnUpdate own = task.own();",
            "    gathered.publishes(task, task.rules().published());\n"
                + "    if (recorded) {\n      OwnUpdate own = task.own();",
            "onlyApplied"),
        mutant(
            "an ID that is new at every try",
            "Outbox",
            "    add(digest, (long) place);",
            "    add(digest, java.util.UUID.randomUUID());",
            "stableIds"),
        mutant(
            "one ID for all that a message publishes",
            "Outbox",
            "    add(digest, (long) place);",
            "",
            "stableIds"),
        mutant(
            "one ID for two subscribers",
            "Outbox",
            "    add(digest, subscriber);",
            "",
            "stableIds"),
        mutant(
            "what waits put off by what comes later",
            "Outbox",
            "Operation.assignIfAbsent(names.path(names.outboxDue())",
            "Operation.assign(names.path(names.outboxDue())",
            "due"),
        mutant(
            "a tombstone that drops what waits",
            "Marking",
            "    after.remove(names.birth());",
            "    after.remove(names.birth());\n    after.remove(names.outbox());",
            "deleted"),
        mutant(
            "a tombstone that is collected with what waits",
            "Outbox",
            "return keeps(marks, names) ? seconds + WAITING : seconds;",
            "return seconds;",
            "deleted"),
        mutant(
            "what waits forgotten with its entity",
            "InformedWalk",
            "      requireNothingWaits();\n",
            "",
            "forgotten"),
        mutant(
            "a batch of functions that is dead letters where it comes too early",
            "Gathered",
            "published.size(), messages.size(), marks,",
            "0, published.size() + messages.size(), marks,",
            "boundOfBatches"),
        mutant(
            "a function that publishes more than ever fits for what comes too early",
            "Outbox",
            "throw more > tracking.maxWaiting()",
            "throw before + more < tracking.maxWaiting()",
            "tooLarge"),
        mutant(
            "a bound that is checked by no one",
            "Outbox",
            "if (before + more > tracking.maxWaiting()) {",
            "if (before + more > 1_000_000) {",
            "bound"),
        mutant(
            "a broker's outage that makes healthy messages dead letters",
            "Outbox",
            "throw more > tracking.maxWaiting()",
            "throw before + more > tracking.maxWaiting()",
            "bound"),
        mutant(
            "an entity that no index finds",
            "Outbox",
            "        Operation.assign(names.path(names.outboxShard()), shard),\n",
            "",
            "stored"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
