package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.Answer;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
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

  /**
   * Steps that by far exceed what a record takes, of whose results each by itself is no long one.
   */
  private static String manySteps(Steps steps, int count, int length) {
    String compressed = random(length == 0 ? 0 : 5_000).replaceAll("[d-z]", "a");
    StringBuilder all = new StringBuilder(steps.step("c", String.class, key -> compressed));
    for (int i = 0; i < count; i++) {
      String result = i + "€".repeat(length + i % 3);
      all.append(steps.step("s" + i, String.class, key -> result));
    }
    return all.toString();
  }

  @Test
  @DisplayName("ends though the results of its steps, each of them short, do not fit into a record")
  void manySteps() {
    String expected = orders.run("0", null, String.class, s -> manySteps(s, 70, 200)).orElseThrow();
    for (int crash = 1; crash < 70; crash += 17) {
      String key = Integer.toString(crash);
      int last = crash;
      assertThrows(
          IllegalStateException.class,
          () ->
              orders.run(
                  key,
                  null,
                  String.class,
                  steps -> {
                    String begun = manySteps(steps, last, 200);
                    throw new IllegalStateException(begun);
                  }));
      assertEquals(
          Optional.of(expected),
          orders.run(key, null, String.class, s -> manySteps(s, 70, 200)).result());
    }
  }

  @Test
  @DisplayName("takes a result of few letters, which take more bytes than a record may have")
  void fewLetters() {
    String result = "€".repeat(4_000);
    assertEquals(Optional.of(result), orders.run("1", null, String.class, s -> result).result());
    assertEquals(
        new Execution.Replayed<>(result), orders.run("1", null, String.class, s -> "again"));
  }

  @Test
  @DisplayName("keeps what it has moved out of its record for as long as the key waits")
  void movedResultsWait() {
    Work<String, RuntimeException> work =
        steps -> {
          String all = manySteps(steps, 40, 200);
          steps.act(
              "ship",
              key -> {
                throw new IllegalStateException("no answer");
              });
          return all;
        };
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, String.class, work));
    for (int i = 0; i < 2; i++) {
      assertEquals(
          new Execution.InDoubt<>(Optional.of("ship")), orders.run("1", null, String.class, work));
      pass(Duration.ofDays(10_000));
      collect();
    }
    assertTrue(orders.release("1", "ship", Boolean.class, true));
    String expected = orders.run("2", null, String.class, s -> manySteps(s, 40, 200)).orElseThrow();
    assertEquals(Optional.of(expected), orders.run("1", null, String.class, work).result());
    pass(Duration.ofDays(100));
    collect();
    assertEquals(Map.of(), records.stored);
  }

  @Test
  @DisplayName("is told that its steps are too many where nothing is left to move")
  void tooManySteps() {
    TooLargeException fault =
        assertThrows(
            TooLargeException.class,
            () -> orders.run("1", null, String.class, s -> manySteps(s, 1_000, 0)));
    assertTrue(
        String.valueOf(fault.getMessage()).endsWith("its steps are too many"), fault::getMessage);
    assertEquals(1, records.stored.size());
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
              Answer<StoredRecord> answer = dies && !made ? new Answer.Written<>() : request.get();
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
          Answer<StoredRecord> answer = request.get();
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

  /** What the store does to a request until it is given up. */
  private static Stream<Supplier<Answer<StoredRecord>>> faults() {
    return Stream.of(
        () -> new Answer.Busy<>(new IllegalStateException("busy")),
        () -> new Answer.Lost<>(new IllegalStateException("lost")),
        () -> {
          throw new IllegalStateException("cut off");
        });
  }

  private static boolean isParked(ExecutionRecord record) {
    return record.state() == State.PARKED;
  }

  /** The write that keeps a part from expiry. */
  private static boolean isKept(ExecutionRecord record) {
    return record.state() == State.DONE && record.expires() > ExecutionRecord.ASKED;
  }

  private static String told(Supplier<Execution<Integer>> call) {
    try {
      Execution<Integer> execution = call.get();
      return execution + " " + execution.result();
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName();
    }
  }

  /** What calls for a key are answered, the first of which meets a fault of one kind of write. */
  private List<String> story(
      Executions orders,
      Supplier<Answer<StoredRecord>> fault,
      Predicate<ExecutionRecord> failing,
      Work<Integer, RuntimeException> first) {
    Work<Integer, RuntimeException> work = waiting();
    records.wire =
        (before, record, request) ->
            record != null && failing.test(record) ? fault.get() : request.get();
    List<String> told = new ArrayList<>();
    told.add(told(() -> orders.run("1", null, Integer.class, first)));
    records.wire = (before, record, request) -> request.get();
    pass(LEASE.multipliedBy(2));
    told.add(told(() -> orders.run("1", null, Integer.class, work)));
    pass(Duration.ofDays(10_000));
    collect();
    told.add(told(() -> orders.run("1", null, Integer.class, work)));
    if (orders.release("1", "ship", Boolean.class, true)) {
      told.add(told(() -> orders.run("1", null, Integer.class, work)));
    }
    pass(Duration.ofDays(100));
    collect();
    assertEquals(Map.of(), records.stored);
    return told;
  }

  /** Goes on with what waits. */
  private static int ship(Steps steps) {
    int length = steps.step("render", String.class, key -> "again").length();
    steps.act("ship", key -> {});
    return length;
  }

  @Test
  @DisplayName("answers a fault of keeping its parts as one of leaving the key to a person")
  void keepingFails() {
    faults()
        .forEach(
            fault -> {
              List<String> told =
                  story(orders, fault, ExecutionPartsTest::isKept, ExecutionPartsTest::ship);
              assertEquals(
                  story(orders, fault, ExecutionPartsTest::isParked, ExecutionPartsTest::ship),
                  told);
              String doubt = DOUBT + " " + DOUBT.result();
              String result = "Executed[] " + Optional.of(30_000);
              assertEquals(List.of(doubt, doubt, result), told.subList(1, 4));
            });
  }

  @Test
  @DisplayName("is left to a person though its work swallows that keeping its parts has failed")
  void keepingFailsUnnoticed() {
    Work<Integer, RuntimeException> swallowing =
        steps -> {
          try {
            return ship(steps);
          } catch (RuntimeException e) {
            return 7;
          }
        };
    faults()
        .forEach(
            fault ->
                assertEquals(
                    story(orders, fault, ExecutionPartsTest::isKept, ExecutionPartsTest::ship),
                    story(orders, fault, ExecutionPartsTest::isKept, swallowing)));
  }

  @Test
  @DisplayName("keeps a large result while the key waits, though that failed when it began to")
  void keptLater() {
    Executions parking = builder().parkingSilentOwners().build();
    faults()
        .forEach(
            fault -> {
              records.stored.clear();
              String large = random(30_000);
              parking.run("2", null, String.class, steps -> large);
              Work<Integer, RuntimeException> killed =
                  steps -> {
                    int length = steps.step("render", String.class, key -> large).length();
                    steps.act(
                        "ship",
                        key -> {
                          throw new Killed();
                        });
                    return length;
                  };
              records.wire =
                  (before, record, request) -> {
                    if (record != null && record.state() == State.RELEASED) {
                      throw new Killed();
                    }
                    return request.get();
                  };
              assertThrows(Killed.class, () -> parking.run("1", null, Integer.class, killed));
              records.wire =
                  (before, record, request) ->
                      record != null && isKept(record) ? fault.get() : request.get();
              pass(LEASE.multipliedBy(2));
              String unused = told(() -> parking.run("1", null, Integer.class, killed));
              assertThrows(
                  CorruptRecordException.class,
                  () -> parking.run("2", null, Integer.class, steps -> 1));
              assertEquals(State.PARKED, seen("1").state());
              assertEquals(State.PARKED, seen("2").state());
              records.wire = (before, record, request) -> request.get();
              parking.run("1", null, Integer.class, killed);
              assertThrows(
                  CorruptRecordException.class,
                  () -> parking.run("2", null, Integer.class, steps -> 1));
              pass(Duration.ofDays(10_000));
              collect();
              assertEquals(
                  new Execution.Replayed<>(large),
                  parking.run("2", null, String.class, steps -> "again"));
              assertTrue(parking.release(seen("1")));
              assertEquals(
                  new Execution.Executed<>(30_000),
                  parking.run(
                      "1",
                      null,
                      Integer.class,
                      steps -> steps.step("render", String.class, key -> "again").length()));
              pass(Duration.ofDays(300));
              collect();
              assertEquals(Map.of(), records.stored);
            });
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
