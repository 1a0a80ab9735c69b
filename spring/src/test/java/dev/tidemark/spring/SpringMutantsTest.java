package dev.tidemark.spring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.tck.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Beans that lose messages, or half of a transaction: sources with a few words replaced. */
@DisplayName("The tests of the module for Spring Boot catch")
final class SpringMutantsTest {
  @TempDir Path folder;

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, Class<?> tests, String test) {
    Path source = Path.of("src/main/java/dev/tidemark/spring", type + ".java");
    return new SourceMutant(name, source, sound, wrong, tests, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "an acknowledgement of what is not done",
            "SqsIntakeListener",
            "List<Message<T>> done = taken.toAcknowledge();",
            "List<Message<T>> done = messages;",
            SqsIntakeListenerTest.class,
            "standard"),
        mutant(
            "records that are not done and are not told",
            "KafkaIntakeListener",
            "if (!undone.isEmpty()) {",
            "if (undone.size() > 10) {",
            KafkaIntakeListenerTest.class,
            "trouble"),
        mutant(
            "a relay that is not stopped with the context",
            "Relays",
            "running.forEach(RunningRelay::askToStop);\n    running.forEach(RunningRelay::awaitEnd);",
            "",
            RelaysTest.class,
            "sends"),
        mutant(
            "writes beside a transaction",
            "SpringTransactions",
            "return factory().map(SpringTransactions::session);",
            "return Optional.empty();",
            TransactionsTest.class,
            "rollsBack"),
        mutant(
            "a commit beside a refusal",
            "SpringTransactions",
            ".ifPresent(ResourceHolderSupport::setRollbackOnly);",
            ".isPresent();",
            TransactionsTest.class,
            "refused"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant) throws Exception {
    assertTrue(mutant.isSound(folder), () -> "red without the defect: " + mutant);
    assertTrue(mutant.isCaught(folder), () -> "not caught: " + mutant);
  }
}
