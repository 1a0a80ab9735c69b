package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.EntityUpdate;
import dev.tidemark.IdPolicy;
import dev.tidemark.Tracking;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.StoredExecution;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.execution.StoredExecutions;
import dev.tidemark.store.RecordStore;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("Of two versions, one whose key ends in a tracked write and one whose key does not,")
final class CompletionBesideRunContract {
  private final Scene scene;
  private final MovableClock clock = MovableClock.later();
  private final String key = Some.name();
  private final Executions orders;
  private final StoredExecutions stored;
  private final Completion<EntityUpdate, Long> counting;
  private int runs;

  CompletionBesideRunContract(Backend backend) {
    this.scene = new Scene(backend);
    RecordStore records = backend.recordStore(clock);
    this.orders = Executions.of("orders", records);
    this.stored = StoredExecutions.of("orders", records);
    Tracking kept = Tracking.defaults().messageIds(IdPolicy.keptFor(Duration.ofDays(30)));
    this.counting = Completion.in(scene.store(kept), scene.key, CompletionBesideRunContract::total);
  }

  private static Long total(View view) {
    return Objects.requireNonNull(view.getTotal());
  }

  private EntityUpdate work() {
    runs++;
    return Scene.counted();
  }

  private Execution<Long> completed(Completion<EntityUpdate, Long> completion) {
    return orders.run(key, "request", Long.class, completion, steps -> work());
  }

  /** The version that stores its result in the record. */
  private Execution<Long> plain() {
    return orders.run(key, "request", Long.class, steps -> 100L + ++runs);
  }

  private Execution<Long> throwing() {
    return orders.run(
        key,
        "request",
        Long.class,
        counting,
        steps -> {
          throw new ArithmeticException("declined");
        });
  }

  @Test
  @DisplayName("the latter does not do again what the former has done")
  void done() {
    assertEquals(new Execution.Executed<>(1L), completed(counting));
    assertInstanceOf(Execution.InProgress.class, plain());
    clock.move(Duration.ofHours(1));
    StoredExecution before = stored.find(key).orElseThrow();
    assertThrows(IllegalStateException.class, this::plain);
    assertEquals(before, stored.find(key).orElseThrow());
    assertEquals(List.of(), before.inDoubt());

    assertEquals(new Execution.Replayed<>(1L), completed(counting));
    assertEquals(new Execution.Replayed<>(1L), plain());
    assertEquals(1, runs);
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("the latter does not do again what the former has done as its process died")
  void died() {
    assertThrows(
        DyingCompletion.Killed.class, () -> completed(new DyingCompletion<>(counting, false)));
    assertEquals(State.RELEASED, stored.find(key).orElseThrow().state());
    assertThrows(IllegalStateException.class, this::plain);
    assertEquals(new Execution.Replayed<>(1L), completed(counting));
    assertEquals(1, runs);
  }

  @Test
  @DisplayName("the latter leaves to the former a write that was tried, whoever gave up since")
  void tried() {
    assertThrows(
        DyingCompletion.Killed.class, () -> completed(new DyingCompletion<>(counting, true)));
    assertThrows(IllegalStateException.class, this::plain);
    assertThrows(ArithmeticException.class, this::throwing);
    assertThrows(IllegalStateException.class, this::plain);
    assertEquals(new Execution.Executed<>(1L), completed(counting));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("the latter does not take over from the former while its write may come")
  void slow() {
    Execution<Long> execution =
        orders.run(
            key,
            "request",
            Long.class,
            counting,
            steps -> {
              clock.move(Duration.ofMinutes(5));
              assertThrows(IllegalStateException.class, this::plain);
              return work();
            });
    assertEquals(new Execution.Executed<>(1L), execution);
    assertEquals(1, runs);
  }

  @Test
  @DisplayName("the latter runs what the former gave up before its write")
  void back() {
    assertThrows(ArithmeticException.class, this::throwing);
    assertEquals(new Execution.Executed<>(101L), plain());
    assertEquals(new Execution.Replayed<>(101L), completed(counting));
    assertEquals(0, scene.count());
  }

  @Test
  @DisplayName("the former goes on with what the latter has left")
  void forth() {
    assertThrows(
        ArithmeticException.class,
        () ->
            orders.run(
                key,
                "request",
                Long.class,
                steps -> {
                  throw new ArithmeticException("declined");
                }));
    assertThrows(ArithmeticException.class, this::throwing);
    assertEquals(new Execution.Executed<>(1L), completed(counting));
    clock.move(Duration.ofHours(1));
    assertThrows(IllegalStateException.class, this::plain);
    assertEquals(1, scene.count());
  }
}
