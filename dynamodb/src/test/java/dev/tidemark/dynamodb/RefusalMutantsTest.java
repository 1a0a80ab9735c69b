package dev.tidemark.dynamodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Refusals that tell another key's item, misread: sources with a few words replaced. */
@DisplayName("The tests of refusals on DynamoDB catch")
final class RefusalMutantsTest {
  /** Starts the store that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = DynamoDbEndpoint.get();
  }

  static List<SourceMutant> mutants() {
    String own = "return same ? told : Map.of();";
    return List.of(
        SourceMutant.of(
            "a result of another idempotency key that is replayed",
            "Errors",
            own,
            "return told;",
            MixedUpRefusalsTest.class,
            "executions"),
        SourceMutant.of(
            "another entity's item that judges a write",
            "Errors",
            own,
            "return told;",
            MixedUpRefusalsTest.class,
            "tracked"),
        SourceMutant.of(
            "a key that DynamoDB spells its way, read once more",
            "Errors",
            "Values.isSame(part.getValue(), stored)",
            "stored.equals(null)",
            KeySpellingTest.class,
            "refused"),
        SourceMutant.of(
            "a refused write of which nobody asks again where the read is throttled",
            "Runner",
            "look = look == null ? new Look<>(run::found, this::unread) : look;",
            "look = look == null ? new Look<>(run::found, e -> Transport.plain(e)) : look;",
            ThrottledReadsTest.class,
            "resumed"),
        SourceMutant.of(
            "a throttled try of a refused write that leaves its outcome unknown",
            "RefusedWrites",
            "Errors.wereUncertain(error)",
            "Errors.repeats(error) > 0",
            EnhancedRequestsTest.class,
            "throttled"),
        SourceMutant.of(
            "a write of which a cancelled transaction says nothing, as a fault",
            "RefusedWrites",
            "Transactions.isNone(reason)",
            "\"None\".equals(reason.code())",
            EnhancedRequestsTest.class,
            "silent"),
        new SourceMutant(
            "an entity that a change asks for in vain behind a native one",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Composition.java"),
            " && !shows",
            "",
            NativeBatchTest.class,
            "returning"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
