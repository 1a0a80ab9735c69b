package dev.tidemark.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Logged;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The log of an intake that no listener watches")
class IntakeLogTest {
  private final Logged log = Logged.of(Intake.class);
  private long now;

  @AfterEach
  void end() {
    log.close();
  }

  private Intake<String> intake(IntFunction<String> reasons, boolean buries) {
    IntakeBuilder<String> builder =
        Intake.<String>builder(message -> message, IntakeLogTest::poison, IntakeLogTest::never)
            .reason(fault -> reasons.apply(Integer.parseInt(String.valueOf(fault.getMessage()))))
            .time(() -> now);
    return (buries ? builder.deadLetters((message, reason) -> {}) : builder).build();
  }

  private static Delivery poison(String message) {
    throw new IllegalArgumentException(message);
  }

  private static BatchOutcome<Object> never(List<Delivery> deliveries) {
    throw new AssertionError("nothing could be decoded");
  }

  @Test
  @DisplayName("counts what comes again by its reason, at most once a minute")
  void again() {
    Intake<String> intake = intake(n -> "not JSON", false);
    assertEquals(2, intake.take(List.of("1", "2")).toRetry().size());
    assertEquals(1, log.said().size());
    assertTrue(
        log.said()
            .get(0)
            .startsWith(
                "WARNING Messages that have to come again: 2 × cannot be decoded: not JSON."),
        log.said()::toString);
    now = Duration.ofSeconds(59).toNanos();
    assertEquals(1, intake.take(List.of("1")).toRetry().size());
    assertEquals(1, log.said().size());
    now = Duration.ofSeconds(60).toNanos();
    assertEquals(1, intake.take(List.of("1")).toRetry().size());
    assertEquals(2, log.said().size());
    assertTrue(
        log.said().get(1).contains("again: 2 × cannot be decoded: not JSON. This tells"),
        log.said()::toString);
  }

  @Test
  @DisplayName("counts dead letters, of many reasons the first ten by name")
  void dead() {
    Intake<String> intake = intake(n -> "reason " + (char) ('a' + n), true);
    assertEquals(
        12,
        intake.take(List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11")).dead());
    String line = log.said().get(0);
    assertTrue(line.contains("dead letters: 1 × cannot be decoded: reason a,"), line);
    assertTrue(line.contains(", 2 × other reasons."), line);
    assertFalse(line.contains("reason k"), line);
  }

  @Test
  @DisplayName("tells of each batch with dead letters at once, since none may come behind it")
  void deadAtOnce() {
    Intake<String> intake = intake(n -> "not JSON", true);
    assertEquals(1, intake.take(List.of("1")).dead());
    assertEquals(2, intake.take(List.of("1", "2")).dead());
    assertEquals(2, log.said().size());
    assertTrue(
        log.said()
            .get(1)
            .startsWith("WARNING Messages for the dead letters: 2 × cannot be decoded: not JSON. "),
        log.said()::toString);
  }

  @Test
  @DisplayName("says nothing where all is done")
  void quiet() {
    assertTrue(intake(n -> "", false).take(List.of()).fates().isEmpty());
    assertEquals(List.of(), log.said());
  }
}
