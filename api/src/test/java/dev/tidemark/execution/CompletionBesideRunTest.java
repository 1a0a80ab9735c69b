package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.execution.StoredExecution.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A call without a completion, of a key that was begun with one,")
final class CompletionBesideRunTest extends CompletionScene {
  /** A step that began, and of which nobody knows more. */
  private static final Work<String, RuntimeException> SILENT =
      steps ->
          steps.step(
              "charge",
              String.class,
              any -> {
                throw new ArithmeticException("no answer");
              });

  private static final Work<String, RuntimeException> DECLINED =
      steps -> {
        throw new ArithmeticException("declined");
      };

  private final StoredExecutions stored = StoredExecutions.of("orders", records);

  private Execution<Integer> completed(Work<String, RuntimeException> work) {
    return orders.run("1", null, Integer.class, completion, work);
  }

  private Execution<Integer> completed() {
    return completed(steps -> "w" + acted("work"));
  }

  private Execution<Integer> plain(Executions executions) {
    return executions.run("1", null, Integer.class, steps -> 100 + acted("plain"));
  }

  private void refused(Executions executions) {
    ExecutionRecord before = only();
    IllegalStateException fault =
        assertThrows(IllegalStateException.class, () -> plain(executions));
    assertTrue(String.valueOf(fault.getMessage()).contains("Completion"), fault::toString);
    assertEquals(before, only());
    assertFalse(acted.contains("plain"));
  }

  /** An attempt whose write did not answer. */
  private void tried() {
    Completion<String, Integer> lost =
        new Completion<>() {
          @Override
          public Optional<Integer> find(MessageId message) {
            return completion.find(message);
          }

          @Override
          public Optional<Made<Integer>> make(MessageId message, String prepared) {
            throw new Killed();
          }
        };
    assertThrows(
        Killed.class,
        () -> orders.run("1", null, Integer.class, lost, steps -> "w" + acted("work")));
  }

  @Test
  @DisplayName("does not run once the lease is over, and leaves the record as it is")
  void over() {
    assertEquals(new Execution.Executed<>(0), completed());
    assertInstanceOf(Execution.InProgress.class, plain(orders));
    pass(Duration.ofHours(1));
    refused(orders);
    refused(builder().parkingSilentOwners().build());
    assertEquals(List.of(), stored.find("1").orElseThrow().inDoubt());
    assertEquals(new Execution.Replayed<>(0), completed());
    assertEquals(new Execution.Replayed<>(0), plain(orders));
  }

  @Test
  @DisplayName("does not run behind a write that was tried, though a later attempt gave up")
  void triedBefore() {
    tried();
    assertEquals(State.RELEASED, only().state());
    refused(orders);
    assertThrows(ArithmeticException.class, () -> completed(DECLINED));
    refused(orders);
    assertEquals(new Execution.Executed<>(0), completed());
  }

  @Test
  @DisplayName("runs where no write was tried, and a completion goes on with what it left")
  void untried() {
    assertThrows(ArithmeticException.class, () -> completed(DECLINED));
    assertThrows(
        ArithmeticException.class,
        () -> orders.run("1", null, Integer.class, steps -> DECLINED.run(steps).length()));
    assertThrows(ArithmeticException.class, () -> completed(DECLINED));
    assertEquals(new Execution.Executed<>(101), plain(orders));
    assertEquals(new Execution.Replayed<>(101), completed());
    assertEquals(List.of(), made);
  }

  @Test
  @DisplayName(
      "runs where no write was tried since the key was forgotten, be its record still there")
  void untriedAnew() {
    assertEquals(new Execution.Executed<>(0), completed());
    pass(Duration.ofDays(31));
    assertThrows(ArithmeticException.class, () -> completed(DECLINED));
    assertEquals(new Execution.Executed<>(102), plain(orders));
  }

  @Test
  @DisplayName("finds the step in doubt that a completion left, and runs once it is released")
  void inDoubt() {
    assertThrows(ArithmeticException.class, () -> completed(SILENT));
    Execution.InDoubt<Integer> doubt = new Execution.InDoubt<>(Optional.of("charge"));
    assertEquals(doubt, completed(SILENT));
    assertEquals(doubt, plain(orders));
    assertTrue(orders.release(seen("1")));
    assertEquals(new Execution.Executed<>(101), plain(orders));
  }

  @Test
  @DisplayName("does not run though a person released a step behind a write that was tried")
  void releasedByPerson() {
    tried();
    assertThrows(ArithmeticException.class, () -> completed(SILENT));
    assertEquals(new Execution.InDoubt<>(Optional.of("charge")), completed(SILENT));
    assertThrows(
        IllegalArgumentException.class,
        () -> orders.release("1", Ending.BY_WRITE, Boolean.class, true));
    assertTrue(orders.release(seen("1")));
    assertTrue(only().expires() < ExecutionRecord.ASKED, only()::toString);
    refused(orders);
    assertEquals(new Execution.Executed<>(0), completed());
  }

  @Test
  @DisplayName("is a fault of a flow that is resumed, and not work that ended")
  void resumed() {
    Flow<String, Integer> before =
        orders.flow("pay", String.class, Integer.class, (request, steps) -> acted("plain"));
    Flow<String, Integer> after =
        orders.flow(
            "pay",
            String.class,
            Integer.class,
            request -> completion,
            (request, steps) -> "w" + acted("work"));
    assertTrue(after.run("1", "request").isDone());
    pass(Duration.ofHours(1));
    Flow.Resumed resumed = before.resume(10);
    assertEquals(0, resumed.ended());
    assertInstanceOf(IllegalStateException.class, resumed.faults().get(0));
    assertEquals(new Flow.Resumed(1, 0, List.of()), after.resume(10));
    assertEquals(List.of("work"), acted);
  }

  @Test
  @DisplayName("cannot have a step of the name by which such a key is known")
  void named() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            orders.run(
                "1",
                null,
                Integer.class,
                steps -> steps.step(Ending.BY_WRITE, Integer.class, any -> acted("plain"))));
    assertEquals(List.of(), acted);
  }
}
