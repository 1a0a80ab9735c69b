package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("Half of a surrogate pair, which stores cannot keep")
final class StoredTextsTest extends ExecutionScene {
  /** As of a text that was cut. */
  private static final String HALF = "mail-\uD83D";

  /** Whose scope no store can keep. */
  interface Halved {
    @Idempotent(scope = HALF)
    String pay(@Idempotent.Key String key);
  }

  @Test
  @DisplayName("is refused in every name, with nothing stored")
  void names() {
    Map<String, Executable> calls =
        Map.of(
            "a key", () -> orders.run(HALF, null, String.class, steps -> act()),
            "a scope", () -> Executions.of(HALF, records),
            "a flow", () -> orders.flow(HALF, String.class, String.class, (any, steps) -> act()),
            "what is looked at", () -> StoredExecutions.of(HALF, records),
            "a stored name", () -> builder().storedAs(Receipt.class, HALF),
            "an earlier name", () -> builder().storedAs(Receipt.class, "receipt", HALF),
            "a method", () -> orders.proxy(Halved.class, key -> act()).pay("1"));
    calls.forEach((name, call) -> assertRefused(call, name));
    assertTrue(records.stored.isEmpty());
    assertEquals(List.of(), acted);
  }

  private static void assertRefused(Executable call, String name) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, call, () -> name);
    assertTrue(String.valueOf(refused.getMessage()).contains("lone surrogate"), name);
  }

  private String act() {
    acted.add("acted");
    return "done";
  }

  @Test
  @DisplayName("is refused in a step's name before the step begins, and the key is free")
  void steps() {
    assertRefused(
        () ->
            orders.run(
                "1", null, String.class, steps -> steps.step(HALF, String.class, k -> act())),
        "a step");
    assertRefused(
        () ->
            orders.run(
                "1",
                null,
                String.class,
                steps -> {
                  steps.act(HALF, key -> act());
                  return "done";
                }),
        "a step without a result");
    assertEquals(Map.of(), only().points());
    assertEquals(StoredExecution.State.RELEASED, only().state());
    assertEquals(List.of(), acted);
  }
}
