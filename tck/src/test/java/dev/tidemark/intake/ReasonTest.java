package dev.tidemark.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The reason for which an intake gives a message up")
final class ReasonTest {
  private final List<Reason> letters = new ArrayList<>();

  private static BatchOutcome<?> handle(List<Delivery> deliveries) {
    throw new AssertionError("nothing can be decoded");
  }

  private IntakeBuilder<String> builder() {
    return Intake.<String>builder(
            text -> text,
            text -> {
              throw new IllegalArgumentException("no event in " + text);
            },
            ReasonTest::handle)
        .deadLetters((text, reason) -> letters.add(reason));
  }

  @Test
  @DisplayName("names the exception's class alone, since its text may quote the message")
  void type() {
    assertEquals(1, builder().build().take(List.of("secret")).dead());
    assertEquals(List.of(new Reason("IllegalArgumentException", true, 1)), letters);
  }

  @Test
  @DisplayName("has the exception's text where the caller says that it quotes nothing")
  void text() {
    Intake<String> intake = builder().reason(fault -> "since " + fault.getMessage()).build();
    Fate<String> fate = intake.take(List.of("it")).fates().get(0);
    assertEquals("since no event in it", fate.reason());
    assertEquals(List.of(new Reason("since no event in it", true, 1)), letters);
  }
}
