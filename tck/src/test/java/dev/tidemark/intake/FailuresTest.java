package dev.tidemark.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an intake counts of failures")
class FailuresTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Failures failures = new Failures(3, nanos::get);

  @Test
  @DisplayName(
      "forgets nothing of thousands of failing messages but what has not failed for an hour")
  void bound() {
    assertEquals(1, failures.failed("first"));
    IntStream.range(0, 9_999).forEach(i -> assertEquals(1, failures.failed(i)));
    assertEquals(2, failures.failed("first"));
    assertEquals(1, failures.failed("one more")); // for which there is no room
    assertEquals(1, failures.failed("one more"));
    assertEquals(2, failures.failed(0));
    nanos.addAndGet(Duration.ofHours(1).toNanos() + 1);
    assertEquals(3, failures.failed("first"));
    assertEquals(1, failures.failed("one more")); // which drives out 1
    assertEquals(2, failures.failed("one more"));
    assertEquals(1, failures.failed(1)); // which drives out 2
    assertEquals(3, failures.failed(0));
  }

  @Test
  @DisplayName("lets all be given up in the end where more fail in turn than are counted at a time")
  void inTurn() {
    failures.succeeded();
    Set<Integer> left = new LinkedHashSet<>(IntStream.range(0, 25_000).boxed().toList());
    for (int round = 0; round < 9; round++) {
      for (Integer id : List.copyOf(left)) {
        if (failures.giveUp(failures.failed(id))) {
          failures.forget(id);
          left.remove(id);
        }
      }
    }
    assertEquals(0, left.size());
  }

  @Test
  @DisplayName("lets one message be given up while nothing succeeds, the next after twice as many")
  void inVain() {
    List<String> left = new ArrayList<>(List.of("1", "2", "3"));
    List<Integer> tries = new ArrayList<>();
    for (int i = 1; i <= 120; i++) {
      if (left.removeIf(id -> failures.giveUp(failures.failed(id)))) {
        tries.add(i);
      }
    }
    assertEquals(List.of(30, 60, 120), tries);
    failures.succeeded();
    assertTrue(failures.giveUp(3)); // while others succeed
    nanos.addAndGet(IntakeBuilder.QUIET.toNanos() + 1);
    assertFalse(failures.giveUp(29));
    assertTrue(failures.giveUp(30)); // as if nothing had been
  }

  private static BatchOutcome<?> handle(List<Delivery> deliveries) {
    throw new AssertionError("nothing can be decoded");
  }

  @Test
  @DisplayName("loses no patience for letters that the dead letters did not keep")
  void lettersAway() {
    AtomicBoolean isAway = new AtomicBoolean(true);
    Intake<String> intake =
        Intake.<String>builder(
                text -> text,
                text -> {
                  throw new IllegalStateException("a bug");
                },
                FailuresTest::handle)
            .deadLetters(
                (text, reason) -> {
                  if (isAway.get()) {
                    throw new IOException("no such topic");
                  }
                })
            .parkAfter(3)
            .build();
    for (int i = 1; i <= 200; i++) {
      assertEquals(0, intake.take(List.of("1", "2")).dead());
    }
    isAway.set(false);
    assertEquals(1, intake.take(List.of("1")).dead());
  }
}
