package dev.tidemark.intake;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceStore;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is thrown to an intake and is no RuntimeException, or wraps another fault")
final class IntakeErrorsTest {
  /** An event whose text says where its handling fails. */
  private record Event(String text) {}

  private record Changed(String text) {}

  private record Moved(String text) {}

  private final ReferenceStore<CountedRow> rows =
      ReferenceStore.of(new CountedRow.Mapper(), Tracking.defaults(), new MovableClock());
  private final Map<String, Reason> letters = new LinkedHashMap<>();
  private Throwable thrown = new StackOverflowError();

  private final Projector<CountedRow> projector =
      Projector.into(rows)
          .on(
              Event.class,
              event -> key(failing("key", event.text())),
              () -> new CountedRow(failing("initial", ""), 0),
              (row, event) -> {
                failing("function", event.text());
                return new CountedRow(row.id(), row.total() + 1);
              })
          .updating(
              Changed.class,
              event -> key(event.text()),
              event -> Change.change().add("total", failing("change", event.text()).length()))
          .transacting(
              Moved.class,
              (event, message) -> {
                failing("transaction", event.text());
                throw new IllegalStateException("not committed");
              })
          .build();

  private String at = "";

  /** Throws where the test says so, as Kotlin and generated code throw what is not declared. */
  private String failing(String where, String text) {
    if (at.equals(where) && (text.isEmpty() || text.equals("bad"))) {
      throw IntakeErrorsTest.<RuntimeException>undeclared(thrown);
    }
    return text;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E undeclared(Throwable thrown) throws E {
    throw (E) thrown;
  }

  private IntakeBuilder<String> builder(
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return Intake.<String>builder(
            text -> text,
            text -> {
              failing("decoder", text);
              Object event =
                  switch (at) {
                    case "change" -> new Changed(text);
                    case "transaction" -> text.equals("bad") ? new Moved(text) : new Event(text);
                    default -> new Event(text);
                  };
              return Delivery.of(MessageId.of(text), event);
            },
            handler)
        .deadLetters((text, reason) -> letters.put(text, reason))
        .parkAfter(2);
  }

  private Intake<String> intake() {
    return builder(projector::handle).build();
  }

  private static List<Kind> kinds(Taken<?> taken) {
    return taken.fates().stream().map(Fate::kind).toList();
  }

  @Test
  @DisplayName("is the failure of its own message, and parks that message in the end")
  void ofOneMessage() {
    for (Throwable one :
        List.of(
            new StackOverflowError(), new NoClassDefFoundError("secret"), new Throwable("odd"))) {
      for (String where : List.of("decoder", "key", "function", "change")) {
        thrown = one;
        at = where;
        letters.clear();
        Intake<String> intake = intake();
        List<String> batch = List.of("bad", "good");
        String name = one.getClass().getSimpleName();
        Taken<String> first = intake.take(batch);
        assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(first), where);
        assertEquals(name, first.fates().get(0).reason(), where);
        assertEquals(List.of(Kind.DEAD, Kind.DONE), kinds(intake.take(batch)), where);
        assertEquals(Map.of("bad", new Reason(name, false, 2)), letters, where);
      }
    }
  }

  @Test
  @DisplayName("is told as it is where a checked exception is thrown without being declared")
  void undeclared() {
    thrown = new IOException("connection reset");
    at = "function";
    Intake<String> intake =
        builder(projector::handle).reason(fault -> "since " + fault.getMessage()).build();
    assertEquals("since connection reset", intake.take(List.of("bad")).fates().get(0).reason());
  }

  @Test
  @DisplayName("fails each message that is alone with it: of an initial value, of a transaction")
  void others() {
    for (String where : List.of("initial", "transaction")) {
      at = where;
      Taken<String> taken = intake().take(List.of("bad"));
      assertEquals("StackOverflowError", taken.fates().get(0).reason(), where);
    }
  }

  @Test
  @DisplayName("makes the whole batch come again where the handler throws it, however often")
  void ofTheBatch() {
    thrown = new IOException("another service");
    Intake<String> intake =
        builder(
                deliveries -> {
                  throw IntakeErrorsTest.<RuntimeException>undeclared(thrown);
                })
            .build();
    List<String> batch = List.of("a", "b");
    for (int i = 0; i < 50; i++) {
      assertEquals(batch, intake.take(batch).toRetry());
    }
    assertEquals("IOException", intake.take(batch).fates().get(0).reason());
    thrown = new NoClassDefFoundError();
    assertEquals("NoClassDefFoundError", intake.take(batch).fates().get(0).reason());
  }

  @Test
  @DisplayName("lets a message come again that the dead letters did not take for it")
  void ofTheLetters() {
    at = "decoder";
    thrown = new IllegalArgumentException("not an event");
    Intake<String> failing =
        builder(projector::handle)
            .deadLetters(
                (text, reason) -> {
                  throw IntakeErrorsTest.<RuntimeException>undeclared(new NoClassDefFoundError());
                })
            .build();
    assertEquals(
        "the dead letters did not take it: NoClassDefFoundError",
        failing.take(List.of("bad")).fates().get(0).reason());
  }

  @Test
  @DisplayName("counts as no failure where it is an interrupt, and leaves the thread interrupted")
  void interrupts() {
    thrown = new InterruptedException();
    for (String where : List.of("decoder", "key", "function", "transaction")) {
      at = where;
      Intake<String> intake = intake();
      for (int i = 0; i < 50; i++) {
        assertEquals(List.of("bad"), intake.take(List.of("bad")).toRetry(), where);
        assertTrue(Thread.interrupted(), where);
      }
    }
    assertTrue(letters.isEmpty());
  }

  @Test
  @DisplayName("counts as no failure where no thread, or no memory, was left for a message")
  void ofTheSurroundings() {
    List<String> batch = List.of("bad", "good");
    for (Throwable one :
        List.of(
            new RejectedExecutionException("full"),
            new IllegalStateException("a framework's", new RejectedExecutionException("ended")),
            new CompletionException(new InterruptedException()),
            new ExecutionException(new ClosedByInterruptException()),
            new ExecutionException(new IOException("sent", new ClosedByInterruptException())),
            new ExecutionException(new RejectedExecutionException("ended")),
            new IllegalArgumentException(new RejectedExecutionException("ended")),
            new IllegalStateException("Connection pool shut down"), // as Apache's clients have it
            new CompletionException(new OutOfMemoryError("Java heap space")))) {
      thrown = one;
      for (String where : List.of("decoder", "key", "function", "change")) {
        at = where;
        Intake<String> intake = intake();
        for (int i = 0; i < 20; i++) {
          assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(intake.take(batch)), where);
        }
        assertEquals(Map.of(), letters, where);
      }
    }
    thrown = new CompletionException(new StackOverflowError());
    Intake<String> intake = intake();
    assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(intake.take(batch)));
    assertEquals(List.of(Kind.DEAD, Kind.DONE), kinds(intake.take(batch)));
  }

  @Test
  @DisplayName("begins nothing behind it where it is an interrupt, and handles what is before it")
  void interruptsTheRest() {
    thrown = new InterruptedException();
    at = "decoder";
    List<String> batch = List.of("first", "bad", "last");
    List<List<Delivery>> handed = new ArrayList<>();
    Intake<String> intake =
        builder(
                deliveries -> {
                  handed.add(deliveries);
                  return projector.handle(deliveries);
                })
            .build();
    for (int i = 0; i < 5; i++) {
      assertEquals(List.of("bad", "last"), intake.take(batch).toRetry());
      assertTrue(Thread.interrupted());
    }
    assertEquals(List.of(1, 1, 1, 1, 1), handed.stream().map(List::size).toList());
    at = "";
    assertEquals(batch, intake.take(batch).toAcknowledge());
    at = "letters";
    thrown = new ClosedByInterruptException();
    List<String> kept = new ArrayList<>();
    Intake<String> letters =
        Intake.<String>builder(
                text -> text,
                text -> {
                  throw new IllegalArgumentException("not an event");
                },
                projector::handle)
            .deadLetters(
                (text, reason) -> {
                  kept.add(text);
                  failing("letters", text);
                })
            .build();
    assertEquals(List.of("last"), letters.take(List.of("bad", "last")).toRetry().subList(1, 2));
    assertTrue(Thread.interrupted());
    assertEquals(List.of("bad"), kept);
    at = "";
    assertEquals(List.of(), letters.take(List.of("bad", "last")).toRetry());
  }

  @Test
  @DisplayName(
      "leaves the thread interrupted where an interrupt has closed a channel of the handler's")
  void interruptsByChannel() {
    thrown = new ClosedByInterruptException();
    at = "function";
    assertEquals(List.of("bad"), intake().take(List.of("bad")).toRetry());
    assertTrue(Thread.interrupted());
  }

  @Test
  @DisplayName("passes where the JVM itself is at its end")
  void passes() {
    thrown = new OutOfMemoryError();
    for (String where : List.of("decoder", "key", "function", "transaction")) {
      at = where;
      Intake<String> intake = intake();
      List<String> batch = List.of("bad", "good");
      assertThrows(OutOfMemoryError.class, () -> intake.take(batch), where);
    }
  }

  @Test
  @DisplayName("is an outage where its class is named, also as a cause, and else a failure")
  void named() {
    List<String> batch = List.of("bad", "good");
    Exception refused = new ConnectException("refused");
    for (Exception one : List.of(refused, new IllegalStateException("wrapped", refused))) {
      thrown = one;
      for (String where : List.of("key", "function", "change")) {
        at = where;
        Intake<String> intake = builder(projector::handle).outage(IOException.class).build();
        for (int i = 0; i < 10; i++) {
          assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(intake.take(batch)), where);
        }
        assertEquals(Map.of(), letters, where);
      }
    }
    thrown = new TimeoutException("not named");
    Intake<String> intake = builder(projector::handle).outage(IOException.class).build();
    assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(intake.take(batch)));
    assertEquals(List.of(Kind.DEAD, Kind.DONE), kinds(intake.take(batch)));
  }

  @Test
  @DisplayName("says of a decoder that a message cannot be decoded, though it is named an outage")
  void namedOfDecoder() {
    at = "decoder";
    thrown = new IOException("cut short");
    Intake<String> intake = builder(projector::handle).outage(IOException.class).build();
    assertEquals(List.of(Kind.DEAD), kinds(intake.take(List.of("bad"))));
    thrown = new IllegalStateException("a function's own", new IOException("cut short"));
    Intake<String> wrapping = builder(projector::handle).outage(IOException.class).build();
    List<String> batch = List.of("good", "bad");
    assertEquals(List.of(Kind.DONE, Kind.AGAIN), kinds(wrapping.take(batch)));
    assertEquals(List.of(Kind.DONE, Kind.DEAD), kinds(wrapping.take(batch)));
  }

  @Test
  @DisplayName("is no failure where a fault of Tidemark's that passes is its cause")
  void wrapped() {
    at = "function";
    List<String> batch = List.of("bad", "good");
    ContentionException passes = new ContentionException("throttled", null, null);
    for (Throwable one :
        List.of(new IllegalStateException("a framework's", passes), new Exception(passes))) {
      thrown = one;
      Intake<String> intake = intake();
      for (int i = 0; i < 10; i++) {
        assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(intake.take(batch)));
      }
      assertEquals(Map.of(), letters);
    }
    thrown = new IllegalStateException(new InvalidChangeException("a bug", null, passes));
    Intake<String> intake = intake();
    assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(intake.take(batch)));
    assertEquals(List.of(Kind.DEAD, Kind.DONE), kinds(intake.take(batch)));
  }
}
