package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls that take the client's own deadline for another error, and reads that end with the first
 * error: sources with a few words replaced.
 */
@DisplayName("The tests of deadlines and of reads that fail on MongoDB catch")
final class DeadlineMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = MongoServers.uri();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a deadline that is tried again like an election",
            "Deadlines",
            "last = e;",
            "",
            DeadlineTest.class,
            "mixedBatch"),
        SourceMutant.of(
            "a command that is sent though the call is over",
            "Deadlines",
            "throw last;",
            "",
            DeadlinesTest.class,
            "third"),
        SourceMutant.of(
            "deadlines that are forgotten behind an answer",
            "Deadlines",
            "return command.get();",
            "A answer = command.get(); passed = 0; return answer;",
            DeadlinesTest.class,
            "answered"),
        SourceMutant.of(
            "a broken connection that is taken for a deadline",
            "Deadlines",
            "Errors.isDeadline(e) && ",
            "",
            DeadlinesTest.class,
            "others"),
        SourceMutant.of(
            "a deadline of a read that is tried again like an election",
            "Runner",
            "Errors.isTransient(e) && mayTryAgain(e)",
            "Errors.isTransient(e)",
            AnswersTest.class,
            "deadlineOfReads"),
        SourceMutant.of(
            "a deadline of a read that waits that is tried again like an election",
            "ReadTries",
            "deadlines.within(read)",
            "read.get()",
            DeadlineTest.class,
            "look"),
        SourceMutant.of(
            "a read of an execution's record that is not tried again",
            "MongoRecordStore",
            "ReadTries.read(MOST_READS, () -> found(key))",
            "found(key)",
            MongoRecordStoreTest.class,
            "overloaded"),
        SourceMutant.of(
            "a look for records that is not tried again",
            "MongoRecordStore",
            "        MOST_READS,\n",
            "        1,\n",
            DeadlineTest.class,
            "looks"),
        SourceMutant.of(
            "a key that is taken, and a read about it that is not tried again",
            "MongoRecordStore",
            "case KEY_TAKEN -> taken(key);",
            "case KEY_TAKEN -> new Answer.Refused<>(found(key));",
            MongoRecordStoreTest.class,
            "taken"),
        SourceMutant.of(
            "a deadline of a claim that passes for a lost reply",
            "MongoRecordStore",
            "new Answer.Lost<>(e, Errors.isDeadline(e))",
            "new Answer.Lost<>(e)",
            DeadlineTest.class,
            "claim"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
