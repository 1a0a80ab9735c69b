package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.tidemark.tck.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes that go past the session of their transaction: sources with a few words replaced. */
@DisplayName("The tests of transactions and the inbox on MongoDB catch")
final class SessionMutantsTest {
  private static final String STORE = "tidemark.mongodb";
  private @Nullable String before;

  @TempDir Path folder;

  /** The server that runs is that of the mutants too. */
  @BeforeEach
  void share() {
    assumeFalse(
        MongoServers.server().embedded(), "missing capability: transactions: it has no sessions");
    before = System.getProperty(STORE);
    System.setProperty(STORE, MongoServers.server().uri());
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(STORE);
    } else {
      System.setProperty(STORE, before);
    }
  }

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, Class<?> tests, String test) {
    Path source = Path.of("src/main/java/dev/tidemark/mongodb", type + ".java");
    return new SourceMutant(name, source, sound, wrong, tests, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "an insert of the caller's own that forgets the session",
            "SessionCollection",
            "collection.insertOne(session, document)",
            "collection.insertOne(document)",
            MongoTransactionTest.class,
            "own"),
        mutant(
            "an update of the caller's own that forgets the session",
            "SessionCollection",
            "collection.updateOne(session, filter, update, options)",
            "collection.updateOne(filter, update, options)",
            MongoInboxTest.class,
            "thrown"),
        mutant(
            "a tracked write that forgets the session",
            "Transport",
            "this.writes = SessionBound.of(shared.writes, session);",
            "this.writes = shared.writes;",
            MongoTransactionTest.class,
            "refused"),
        mutant(
            "a read before a tracked write that forgets the session",
            "Transport",
            "this.reads = SessionBound.of(shared.reads, session);",
            "this.reads = shared.reads;",
            MongoTransactionTest.class,
            "session"),
        mutant(
            "a record of the inbox that forgets the session",
            "MongoInbox",
            "return records.findOneAndUpdate(\n        session,\n",
            "return records.findOneAndUpdate(\n",
            MongoInboxTest.class,
            "thrown"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant) throws Exception {
    assertTrue(mutant.isSound(folder), () -> "red without the defect: " + mutant);
    assertTrue(mutant.isCaught(folder), () -> "not caught: " + mutant);
  }
}
