package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.tck.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transactions that misread why they were cancelled: sources with a few words replaced. */
@DisplayName("The tests of transactions and the inbox on DynamoDB catch")
final class TransactionMutantsTest {
  private static final String STORE = "tidemark.dynamodb";
  private static @Nullable String before;

  @TempDir Path folder;

  /** The store that runs is that of the mutants too. */
  @BeforeAll
  static void share() {
    before = System.getProperty(STORE);
    System.setProperty(STORE, DynamoDbEndpoint.get().uri().toString());
  }

  @AfterAll
  static void restore() {
    if (before == null) {
      System.clearProperty(STORE);
    } else {
      System.setProperty(STORE, before);
    }
  }

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, Class<?> tests, String test) {
    Path source = Path.of("src/main/java/dev/tidemark/dynamodb", type + ".java");
    return new SourceMutant(name, source, sound, wrong, tests, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "the first reason decides for all",
            "Transactions",
            "parts.get(i).tell(client, reason, cancelled)",
            "parts.get(i).tell(client, reasons.get(0), cancelled)",
            DynamoDbTransactionTest.class,
            "refused"),
        mutant(
            "a false condition decides beside a conflict",
            "Transactions",
            "return open ? List.of() : refused;",
            "return refused;",
            DynamoDbTransactionTest.class,
            "refusedBesideConflict"),
        mutant(
            "a conflict is taken for a duplicate",
            "InboxPart",
            "if (Transactions.isRefusal(reason)) {",
            "if (!Transactions.isNone(reason)) {",
            DynamoDbInboxTest.class,
            "conflictBesideRefusal"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant) throws Exception {
    assertTrue(mutant.isSound(folder), () -> "red without the defect: " + mutant);
    assertTrue(mutant.isCaught(folder), () -> "not caught: " + mutant);
  }
}
