package dev.tidemark.kafka;

import dev.tidemark.tck.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Consumers that lose records, or stop for ever: sources with a few words replaced. */
@DisplayName("The tests of the Kafka intake catch")
final class KafkaIntakeMutantsTest {
  private static SourceMutant loop(
      String name, String type, String sound, String wrong, String test) {
    return SourceMutant.of(name, type, sound, wrong, KafkaIntakeLoopTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        loop(
            "a commit before the records are handled",
            "KafkaIntakeLoop",
            "KafkaProgress progress = intake.handle(consumer.poll(POLL),",
            "var polled = consumer.poll(POLL); commits.add(polled.nextOffsets());"
                + " commits.commit(); KafkaProgress progress = intake.handle(polled,",
            "crash"),
        loop(
            "a commit behind a record that is not done",
            "KafkaIntake",
            "new OffsetAndMetadata(first.offset(),",
            "new OffsetAndMetadata(first.offset() + 1,",
            "pauses"),
        loop(
            "no pause of a partition that waits",
            "KafkaIntakeLoop",
            "consumer.pause(List.of(paused.partition()));",
            "",
            "pauses"),
        loop(
            "no way back to the record that is not done",
            "KafkaIntakeLoop",
            "progress.toSeek().forEach(consumer::seek);",
            "",
            "pauses"),
        loop(
            "a partition that is given up without a commit",
            "Commits",
            "    try {\n      commit();\n",
            "    try {\n",
            "commitsOnRevoke"),
        loop(
            "a commit of a partition that is lost",
            "Commits",
            "done.keySet().removeAll(partitions);",
            "",
            "lost"),
        loop(
            "a retriable error that ends the loop",
            "KafkaIntakeLoop",
            "} catch (RetriableException e) {",
            "} catch (WakeupException e) {",
            "retriable"),
        SourceMutant.of(
            "records that overtake one that is not done",
            "Step",
            "        stopped.add(partition(record));\n",
            "",
            KafkaIntakeTest.class,
            "order"),
        SourceMutant.of(
            "a step without an end",
            "KafkaIntake",
            "now() - end < 0 && goesOn",
            "goesOn",
            KafkaIntakeTest.class,
            "bounded"),
        SourceMutant.of(
            "a record that was put back and passes for a new one",
            "KafkaIntake",
            "isRedriven(record) && first.isPresent()",
            "false",
            KafkaIntakeTest.class,
            "time"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
