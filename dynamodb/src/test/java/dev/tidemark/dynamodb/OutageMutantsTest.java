package dev.tidemark.dynamodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Outages taken for bugs, and bugs for outages: sources with a few words replaced. */
@DisplayName("The tests of outages on DynamoDB catch")
final class OutageMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "an outage that a framework's exception hides",
            "DynamoDbOutages",
            "dev.tidemark.kernel.Faults.decisive(fault, SdkException.class)",
            "fault",
            OutageTest.class,
            "translated"),
        SourceMutant.of(
            "a request that cannot be made taken for an outage",
            "DynamoDbOutages",
            "inner instanceof SdkException && !String.valueOf(inner.getMessage()).startsWith(UNMADE)",
            "inner instanceof SdkException",
            OutageTest.class,
            "unmade"),
        SourceMutant.of(
            "lost credentials taken for a request that cannot be made",
            "DynamoDbOutages",
            "!String.valueOf(inner.getMessage()).startsWith(UNMADE)",
            "!(inner.getCause() instanceof NullPointerException)",
            OutageTest.class,
            "unmade"),
        SourceMutant.of(
            "a conflict that hides a false condition",
            "DynamoDbOutages",
            "allMatch(Transactions::isBusy)",
            "anyMatch(Transactions::isBusy)",
            OutageTest.class,
            "transactions"),
        SourceMutant.of(
            "throttling of a look for records, as the client's own exception",
            "DynamoDbRecordStore",
            "asked(() -> client.query(query))",
            "client.query(query)",
            DynamoDbRecordStoreTest.class,
            "throttledLooks"),
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
