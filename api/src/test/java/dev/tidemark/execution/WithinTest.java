package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.StoredExecution.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Executions within an invocation that has an end")
final class WithinTest {
  private final MapRecords records = new MapRecords();
  private final List<ExecutionEvent.Kind> events = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final Executions orders =
      Executions.builder("orders", records)
          .waitingUpTo(Duration.ofMinutes(1))
          .listener(event -> events.add(event.kind()))
          .time(() -> records.millis[0] * 1_000_000, this::pause)
          .build();
  private final long end = records.millis[0] + 20_000;

  private void pause(Duration time) {
    pauses.add(time);
    records.millis[0] += Math.max(1, time.toMillis());
  }

  private long left() {
    return end - records.millis[0];
  }

  private ExecutionRecord stored() {
    return Objects.requireNonNull(records.stored.get("/orders/k"));
  }

  @Test
  @DisplayName("hold their claim until that end, and no longer when they renew it")
  void lease() {
    Execution<Integer> execution =
        orders
            .within(this::left)
            .run(
                "k",
                null,
                Integer.class,
                steps -> {
                  assertEquals(end, stored().leaseEnd());
                  assertEquals(20_000, stored().leaseMillis());
                  records.millis[0] += 15_000;
                  steps.renew();
                  assertEquals(end, stored().leaseEnd());
                  assertEquals(5_000, stored().leaseMillis());
                  records.millis[0] += 6_000;
                  steps.renew(); // the invocation lives on, against what was told
                  assertEquals(1, stored().leaseMillis());
                  return 1;
                });
    assertEquals(new Execution.Executed<>(1), execution);
    assertEquals(State.DONE, stored().state());
  }

  @Test
  @DisplayName("are not forgotten while their claim holds by any clock")
  void outlives() {
    Duration skew = Duration.ofSeconds(1);
    Executions brief =
        Executions.builder("orders", records)
            .lease(Duration.ofSeconds(2))
            .maxSkew(skew)
            .keptFor(Duration.ofSeconds(3))
            .unfinishedFor(Duration.ofSeconds(3))
            .time(() -> records.millis[0] * 1_000_000, this::pause)
            .build();
    Runnable outlived =
        () -> assertTrue(stored().expires() * 1_000 > stored().leaseEnd() + skew.toMillis());
    Execution<Integer> execution =
        brief
            .within(this::left)
            .run(
                "k",
                null,
                Integer.class,
                steps -> {
                  outlived.run();
                  steps.act("charge", key -> outlived.run());
                  steps.renew();
                  outlived.run();
                  return 1;
                });
    assertEquals(new Execution.Executed<>(1), execution);
    assertTrue(stored().expires() * 1_000 <= records.millis[0] + 4_000, "a result is kept as said");
  }

  @Test
  @DisplayName("start nothing where no time is left, and send nothing")
  void over() {
    for (long left : new long[] {0, -1}) {
      Execution<Integer> execution =
          orders.within(() -> left).run("k", null, Integer.class, steps -> 1);
      assertEquals(new Execution.NotStarted<>(), execution);
    }
    assertEquals(0, records.requests);
    assertEquals(List.of(ExecutionEvent.Kind.NOT_STARTED, ExecutionEvent.Kind.NOT_STARTED), events);
    assertEquals(new Execution.Executed<>(1), orders.run("k", null, Integer.class, steps -> 1));
  }

  @Test
  @DisplayName("wait for others until that end at most, and then start nothing")
  void waits() {
    Execution<Integer> first =
        orders.run(
            "k",
            null,
            Integer.class,
            steps -> {
              Execution<Integer> other =
                  orders.within(this::left).run("k", null, Integer.class, inner -> 2);
              assertInstanceOf(Execution.NotStarted.class, other);
              return 1;
            });
    assertEquals(new Execution.Executed<>(1), first);
    assertEquals(20_000.0, pauses.stream().mapToDouble(Duration::toMillis).sum(), 20.0);
  }
}
