package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Outages taken for bugs, and bugs for outages: sources with a few words replaced. */
@DisplayName("The tests of outages on MongoDB catch")
final class OutageMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "an outage that a framework's exception hides",
            "MongoOutages",
            "Faults.decisive(fault, MongoException.class)",
            "fault",
            OutageTest.class,
            "translated"),
        SourceMutant.of(
            "a transaction that the server ended, as a bug",
            "MongoOutages",
            "failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)",
            "failure.hasErrorLabel(\"\")",
            OutageTest.class,
            "kinds"),
        SourceMutant.of(
            "a message that is given up since its client was closed",
            "MongoOutages",
            "decisive == null && isOfClosedClient(Faults.last(fault))",
            "false",
            OutageTest.class,
            "closed"),
        SourceMutant.of(
            "a message that is given up since its transaction's client was closed",
            "MongoOutages",
            "NO_SESSIONS.equals(error.getMessage())\n            || ",
            "",
            OutageTest.class,
            "closed"),
        SourceMutant.of(
            "a closed session of a handler's, as an outage",
            "MongoOutages",
            "frame.getClassName().startsWith(CONNECTIONS)",
            "frame.getClassName().startsWith(\"com.mongodb.\")",
            OutageTest.class,
            "closedSession"),
        SourceMutant.of(
            "a message that is given up since its thread was interrupted",
            "MongoOutages",
            "          || Errors.isInterruption(failure)\n",
            "",
            OutageTest.class,
            "interrupted"),
        new SourceMutant(
            "a bug that its cause makes an outage",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Faults.java"),
            " || at instanceof TidemarkException",
            "",
            OutageTest.class,
            "ownFaults"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
