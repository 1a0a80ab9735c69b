package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.Answer;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution to whom the store answers late")
final class LateAnswersTest extends ExecutionScene {
  private static final Duration LATE = LEASE.plus(SKEW).plusSeconds(1);

  /** Lets something happen while the answer to a request of this process is on its way. */
  private void onTheWay(int request, Runnable meanwhile) {
    int[] sent = {0};
    records.wire =
        (before, record, carried) -> {
          Answer<StoredRecord> answer = carried.get();
          if (++sent[0] == request) {
            MapRecords.Wire wire = records.wire;
            records.wire = (b, r, other) -> other.get();
            meanwhile.run();
            records.wire = wire;
          }
          return answer;
        };
  }

  private Execution<Integer> run() {
    return orders.run("1", "request", Integer.class, steps -> acted("work"));
  }

  @Test
  @DisplayName("to its claim does not act beside who took the key over")
  void claim() {
    onTheWay(
        1,
        () -> {
          pass(LATE);
          assertEquals(new Execution.Executed<>(1), run());
        });
    assertEquals(new Execution.Replayed<>(1), run());
    assertEquals(List.of("work"), acted);
  }

  @Test
  @DisplayName("to its claim renews it before it acts, where nobody has taken the key over")
  void renewed() {
    onTheWay(1, () -> pass(LATE));
    Execution<Integer> execution =
        orders.run(
            "1",
            "request",
            Integer.class,
            steps -> {
              assertEquals(records.millis[0] + LEASE.toMillis(), only().leaseEnd());
              return acted("work");
            });
    assertEquals(new Execution.Executed<>(1), execution);
    assertEquals(3, records.requests);
  }

  @Test
  @DisplayName("has half of its lease before it when it begins")
  void half() {
    for (boolean isHalfLeft : new boolean[] {true, false}) {
      records.stored.clear();
      records.requests = 0;
      onTheWay(1, () -> pass(LEASE.dividedBy(2).plusMillis(isHalfLeft ? 0 : 1)));
      assertTrue(run().isDone());
      assertEquals(isHalfLeft ? 2 : 3, records.requests);
    }
  }

  @Test
  @DisplayName("counts what its clock tells where its elapsed time stood still, and the other way")
  void suspended() {
    List<Runnable> passes =
        List.of(() -> records.millis[0] += LATE.toMillis(), () -> elapsed += LATE.toNanos());
    for (Runnable pass : passes) {
      records.stored.clear();
      records.requests = 0;
      onTheWay(1, pass);
      assertTrue(run().isDone());
      assertEquals(3, records.requests);
    }
  }

  @Test
  @DisplayName("again and again does nothing, and leaves the key free")
  void slow() {
    records.wire =
        (before, record, request) -> {
          elapsed += LEASE.toNanos();
          return request.get();
        };
    ContentionException error = assertThrows(ContentionException.class, this::run);
    assertTrue(String.valueOf(error.getMessage()).contains("longer lease"), error::toString);
    assertEquals(List.of(), acted);
    assertEquals(5, records.requests);
    assertEquals(State.RELEASED, only().state());
    records.wire = (before, record, request) -> request.get();
    assertEquals(new Execution.Executed<>(1), run());
  }

  private Integer charge(Steps steps, Supplier<Optional<Integer>> asked) {
    Doubt<Integer> doubt = Doubt.ask(key -> asked.get());
    return steps.step("charge", Integer.class, doubt, key -> acted("charge"));
  }

  private Execution<Integer> charged() {
    return orders.run(
        "1",
        "request",
        Integer.class,
        steps ->
            charge(steps, () -> acted.isEmpty() ? Optional.empty() : Optional.of(acted.size())));
  }

  @Test
  @DisplayName("to the beginning of a step does not act beside who took the key over")
  void step() {
    onTheWay(
        2,
        () -> {
          pass(LATE);
          assertEquals(new Execution.Executed<>(1), charged());
        });
    assertEquals(new Execution.LostOwnership<>(), charged());
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("again and again at a step does not act, and leaves the step not begun")
  void slowStep() {
    ContentionException[] thrown = new ContentionException[1];
    Execution<Integer> execution =
        orders.run(
            "1",
            "request",
            Integer.class,
            steps -> {
              records.wire =
                  (before, record, request) -> {
                    elapsed += LEASE.toNanos();
                    return request.get();
                  };
              thrown[0] =
                  assertThrows(
                      ContentionException.class, () -> charge(steps, () -> Optional.of(9)));
              records.wire = (before, record, request) -> request.get();
              steps.renew();
              assertEquals(List.of(), new ArrayList<>(only().points().keySet()));
              return 7;
            });
    assertEquals(new Execution.Executed<>(7), execution);
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("to a heartbeat goes on only if nobody has taken the key over")
  void heartbeat() {
    Execution<Integer> execution =
        orders.run(
            "1",
            "request",
            Integer.class,
            steps -> {
              onTheWay(
                  1,
                  () -> {
                    pass(LATE);
                    assertEquals(new Execution.Executed<>(1), run());
                  });
              steps.renew();
              return acted("beside");
            });
    assertEquals(new Execution.LostOwnership<>(), execution);
    assertEquals(List.of("work"), acted);
  }

  @Test
  @DisplayName("when its invocation is over gives the claim back, and starts nothing")
  void within() {
    long end = records.millis[0] + 20_000;
    onTheWay(1, () -> pass(Duration.ofSeconds(20)));
    Execution<Integer> execution =
        orders
            .within(() -> end - records.millis[0])
            .run("1", "request", Integer.class, steps -> acted("work"));
    assertEquals(new Execution.NotStarted<>(), execution);
    assertEquals(State.RELEASED, only().state());
    assertInstanceOf(Execution.Executed.class, run());
  }
}
