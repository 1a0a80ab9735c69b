package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.execution.StoredExecution.State;
import java.io.IOException;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever it is: an exception, a checked one that nobody declares, as of Kotlin, or an Error. */
@DisplayName("What is thrown by code of the user's")
@SuppressWarnings({"StaticAssignmentOfThrowable", "TypeParameterUnusedInFormals"}) // as sneaked
final class ThrownTest extends ExecutionScene {
  private static Throwable thrown = new Error("none");

  /** What a function may throw. */
  private static List<Throwable> all() {
    return List.of(
        new IllegalStateException("no"),
        new ParseException("no", 0),
        new AssertionError("no"),
        new StackOverflowError("no"),
        new NoClassDefFoundError("no"));
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable, R> R sneaky() throws X {
    throw (X) thrown;
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <R> R thrown() {
    return ThrownTest.<RuntimeException, R>sneaky();
  }

  /** Cannot be read. */
  @JsonDeserialize(using = Reader.class)
  record Token(String text) {}

  /** Reads it. */
  static final class Reader extends StdDeserializer<Token> {
    private static final long serialVersionUID = 1L;

    Reader() {
      super(Token.class);
    }

    @Override
    public Token deserialize(JsonParser from, DeserializationContext context) {
      return thrown();
    }
  }

  /** Cannot be written. */
  @JsonSerialize(using = Writer.class)
  record Sealed(String text) {}

  /** Writes it. */
  static final class Writer extends JsonSerializer<Sealed> {
    @Override
    public void serialize(Sealed value, JsonGenerator to, SerializerProvider provider) {
      thrown();
    }
  }

  /** Is made of something else. */
  @JsonDeserialize(converter = Converter.class)
  record Converted(String text) {}

  /** Makes it. */
  static final class Converter extends StdConverter<Map<String, Object>, Converted> {
    @Override
    public Converted convert(Map<String, Object> from) {
      return thrown();
    }
  }

  private <R> void assertParked(Class<R> type, R value, Class<? extends Exception> fault) {
    for (Throwable one : all()) {
      for (boolean step : new boolean[] {false, true}) {
        records.stored.clear();
        acted.clear();
        thrown = one;
        Work<R, RuntimeException> work =
            steps ->
                step ? steps.step("charge", type, Doubt.retry(), key -> act(value)) : act(value);
        assertThrows(fault, () -> orders.run("1", "request", type, work), one::toString);
        assertEquals(State.PARKED, only().state(), one::toString);
        pass(LEASE.plus(SKEW).plusSeconds(1));
        assertThrowsOrWaits(type, work);
        assertEquals(List.of("acted"), acted, one::toString);
      }
    }
  }

  private <R> R act(R value) {
    acted.add("acted");
    return value;
  }

  private <R> void assertThrowsOrWaits(Class<R> type, Work<R, RuntimeException> work) {
    try {
      assertInstanceOf(Execution.InDoubt.class, orders.run("1", "request", type, work));
    } catch (CorruptRecordException e) {
      // as before
    }
  }

  @Test
  @DisplayName("as its result is written or read leaves the key to a person")
  void results() {
    assertParked(Token.class, new Token("t"), CorruptRecordException.class);
    assertParked(Converted.class, new Converted("t"), CorruptRecordException.class);
    assertParked(Sealed.class, new Sealed("t"), IllegalArgumentException.class);
  }

  @Test
  @DisplayName("as its request is written is an IllegalArgumentException, with nothing done")
  void requests() {
    Flow<Sealed, String> flow =
        orders.flow("f", Sealed.class, String.class, (any, steps) -> act("done"));
    for (Throwable one : all()) {
      thrown = one;
      Sealed request = new Sealed("r");
      assertThrows(
          IllegalArgumentException.class,
          () -> orders.run("1", request, String.class, steps -> act("done")),
          one::toString);
      assertThrows(IllegalArgumentException.class, () -> flow.run("1", request));
    }
    assertEquals(List.of(), acted);
    assertTrue(records.stored.isEmpty());
  }

  @Test
  @DisplayName("for the code of a failure is kept behind the failure, and the key is free")
  void codes() {
    RuntimeException declined = new IllegalStateException("declined");
    Function<Exception, String> same =
        e -> {
          thrown = e;
          return thrown();
        };
    for (Throwable one : all()) {
      assertFree(declined, e -> throwing(one));
      assertSame(one, declined.getSuppressed()[declined.getSuppressed().length - 1]);
    }
    assertFree(declined, same);
    assertFree(
        new IllegalStateException("odd") {
          private static final long serialVersionUID = 1L;

          @Override
          public synchronized Throwable getCause() {
            throw new AssertionError("no cause");
          }
        },
        e -> "code");
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <R> R throwing(Throwable one) {
    thrown = one;
    return thrown();
  }

  private void assertFree(RuntimeException declined, Function<Exception, String> code) {
    Executions storing = builder().storing(Exception.class, code).build();
    records.stored.clear();
    assertSame(
        declined,
        assertThrows(
            RuntimeException.class,
            () ->
                storing.run(
                    "1",
                    "request",
                    String.class,
                    steps -> {
                      throw declined;
                    })));
    assertEquals(State.RELEASED, only().state());
  }

  /** Tells nothing, and makes everything. */
  private static final class Maker implements Completion<String, String> {
    @Override
    public Optional<String> find(MessageId message) {
      return Optional.empty();
    }

    @Override
    public Optional<Made<String>> make(MessageId message, String prepared) {
      return Optional.of(new Made<>(prepared, false));
    }
  }

  @Test
  @DisplayName("before the work of one execution of a flow is a fault, and the others go on")
  void flows() {
    for (Throwable one : all()) {
      records.stored.clear();
      acted.clear();
      boolean[] dying = {true};
      Flow<String, String> flow =
          orders.flow(
              "f",
              String.class,
              String.class,
              request -> request.equals("poison") && !dying[0] ? throwing(one) : new Maker(),
              (request, steps) -> {
                if (dying[0]) {
                  throw new IllegalStateException("not now");
                }
                return act(request);
              });
      for (String request : List.of("poison", "good", "better")) {
        pass(Duration.ofSeconds(1));
        assertThrows(IllegalStateException.class, () -> flow.run(request, request));
      }
      dying[0] = false;
      pass(Duration.ofMinutes(5));
      Flow.Resumed first = flow.resume(1);
      assertEquals(1, first.faults().size(), one::toString);
      RuntimeException fault = first.faults().get(0);
      assertSame(one, one instanceof RuntimeException ? fault : fault.getCause());
      assertEquals(2, flow.resume(2).ended(), "the faulty one stands behind them");
      assertEquals(2, acted.size());
    }
  }

  @Test
  @DisplayName("by the work of one execution of a flow is a fault, and the others go on")
  void works() {
    Flow<String, String> flow =
        orders.flow(
            "f",
            String.class,
            String.class,
            (request, steps) -> acted.size() < 2 ? act(thrown()) : act(request));
    for (Throwable one : all()) {
      records.stored.clear();
      thrown = one;
      assertThrows(Throwable.class, () -> flow.run("1", "poison"));
      assertEquals(1, flow.resume(1).faults().size(), one::toString);
    }
  }

  @Test
  @DisplayName("by a store is thrown behind what the work threw")
  void stores() {
    IOException failed = new IOException("no");
    records.wire =
        (before, record, request) -> {
          if (record != null && record.state() == State.RELEASED) {
            throw new AssertionError("no store");
          }
          return request.get();
        };
    assertSame(
        failed,
        assertThrows(
            IOException.class,
            () ->
                orders.run(
                    "1",
                    "request",
                    String.class,
                    steps -> {
                      throw failed;
                    })));
    assertEquals(1, failed.getSuppressed().length);
  }

  @Test
  @DisplayName("by the work is kept behind what a store throws that does not take the failure")
  void failures() {
    IllegalStateException declined = new IllegalStateException("declined");
    records.wire =
        (before, record, request) -> {
          if (record != null && record.state() == State.FAILED) {
            throw new AssertionError("no store");
          }
          return request.get();
        };
    Executions storing =
        builder().storing(IllegalStateException.class, error -> "declined").build();
    Work<String, RuntimeException> declining =
        steps -> {
          throw declined;
        };
    AssertionError thrown =
        assertThrows(
            AssertionError.class, () -> storing.run("1", "request", String.class, declining));
    assertEquals(List.of(declined), List.of(thrown.getSuppressed()));
  }

  private void assertNeverStored(Work<Integer, Exception> work) {
    Executions storing = builder().storing(Exception.class, e -> "failed").build();
    records.stored.clear();
    assertThrows(Exception.class, () -> storing.run("1", null, Integer.class, work));
    assertEquals(State.RELEASED, only().state());
    assertThrows(
        Exception.class,
        () ->
            storing.run(
                "1",
                null,
                Integer.class,
                steps -> {
                  try {
                    return work.run(steps);
                  } catch (Exception e) {
                    throw new IllegalArgumentException("wrapped", e);
                  }
                }));
    assertEquals(State.RELEASED, only().state());
  }

  @Test
  @DisplayName("is no failure of the work where this library threw it, or an interrupt is told")
  @SuppressWarnings("NullAway") // as work may give null that is compiled without its checks
  void ofTheLibrary() throws Exception {
    Executions inner =
        Executions.builder("inner", new MapRecords())
            .storing(IllegalStateException.class, e -> "no")
            .build();
    assertNeverStored(steps -> inner.run("", null, Integer.class, s -> 1).orElseThrow());
    assertNeverStored(steps -> inner.run("k", new Object(), Integer.class, s -> 1).orElseThrow());
    assertNeverStored(steps -> inner.run("k", null, Token[].class, s -> null).orElseThrow().length);
    assertNeverStored(
        steps -> inner.within(() -> 0).run("k", null, Integer.class, s -> 1).orElseThrow());
    assertNeverStored(steps -> steps.step("a", Object[].class, Doubt.retry(), k -> null).length);
    assertNeverStored(
        steps -> {
          throw new InterruptedException();
        });
    assertNeverStored(
        steps -> {
          steps.act("a", Doubt.retry(), k -> {});
          steps.act("a", Doubt.retry(), k -> {});
          return 1;
        });
    assertNeverStored(steps -> steps.step("", Integer.class, k -> 1));
    Work<Integer, RuntimeException> failing =
        steps -> {
          throw new IllegalStateException("no");
        };
    Executions storing = builder().storing(RuntimeException.class, e -> "failed").build();
    assertInstanceOf(
        Execution.Failed.class,
        storing.run(
            "2",
            null,
            Integer.class,
            steps -> inner.run("failed", null, Integer.class, failing).orElseThrow()));
  }

  @Test
  @DisplayName("is no failure of the work where this library refused an argument")
  @SuppressWarnings("NullAway") // as work may give null that is compiled without its checks
  void arguments() {
    Executions inner = Executions.of("inner", new MapRecords());
    String cut = "mail-\uD83D";
    List<Work<Integer, Exception>> wrong =
        List.of(
            steps -> inner.run(null, null, Integer.class, s -> 1).orElseThrow(),
            steps -> inner.run(cut, null, Integer.class, s -> 1).orElseThrow(),
            steps -> inner.run("/".repeat(3_000), null, Integer.class, s -> 1).orElseThrow(),
            steps -> inner.<Integer, Exception>run("k", null, null, s -> 1).orElseThrow(),
            steps -> inner.<Integer, Exception>run("k", null, Integer.class, null).orElseThrow(),
            steps -> inner.flow(cut, String.class, Integer.class, (r, s) -> 1).hashCode(),
            steps -> inner.flow("f", String.class, null, (r, s) -> 1).hashCode(),
            steps -> inner.proxy(Charging.class, key -> 1).charge(cut),
            steps -> inner.release(null) ? 1 : 0,
            steps -> inner.forget(cut) ? 1 : 0,
            steps -> Executions.of("", new MapRecords()).hashCode(),
            steps -> StoredExecutions.of("inner", new MapRecords()).parked(0).size(),
            steps -> Doubt.ask(null).hashCode(),
            steps -> steps.step(null, Integer.class, k -> 1),
            steps -> steps.step(cut, Integer.class, k -> 1),
            steps -> steps.<Integer, Exception>step("a", null, k -> 1),
            steps -> steps.<Integer, Exception>step("a", Integer.class, null),
            steps -> steps.step("a", Integer.class, null, k -> 1),
            steps -> acting(steps, Doubt.retry(), null),
            steps -> acting(steps, null, key -> {}),
            steps -> steps.downstreamKey(null).length());
    wrong.forEach(this::assertNeverStored);
  }

  @SuppressWarnings("NullAway")
  private static int acting(
      Steps steps, @Nullable Doubt<Boolean> doubt, Steps.@Nullable PlainEffect<Exception> effect)
      throws Exception {
    steps.act("a", doubt, effect);
    return 1;
  }

  /** What runs under its key. */
  interface Charging {
    @Idempotent
    int charge(@Idempotent.Key String key);
  }
}
