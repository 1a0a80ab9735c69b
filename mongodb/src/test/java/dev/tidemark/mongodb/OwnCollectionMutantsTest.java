package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Collections that are opened as the client likes: sources with a few words replaced. */
@DisplayName("The tests of the collections of records on MongoDB catch")
final class OwnCollectionMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = MongoServers.uri();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "records that the client's codecs read",
            "OwnCollection",
            ".withCodecRegistry(CODECS)",
            "",
            ForeignCodecsTest.class,
            "executions"),
        SourceMutant.of(
            "records in a collection of any kind",
            "OwnCollection",
            "CollectionKind.requirePlainIfTold(collection);",
            "",
            CollectionKindTest.class,
            "records"),
        SourceMutant.of(
            "a server that does not tell the kind of a collection, and ends all calls",
            "CollectionKind",
            "kind.require(kind::logged);",
            "kind.require(kind::untold);",
            CollectionKindTest.class,
            "asked"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
