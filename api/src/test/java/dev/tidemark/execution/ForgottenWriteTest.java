package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A key that waited for a person, and whose last write an earlier owner may have made,")
final class ForgottenWriteTest extends CompletionScene {
  private static final Optional<Duration> MONTH = Optional.of(Duration.ofDays(30));

  private Execution<Integer> run() {
    return orders.run("1", null, Integer.class, completion, steps -> "w" + acted("work"));
  }

  private Execution<Integer> charging() {
    return orders.run(
        "1",
        null,
        Integer.class,
        completion,
        steps ->
            steps.step(
                "charge",
                String.class,
                any -> {
                  throw new ArithmeticException("no answer");
                }));
  }

  /** An owner whose write takes longer than its lease, while the key comes to wait for a person. */
  private void leftBySlowOwner() {
    Completion<String, Integer> slow =
        new Completion<>() {
          @Override
          public Optional<Integer> find(MessageId message) {
            return completion.find(message);
          }

          @Override
          public Optional<Made<Integer>> make(MessageId message, String prepared) {
            pass(Duration.ofMinutes(5));
            assertThrows(ArithmeticException.class, () -> charging());
            assertEquals(new Execution.InDoubt<>(Optional.of("charge")), charging());
            return completion.make(message, prepared);
          }
        };
    assertEquals(
        new Execution.Executed<>(0), orders.run("1", null, Integer.class, slow, steps -> "paid"));
  }

  /** Releases it when the entity has forgotten the write, if it was made. */
  private void releasedAfter(int days) {
    released(Duration.ofDays(days));
  }

  private void released(Duration later) {
    pass(later);
    made.clear();
    assertTrue(orders.release(seen("1")));
  }

  private void assertWaits() {
    assertEquals(new Execution.InDoubt<>(Optional.empty()), run());
    assertEquals(new Execution.InDoubt<>(Optional.empty()), run());
    assertEquals(List.of(), made);
    assertTrue(orders.complete("1", Integer.class, 7));
    assertEquals(new Execution.Replayed<>(7), run());
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("waits again where it is released after the entity's time")
  void forgotten() {
    toldFor = MONTH;
    leftBySlowOwner();
    releasedAfter(31);
    assertWaits();
  }

  @Test
  @DisplayName("waits again where another clock may be over the entity's time already")
  void clocks() {
    toldIfDeletedFor = MONTH;
    leftBySlowOwner();
    released(Duration.ofDays(30).minusSeconds(5));
    assertWaits();
  }

  @Test
  @DisplayName("waits again after the time of a tombstone, for the entity may be deleted")
  void forgottenTombstone() {
    toldIfDeletedFor = MONTH;
    leftBySlowOwner();
    releasedAfter(31);
    assertWaits();
  }

  @Test
  @DisplayName("waits again where the write was made, and what it told could not be read")
  void unreadable() {
    toldFor = MONTH;
    assertThrows(
        IllegalArgumentException.class,
        () -> orders.run("1", null, Object.class, telling(new Object()), steps -> "paid"));
    releasedAfter(31);
    assertWaits();
  }

  @Test
  @DisplayName("waits again where the next call comes after the entity's time")
  void calledLate() {
    toldFor = MONTH;
    leftBySlowOwner();
    releasedAfter(29);
    pass(Duration.ofDays(2));
    assertWaits();
  }

  @Test
  @DisplayName("goes on within the entity's time, and at any time where the entity never forgets")
  void told() {
    for (boolean forEver : new boolean[] {false, true}) {
      toldFor = forEver ? Optional.empty() : MONTH;
      leftBySlowOwner();
      releasedAfter(forEver ? 400 : 29);
      assertEquals(new Execution.Executed<>(0), run());
      records.stored.clear();
      made.clear();
    }
  }
}
