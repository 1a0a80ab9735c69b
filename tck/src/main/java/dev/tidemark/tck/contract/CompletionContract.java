package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.StoredFailure;
import dev.tidemark.execution.Work;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("Work that ends in a tracked write of its own")
final class CompletionContract {
  private final Scene scene;
  private final MovableClock clock = MovableClock.later();
  private final String key = Some.name();
  private final Executions orders;
  private final Completion<EntityUpdate, Long> counting;
  private int runs;

  CompletionContract(Backend backend) {
    this.scene = new Scene(backend);
    this.orders =
        Executions.builder("orders", backend.recordStore(clock))
            .unfinishedFor(Duration.ofDays(2))
            .build();
    this.counting = Completion.in(kept(Duration.ofDays(2)), scene.key, CompletionContract::totalOf);
  }

  private EntityStore<View> kept(Duration horizon) {
    return scene.store(Tracking.defaults().messageIds(IdPolicy.keptFor(horizon)));
  }

  private Change work() {
    runs++;
    return Scene.counted();
  }

  private Execution<Long> run(Completion<EntityUpdate, Long> completion) {
    return orders.run(key, "request", Long.class, completion, steps -> work());
  }

  private static Long totalOf(View view) {
    return Objects.requireNonNull(view.getTotal());
  }

  @Test
  @DisplayName("happens once, and its result is replayed")
  void once() {
    assertEquals(new Execution.Executed<>(1L), run(counting));
    assertEquals(new Execution.Replayed<>(1L), run(counting));
    assertEquals(new Execution.Replayed<>(1L), run(counting));
    assertEquals(1, runs);
    assertEquals(1, scene.count());
  }

  @Test
  @Needs({Capability.REQUEST_COUNTS, Capability.ONE_COMMAND_REFUSALS})
  @DisplayName("costs two requests, three where it is told first, and one from then on")
  void cost() {
    Backend.Cost first =
        scene.backend.measure(() -> assertEquals(new Execution.Executed<>(1L), run(counting)));
    Backend.Cost told =
        scene.backend.measure(() -> assertEquals(new Execution.Replayed<>(1L), run(counting)));
    Backend.Cost noted =
        scene.backend.measure(() -> assertEquals(new Execution.Replayed<>(1L), run(counting)));
    assertEquals(2, first.reads() + first.writes());
    assertEquals(3, told.reads() + told.writes());
    assertEquals(1, noted.reads() + noted.writes());
  }

  @Test
  @Needs({Capability.REQUEST_COUNTS, Capability.ONE_COMMAND_REFUSALS})
  @DisplayName("costs a claim and a look at the entity where a later call finds no result")
  void costOfNoResult() {
    Work<EntityUpdate, RuntimeException> never =
        steps -> {
          assertAsks(Execution.InProgress.class);
          return Scene.counted().onlyIf(Condition.attribute("total").is(1_000));
        };
    assertInstanceOf(
        Execution.Failed.class, orders.run(key, "request", Long.class, counting, never));
    assertAsks(Execution.Failed.class);
    assertTrue(orders.forget(key));
    assertThrows(DyingCompletion.Killed.class, () -> run(new DyingCompletion<>(counting, true)));
    Work<EntityUpdate, RuntimeException> doubtful =
        steps -> {
          steps.act(
              "charge",
              any -> {
                throw new IllegalStateException("no answer");
              });
          return work();
        };
    Supplier<Execution<Long>> waiting =
        () -> orders.run(key, "request", Long.class, counting, doubtful);
    assertThrows(IllegalStateException.class, waiting::get);
    assertInstanceOf(Execution.InDoubt.class, waiting.get());
    assertAsks(Execution.InDoubt.class);
  }

  private void assertAsks(Class<?> answer) {
    MessageId none = MessageId.of(Some.name());
    Backend.Cost look =
        scene.backend.measure(() -> assertEquals(Optional.empty(), counting.find(none)));
    Backend.Cost cost = scene.backend.measure(() -> assertInstanceOf(answer, run(counting)));
    assertEquals(
        List.of(look.reads(), 1), List.of(cost.reads(), cost.writes()), answer::getSimpleName);
  }

  @Test
  @DisplayName("may have no result to tell, and needs no entity for it then")
  void silent() {
    Completion<EntityUpdate, Boolean> silent = Completion.in(kept(Duration.ofDays(2)), scene.key);
    Supplier<Execution<Boolean>> run =
        () -> orders.run(key, "request", Boolean.class, silent, steps -> work());
    assertEquals(new Execution.Executed<>(true), run.get());
    assertTrue(kept(Duration.ofDays(2)).delete(Some.id(), scene.key).isDone());
    assertEquals(new Execution.Replayed<>(true), run.get());
    assertEquals(1, runs);
  }

  @Test
  @DisplayName("is remembered for as long as the entity keeps message IDs, longer than tombstones")
  void remembered() {
    Completion<EntityUpdate, Long> lasting =
        Completion.in(kept(Duration.ofDays(90)), scene.key, CompletionContract::totalOf);
    assertEquals(new Execution.Executed<>(1L), run(lasting));
    assertEquals(new Execution.Replayed<>(1L), run(lasting));
    clock.move(Duration.ofDays(89));
    assertEquals(new Execution.Replayed<>(1L), run(lasting));
    assertEquals(1, runs);
  }

  @Test
  @DisplayName("is known to be done though its process died behind the write")
  void died() {
    assertThrows(DyingCompletion.Killed.class, () -> run(new DyingCompletion<>(counting, false)));
    assertEquals(new Execution.Replayed<>(1L), run(counting));
    clock.move(Duration.ofHours(1));
    assertEquals(new Execution.Replayed<>(1L), run(counting));
    assertEquals(1, runs);
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("changes the entity once where an owner that was slow writes after another")
  void overtaken() {
    Work<EntityUpdate, RuntimeException> slow =
        steps -> {
          clock.move(Duration.ofMinutes(5));
          assertEquals(new Execution.Executed<>(1L), run(counting));
          return work();
        };
    assertEquals(
        new Execution.Replayed<>(1L), orders.run(key, "request", Long.class, counting, slow));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("fails for good where the entity refuses the write")
  void refused() {
    Work<EntityUpdate, RuntimeException> never =
        steps -> Scene.counted().onlyIf(Condition.attribute("total").is(1_000));
    assertFailed(never);
    scene.assertNothingStored("a refusal");
  }

  @Test
  @DisplayName("fails for good where the entity is deleted")
  void refusedByTombstone() {
    EntityStore<View> store = kept(Duration.ofDays(2));
    assertTrue(store.update(Some.id(), scene.key, Scene.counted()).isDone());
    assertTrue(store.delete(Some.id(), scene.key).isDone());
    assertFailed(steps -> Change.change().add("total", 1));
  }

  private void assertFailed(Work<EntityUpdate, RuntimeException> work) {
    StoredFailure failure = new StoredFailure("refused");
    assertEquals(
        new Execution.Failed<>(failure, false),
        orders.run(key, "request", Long.class, counting, work));
    assertEquals(new Execution.Failed<>(failure, true), run(counting));
    assertEquals(0, runs);
  }

  @Test
  @DisplayName("waits for an entity that is not there yet, and does no step again")
  void early() {
    Work<EntityUpdate, RuntimeException> paying =
        steps -> {
          steps.step("charge", String.class, downstreamKey -> "charge-" + ++runs);
          return Change.change().add("total", 1);
        };
    Supplier<Execution<Long>> paid = () -> orders.run(key, "request", Long.class, counting, paying);
    assertThrows(IllegalStateException.class, paid::get);
    scene.assertNothingStored("an early call");
    EntityStore<View> store = kept(Duration.ofDays(2));
    assertTrue(store.update(Some.id(), scene.key, Change.change().createIfMissing()).isDone());
    assertEquals(new Execution.Executed<>(1L), paid.get());
    assertEquals(new Execution.Replayed<>(1L), paid.get());
    assertEquals(1, runs);
    assertEquals(1, scene.count());
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("happens once where the reply to any of its writes is lost")
  void lostReplies() {
    for (int after = 0; after < 3; after++) {
      String other = key + after;
      long wanted = after + 1L;
      scene.backend.faults().loseReplies(after, 1, () -> {});
      Execution<Long> first =
          orders.run(other, null, Long.class, counting, steps -> Scene.counted());
      scene.backend.faults().heal();
      assertEquals(Optional.of(wanted), first.result(), "lost after " + after);
      assertEquals(
          new Execution.Replayed<>(wanted),
          orders.run(other, null, Long.class, counting, steps -> Scene.counted()));
    }
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("is resumed as a flow, and leaves the index of stale ones where it was done before")
  void flow() {
    for (boolean before : new boolean[] {true, false}) {
      String name = Some.name();
      Flow<String, Long> dying =
          orders.flow(
              name,
              String.class,
              Long.class,
              q -> new DyingCompletion<>(counting, before),
              (q, steps) -> work());
      assertThrows(DyingCompletion.Killed.class, () -> dying.run(name, "request"));
      clock.move(Duration.ofHours(1));
      Flow<String, Long> flow =
          orders.flow(name, String.class, Long.class, q -> counting, (q, steps) -> work());
      assertEquals(new Flow.Resumed(1, 0, List.of()), flow.resume(10));
      if (!before) {
        assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(10));
      }
    }
    assertEquals(2, scene.count());
    assertEquals(3, runs);
  }

  @Test
  @DisplayName("is known for as long as the entity tells of it, though keys are kept for less")
  void kept() {
    Completion<EntityUpdate, Long> longer =
        Completion.in(kept(Duration.ofDays(9)), scene.key, CompletionContract::totalOf);
    for (boolean noted : new boolean[] {false, true}) {
      String name = Some.name();
      Supplier<Execution<Long>> run =
          () ->
              orders.run(
                  name,
                  null,
                  Long.class,
                  longer,
                  steps -> {
                    steps.act("charge", any -> runs++);
                    return Scene.counted();
                  });
      long total = noted ? 2 : 1;
      assertEquals(new Execution.Executed<>(total), run.get());
      if (noted) {
        assertEquals(new Execution.Replayed<>(total), run.get());
      }
      clock.move(Duration.ofDays(8));
      assertEquals(new Execution.Replayed<>(total), run.get());
    }
    assertEquals(2, runs);
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("is done anew as a whole once its key is forgotten, though the entity has its mark")
  void anew() {
    assertEquals(new Execution.Executed<>(1L), run(counting));
    clock.move(Duration.ofDays(3));
    assertEquals(new Execution.Executed<>(2L), run(counting));
    assertEquals(new Execution.Replayed<>(2L), run(counting));
    assertTrue(orders.forget(key));
    assertEquals(new Execution.Executed<>(3L), run(counting));
    assertEquals(3, runs);
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("is refused where the entity would forget it before the key is forgotten")
  void forgotten() {
    Completion<EntityUpdate, Long> brief =
        Completion.in(kept(Duration.ofDays(1)), scene.key, CompletionContract::totalOf);
    assertThrows(IllegalArgumentException.class, () -> run(brief));
    EntityStore<View> few = scene.store(Tracking.defaults().messageIds(IdPolicy.last(5)));
    assertThrows(
        IllegalArgumentException.class,
        () -> Completion.in(few, scene.key, CompletionContract::totalOf));
    assertEquals(0, runs);
  }

  @Test
  @DisplayName("is refused by an update that would record its own refusal, and nothing is written")
  void skipping() {
    Change never = Scene.counted().onlyIf(Condition.attribute("total").is(1_000)).otherwiseSkip();
    for (boolean there : new boolean[] {false, true}) {
      if (there) {
        scene.store().update(Some.id(), scene.key, Scene.counted());
      }
      assertThrows(
          IllegalArgumentException.class,
          () -> orders.run(key, "request", Long.class, counting, steps -> never));
    }
    assertEquals(new Execution.Executed<>(2L), run(counting));
    assertEquals(new Execution.Replayed<>(2L), run(counting));
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("is done though what tells its result threw, whatever failures are stored")
  void thrownBehind() {
    Executions storing =
        Executions.builder("orders", scene.backend.recordStore(clock))
            .unfinishedFor(Duration.ofDays(2))
            .storing(IllegalStateException.class, error -> "declined")
            .build();
    boolean[] broken = {true};
    Completion<EntityUpdate, Long> telling =
        Completion.in(
            kept(Duration.ofDays(2)),
            scene.key,
            view -> {
              if (broken[0]) {
                throw new IllegalStateException("no formatter yet");
              }
              return totalOf(view);
            });
    Supplier<Execution<Long>> call =
        () -> storing.run(key, null, Long.class, telling, steps -> work());
    assertThrows(IllegalStateException.class, call::get);
    broken[0] = false;
    assertEquals(new Execution.Replayed<>(1L), call.get());
    assertEquals(1, runs);
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName(
      "is known for as long as a deleted entity keeps its tombstone, and refused if shorter")
  void deleted() {
    Tracking ids = Tracking.defaults().messageIds(IdPolicy.keptFor(Duration.ofDays(9)));
    EntityStore<View> brief =
        scene.backend.views(ids.tombstonesKeptFor(Duration.ofHours(47)), clock);
    assertThrows(
        IllegalArgumentException.class,
        () -> orders.run(key, null, Boolean.class, Completion.in(brief, scene.key), s -> work()));
    assertEquals(0, runs);

    EntityStore<View> kept = scene.backend.views(ids.tombstonesKeptFor(Duration.ofDays(3)), clock);
    Completion<EntityUpdate, Boolean> silent = Completion.in(kept, scene.key);
    Supplier<Execution<Boolean>> call =
        () -> orders.run(key, null, Boolean.class, silent, steps -> work());
    assertEquals(new Execution.Executed<>(true), call.get());
    assertTrue(kept.delete(Some.id(), scene.key).isDone());
    clock.move(Duration.ofHours(71));
    assertEquals(new Execution.Replayed<>(true), call.get());
    assertEquals(1, runs);
  }

  @Test
  @DisplayName("is done where a slow write lands behind a failure that another owner has stored")
  void landsBehindFailure() {
    Executions storing =
        Executions.builder("orders", scene.backend.recordStore(clock))
            .unfinishedFor(Duration.ofDays(2))
            .storing(ArithmeticException.class, error -> "declined")
            .build();
    Work<EntityUpdate, RuntimeException> declining =
        steps -> {
          throw new ArithmeticException("declined");
        };
    assertLandsBehind(
        "declined", () -> storing.run(key, "request", Long.class, counting, declining));
  }

  @Test
  @DisplayName("is done where a slow write lands behind a refusal of another owner's write")
  void landsBehindRefusal() {
    Work<EntityUpdate, RuntimeException> never =
        steps -> Scene.counted().onlyIf(Condition.attribute("total").is(1_000));
    assertLandsBehind("refused", () -> orders.run(key, "request", Long.class, counting, never));
  }

  /** Another owner takes a key over, whose write is on its way, and fails. */
  private void assertLandsBehind(String code, Supplier<Execution<Long>> failing) {
    StoredFailure failure = new StoredFailure(code);
    Completion<EntityUpdate, Long> slow =
        new HeldCompletion<>(
            counting,
            () -> {
              clock.move(Duration.ofMinutes(5));
              assertEquals(new Execution.Failed<>(failure, false), failing.get());
              assertEquals(new Execution.Failed<>(failure, true), failing.get());
            });
    assertEquals(new Execution.Executed<>(1L), run(slow));
    assertEquals(new Execution.Replayed<>(1L), failing.get());
    assertEquals(new Execution.Replayed<>(1L), run(counting));
    assertEquals(1, runs);
    assertEquals(1, scene.count());
  }
}
