package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.execution.StoredExecution.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("Stored executions, as operators see them,")
final class StoredExecutionsTest {
  private static final String KEY = "a/b%2Fc%";

  private final MapRecords records = new MapRecords();
  private final Executions orders = Executions.of("or/ders", records);
  private final StoredExecutions stored = StoredExecutions.of("or/ders", records);

  private void park(String key) {
    for (int i = 0; i < 2; i++) {
      try {
        Execution<Integer> unused =
            orders.run(
                key,
                null,
                Integer.class,
                steps -> steps.step("charge", Integer.class, any -> Integer.valueOf("none")));
      } catch (NumberFormatException e) {
        // leaves the step in doubt
      }
    }
  }

  @Test
  @DisplayName("are those that wait for a person, until they are released or forgotten")
  void parked() {
    park(KEY);
    park("other");
    Execution<Integer> done = orders.run("done", null, Integer.class, steps -> 1);
    assertTrue(done.isDone());
    assertEquals(2, stored.parked(10).size());
    StoredExecution one = stored.parked(10).get(0);
    assertEquals(KEY, one.key());
    assertEquals(List.of("charge"), one.inDoubt());
    assertFalse(one.toString().contains(KEY), one::toString);
    assertTrue(orders.release(one));
    assertTrue(orders.forget("other"));
    assertEquals(List.of(), stored.parked(10));
    assertEquals(List.of(), StoredExecutions.of("or", records).parked(10));
  }

  @Test
  @DisplayName("are found by their key until their time is over")
  void found() {
    assertEquals(Optional.empty(), stored.find("1"));
    Execution<Integer> unused =
        orders.run(
            "1",
            null,
            Integer.class,
            steps -> {
              StoredExecution running = stored.find("1").orElseThrow();
              assertEquals(State.RUNNING, running.state());
              assertTrue(running.leaseEnd().isPresent());
              return 1;
            });
    assertEquals(State.DONE, stored.find("1").orElseThrow().state());
    assertEquals(Optional.empty(), stored.find("1").orElseThrow().leaseEnd());
    records.millis[0] += Duration.ofDays(2).toMillis();
    assertEquals(Optional.empty(), stored.find("1"));
    assertThrows(IllegalArgumentException.class, () -> StoredExecutions.of("", records));
  }

  @Test
  @DisplayName("are told by their key where they cannot be read, and listed once it is forgotten")
  void unreadable() {
    park(KEY);
    park("other");
    String at = MessageId.of("or/ders", KEY).value();
    records.spoil(at);
    for (Executable look :
        List.<Executable>of(
            () -> stored.find(KEY),
            () -> stored.parked(10),
            () -> stored.list(Optional.empty(), 10))) {
      CorruptRecordException fault = assertThrows(CorruptRecordException.class, look);
      assertEquals(Optional.of(EntityKey.key(KEY)), fault.key());
      assertFalse(fault.toString().contains(KEY), fault::toString);
    }
    assertTrue(orders.forget(KEY));
    assertEquals("other", stored.parked(10).get(0).key());
    assertEquals(1, stored.list(Optional.empty(), 10).size());
  }

  @Test
  @DisplayName("are evicted scope by scope, a few at a time, and those of others stay")
  void evicted() {
    Executions others = Executions.of("or", records);
    List<String> keys = List.of("1", "2/3", "4%", "5", "6");
    for (String key : keys) {
      Execution<Integer> here = orders.run(key, null, Integer.class, steps -> 1);
      Execution<Integer> there = others.run(key, null, Integer.class, steps -> 1);
      assertTrue(here.isDone() && there.isDone());
    }
    List<String> seen = new ArrayList<>();
    Optional<String> last = Optional.empty();
    List<StoredExecution> some = stored.list(last, 2);
    while (!some.isEmpty()) {
      for (StoredExecution one : some) {
        if (orders.forget(one.key())) { // not while somebody is at work on it
          seen.add(one.key());
        }
      }
      last = Optional.of(some.get(some.size() - 1).key());
      some = stored.list(last, 2);
    }
    assertEquals(keys, seen);
    assertEquals(5, records.stored.size());
    records.millis[0] += Duration.ofDays(2).toMillis();
    assertEquals(List.of(), StoredExecutions.of("or", records).list(Optional.empty(), 2));
  }

  @Test
  @DisplayName("are looked for by one at least, since stores make of none what they like")
  void none() {
    park(KEY);
    for (int most : new int[] {0, -1}) {
      assertThrows(IllegalArgumentException.class, () -> stored.parked(most));
      assertThrows(IllegalArgumentException.class, () -> stored.list(Optional.empty(), most));
    }
    assertEquals(1, stored.parked(1).size());
  }
}
