package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.execution.ExecutionEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A listener of executions")
final class ExecutionEventsTest {
  private final MapRecords records = new MapRecords();
  private final List<ExecutionEvent> events = new ArrayList<>();
  private final Executions orders =
      Executions.builder("orders", records)
          .storing(UnsupportedOperationException.class, error -> "declined")
          .listener(events::add)
          .build();

  private void run(Work<Integer, RuntimeException> work) {
    Execution<Integer> unused = orders.run("k", "request", Integer.class, work);
  }

  private void happened(Kind... kinds) {
    assertEquals(List.of(kinds), events.stream().map(ExecutionEvent::kind).toList());
    events.clear();
  }

  @Test
  @DisplayName("is told of a claim and its end, and of what others are answered")
  void done() {
    run(
        steps -> {
          happened(Kind.CLAIMED);
          run(inner -> 2);
          happened(Kind.IN_PROGRESS);
          return 1;
        });
    happened(Kind.COMPLETED);
    run(steps -> 2);
    happened(Kind.REPLAYED);
    Execution<Integer> reused = orders.run("k", "another", Integer.class, steps -> 3);
    assertEquals(new Execution.KeyReused<>(), reused);
    assertEquals("orders", events.get(0).scope());
    happened(Kind.KEY_REUSED);
  }

  @Test
  @DisplayName("is told of failures that are final, and of those that are not")
  void failed() {
    assertThrows(
        IllegalStateException.class,
        () ->
            run(
                steps -> {
                  throw new IllegalStateException();
                }));
    happened(Kind.CLAIMED, Kind.RELEASED);
    for (int i = 0; i < 2; i++) {
      run(
          steps -> {
            throw new UnsupportedOperationException();
          });
    }
    happened(Kind.CLAIMED, Kind.FAILED, Kind.FAILURE_REPLAYED);
  }

  @Test
  @DisplayName("is told of owners that went silent, and of those that are late")
  void silent() {
    run(
        steps -> {
          events.clear();
          records.millis[0] += Duration.ofMinutes(2).toMillis();
          run(inner -> 2);
          happened(Kind.TAKEN_OVER, Kind.COMPLETED);
          return 1;
        });
    happened(Kind.LOST);
  }

  @Test
  @DisplayName("is told when a key begins to wait for a person, and when it waits")
  void parked() {
    for (int i = 0; i < 3; i++) {
      try {
        run(steps -> steps.step("a", Integer.class, any -> Integer.valueOf("none")));
      } catch (NumberFormatException e) {
        // leaves the step in doubt
      }
    }
    happened(Kind.CLAIMED, Kind.RELEASED, Kind.CLAIMED, Kind.PARKED, Kind.IN_DOUBT);
  }

  @Test
  @DisplayName("is told of faults of the store, before the work and after it")
  void faults() {
    records.wire =
        (before, record, request) -> {
          throw new IllegalArgumentException("no table");
        };
    assertThrows(IllegalArgumentException.class, () -> run(steps -> 1));
    happened(Kind.FAULT);
    records.wire = (before, record, request) -> request.get();
    assertThrows(
        IllegalArgumentException.class,
        () ->
            run(
                steps -> {
                  records.wire =
                      (before, record, request) -> {
                        throw new IllegalArgumentException("no table");
                      };
                  return 1;
                }));
    happened(Kind.CLAIMED, Kind.FAULT);
  }

  @Test
  @DisplayName("that throws changes nothing, and the next one is told all the same")
  void throwing() {
    ExecutionListener broken =
        event -> {
          throw new IllegalStateException("no registry");
        };
    Executions told =
        Executions.builder("orders", records).listener(broken.and(events::add)).build();
    assertEquals(new Execution.Executed<>(1), told.run("other", null, Integer.class, steps -> 1));
    happened(Kind.CLAIMED, Kind.COMPLETED);
  }
}
