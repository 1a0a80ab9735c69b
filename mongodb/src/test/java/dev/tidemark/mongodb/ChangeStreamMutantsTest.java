package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Consumers of change streams that lose events: sources with a few words replaced. */
@DisplayName("The tests of the intake of change streams catch")
final class ChangeStreamMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = MongoServers.uri();
  }

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    return SourceMutant.of(name, type, sound, wrong, ChangeStreamIntakeTest.class, test);
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
            "return place;",
            "gap"),
        mutant(
            "what is held forgotten once something comes",
            "StreamProgress",
            "List<StreamedChange> batch = new ArrayList<>(undone);",
            "undone = List.of(); List<StreamedChange> batch = new ArrayList<>();",
            "overtaking"),
        SourceMutant.of(
            "a listener's error that passes for one of the stream",
            "StreamProgress",
            "throw new IllegalStateException(\"the intake's listener failed",
            "throw new MongoException(\"the intake's listener failed",
            ChangeStreamIntakeFaultsTest.class,
            "listenerThrows"),
        mutant(
            "a collection that is read before the stream is opened",
            "ChangeStreamIntake",
            "    try (OpenStream stream = OpenStream.of(settings, progress, oversized.isNear())) {",
            "if (progress.readUpTo() == null && settings.readsFirst) {"
                + " try (OpenStream early = OpenStream.of(settings, progress, false)) {"
                + " if (!readAll(early)) { return; } settings.readsFirst = false; } }"
                + " try (OpenStream stream = OpenStream.of(settings, progress, false)) {",
            "between"),
        SourceMutant.of(
            "a part of an event that passes for the whole",
            "OpenStream",
            "if (split == null) {",
            "if (true) {",
            ChangeStreamFragmentsTest.class,
            "joined"),
        SourceMutant.of(
            "a place between the parts of an event",
            "OpenStream",
            "if (next != null && parts.isEmpty()) {",
            "if (next != null) {",
            ChangeStreamFragmentsTest.class,
            "between"),
        SourceMutant.of(
            "a place of the last part of an event",
            "OpenStream",
            "place = next.equals(lastPart) ? place : next;",
            "place = next;",
            ChangeStreamFragmentsTest.class,
            "place"),
        SourceMutant.of(
            "a stage behind the one that splits",
            "OversizedEvents",
            "narrow.add(splits ? last : last + 1, NARROW);",
            "narrow.add(NARROW);",
            ChangeStreamFragmentsTest.class,
            "narrow"),
        SourceMutant.of(
            "a reading of the collection that has to be done within one operation's time",
            "OpenStream",
            "collection.getTimeout(TimeUnit.MILLISECONDS) == null",
            "true",
            ChangeStreamIntakeFaultsTest.class,
            "deadline"),
        mutant(
            "a stream from now on without a place until something is done",
            "OpenStream",
            "readUpTo == null ? present() : readUpTo",
            "readUpTo",
            "whileOpening"),
        SourceMutant.of(
            "a stream from now on that hands over what comes before its place is kept",
            "ChangeStreamIntake",
            "return settings.readsFirst || hasPlace();",
            "return true;",
            ChangeStreamIntakeFaultsTest.class,
            "firstPlaceFails"),
        SourceMutant.of(
            "inserts without an id taken for one another",
            "StreamedChange",
            "(hasId && event.getOperationType() == OperationType.INSERT)",
            "event.getOperationType() == OperationType.INSERT",
            ChangeStreamPipelinesTest.class,
            "withoutAnyId"),
        SourceMutant.of(
            "letters of another stream handed over and removed",
            "MongoDeadLetters",
            "Filters.eq(ID + \".\" + STREAM, stream)",
            "Filters.exists(ID)",
            MongoDeadLettersTest.class,
            "ofEachStream"),
        SourceMutant.of(
            "a lost history, behind which the stream goes on from now",
            "ChangeStreamIntake",
            "    LOG.log(\n",
            "settings.readsFirst = false; LOG.log(\n",
            ChangeStreamIntakeFaultsTest.class,
            "tinyHistory"),
        SourceMutant.of(
            "an error of an event that passes for a lost history",
            "ChangeStreamIntake",
            "&& Errors.isNoPlace(e);",
            "&& Errors.isLasting(e);",
            ChangeStreamErrorsTest.class,
            "oversized"),
        SourceMutant.of(
            "an event that is too large, and is passed over",
            "OversizedEvents",
            "progress.add(List.of(read.get(0).oversized()), ",
            "progress.add(List.of(), ",
            ChangeStreamErrorsTest.class,
            "oversizedWithoutLetters"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
