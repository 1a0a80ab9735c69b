package dev.tidemark.kafka;

import dev.tidemark.mutants.SourceMutant;
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
            "polled = consumer.poll(POLL);",
            "polled = consumer.poll(POLL); commits.add(polled.nextOffsets()); commits.commit();",
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
            "poll(POLL);\n    } catch (RetriableException e) {",
            "poll(POLL);\n    } catch (WakeupException e) {",
            "retriable"),
        loop(
            "a listener's error that passes for the consumer's",
            "KafkaIntakeLoop",
            "KafkaProgress progress = intake.handle(polled, () -> !stop.isAsked());\n    try {",
            "try { KafkaProgress progress = intake.handle(polled, () -> !stop.isAsked());",
            "listener"),
        SourceMutant.of(
            "records that overtake one that is not done",
            "Step",
            "        gate.stop(partition(record), record);\n",
            "",
            KafkaIntakeTest.class,
            "order"),
        SourceMutant.of(
            "records of a later batch that overtake one that is not done",
            "Step",
            "              .filter(record -> gate.ahead(partition(record)) == null)\n",
            "",
            KafkaModelTest.class,
            "group"),
        SourceMutant.of(
            "records that come again since a poll in front of them was short",
            "KafkaIntake",
            "settled.forgetBefore(partition, end(polled.records(partition)));",
            "settled.forget(partition);",
            KafkaIntakeTest.class,
            "shorterPoll"),
        new SourceMutant(
            "records that overtake one that is not decoded",
            Path.of("../api/src/main/java/dev/tidemark/intake/IntakeBatch.java"),
            "unread.stop(entry.lane, entry);",
            "",
            KafkaIntakeTest.class,
            "registry"),
        SourceMutant.of(
            "a dead letter with the place of another record",
            "KafkaDeadLetters",
            "KafkaIntake.isRedriven(record)",
            "header(record, TOPIC).isPresent()",
            KafkaIntakeTest.class,
            "handedOn"),
        SourceMutant.of(
            "a record that is taken for the one that it was made of",
            "KafkaIntake",
            "own.isEmpty() || own.equals(known)",
            "own != null",
            KafkaIntakeTest.class,
            "madeOfRedriven"),
        SourceMutant.of(
            "an offset of a topic that was deleted, committed in the next one",
            "Commits",
            "consumer.position(to.getKey(), PATIENCE) < to.getValue().offset()",
            "false",
            KafkaModelTest.class,
            "group"),
        SourceMutant.of(
            "an ID that was handed on",
            "KafkaIntake",
            ".filter(record.topic()::equals)",
            "",
            KafkaIntakeTest.class,
            "sentElsewhere"),
        SourceMutant.of(
            "a record of a topic that was created anew and passes for a former one",
            "RecordPlace",
            "        record.leaderEpoch().orElse(-1),\n        record.timestamp());",
            "        -1,\n        0);",
            KafkaIntakeTest.class,
            "failuresOfFormerLife"),
        SourceMutant.of(
            "a letter that passes for the record of which it has lost bytes",
            "KafkaDeadLetters",
            "text.getBytes(charset).length != size",
            "text.getBytes(charset).length == -1",
            KafkaIntakeTest.class,
            "bytesLost"),
        SourceMutant.of(
            "a letter that has lost as many bytes as its charset puts in their place",
            "KafkaDeadLetters",
            "!hasReplacement || ",
            "",
            KafkaIntakeTest.class,
            "otherCharset"),
        SourceMutant.of(
            "a sound letter of another charset that passes for a damaged one",
            "KafkaDeadLetters",
            "text.getBytes(charset).length",
            "text.getBytes(UTF_8).length",
            KafkaIntakeTest.class,
            "otherCharset"),
        SourceMutant.of(
            "a letter that was copied with its mark and loses it",
            "KafkaDeadLetters",
            "|| ((isRedriven || isSame(record)) && header(record, BYTES_LOST).isPresent())",
            "",
            KafkaIntakeTest.class,
            "copied"),
        SourceMutant.of(
            "a letter that was copied without its value and passes for whole",
            "KafkaDeadLetters",
            "if (record.value() == null && header(record, LEFT_OUT).isPresent()) {",
            "if (record.value() != null && header(record, LEFT_OUT).isPresent()) {",
            KafkaIntakeTest.class,
            "copied"),
        SourceMutant.of(
            "a request that is larger than a broker takes, and stops a redrive",
            "KafkaRedrive",
            "if (fits && commit(letters, next)) {",
            "if (commit(letters, next)) {",
            KafkaRedriveTest.class,
            "requests"),
        SourceMutant.of(
            "a letter that is put back with other bytes than its record had",
            "KafkaRedrive",
            "|| KafkaDeadLetters.header(letter, KafkaDeadLetters.BYTES_LOST).isPresent()",
            "",
            KafkaRedriveTest.class,
            "bytesLost"),
        SourceMutant.of(
            "a letter of other bytes than its record, which counts as kept",
            "LetterSizes",
            "if (made == 0 ||",
            "if (made == made ||",
            KafkaDeadLettersTest.class,
            "otherBytes"),
        SourceMutant.of(
            "a letter of no bytes in place of a text, which counts as kept",
            "LetterSizes",
            "if (made == 0 ||",
            "if (made <= 0 ||",
            KafkaDeadLettersTest.class,
            "otherBytes"),
        SourceMutant.of(
            "a wrong letter for each try of a record",
            "LetterSizes",
            "refused.put(place(record), odds);",
            "",
            KafkaDeadLettersTest.class,
            "otherBytes"),
        SourceMutant.of(
            "a value of another letter's that is forgotten beside its key",
            "LetterSizes",
            "refused.put(place(record), odds);",
            "refused.put(place(record), List.of(odds.get(0)));",
            KafkaDeadLettersTest.class,
            "bothOdd"),
        SourceMutant.of(
            "a partition that waits for ever for one odd record",
            "LetterSizes",
            "proven.add(name);",
            "",
            KafkaDeadLettersTest.class,
            "odd"),
        SourceMutant.of(
            "a null that proves serializers",
            "LetterSizes",
            "} else if (part != null) {",
            "} else {",
            KafkaDeadLettersTest.class,
            "odd"),
        SourceMutant.of(
            "sizes of bytes for a letter of an object, which no redrive puts back",
            "KafkaDeadLetters",
            "told.put(SIZES, sizes(record)); //",
            "//",
            KafkaDeadLettersTest.class,
            "objects"),
        SourceMutant.of(
            "a letter of other bytes than its record, which is put back",
            "KafkaRedrive",
            "|| hasOtherSizes(letter)",
            "",
            KafkaRedriveTest.class,
            "otherBytes"),
        SourceMutant.of(
            "a letter that comes again to the consumer that has given it up",
            "KafkaDeadLetters",
            "record.topic().equals(topic)",
            "false",
            KafkaDeadLettersTest.class,
            "itself"),
        SourceMutant.of(
            "a record that is put back into the topic from which it is redriven",
            "KafkaRedrive",
            "topic.get().equals(letter.topic())",
            "false",
            KafkaRedriveTest.class,
            "itself"),
        SourceMutant.of(
            "a redrive that leaves letters which their topic takes",
            "KafkaRedrive",
            "sending.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.MAX_VALUE);",
            "",
            KafkaRedriveTest.class,
            "bounds"),
        SourceMutant.of(
            "a letter that is too large and stops its redrive",
            "KafkaRedrive",
            "      return false;\n    }\n    sent +=",
            "      throw e;\n    }\n    sent +=",
            KafkaRedriveTest.class,
            "tooLarge"),
        SourceMutant.of(
            "a letter that is too large and leaves others behind",
            "KafkaRedrive",
            "if (letters.size() == 1) {",
            "if (letters.size() > 0) {",
            KafkaRedriveTest.class,
            "tooLarge"),
        SourceMutant.of(
            "a redrive that lets its progress grow old",
            "KafkaRedrive",
            "keepProgress(ends);\n    return",
            "return",
            KafkaRedriveTest.class,
            "nothing"),
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
