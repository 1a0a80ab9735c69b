package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.execution.Doubt;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.Steps;
import dev.tidemark.execution.Work;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Needs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("An effect under an idempotency key")
final class ExecutionsContract {
  private final Backend backend;
  private final MovableClock clock = MovableClock.later();
  private final String key = Some.name();
  private final AtomicInteger effects = new AtomicInteger();
  private final Executions orders;

  ExecutionsContract(Backend backend) {
    this.backend = backend;
    this.orders = Executions.of("orders", backend.recordStore(clock));
  }

  private Execution<Integer> run() {
    return orders.run(key, "request", Integer.class, steps -> effects.incrementAndGet());
  }

  @Test
  @DisplayName("happens once, and its result is replayed to whoever has the key")
  void once() {
    assertEquals(new Execution.Executed<>(1), run());
    assertEquals(new Execution.Replayed<>(1), run());
    assertEquals(
        new Execution.KeyReused<>(),
        orders.run(key, Map.of("other", 1), Integer.class, steps -> 2));
    assertEquals(1, effects.get());
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("happens once where many come at the same time")
  void parallel() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Execution<Integer>>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        calls.add(this::run);
      }
      List<Execution<Integer>> answers = new ArrayList<>();
      for (Future<Execution<Integer>> call : threads.invokeAll(calls)) {
        answers.add(call.get());
      }
      assertEquals(1, effects.get());
      assertEquals(1, answers.stream().filter(one -> one instanceof Execution.Executed).count());
      assertTrue(
          answers.stream().allMatch(one -> one.isDone() || one instanceof Execution.InProgress),
          answers::toString);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("happens once where the reply to any of its writes is lost")
  void lostReplies() {
    for (int after = 0; after < 3; after++) {
      String other = key + after;
      AtomicInteger acted = new AtomicInteger();
      backend.faults().loseReplies(after, 1, () -> {});
      Execution<Integer> execution =
          orders.run(
              other,
              null,
              Integer.class,
              steps -> steps.step("charge", Integer.class, any -> acted.incrementAndGet()));
      backend.faults().heal();
      assertEquals(new Execution.Executed<>(1), execution, "lost after " + after);
      assertEquals(new Execution.Replayed<>(1), orders.run(other, null, Integer.class, steps -> 2));
      assertEquals(1, acted.get());
    }
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("leaves its key free where its thread is interrupted before the answer to its claim")
  void interruptedClaim() {
    backend.faults().loseReplies(1, Thread.currentThread()::interrupt);
    boolean done;
    try {
      done = run().isDone();
    } catch (ContentionException | OutcomeUnknownException e) {
      done = false;
    } finally {
      backend.faults().heal();
    }
    assertTrue(Thread.interrupted(), "the thread stays interrupted");
    assertEquals(done ? new Execution.Replayed<>(1) : new Execution.Executed<>(1), run());
    assertEquals(1, effects.get());
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("happens once where a write that was given up lands later")
  void lateLanding() {
    backend.faults().delay(1, () -> {}, () -> {});
    Execution<Integer> execution = run();
    backend.faults().heal();
    assertEquals(new Execution.Executed<>(1), execution);
    assertEquals(new Execution.Replayed<>(1), run());
  }

  @Test
  @Needs(Capability.INJECTED_CONTENTION)
  @DisplayName("is tried again where the store throttles, and is never in progress by that")
  void contention() {
    backend.faults().throttle(2);
    Execution<Integer> throttled = run();
    backend.faults().heal();
    assertEquals(new Execution.Executed<>(1), throttled);
  }

  @Test
  @DisplayName("of an owner that went silent is taken over when the lease is over, and not before")
  void takenOver() {
    Execution<Integer> late =
        orders.run(
            key,
            "request",
            Integer.class,
            steps -> {
              clock.move(Duration.ofMinutes(1));
              assertInstanceOf(Execution.InProgress.class, run());
              clock.move(Duration.ofMinutes(1));
              assertEquals(new Execution.Executed<>(1), run());
              return 7;
            });
    assertEquals(new Execution.LostOwnership<>(), late);
    assertEquals(new Execution.Replayed<>(1), run());
  }

  @Test
  @DisplayName("in steps goes on behind those that are done, and stops at one in doubt")
  void steps() {
    assertThrows(
        IllegalStateException.class,
        () -> orders.run(key, null, Integer.class, steps -> inSteps(steps, true)));
    assertEquals(
        new Execution.InDoubt<>(Optional.of("b")),
        orders.run(key, null, Integer.class, steps -> inSteps(steps, false)));
    assertEquals(2, effects.get());
  }

  private Integer inSteps(Steps steps, boolean fails) {
    steps.step("a", Integer.class, any -> effects.incrementAndGet());
    return steps.step(
        "b",
        Integer.class,
        any -> {
          effects.incrementAndGet();
          if (fails) {
            throw new IllegalStateException("no answer");
          }
          return 1;
        });
  }

  @Test
  @DisplayName("is free again when it failed, and happens anew when it is forgotten")
  void again() {
    assertThrows(
        IllegalStateException.class,
        () ->
            orders.run(
                key,
                "request",
                Integer.class,
                steps -> {
                  throw new IllegalStateException("not yet");
                }));
    assertEquals(new Execution.Executed<>(1), run());
    assertTrue(orders.forget(key));
    assertEquals(new Execution.Executed<>(2), run());
    clock.move(Duration.ofDays(2));
    assertEquals(new Execution.Executed<>(3), run(), "kept for a day, whatever is still stored");
  }

  @Test
  @DisplayName("may have a result that no single record holds")
  void large() {
    int size = backend.recordStore(clock).mostBytes() * 2;
    StringBuilder text = new StringBuilder();
    new Random(11).ints(size, 'a', 'z').forEach(c -> text.append((char) c));
    String all = text.toString();
    orders.run(key, null, String.class, steps -> all);
    Execution<String> replayed = orders.run(key, null, String.class, steps -> "");
    assertInstanceOf(Execution.Replayed.class, replayed);
    assertTrue(replayed.result().orElse("").equals(all), "another text than was stored");
  }

  @Test
  @DisplayName("may have many steps, whose short results no single record holds")
  void manySteps() {
    String result = "€".repeat(4_000);
    int many = 2 + backend.recordStore(clock).mostBytes() / (3 * result.length());
    AtomicInteger runs = new AtomicInteger();
    Work<Integer, RuntimeException> work =
        steps -> {
          for (int i = 0; i < many; i++) {
            String given =
                steps.step("s" + i, String.class, any -> effects.incrementAndGet() + result);
            assertEquals((i + 1) + result, given);
          }
          if (runs.incrementAndGet() == 1) {
            throw new IllegalStateException("stopped");
          }
          return many;
        };
    assertThrows(IllegalStateException.class, () -> orders.run(key, null, Integer.class, work));
    assertEquals(new Execution.Executed<>(many), orders.run(key, null, Integer.class, work));
    assertEquals(many, effects.get());
  }

  @Test
  @DisplayName("of a flow goes on from what is stored when its owner is gone")
  void resumed() {
    AtomicInteger runs = new AtomicInteger();
    Flow<String, String> flow =
        orders.flow(
            Some.name(),
            String.class,
            String.class,
            (request, steps) -> {
              String charge =
                  steps.step(
                      "charge",
                      String.class,
                      Doubt.retry(),
                      any -> request + effects.incrementAndGet());
              if (runs.incrementAndGet() == 1) {
                throw new IllegalStateException("stopped");
              }
              return charge + "!";
            });
    assertThrows(IllegalStateException.class, () -> flow.run(key, "pay "));
    clock.move(Duration.ofMinutes(5));
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(0));
    assertEquals(1, runs.get());
    assertEquals(1, flow.resume(10).ended());
    assertEquals(0, flow.resume(10).ended());
    assertEquals(Optional.of("pay 1!"), flow.run(key, "pay ").result());
  }

  @Test
  @DisplayName("of a flow goes on though the clock of its owner was ahead")
  void ahead() {
    MovableClock wrong = MovableClock.later();
    wrong.move(Duration.ofDays(365));
    String name = Some.name();
    Flow<Integer, Integer> failing =
        Executions.of("orders", backend.recordStore(wrong))
            .flow(
                name,
                Integer.class,
                Integer.class,
                (request, steps) -> {
                  throw new IllegalStateException("stopped");
                });
    assertThrows(IllegalStateException.class, () -> failing.run(key, 7));
    Flow<Integer, Integer> flow =
        orders.flow(name, Integer.class, Integer.class, (request, steps) -> request);
    assertEquals(new Flow.Resumed(1, 0, List.of()), flow.resume(10));
    assertEquals(new Execution.Replayed<>(7), flow.run(key, 7));
  }
}
