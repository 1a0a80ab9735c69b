package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/** Consumers of change streams that lose events: sources with a few words replaced. */
@DisplayName("The tests of the intake of change streams catch")
final class ChangeStreamMutantsTest {
  private static final String STORE = "tidemark.mongodb";
  private @Nullable String before;

  @TempDir Path folder;

  /** The server that runs is that of the mutants too. */
  @BeforeEach
  void share() {
    assumeFalse(
        MongoServers.server().embedded(), "missing capability: change streams: it has none");
    assumeTrue(MongoServers.mongod().isPresent(), "missing capability: a server of one's own");
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
      String name, String type, String sound, String wrong, String test) {
    return mutant(name, type, sound, wrong, ChangeStreamIntakeTest.class, test);
  }

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, Class<?> tests, String test) {
    Path source = Path.of("src/main/java/dev/tidemark/mongodb", type + ".java");
    return new SourceMutant(name, source, sound, wrong, tests, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "a place that is kept before its changes are handled",
            "ChangeStreamIntake",
            "    if (progress.untilDue().isZero()) {\n      progress.handle();",
            "    if (progress.untilDue().isZero()) { place.saveNow(progress.readUpTo());"
                + " progress.handle();",
            "crash"),
        mutant(
            "a place behind what is held",
            "StreamProgress",
            "return undone.get(0).before();",
            "return read;",
            "gap"),
        mutant(
            "what is held forgotten once something comes",
            "StreamProgress",
            "List<StreamedChange> batch = new ArrayList<>(undone);",
            "undone = List.of(); List<StreamedChange> batch = new ArrayList<>();",
            "overtaking"),
        mutant(
            "a collection that is read before the stream is opened",
            "ChangeStreamIntake",
            "    try (OpenStream stream = new OpenStream(settings, from)) {",
            "if (from == null && settings.readsFirst) {"
                + " try (OpenStream early = new OpenStream(settings, from)) {"
                + " if (!readAll(early)) { return; } settings.readsFirst = false; } }"
                + " try (OpenStream stream = new OpenStream(settings, from)) {",
            "between"),
        mutant(
            "a lost history, behind which the stream goes on from now",
            "ChangeStreamIntake",
            "    LOG.log(System",
            "settings.readsFirst = false; LOG.log(System",
            ChangeStreamIntakeFaultsTest.class,
            "tinyHistory"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant) throws Exception {
    assertTrue(mutant.isSound(folder), () -> "red without the defect: " + mutant);
    assertTrue(mutant.isCaught(folder), () -> "not caught: " + mutant);
  }
}
