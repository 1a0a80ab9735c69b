package dev.tidemark.tck.contract;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plants defects into what lets clusters share a store, and requires that a test fails. */
@DisplayName("The tests of clusters catch")
final class ClusterMutantsTest {
  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    Path source = Path.of("../api/src/main/java/dev/tidemark/outbox", type + ".java");
    return new SourceMutant(name, source, sound, wrong, ClusteredRecordsTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "origin ignored",
            "Clusters",
            "return origin.equals(id) || settings.inherited.contains(origin);",
            "return true;",
            "origin"),
        mutant(
            "takeover without rank",
            "Succession",
            "delay() * Math.min(rank(message), most)",
            "delay()",
            "succession"),
        mutant(
            "marks of others ignored",
            "ClusterMarks",
            "for (String cluster : clusters.all()) {",
            "for (String cluster : java.util.List.of(clusters.id())) {",
            "returned"),
        mutant(
            "an origin that does not wait for marks",
            "Clusters",
            "return age * 2 < maximumDelay.toMillis();",
            "return true;",
            "old"),
        mutant(
            "a look that ends with the first page",
            "ClusterShard",
            "next = isLast ? Long.MIN_VALUE : page.end();",
            "next = Long.MIN_VALUE;",
            "backlog"),
        mutant(
            "a record of another cluster that is put off",
            "ClusterKey",
            "return takenOver == null;",
            "return true;",
            "failing"),
        mutant(
            "a later message that does not wait for one of another's turn",
            "ClusterView",
            "isBlocked |= isOrdered;",
            "isBlocked = false;",
            "order"),
        mutant(
            "what was seen kept in mind alone",
            "Succession",
            "      sightings.save();\n",
            "",
            "functions"),
        mutant(
            "what others published kept in mind alone",
            "ClusterShard",
            "        succession.remember(message);\n",
            "",
            "functions"),
        mutant(
            "looks kept in mind alone",
            "Sightings",
            "isChanged |= text.look(now, delay);",
            "isChanged |= text.look(now, -delay);",
            "ownFunctions"),
        mutant(
            "a place in the index kept in mind alone",
            "Sightings",
            "    text.next = next;\n",
            "",
            "pages"),
        mutant(
            "what is gone kept for ever",
            "SightingsText",
            "messages.values().removeIf(known -> !known.isThere())",
            "messages.isEmpty()",
            "forgets"),
        mutant(
            "what is held back told by nobody",
            "ClusterShard",
            "      heldBack.add(message.id());\n",
            "",
            "heldBack"),
        mutant(
            "hints under keys that no record has",
            "Finding",
            "hinted.remove(ClusterKey.raw(record.key()))",
            "hinted.remove(record.key())",
            "hints"),
        mutant(
            "a clock that is ahead taken for the present",
            "Clusters",
            "Math.abs(clock.millis() - message.storedAt().toEpochMilli())",
            "clock.millis() - message.storedAt().toEpochMilli()",
            "aheadOfOthers"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
