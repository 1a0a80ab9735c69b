package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Steps;
import dev.tidemark.execution.Work;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Report;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@Needs(Capability.REQUEST_COUNTS)
@DisplayName("An effect under an idempotency key costs")
final class ExecutionCostContract {
  private final Backend backend;
  private final Report report;
  private final MovableClock clock = MovableClock.later();
  private final String key = Some.name();
  private final Executions orders;

  ExecutionCostContract(Backend backend, Report report) {
    this.backend = backend;
    this.report = report;
    this.orders =
        Executions.builder("orders", backend.recordStore(clock))
            .storing(UnsupportedOperationException.class, error -> "declined")
            .build();
  }

  /** Counts the requests of one run, of which the answer is known. */
  private void costs(
      String answer, String row, int reads, int writes, Work<Integer, RuntimeException> work) {
    costs(answer, row, reads, writes, "request", work);
  }

  private void costs(
      String answer,
      String row,
      int reads,
      int writes,
      String request,
      Work<Integer, RuntimeException> work) {
    Backend.Cost cost =
        backend.measure(
            () -> {
              Execution<Integer> execution = orders.run(key, request, Integer.class, work);
              assertEquals(answer, execution.getClass().getSimpleName(), row);
            });
    String name = "execution: " + (row.isEmpty() ? answer : answer + ", " + row);
    report.cost(name, cost);
    assertEquals(reads, cost.reads(), name + ", reads");
    assertEquals(writes, cost.writes(), name + ", writes");
  }

  private static Integer inSteps(Steps steps, int how) {
    for (String step : List.of("a", "b", "c").subList(0, how)) {
      steps.step(step, Integer.class, any -> 1);
    }
    return how;
  }

  private static Integer unfinished(Steps steps) {
    inSteps(steps, 1);
    return steps.step(
        "b",
        Integer.class,
        any -> {
          throw new IllegalStateException("no answer");
        });
  }

  @Test
  @DisplayName("a claim and a completion, and one request where it is finished")
  void finished() {
    costs("Executed", "", 0, 2, steps -> 1);
    costs("Replayed", "", 0, 1, steps -> 2);
    costs("KeyReused", "", 0, 1, "another", steps -> 3);
  }

  @Test
  @DisplayName("one write more for each step, and none for steps that are done")
  void steps() {
    costs("Executed", "in 3 steps", 0, 5, steps -> inSteps(steps, 3));
    assertTrue(orders.forget(key));
    assertThrows(
        IllegalStateException.class, // with the first two steps done, and the third not begun
        () ->
            orders.run(
                key,
                "request",
                Integer.class,
                steps -> {
                  inSteps(steps, 2);
                  throw new IllegalStateException("stopped");
                }));
    costs("Executed", "goes on behind 2 of 3 steps", 0, 4, steps -> inSteps(steps, 3));
  }

  @Test
  @DisplayName("as much where it fails for good, and one request for those who come later")
  void failed() {
    Work<Integer, RuntimeException> declined =
        steps -> {
          throw new UnsupportedOperationException();
        };
    costs("Failed", "now", 0, 2, declined);
    costs("Failed", "replayed", 0, 1, declined);
  }

  @Test
  @DisplayName("one request where a step is in doubt, once it was parked")
  void doubt() {
    assertThrows(
        IllegalStateException.class,
        () -> orders.run(key, "request", Integer.class, ExecutionCostContract::unfinished));
    costs("InDoubt", "parked now", 0, 3, ExecutionCostContract::unfinished);
    costs("InDoubt", "parked before", 0, 1, ExecutionCostContract::unfinished);
  }

  @Test
  @DisplayName("one request while somebody is at work, and a take-over after that")
  void takenOver() {
    Execution<Integer> late =
        orders.run(
            key,
            "request",
            Integer.class,
            steps -> {
              costs("InProgress", "", 0, 1, inner -> 2);
              clock.move(Duration.ofMinutes(2));
              costs("Executed", "taken over from a silent owner", 0, 3, inner -> 3);
              return 1;
            });
    assertEquals(new Execution.LostOwnership<>(), late);
    costs("Replayed", "after a take-over", 0, 1, steps -> 4);
  }

  @Test
  @DisplayName("a request more for each record that its result does not fit in")
  void large() {
    StringBuilder text = new StringBuilder();
    int size = backend.recordStore(clock).mostBytes() * 2;
    new Random(11).ints(size, 'a', 'z').forEach(c -> text.append((char) c));
    Supplier<Execution<String>> run =
        () -> orders.run(key, null, String.class, steps -> text.toString());
    Backend.Cost first = backend.measure(() -> assertTrue(run.get().isDone()));
    Backend.Cost again = backend.measure(() -> assertTrue(run.get().isDone()));
    report.cost("execution: Executed, with a result in 2 more records", first);
    report.cost("execution: Replayed, with a result in 2 more records", again);
    assertEquals(List.of(0, 4), List.of(first.reads(), first.writes()));
    assertEquals(List.of(2, 1), List.of(again.reads(), again.writes()));
  }
}
