package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution that ends in a write of its own")
final class CompletionTest extends CompletionScene {
  private Execution<Integer> run(Executions executions) {
    return executions.run("1", null, Integer.class, completion, steps -> "w" + acted("work"));
  }

  @Test
  @DisplayName("is done though its record says that it is in progress, or waits for a person")
  void told() {
    assertEquals(new Execution.Executed<>(0), run(orders));
    assertEquals(new Execution.Replayed<>(0), run(orders));
    Executions parking = builder().parkingSilentOwners().build();
    parking.run("2", null, Integer.class, completion, steps -> "w" + acted("work"));
    pass(Duration.ofHours(1));
    assertEquals(
        new Execution.Replayed<>(1),
        parking.run("2", null, Integer.class, completion, steps -> "w" + acted("work")));
    assertEquals(2, acted.size());
    assertEquals(2, made.size());
  }

  @Test
  @DisplayName("does not write once it has lost its key")
  void lost() {
    Execution<Integer> execution =
        orders.run(
            "1",
            null,
            Integer.class,
            completion,
            steps -> {
              pass(Duration.ofHours(1));
              orders.forget("1");
              orders.run("1", null, Integer.class, (Steps other) -> 7);
              try {
                steps.renew();
              } catch (ExecutionStoppedException e) {
                acted("went on");
              }
              return "late";
            });
    assertEquals(new Execution.LostOwnership<>(), execution);
    assertEquals(List.of("went on"), acted);
    assertEquals(List.of(), made);
  }

  @Test
  @DisplayName("has a step in doubt until the next write, though the step returned")
  void stepBefore() {
    StoredExecutions stored = StoredExecutions.of("orders", records);
    Execution<Integer> execution =
        orders.run(
            "1",
            null,
            Integer.class,
            completion,
            steps -> {
              steps.step("charge", Integer.class, any -> acted("charge"));
              assertEquals(Optional.of("charge"), stored.find("1").orElseThrow().doubt());
              steps.renew();
              assertEquals(Optional.empty(), stored.find("1").orElseThrow().doubt());
              return "paid";
            });
    assertEquals(new Execution.Executed<>(0), execution);
  }

  @Test
  @DisplayName("is refused where its write is told for a shorter time than the key is kept")
  void brief() {
    toldFor = Optional.of(Duration.ofDays(30).minusSeconds(1));
    assertThrows(IllegalArgumentException.class, () -> run(orders));
    assertEquals(0, records.requests);
    toldFor = Optional.of(Duration.ofDays(30));
    assertEquals(new Execution.Executed<>(0), run(orders));
  }
}
