package dev.tidemark.intake;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Intakes that lose what they give up: the source of a batch with a few words replaced. */
@DisplayName("The tests of what an intake gives up catch")
final class IntakeMutantsTest {
  private static final Path BATCH =
      Path.of("../api/src/main/java/dev/tidemark/intake/IntakeBatch.java");

  private static SourceMutant batch(String name, String sound, String wrong, String test) {
    return new SourceMutant(name, BATCH, sound, wrong, IntakeLettersTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        batch(
            "a message that passes for a dead letter though no letter was kept",
            "lettersFail = true;",
            "lettersFail = true; entry.kind = Kind.DEAD; freed = true;",
            "refused"),
        batch(
            "a message that is given up and overtaken before its letter is kept",
            "open.add(entry);",
            "if (!entry.givenUp) { open.add(entry); }",
            "others"),
        batch(
            "a letter of a message that comes again with what is before it",
            "if (first == null || (",
            "if (first == null || first != entry || (",
            "behind"),
        batch(
            "messages that overtake one whose letter is not kept and that nobody could read",
            "unread.stop(entry.lane, entry);",
            "",
            "undecodable"),
        batch(
            "messages that overtake one that nobody could read and whose turn has not come",
            "&& first.waits && !freed",
            "&& !freed",
            "undecodableBehind"),
        batch(
            "a letter of one that nobody could read while what is in front of it has another turn",
            "first.waits && !freed",
            "first.waits",
            "freed"),
        batch(
            "a letter that comes again and is kept once more each time",
            "failures.kept(entry.id, entry.letter);",
            "",
            "behindGapOnce"),
        new SourceMutant(
            "an intake that its builder changes later",
            Path.of("../api/src/main/java/dev/tidemark/intake/IntakeBuilder.java"),
            "return new Intake<>(settings);",
            "return new Intake<>(this);",
            IntakeLettersTest.class,
            "ofItsIntake"),
        new SourceMutant(
            "a letter that is remembered for longer than it comes again",
            Path.of("../api/src/main/java/dev/tidemark/intake/Failures.java"),
            "letters.remove(id);",
            "",
            IntakeLettersTest.class,
            "behindGapOnce"),
        batch(
            "new messages that overtake one of another lane in a second turn",
            "isWorthATurn(open) ? open :",
            "isWorthATurn(open) ? open.stream().filter(entry -> !entry.handed).toList() :",
            "acrossLanes"),
        batch("poison behind which a gap waits for ever", "first.waits", "false", "gap"),
        batch("an outage that is met for each poison", "&& !meetsOutage", "", "sparing"),
        new SourceMutant(
            "messages that are begun behind an interrupt",
            BATCH,
            "      if (isInterrupted) {\n        break;",
            "      if (isInterrupted && freed) {\n        break;",
            IntakeErrorsTest.class,
            "interruptsTheRest"),
        new SourceMutant(
            "a message that is given up since an executor was full",
            BATCH,
            "        || Faults.isOfProcess(fault)\n",
            "        || Faults.isInterrupt(fault)\n",
            IntakeErrorsTest.class,
            "ofTheSurroundings"),
        new SourceMutant(
            "a message that passes for undecodable since its decoder's executor was full",
            BATCH,
            "settings.undecodable.test(e) && !Faults.isOfProcess(e)",
            "settings.undecodable.test(e)",
            IntakeErrorsTest.class,
            "ofTheSurroundings"),
        new SourceMutant(
            "a message that passes for undecodable since its decoder waited for such an executor",
            BATCH,
            "e instanceof Exception checked && !Faults.isOfProcess(e)",
            "e instanceof Exception checked && !(e instanceof InterruptedException)",
            IntakeErrorsTest.class,
            "ofTheSurroundings"),
        new SourceMutant(
            "a message that is given up since a client of HTTP was closed",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Faults.java"),
            "|| isOfClosedPool(error)",
            "",
            IntakeErrorsTest.class,
            "ofTheSurroundings"),
        new SourceMutant(
            "a message that is given up since a channel was closed by an interrupt",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Faults.java"),
            "decisive(error, at -> isInterrupt(at))",
            "decisive(error, InterruptedException.class)",
            IntakeErrorsTest.class,
            "ofTheSurroundings"),
        new SourceMutant(
            "a message that is given up since a client has wrapped an interrupt of its pool",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Faults.java"),
            "at -> isInterrupt(at)",
            "at -> at instanceof InterruptedException || at instanceof IOException",
            IntakeErrorsTest.class,
            "ofTheSurroundings"),
        new SourceMutant(
            "letters that are tried behind one whose channel an interrupt has closed",
            BATCH,
            "if (Faults.isInterrupt(thrown)) {",
            "if (thrown instanceof InterruptedException) {",
            IntakeErrorsTest.class,
            "interruptsTheRest"),
        new SourceMutant(
            "messages that are begun behind one whose channel an interrupt has closed",
            BATCH,
            "isInterrupted |= Faults.isInterrupt(thrown(fault));",
            "isInterrupted |= thrown(fault) instanceof InterruptedException;",
            IntakeErrorsTest.class,
            "interruptsByChannel"),
        new SourceMutant(
            "a message that is given up since memory ran out on another thread",
            BATCH,
            "        || isOfJvm(fault)\n",
            "",
            IntakeErrorsTest.class,
            "ofTheSurroundings"),
        new SourceMutant(
            "the result of one delivery that passes for another's",
            BATCH,
            "results.add(named.of(delivery))",
            "results.add(named.of(deliveries.get(deliveries.size() - 1 - results.size())))",
            IntakeTest.class,
            "reordered"),
        new SourceMutant(
            "a sound message that is a dead letter since its lane is empty",
            BATCH,
            "if (lane != null && lane.isEmpty()) {",
            "if (message == null) {",
            IntakeTest.class,
            "emptyLane"),
        new SourceMutant(
            "a delivery without a result that passes for done",
            BATCH,
            "if (result != null && result.isDone())",
            "if (result == null || result.isDone())",
            IntakeTest.class,
            "filtered"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
