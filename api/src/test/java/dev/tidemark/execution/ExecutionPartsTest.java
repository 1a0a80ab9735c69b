package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecords.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution whose results are in records of their own")
final class ExecutionPartsTest extends ExecutionScene {
  /** What the store's time to live does. */
  private void collect() {
    long now = records.millis[0] / 1000;
    records.stored.values().removeIf(record -> record.expires() <= now);
  }

  @Test
  @DisplayName("keeps a large result of a step for as long as its record, however often it goes on")
  void largeResultLasts() {
    String large = random(30_000);
    Work<String, RuntimeException> failing =
        steps -> {
          steps.step("render", String.class, key -> large + acted("render"));
          throw new IllegalStateException("the carrier is down");
        };
    for (int i = 0; i < 6; i++) {
      assertThrows(IllegalStateException.class, () -> orders.run("1", null, String.class, failing));
      pass(Duration.ofDays(29));
      collect();
    }
    Execution<String> done =
        orders.run(
            "1",
            null,
            String.class,
            steps -> steps.step("render", String.class, key -> "again" + acted("render")));
    assertEquals(Optional.of(large + 1), done.result());
    assertEquals(List.of("render"), acted);
  }

  @Test
  @DisplayName("keeps a large result of a step while the key waits for a person")
  void largeResultWaits() {
    Work<Integer, RuntimeException> work = waiting();
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofDays(29));
      collect();
      assertEquals(
          new Execution.InDoubt<>(Optional.of("ship")), orders.run("1", null, Integer.class, work));
      pass(Duration.ofDays(29));
      collect();
      assertTrue(orders.release(seen("1")));
      assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    }
    assertEquals(
        new Execution.InDoubt<>(Optional.of("ship")), orders.run("1", null, Integer.class, work));
    assertTrue(orders.release("1", "ship", Boolean.class, true));
    assertEquals(Optional.of(30_000), orders.run("1", null, Integer.class, work).result());
  }

  /** A key that waits for a person, with a large result of a step. */
  private Work<Integer, RuntimeException> waiting() {
    String large = random(30_000);
    Work<Integer, RuntimeException> work =
        steps -> {
          String text = steps.step("render", String.class, key -> large);
          steps.act(
              "ship",
              key -> {
                throw new IllegalStateException("no answer");
              });
          return text.length();
        };
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    return work;
  }

  private static final Execution<Integer> DOUBT = new Execution.InDoubt<>(Optional.of("ship"));

  @Test
  @DisplayName("keeps a large result of a step for as long as the key waits, and not for ever")
  void largeResultWaitsForYears() {
    Work<Integer, RuntimeException> work = waiting();
    assertEquals(DOUBT, orders.run("1", null, Integer.class, work));
    pass(Duration.ofDays(10_000));
    collect();
    assertEquals(DOUBT, orders.run("1", null, Integer.class, work));
    assertTrue(orders.release("1", "ship", Boolean.class, true));
    assertEquals(Optional.of(30_000), orders.run("1", null, Integer.class, work).result());
    pass(Duration.ofDays(100));
    collect();
    assertEquals(Map.of(), records.stored);
  }

  @Test
  @DisplayName("keeps a large result that nobody could read for as long as the key waits")
  void unreadableResultWaitsForYears() {
    String large = random(30_000);
    Executions orders = builder().keptFor(Duration.ofDays(90)).build();
    orders.run("1", null, String.class, steps -> large);
    assertThrows(
        CorruptRecordException.class, () -> orders.run("1", null, Integer.class, steps -> 1));
    pass(Duration.ofDays(10_000));
    collect();
    for (int i = 0; i < 3; i++) {
      assertEquals(
          new Execution.Replayed<>(large), orders.run("1", null, String.class, steps -> "again"));
      pass(Duration.ofDays(29));
      collect();
    }
    pass(Duration.ofDays(300));
    collect();
    assertEquals(Map.of(), records.stored);
  }

  private static Stream<Consumer<Executions>> ends() {
    return Stream.of(
        orders -> assertTrue(orders.forget("1")),
        orders -> assertTrue(orders.complete("1", Integer.class, 7)),
        orders -> assertTrue(orders.release("1", "ship", Boolean.class, true)));
  }

  @Test
  @DisplayName("leaves nothing for ever of a key that waited, wherever its process is killed")
  void killed() {
    ends().forEach(this::killed);
    assertTrue(acted.size() > 30, acted::toString);
  }

  private void killed(Consumer<Executions> end) {
    int[] calls = new int[1];
    for (int kill = 0; kill <= calls[0]; kill++) {
      for (boolean made : new boolean[] {false, true}) {
        records.stored.clear();
        Work<Integer, RuntimeException> work = waiting();
        calls[0] = 0;
        int last = kill;
        records.wire =
            (before, record, request) -> {
              boolean dies = calls[0]++ == last;
              Answer answer = dies && !made ? new Answer.Written() : request.get();
              if (dies) {
                throw new Killed();
              }
              return answer;
            };
        try {
          orders.run("1", null, Integer.class, work);
          pass(Duration.ofDays(10_000));
          end.accept(orders);
        } catch (Killed e) {
          acted("was killed");
        }
        records.wire = (before, record, request) -> request.get();
        ExecutionRecord left = records.stored.get("/orders/1");
        if (left == null || left.state() != State.PARKED) {
          pass(Duration.ofDays(100));
          collect();
          assertEquals(Map.of(), records.stored);
        } else {
          pass(Duration.ofDays(29)); // somebody looks at what came of it
          collect();
          assertEquals(DOUBT, orders.run("1", null, Integer.class, work));
          assertTrue(orders.release("1", "ship", Boolean.class, true));
          assertEquals(Optional.of(30_000), orders.run("1", null, Integer.class, work).result());
        }
      }
    }
  }

  @Test
  @DisplayName("leaves nothing for ever where a person is quicker than whoever left the key to one")
  void releasedMeanwhile() {
    Work<Integer, RuntimeException> work = waiting();
    records.wire =
        (before, record, request) -> {
          Answer answer = request.get();
          if (record != null && record.state() == State.PARKED) {
            records.wire = (any, other, plain) -> plain.get();
            assertTrue(orders.release("1", "ship", Boolean.class, true));
          }
          return answer;
        };
    assertEquals(DOUBT, orders.run("1", null, Integer.class, work));
    assertEquals(Optional.of(30_000), orders.run("1", null, Integer.class, work).result());
    pass(Duration.ofDays(100));
    collect();
    assertEquals(Map.of(), records.stored);
  }

  @Test
  @DisplayName("waits for a person however long that takes, and is forgotten in time from then on")
  void waits() {
    Work<Integer, RuntimeException> work =
        steps ->
            steps.step(
                "ship",
                Integer.class,
                key -> {
                  acted("ship");
                  throw new IllegalStateException("no answer");
                });
    Execution<Integer> doubt = new Execution.InDoubt<>(Optional.of("ship"));
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    assertEquals(doubt, orders.run("1", null, Integer.class, work));
    pass(Duration.ofDays(10_000));
    collect();
    assertEquals(doubt, orders.run("1", null, Integer.class, work));
    assertEquals(List.of("ship"), acted);
    assertEquals(Optional.empty(), seen("1").expires());
    assertTrue(orders.release(seen("1")));
    pass(Duration.ofDays(31));
    collect();
    assertEquals(0, records.stored.size());
  }

  @Test
  @DisplayName("writes a large result anew only where its record would outlive it")
  void largeResultCosts() {
    String large = random(30_000);
    Work<String, RuntimeException> work =
        steps -> {
          steps.step("render", String.class, key -> large);
          throw new IllegalStateException("the carrier is down");
        };
    int[] records = new int[4];
    for (int i = 0; i < 4; i++) {
      assertThrows(IllegalStateException.class, () -> orders.run("1", null, String.class, work));
      records[i] = this.records.stored.size();
      pass(Duration.ofDays(i == 0 ? 0 : 15));
    }
    assertEquals(records[0], records[1]);
    assertTrue(records[2] > records[1]);
    assertEquals(records[2], records[3]);
  }

  @Test
  @DisplayName("is corrupt where a result in parts does not tell how many they are")
  void partsWithoutNumber() {
    orders.run("1", null, String.class, steps -> "done");
    for (String wrong : List.of("parts:", "parts:x:y", "parts::y")) {
      records.stored.replaceAll(
          (key, found) ->
              new ExecutionRecord(
                  found.revision(),
                  found.state(),
                  found.owner(),
                  found.fence(),
                  0,
                  0,
                  found.expires(),
                  found.fingerprint(),
                  "",
                  null,
                  found.points(),
                  new ExecutionRecord.Stored(String.class.getName(), wrong)));
      assertThrows(
          CorruptRecordException.class, () -> orders.run("1", null, String.class, s -> "again"));
    }
  }
}
