package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.Answer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("An execution")
final class ExecutionsTest extends ExecutionScene {
  /** A value that Jackson cannot write. */
  static final class Unwritable {
    /** Fails but for secrets that are none. */
    public String getValue() {
      return Optional.<String>empty().orElseThrow(() -> new IllegalStateException("secret"));
    }
  }

  @Test
  @DisplayName("runs once, in two requests, and is replayed in one")
  void replayed() {
    Execution<Receipt> first = orders.run("1", "request", Receipt.class, this::charge);
    assertInstanceOf(Execution.Executed.class, first);
    assertEquals(2, records.requests);
    Execution<Receipt> second = orders.run("1", "request", Receipt.class, this::charge);
    assertEquals(new Execution.Replayed<>(new Receipt("c1", 25)), second);
    assertEquals(3, records.requests);
    assertEquals(List.of("charge"), acted);
    assertTrue(second.isDone());
  }

  @Test
  @DisplayName("keeps keys and scopes apart")
  void apart() {
    orders.run("1", "request", Receipt.class, this::charge);
    orders.run("2", "request", Receipt.class, this::charge);
    Executions other = Executions.of("refunds", records);
    assertInstanceOf(
        Execution.Executed.class, other.run("1", "request", Receipt.class, this::charge));
    Executions joined = Executions.of("orders/1", records);
    assertInstanceOf(
        Execution.Executed.class, joined.run("2", "request", Receipt.class, this::charge));
    assertEquals(4, records.stored.size());
  }

  @Test
  @DisplayName("tells a key that comes with another request, finished or not")
  void reused() {
    orders.run("1", Map.of("a", 1, "b", 2), Receipt.class, this::charge);
    Map<String, Object> same = new java.util.LinkedHashMap<>();
    same.put("b", 2);
    same.put("a", 1);
    assertTrue(orders.run("1", same, Receipt.class, this::charge).isDone());
    assertEquals(
        new Execution.KeyReused<>(),
        orders.run("1", Map.of("a", 1, "b", 3), Receipt.class, this::charge));
    assertEquals(new Execution.KeyReused<>(), orders.run("1", null, Receipt.class, this::charge));
    leave(running(60_000, records.millis[0] + 60_000));
    assertEquals(
        new Execution.KeyReused<>(), orders.run("1", "other", Receipt.class, this::charge));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("takes equal sets for one request, in whatever order they are, and lists by theirs")
  void sets() {
    Set<Object> one = new LinkedHashSet<>(List.of("b", "a", new LinkedHashSet<>(List.of(2, 1))));
    Set<Object> other = new LinkedHashSet<>(List.of(Set.of(1, 2), "a", "b"));
    orders.run("1", Map.of("cart", one), Receipt.class, this::charge);
    assertTrue(orders.run("1", Map.of("cart", other), Receipt.class, this::charge).isDone());
    orders.run("2", List.of("a", "b"), Receipt.class, this::charge);
    assertEquals(
        new Execution.KeyReused<>(),
        orders.run("2", List.of("b", "a"), Receipt.class, this::charge));
  }

  @Test
  @DisplayName("whose work throws leaves the key free, and the exception as it is")
  void free() {
    IllegalStateException error = new IllegalStateException("later");
    assertSame(
        error,
        assertThrows(
            IllegalStateException.class,
            () ->
                orders.run(
                    "1",
                    "request",
                    Receipt.class,
                    steps -> {
                      throw error;
                    })));
    assertEquals(State.RELEASED, only().state());
    assertInstanceOf(
        Execution.Executed.class, orders.run("1", "request", Receipt.class, this::charge));
  }

  @Test
  @DisplayName("that failed for good is replayed as a failure, by its code")
  void failed() {
    Executions strict = builder().storing(IllegalStateException.class, e -> "declined").build();
    Work<Receipt, RuntimeException> declined =
        steps -> {
          acted.add("decline");
          throw new IllegalStateException("card 4711");
        };
    StoredFailure failure = new StoredFailure("declined");
    assertEquals(
        new Execution.Failed<>(failure, false),
        strict.run("1", "request", Receipt.class, declined));
    assertEquals(
        new Execution.Failed<>(failure, true), strict.run("1", "request", Receipt.class, declined));
    assertEquals(List.of("decline"), acted);
    assertFalse(only().toString().contains("4711"));
  }

  @Test
  @DisplayName("is forgotten though replies are lost or the store throttles, and not while it runs")
  void forgotten() {
    for (int number = 1; number <= 2; number++) {
      orders.run("1", null, Integer.class, steps -> 1);
      boolean lost = number == 1;
      boolean[] failed = {false};
      records.wire =
          (before, record, request) -> {
            if (failed[0]) {
              return request.get();
            }
            failed[0] = true;
            RuntimeException error = new IllegalStateException();
            return lost && request.get() != null
                ? new Answer.Lost<>(error)
                : new Answer.Busy<>(error);
          };
      assertTrue(orders.forget("1"));
      assertTrue(records.stored.isEmpty());
      records.wire = (before, record, request) -> request.get();
    }
    assertTrue(orders.forget("1"));
    orders.run("1", null, Boolean.class, steps -> !orders.forget("1"));
    assertEquals(Optional.of(true), orders.run("1", null, Boolean.class, steps -> false).result());
  }

  @Test
  @DisplayName("is forgotten when its time is over, though the record is still there")
  void expired() {
    Executions brief = builder().keptFor(Duration.ofHours(1)).build();
    brief.run("1", "request", Receipt.class, this::charge);
    pass(Duration.ofMinutes(59));
    assertTrue(brief.run("1", "request", Receipt.class, this::charge).isDone());
    assertEquals(List.of("charge"), acted);
    pass(Duration.ofMinutes(2));
    assertInstanceOf(
        Execution.Executed.class, brief.run("1", "another", Receipt.class, this::charge));
    assertNotEquals(0, only().expires());
  }

  @Test
  @DisplayName("keeps results that are long, compressed or in parts that outlive it")
  void large() {
    String repeated = "x".repeat(100_000);
    assertEquals(
        Optional.of(repeated), orders.run("1", null, String.class, s -> repeated).result());
    assertEquals(Optional.of(repeated), orders.run("1", null, String.class, s -> "").result());
    assertEquals(1, records.stored.size());
    String long60 = random(60_000);
    orders.run("2", null, String.class, steps -> steps.step("a", String.class, key -> long60));
    assertEquals(Optional.of(long60), orders.run("2", null, String.class, s -> "").result());
    long expires = Objects.requireNonNull(records.stored.get("/orders/2")).expires();
    records.stored.values().forEach(part -> assertTrue(part.expires() >= expires));
    records.stored.keySet().removeIf(key -> key.endsWith("/1"));
    assertThrows(CorruptRecordException.class, () -> orders.run("2", null, String.class, s -> ""));
  }

  @Test
  @DisplayName("keeps parts of a result under keys that are short, however long the key is")
  void shortKeysOfParts() {
    String key = "k".repeat(900);
    String random = random(60_000);
    orders.run(key, null, String.class, s -> random);
    assertEquals(Optional.of(random), orders.run(key, null, String.class, s -> "").result());
    records.stored.keySet().removeIf(stored -> stored.contains(key));
    assertTrue(records.stored.size() > 1);
    records.stored.keySet().forEach(part -> assertTrue(part.length() < 200, part));
  }

  @Test
  @DisplayName("is forgotten with its results in records of their own, be it done or waiting")
  @SuppressWarnings("NullAway")
  void forgottenParts() {
    String random = random(60_000);
    orders.run("1", null, String.class, s -> random);
    assertThrows(
        IllegalStateException.class,
        () ->
            orders.run(
                "2",
                null,
                Integer.class,
                s -> s.step("a", String.class, k -> random).isEmpty() ? 1 : null));
    assertTrue(records.stored.size() > 3);
    assertTrue(orders.forget("1") && orders.forget("2"));
    assertEquals(Map.of(), records.stored);
  }

  @Test
  @DisplayName("whose request is too large is refused before anything is stored")
  void tooLarge() {
    Flow<String, String> flow =
        orders.flow("long", String.class, String.class, (request, steps) -> request);
    assertThrows(TooLargeException.class, () -> flow.run("1", "x".repeat(20_000)));
    assertTrue(records.stored.isEmpty());
  }

  @Test
  @DisplayName("whose result cannot be written is left to a person, and does not run again")
  void unwritable() {
    IllegalArgumentException fault =
        assertThrows(
            IllegalArgumentException.class,
            () -> orders.run("1", null, Unwritable.class, steps -> new Unwritable()));
    assertFalse(String.valueOf(fault.getCause()).contains("secret"));
    assertEquals(
        new Execution.InDoubt<>(Optional.empty()),
        orders.run("1", null, Unwritable.class, steps -> new Unwritable()));
  }

  private static void assertTells(String words, Executable call) {
    String told = assertThrows(IllegalStateException.class, call).getMessage();
    assertTrue(String.valueOf(told).contains(words), told);
  }

  @Test
  @DisplayName("whose work gives null is left to a person, and a step that gives null is in doubt")
  @SuppressWarnings("NullAway")
  void nulls() {
    Executions strict = builder().storing(RuntimeException.class, e -> "failed").build();
    assertTells(
        "the work returned null", () -> strict.run("1", null, Integer.class, steps -> null));
    assertEquals(
        new Execution.InDoubt<>(Optional.empty()),
        orders.run("1", null, Integer.class, steps -> acted("never")));
    assertTells(
        "step 'a' returned null",
        () -> strict.run("2", null, Integer.class, s -> s.step("a", Integer.class, key -> null)));
    assertEquals(
        new Execution.InDoubt<>(Optional.of("a")),
        orders.run("2", null, Integer.class, s -> s.step("a", Integer.class, key -> 1)));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("reads a result only as the type that it was stored as")
  void otherType() {
    orders.run("1", null, Integer.class, steps -> 1);
    CorruptRecordException fault =
        assertThrows(
            CorruptRecordException.class, () -> orders.run("1", null, Receipt.class, this::charge));
    assertTrue(
        String.valueOf(fault.getMessage()).contains(Receipt.class.getName()), fault::toString);
  }

  @Test
  @DisplayName("shows no values")
  void silentValues() {
    orders.run("1", "request", Receipt.class, this::charge);
    Execution<Receipt> replayed = orders.run("1", "request", Receipt.class, this::charge);
    assertFalse(("" + replayed + only()).contains("c1"));
  }

  @Test
  @DisplayName("has a key that every store takes, or nothing is sent")
  void longKeys() {
    String longest = "k".repeat(2_048 - "/orders/".length());
    assertTrue(orders.run(longest, null, Receipt.class, this::charge).isDone());
    int requests = records.requests;
    IllegalArgumentException fault =
        assertThrows(
            IllegalArgumentException.class,
            () -> orders.run(longest + "k", null, Receipt.class, this::charge));
    assertFalse(String.valueOf(fault.getMessage()).contains("kkk"), fault::toString);
    assertEquals(requests, records.requests);
  }

  @Test
  @DisplayName("has settings that make sense, and a mapper that lets nothing stored choose a class")
  void settings() {
    assertThrows(IllegalArgumentException.class, () -> Executions.of("", records));
    assertThrows(
        IllegalArgumentException.class, () -> orders.run("", null, Receipt.class, this::charge));
    assertThrows(IllegalArgumentException.class, () -> builder().lease(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder().maxSkew(Duration.ofMillis(-1)));
    Duration endless = Duration.ofMillis(Long.MAX_VALUE);
    for (Consumer<Duration> setting :
        List.<Consumer<Duration>>of(
            time -> builder().keptFor(time),
            time -> builder().unfinishedFor(time),
            time -> builder().lease(time),
            time -> builder().maxSkew(time),
            time -> builder().waitingUpTo(time))) {
      assertThrows(IllegalArgumentException.class, () -> setting.accept(endless));
      setting.accept(Duration.ofDays(36_525));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> builder().unfinishedFor(LEASE).keptFor(LEASE).build());
    assertEquals("orders", builder().unfinishedFor(LEASE).build().scope(), "kept for a day");
    JsonMapper typed =
        JsonMapper.builder()
            .activateDefaultTyping(BasicPolymorphicTypeValidator.builder().build())
            .build();
    assertThrows(IllegalArgumentException.class, () -> builder().mapper(typed).build());
  }

  @Test
  @DisplayName("names the key that is null, wherever one is given, and stores nothing")
  @SuppressWarnings("NullAway") // which sees that the caller is wrong
  void withoutKey() {
    Flow<String, Receipt> flow =
        orders.flow("order", String.class, Receipt.class, (request, steps) -> charge(steps));
    List<Executable> calls =
        List.of(
            () -> orders.run(null, "request", Receipt.class, this::charge),
            () -> flow.run(null, "request"),
            () -> orders.forget(null),
            () -> orders.release(null, "charge", Receipt.class, new Receipt("c1", 25)),
            () -> StoredExecutions.of("orders", records).find(null));
    for (Executable call : calls) {
      assertEquals(
          "idempotency key must not be null",
          assertThrows(IllegalArgumentException.class, call).getMessage());
    }
    assertEquals(0, records.requests);
  }
}
