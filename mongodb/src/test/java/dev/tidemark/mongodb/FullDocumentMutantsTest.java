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
 * Documents that are read past their limit, or full for good: sources with a few words replaced.
 */
@DisplayName("The tests of full documents on MongoDB catch")
final class FullDocumentMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = MongoServers.uri();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "marks that come twice",
            "Lookups",
            "large.add(MarkFields.sources(names));",
            "",
            "toLastByte"),
        mutant(
            "messages that wait twice in an image",
            "Image",
            "projection.append(names.outbox(), Lookups.counted(names.outbox()));",
            "projection.append(names.outbox(), INCLUDED);",
            "marks"),
        mutant(
            "a full document as too large for who has not read",
            "Replies",
            "!runner.knowsWhatWaits()",
            "runner.isDoubtful()",
            "waits"),
        mutant(
            "messages that were recalled taken to wait",
            "Runner",
            "return hasRead && over != null",
            "return over != null",
            "recalled"),
        mutant(
            "a full document as a server's error in a transaction",
            "Replies",
            "if (kind == Errors.Kind.TOO_LARGE) {",
            "if (kind == Errors.Kind.REFUSED) {",
            "inTransaction"));
  }

  private static SourceMutant mutant(
      String name, String source, String from, String to, String method) {
    return SourceMutant.of(name, source, from, to, FullDocumentTest.class, method);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
