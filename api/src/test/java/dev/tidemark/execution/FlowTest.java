package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.execution.ExecutionRecord.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A flow")
final class FlowTest extends ExecutionScene {
  @Test
  @DisplayName("of a flow is resumed from its stored request when its owner went silent")
  void resumed() {
    List<String> requests = new ArrayList<>();
    Flow<String, Integer> flow =
        orders.flow(
            "pay",
            String.class,
            Integer.class,
            (request, steps) -> {
              requests.add(request);
              int charged =
                  steps.step("charge", Integer.class, Doubt.retry(), key -> acted("charge"));
              if (requests.size() == 1) {
                throw new Killed();
              }
              return charged;
            });
    records.wire =
        (before, record, request) -> {
          if (record != null && record.state() == State.RELEASED) {
            throw new Killed();
          }
          return request.get();
        };
    assertThrows(Killed.class, () -> flow.run("1", "25 EUR"));
    assertEquals(0, flow.resume(10).ended(), "its lease still holds");
    pass(Duration.ofMinutes(5));
    assertEquals(new Flow.Resumed(1, 0, List.of()), flow.resume(10));
    assertEquals(List.of("25 EUR", "25 EUR"), requests);
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(10));
    assertEquals(Optional.of(2), flow.run("1", "25 EUR").result());
  }

  @Test
  @DisplayName("of a flow is not resumed when it is forgotten, or is another flow's by now")
  void notResumed() {
    Flow<String, Integer> flow =
        orders.flow(
            "pay",
            String.class,
            Integer.class,
            (request, steps) -> {
              steps.act("charge", key -> acted("charge"));
              steps.renew();
              throw new IllegalStateException("no");
            });
    assertThrows(IllegalStateException.class, () -> flow.run("1", "25 EUR"));
    pass(Duration.ofDays(31));
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(10));
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("that fails again and again does not keep others from being resumed")
  void failing() {
    List<String> ran = new ArrayList<>();
    Flow<String, Integer> flow =
        orders.flow(
            "pay",
            String.class,
            Integer.class,
            (request, steps) -> {
              ran.add(request);
              throw new IllegalStateException("no");
            });
    for (String key : List.of("a", "b", "c")) {
      pass(Duration.ofSeconds(1));
      assertThrows(IllegalStateException.class, () -> flow.run(key, key));
    }
    ran.clear();
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofSeconds(1));
      assertEquals(1, flow.resume(1).faults().size());
    }
    assertEquals(List.of("a", "b", "c"), ran);
  }
}
