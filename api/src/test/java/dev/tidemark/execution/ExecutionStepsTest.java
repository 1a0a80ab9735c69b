package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.StoredExecution.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution in steps")
final class ExecutionStepsTest extends ExecutionScene {
  private int inTwo(Steps steps, boolean wraps) {
    steps.act("a", key -> acted("a"));
    try {
      steps.act("b", key -> acted("b"));
    } catch (IllegalStateException e) {
      throw wraps ? new IllegalArgumentException("the payment failed", e) : e;
    }
    return 1;
  }

  @Test
  @DisplayName("whose step the store does not take is free again, and its fault is no failure")
  void thrownByStore() {
    Executions strict = builder().storing(RuntimeException.class, e -> "failed").build();
    for (boolean wrapped : new boolean[] {false, true}) {
      records.stored.clear();
      IllegalStateException unreachable = new IllegalStateException("unreachable");
      records.wire =
          (before, record, request) -> {
            boolean begins = record != null && record.points().containsKey("b");
            if (begins) {
              throw unreachable;
            }
            return request.get();
          };
      RuntimeException thrown =
          assertThrows(
              RuntimeException.class,
              () -> strict.run("1", null, Integer.class, steps -> inTwo(steps, wrapped)));
      assertSame(unreachable, wrapped ? thrown.getCause() : thrown);
      assertEquals(State.RELEASED, only().state());
      assertEquals(Set.of("a"), only().points().keySet());
    }
    assertEquals(List.of("a", "a"), acted);
  }

  @Test
  @DisplayName("has steps that act no more once it has ended")
  void escaped() {
    List<Steps> kept = new ArrayList<>();
    orders.run(
        "1",
        null,
        Integer.class,
        steps -> {
          kept.add(steps);
          return 1;
        });
    Steps late = kept.get(0);
    assertThrows(ExecutionStoppedException.class, () -> late.act("late", key -> acted("late")));
    assertThrows(ExecutionStoppedException.class, late::renew);
    assertEquals(Optional.of(1), orders.run("1", null, Integer.class, steps -> 2).result());
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("takes the results of many steps, each of them short")
  void manyResults() {
    String text = "\u20ac".repeat(1_000);
    String all =
        orders
            .run(
                "1",
                null,
                String.class,
                steps -> {
                  StringBuilder results = new StringBuilder();
                  for (int i = 0; i < 12; i++) {
                    results.append(steps.step("s" + i, String.class, key -> text));
                  }
                  return results.toString();
                })
            .result()
            .orElseThrow();
    assertEquals(12_000, all.length());
    assertEquals(Optional.of(all), orders.run("1", null, String.class, s -> "").result());
  }

  @Test
  @DisplayName("skips steps that are done, by their names, and gives back what they returned")
  void steps() {
    Work<String, RuntimeException> first =
        steps -> {
          String a = steps.step("a", String.class, key -> "A" + acted("a"));
          steps.step("b", String.class, key -> "B" + acted("b"));
          steps.renew();
          throw new IllegalStateException(a);
        };
    assertThrows(
        IllegalStateException.class, () -> orders.run("1", "request", String.class, first));
    Work<String, RuntimeException> changed =
        steps -> {
          String c = steps.step("c", String.class, key -> "C" + acted("c"));
          String b = steps.step("b", String.class, key -> "?");
          String a = steps.step("a", String.class, key -> "?");
          return a + b + c;
        };
    assertEquals(Optional.of("A1B2C3"), orders.run("1", "request", String.class, changed).result());
    assertEquals(List.of("a", "b", "c"), acted);
    assertEquals(5 + 4, records.requests);
  }

  @Test
  @DisplayName("waits for a person where a step began and may have acted")
  void inDoubt() {
    Work<Integer, RuntimeException> work =
        steps -> {
          steps.step("reserve", Integer.class, key -> acted("reserve"));
          return steps.step(
              "charge",
              Integer.class,
              key -> {
                acted("charge");
                throw new IllegalStateException("no answer");
              });
        };
    assertThrows(
        IllegalStateException.class, () -> orders.run("1", "request", Integer.class, work));
    Execution<Integer> doubt = new Execution.InDoubt<>(Optional.of("charge"));
    assertEquals(doubt, orders.run("1", "request", Integer.class, work));
    assertEquals(doubt, orders.run("1", "request", Integer.class, work));
    assertEquals(List.of("reserve", "charge"), acted);
    assertEquals(State.PARKED, only().state());
    assertTrue(orders.release(seen("1")));
    assertFalse(orders.release(seen("1")));
    assertThrows(
        IllegalStateException.class, () -> orders.run("1", "request", Integer.class, work));
    assertEquals(List.of("reserve", "charge", "charge"), acted, "a person saw that it had not");
    assertEquals(doubt, orders.run("1", "request", Integer.class, work));
    assertTrue(orders.release("1", "charge", Integer.class, 7));
    assertFalse(orders.release("1", "charge", Integer.class, 8));
    assertEquals(Optional.of(7), orders.run("1", "request", Integer.class, work).result());
    assertEquals(List.of("reserve", "charge", "charge"), acted, "a person saw that it had");
    assertTrue(orders.forget("1"));
    assertTrue(records.stored.isEmpty());
  }

  @Test
  @DisplayName("is not released by a person who saw another step in doubt, or an earlier attempt")
  void releasedAsSeen() {
    String[] fails = {"charge"};
    Work<Integer, RuntimeException> work =
        steps -> {
          for (String name : List.of("charge", "ship")) {
            steps.act(
                name,
                key -> {
                  acted(name);
                  if (name.equals(fails[0])) {
                    throw new IllegalStateException("no answer");
                  }
                });
          }
          return 1;
        };
    parked(work);
    StoredExecution first = seen("1");
    for (String failing : List.of("charge", "ship")) {
      fails[0] = failing;
      assertTrue(orders.release(seen("1")));
      parked(work);
      assertFalse(orders.release(first));
      assertEquals(State.PARKED, only().state());
    }
    assertEquals(List.of("ship"), seen("1").inDoubt());
    assertEquals(List.of("charge", "charge", "charge", "ship"), acted);
  }

  private void parked(Work<Integer, RuntimeException> work) {
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    assertInstanceOf(Execution.InDoubt.class, orders.run("1", null, Integer.class, work));
  }

  @Test
  @DisplayName(
      "leaves a parked execution as it is where a person names a step that is not in doubt")
  void wrongStep() {
    Work<Integer, RuntimeException> work =
        steps ->
            steps.step(
                "charge",
                Integer.class,
                key -> {
                  acted("charge");
                  throw new IllegalStateException("no answer");
                });
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    Execution<Integer> doubt = new Execution.InDoubt<>(Optional.of("charge"));
    assertEquals(doubt, orders.run("1", null, Integer.class, work));
    ExecutionRecord before = only();
    IllegalArgumentException fault =
        assertThrows(
            IllegalArgumentException.class, () -> orders.release("1", "chrage", Integer.class, 7));
    assertEquals("step 'chrage' is not in doubt", fault.getMessage());
    assertEquals(before, only());
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("leaves other steps in doubt where a person says what one of them gave")
  void twoInDoubt() {
    Work<Integer, RuntimeException> work =
        steps -> {
          for (String name : List.of("reserve", "charge")) {
            try {
              steps.act(
                  name,
                  key -> {
                    acted(name);
                    throw new IllegalStateException("no answer");
                  });
            } catch (IllegalStateException e) {
              if (name.equals("charge")) {
                throw e;
              }
            }
          }
          return 1;
        };
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    orders.run("1", null, Integer.class, work);
    assertTrue(orders.release("1", "reserve", Boolean.class, true));
    assertEquals(
        new Execution.InDoubt<>(Optional.of("charge")), orders.run("1", null, Integer.class, work));
    assertEquals(List.of("reserve", "charge"), acted);
  }

  @Test
  @DisplayName("asks about a step in doubt, or acts again with the same downstream key")
  void doubts() {
    List<String> keys = new ArrayList<>();
    for (Doubt<Integer> doubt :
        List.of(
            Doubt.<Integer>retry(),
            Doubt.<Integer>ask(key -> Optional.empty()),
            Doubt.<Integer>ask(key -> Optional.of(keys.contains(key) ? 7 : 0)))) {
      keys.clear();
      records.stored.clear();
      boolean[] fails = {true};
      Work<Integer, RuntimeException> work =
          steps ->
              steps.step(
                  "charge",
                  Integer.class,
                  doubt,
                  key -> {
                    keys.add(key);
                    if (fails[0]) {
                      fails[0] = false;
                      throw new IllegalStateException("no answer");
                    }
                    return 7;
                  });
      assertThrows(
          IllegalStateException.class, () -> orders.run("1", "request", Integer.class, work));
      assertEquals(Optional.of(7), orders.run("1", "request", Integer.class, work).result());
      assertEquals(1, keys.stream().distinct().count());
      assertEquals(32, keys.get(0).length());
    }
    assertEquals(1, keys.size(), "what was asked for is not done again");
  }

  @Test
  @DisplayName("refuses the same step twice, and another type than the step was stored as")
  void wrongSteps() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            orders.run(
                "1",
                "request",
                Integer.class,
                steps -> {
                  steps.step("a", Integer.class, key -> 1);
                  steps.renew();
                  return steps.step("a", Integer.class, key -> 2);
                }));
    CorruptRecordException other =
        assertThrows(
            CorruptRecordException.class,
            () ->
                orders.run(
                    "1",
                    "request",
                    Integer.class,
                    steps -> {
                      steps.step("a", String.class, key -> "x");
                      return 1;
                    }));
    assertTrue(String.valueOf(other.getMessage()).contains("step 'a'"), other::toString);
  }

  @Test
  @DisplayName("has steps without results, which act once")
  void plainSteps() {
    Work<Integer, RuntimeException> work =
        steps -> {
          steps.act("mail", key -> acted("mail"));
          steps.renew();
          if (acted.size() == 1) {
            acted("failed");
            throw new IllegalStateException("later");
          }
          return 7;
        };
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    assertEquals(Optional.of(7), orders.run("1", null, Integer.class, work).result());
    assertEquals(List.of("mail", "failed"), acted);
  }

  @Test
  @DisplayName("in doubt names the step that began")
  void doubtful() {
    leave(
        new ExecutionRecord(
            "r0",
            State.PARKED,
            "somebody",
            5,
            0,
            0,
            0,
            json().fingerprint("request").text(),
            "",
            null,
            Map.of("charge", new Point(false, null)),
            null));
    assertEquals(
        new Execution.InDoubt<>(Optional.of("charge")),
        orders.run("1", "request", Receipt.class, this::charge));
  }

  @Test
  @DisplayName("is not released with null as what a step gave")
  @SuppressWarnings("NullAway")
  void releasedWithNull() {
    Work<Integer, RuntimeException> work =
        steps ->
            steps.step(
                "charge",
                Integer.class,
                key -> {
                  throw new IllegalStateException("no answer");
                });
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    Execution.InDoubt<Integer> doubt = new Execution.InDoubt<>(Optional.of("charge"));
    assertEquals(doubt, orders.run("1", null, Integer.class, work));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> orders.release("1", "charge", Integer.class, null));
    assertTrue(String.valueOf(refused.getMessage()).contains("step 'charge'"), refused::toString);
    assertEquals(doubt, orders.run("1", null, Integer.class, work));
  }

  @Test
  @DisplayName("without a result acts where its probe says false, and tells of one that gives null")
  void falseProbe() {
    Work<Integer, RuntimeException> falsely =
        steps -> {
          steps.act("mail", Doubt.ask(key -> Optional.of(acted.size() > 1)), this::failOnce);
          return 1;
        };
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, falsely));
    assertEquals(new Execution.Executed<>(1), orders.run("1", null, Integer.class, falsely));
    assertEquals(List.of("mail", "mail"), acted);
    acted.clear();
    Work<Integer, RuntimeException> nothing =
        steps -> {
          steps.act("mail", Doubt.ask(key -> nothing()), this::failOnce);
          return 1;
        };
    assertThrows(IllegalStateException.class, () -> orders.run("2", null, Integer.class, nothing));
    IllegalStateException told =
        assertThrows(
            IllegalStateException.class, () -> orders.run("2", null, Integer.class, nothing));
    assertTrue(String.valueOf(told.getMessage()).contains("'mail'"), told::toString);
    assertEquals(List.of("mail"), acted);
  }

  private void failOnce(String key) {
    if (acted("mail") == 1) {
      throw new IllegalStateException("no connection");
    }
  }

  @SuppressWarnings({"NullAway", "NullOptional"})
  private static <R> Optional<R> nothing() {
    return null;
  }

  @Test
  @DisplayName("tells that a step which threw does not run again in the same run")
  void loop() {
    IllegalArgumentException told =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                orders.run(
                    "1",
                    null,
                    Integer.class,
                    steps -> {
                      try {
                        steps.act("mail", this::failOnce);
                      } catch (IllegalStateException e) {
                        steps.act("mail", this::failOnce);
                      }
                      return 1;
                    }));
    assertTrue(String.valueOf(told.getMessage()).contains("that threw"), told::toString);
    assertEquals(List.of("mail"), acted);
  }

  @Test
  @DisplayName("takes no future for a result, which waits for a person as null does")
  @SuppressWarnings("FutureReturnValueIgnored") // as a caller does who knows no better
  void futures() {
    Work<Object, RuntimeException> begun =
        steps -> {
          acted("begun");
          return new CompletableFuture<>();
        };
    assertThrows(IllegalArgumentException.class, () -> orders.run("1", null, Object.class, begun));
    assertEquals(State.PARKED, only().state());
    assertTrue(orders.forget("1"));
    Work<Integer, RuntimeException> step =
        steps ->
            steps
                .step(
                    "a", Object.class, Doubt.retry(), key -> new FutureTask<>(() -> acted("begun")))
                .hashCode();
    Work<Integer, RuntimeException> probed =
        steps ->
            steps
                .<Object, RuntimeException>step(
                    "b",
                    Object.class,
                    Doubt.ask(key -> Optional.of(CompletableFuture.completedFuture(1))),
                    key -> {
                      throw new IllegalStateException("" + acted("begun"));
                    })
                .hashCode();
    assertThrows(IllegalStateException.class, () -> orders.run("b", null, Integer.class, probed));
    Map.of("a", step, "b", probed)
        .forEach(
            (key, work) -> {
              assertThrows(
                  IllegalArgumentException.class, () -> orders.run(key, null, Integer.class, work));
              assertEquals(
                  new Execution.InDoubt<>(Optional.of(key)),
                  orders.run(key, null, Integer.class, work));
            });
    assertEquals(List.of("begun", "begun"), acted);
  }
}
