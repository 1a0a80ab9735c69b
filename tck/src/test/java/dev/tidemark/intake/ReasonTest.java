package dev.tidemark.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.kernel.UnfitChangeException;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
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

  private static String reasonOf(Exception fault) {
    Intake<String> intake =
        Intake.<String>builder(
                text -> text,
                text -> {
                  throw fault;
                },
                ReasonTest::handle)
            .build();
    return intake.take(List.of("it")).fates().get(0).reason();
  }

  @Test
  @DisplayName("is the default where the caller's own function throws")
  void throwing() {
    Intake<String> intake =
        builder()
            .reason(
                fault -> {
                  throw new IllegalStateException(fault);
                })
            .build();
    assertEquals(1, intake.take(List.of("secret")).dead());
    assertEquals(List.of(new Reason("IllegalArgumentException", true, 1)), letters);
  }

  @Test
  @DisplayName("names its last cause too, by its class")
  void cause() {
    Exception last = new IOException("secret") {};
    Exception fault = new IllegalArgumentException("secret", new IllegalStateException(last));
    assertEquals(
        "cannot be decoded: IllegalArgumentException, caused by IOException", reasonOf(fault));
  }

  @Test
  @DisplayName("ends though exceptions are each other's causes")
  void circle() {
    Exception one = new IllegalArgumentException("one");
    var unused = one.initCause(new IllegalStateException("two", one));
    String reason = reasonOf(one);
    assertTrue(reason.startsWith("cannot be decoded: IllegalArgumentException"), reason);
  }

  @Test
  @DisplayName("has the exception's text where the caller says that it quotes nothing")
  void text() {
    Intake<String> intake = builder().reason(fault -> "since " + fault.getMessage()).build();
    Fate<String> fate = intake.take(List.of("it")).fates().get(0);
    assertEquals("cannot be decoded: since no event in it", fate.reason());
    assertEquals(List.of(new Reason("since no event in it", true, 1)), letters);
  }

  @Test
  @DisplayName("is the exception's class where the caller's function has no text")
  @SuppressWarnings("NullAway") // which does not see what a compiled type says of type arguments
  void noText() {
    Intake<String> intake =
        Intake.<String>builder(
                text -> text,
                text -> {
                  throw new IllegalArgumentException();
                },
                ReasonTest::handle)
            .deadLetters((text, reason) -> letters.add(reason))
            .reason(Exception::getMessage)
            .build();
    assertEquals(1, intake.take(List.of("it")).dead());
    assertEquals(List.of(new Reason("IllegalArgumentException", true, 1)), letters);
  }

  @Test
  @DisplayName("has the text of a change that does not fit its class, and of no other bad argument")
  void unfit() {
    for (RuntimeException fault :
        List.of(
            new UnfitChangeException("'balance' is a Long"),
            new IllegalArgumentException("secret"))) {
      Intake<String> intake =
          Intake.<String>builder(
                  text -> text,
                  text -> Delivery.of(MessageId.of(text), text),
                  deliveries -> {
                    throw fault;
                  })
              .build();
      String told =
          fault instanceof UnfitChangeException
              ? "UnfitChangeException: 'balance' is a Long"
              : "IllegalArgumentException";
      assertEquals(told, intake.take(List.of("it")).fates().get(0).reason());
    }
  }

  @Test
  @DisplayName("says of what cannot be decoded that it cannot, whatever exception says so")
  void undecoded() {
    String told = "cannot be decoded: IllegalArgumentException";
    assertEquals(told, builder().build().take(List.of("it")).fates().get(0).reason());
    Intake<String> keeps =
        builder()
            .deadLetters(
                (text, reason) -> {
                  throw new IllegalStateException("full");
                })
            .build();
    assertEquals(
        "the dead letters did not take it: IllegalStateException",
        keeps.take(List.of("it")).fates().get(0).reason());
  }

  @Test
  @DisplayName("names the decoder that returned null, which counts as a failure")
  @SuppressWarnings("NullAway") // which sees that the decoder is wrong
  void noDelivery() {
    Intake<String> intake =
        Intake.<String>builder(text -> text, text -> null, ReasonTest::handle)
            .deadLetters((text, reason) -> letters.add(reason))
            .parkAfter(1)
            .build();
    for (int i = 1; i < 10; i++) {
      assertEquals(0, intake.take(List.of("it")).dead());
    }
    assertEquals(1, intake.take(List.of("it")).dead());
    String told = letters.get(0).text();
    assertTrue(told.contains("ReasonTest") && told.contains("returned null"), told);
  }

  @Test
  @DisplayName("stands in the log with its stack trace, at the level debug alone")
  void trace() {
    Logger log = Logger.getLogger(Intake.class.getName());
    List<Throwable> traces = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            if (line.getThrown() != null) {
              traces.add(line.getThrown());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    log.addHandler(handler);
    try {
      assertEquals(1, builder().build().take(List.of("it")).dead());
      assertEquals(List.of(), traces);
      log.setLevel(Level.FINE);
      assertEquals(1, builder().build().take(List.of("it")).dead());
      assertEquals("no event in it", traces.get(0).getMessage());
    } finally {
      log.setLevel(null);
      log.removeHandler(handler);
    }
  }
}
