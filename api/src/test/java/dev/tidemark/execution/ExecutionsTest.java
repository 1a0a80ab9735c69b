package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecords.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution")
final class ExecutionsTest {
  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final Duration SKEW = Duration.ofSeconds(10);

  private final MapRecords records = new MapRecords();
  private final List<String> acted = new ArrayList<>();
  private long elapsed;

  /** A receipt. */
  record Receipt(String charge, int amount) {}

  private ExecutionsBuilder builder() {
    return Executions.builder("orders", records)
        .lease(LEASE)
        .maxSkew(SKEW)
        .time(() -> elapsed, time -> elapsed += time.toNanos());
  }

  private final Executions orders = builder().build();

  private Receipt charge(Steps steps) {
    acted.add("charge");
    return new Receipt("c1", 25);
  }

  private void pass(Duration time) {
    records.millis[0] += time.toMillis();
    elapsed += time.toNanos();
  }

  private ExecutionRecord only() {
    assertEquals(1, records.stored.size());
    return records.stored.values().iterator().next();
  }

  /** A record that somebody left under key "1". */
  private void leave(ExecutionRecord record) {
    orders.run("1", "request", Receipt.class, this::charge);
    records.stored.replaceAll((key, any) -> record);
    acted.clear();
  }

  private ExecutionRecord running(long leaseMillis, long leaseEnd) {
    return new ExecutionRecord(
        "r0",
        State.RUNNING,
        "somebody",
        5,
        leaseMillis,
        leaseEnd,
        0,
        new Json(JsonMapper.builder().build()).fingerprint("request"),
        "",
        null,
        Map.of(),
        null);
  }

  @Test
  @DisplayName("runs once, in two requests, and is replayed in one")
  void replayed() {
    Execution<Receipt> first = orders.run("1", "request", Receipt.class, this::charge);
    assertInstanceOf(Execution.Executed.class, first);
    assertEquals(2, records.requests);
    Execution<Receipt> second = orders.run("1", "request", Receipt.class, this::charge);
    assertEquals(new Execution.Replayed<>(new Receipt("c1", 25)), second);
    assertEquals(3, records.requests);
    assertEquals(List.of("charge"), acted);
    assertTrue(second.isDone());
  }

  @Test
  @DisplayName("keeps keys and scopes apart")
  void apart() {
    orders.run("1", "request", Receipt.class, this::charge);
    orders.run("2", "request", Receipt.class, this::charge);
    Executions other = Executions.of("refunds", records);
    assertInstanceOf(
        Execution.Executed.class, other.run("1", "request", Receipt.class, this::charge));
    Executions joined = Executions.of("orders/1", records);
    assertInstanceOf(
        Execution.Executed.class, joined.run("2", "request", Receipt.class, this::charge));
    assertEquals(4, records.stored.size());
  }

  @Test
  @DisplayName("tells a key that comes with another request, finished or not")
  void reused() {
    orders.run("1", Map.of("a", 1, "b", 2), Receipt.class, this::charge);
    Map<String, Object> same = new java.util.LinkedHashMap<>();
    same.put("b", 2);
    same.put("a", 1);
    assertTrue(orders.run("1", same, Receipt.class, this::charge).isDone());
    assertEquals(
        new Execution.KeyReused<>(),
        orders.run("1", Map.of("a", 1, "b", 3), Receipt.class, this::charge));
    assertEquals(new Execution.KeyReused<>(), orders.run("1", null, Receipt.class, this::charge));
    leave(running(60_000, records.millis[0] + 60_000));
    assertEquals(
        new Execution.KeyReused<>(), orders.run("1", "other", Receipt.class, this::charge));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("takes equal sets for one request, in whatever order they are, and lists by theirs")
  void sets() {
    Set<Object> one = new LinkedHashSet<>(List.of("b", "a", new LinkedHashSet<>(List.of(2, 1))));
    Set<Object> other = new LinkedHashSet<>(List.of(Set.of(1, 2), "a", "b"));
    orders.run("1", Map.of("cart", one), Receipt.class, this::charge);
    assertTrue(orders.run("1", Map.of("cart", other), Receipt.class, this::charge).isDone());
    orders.run("2", List.of("a", "b"), Receipt.class, this::charge);
    assertEquals(
        new Execution.KeyReused<>(),
        orders.run("2", List.of("b", "a"), Receipt.class, this::charge));
  }

  @Test
  @DisplayName("in progress says when to come back, and is taken over once the lease is over")
  void progress() {
    leave(running(60_000, records.millis[0] + 60_000));
    Execution.InProgress<?> busy =
        assertInstanceOf(
            Execution.InProgress.class, orders.run("1", "request", Receipt.class, this::charge));
    assertTrue(busy.retryAfter().compareTo(LEASE) >= 0, busy::toString);
    records.millis[0] += 70_000;
    assertInstanceOf(
        Execution.InProgress.class,
        orders.run("1", "request", Receipt.class, this::charge),
        "in the last millisecond of lease and skew");
    records.millis[0] += 1;
    assertInstanceOf(
        Execution.Executed.class, orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("whose lease has no end, or none that clocks agree on, is watched")
  void watched() {
    for (long end : new long[] {0, records.millis[0] + 1_000_000_000}) {
      for (long length : new long[] {0, 60_000}) {
        acted.clear();
        leave(running(length, end));
        assertInstanceOf(
            Execution.InProgress.class, orders.run("1", "request", Receipt.class, this::charge));
        elapsed += LEASE.toNanos();
        assertInstanceOf(
            Execution.InProgress.class, orders.run("1", "request", Receipt.class, this::charge));
        elapsed += 1;
        assertInstanceOf(
            Execution.Executed.class, orders.run("1", "request", Receipt.class, this::charge));
        assertEquals(List.of("charge"), acted);
        records.stored.clear();
      }
    }
  }

  @Test
  @DisplayName("is waited for within the bound, and its result is replayed")
  void waited() {
    leave(running(60_000, records.millis[0] + 60_000));
    Executions patient =
        builder()
            .waitingUpTo(Duration.ofSeconds(5))
            .time(
                () -> elapsed,
                time -> {
                  elapsed += time.toNanos();
                  if (elapsed > 1_000_000_000) {
                    finish();
                  }
                })
            .build();
    assertEquals(
        Optional.of(new Receipt("c9", 9)),
        patient.run("1", "request", Receipt.class, this::charge).result());
    assertEquals(List.of(), acted);
  }

  /** What somebody else stores who was at work. */
  private void finish() {
    ExecutionRecord found = only();
    Json json = new Json(JsonMapper.builder().build());
    records.stored.replaceAll(
        (key, any) ->
            orders.next(
                found, State.DONE, Map.of(), json.store(Receipt.class, new Receipt("c9", 9))));
  }

  @Test
  @DisplayName("is not waited for beyond the bound")
  void patience() {
    leave(running(60_000, records.millis[0] + 60_000));
    Executions patient = builder().waitingUpTo(Duration.ofSeconds(5)).build();
    assertInstanceOf(
        Execution.InProgress.class, patient.run("1", "request", Receipt.class, this::charge));
    assertTrue(elapsed >= 5_000_000_000L && elapsed < 6_000_000_000L, () -> elapsed + " ns");
  }

  @Test
  @DisplayName("whose claim's reply was lost knows its own claim")
  void ownClaim() {
    lose(1);
    assertInstanceOf(
        Execution.Executed.class, orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("does not take the claim of another for its own, made in the same millisecond")
  void sameMillisecond() {
    records.wire =
        (before, record, request) -> {
          records.wire = (b, r, rest) -> rest.get();
          assertThrows(Killed.class, () -> orders.run("1", "request", Receipt.class, this::die));
          records.wire = (b, r, rest) -> rest.get();
          return new Answer.Lost(new IllegalStateException("never sent"));
        };
    assertInstanceOf(
        Execution.InProgress.class, orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(List.of(), acted);
  }

  /** Ends as a process does that is killed: nothing more is stored. */
  private Receipt die(Steps steps) {
    records.wire =
        (before, record, request) -> {
          throw new Killed();
        };
    throw new Killed();
  }

  @Test
  @DisplayName("whose completion's reply was lost is complete")
  void ownCompletion() {
    lose(2);
    assertInstanceOf(
        Execution.Executed.class, orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(State.DONE, only().state());
  }

  /** Loses the reply of the request of that number. */
  private void lose(int number) {
    records.wire =
        (before, record, request) -> {
          Answer answer = request.get();
          return records.requests == number ? new Answer.Lost(new IllegalStateException()) : answer;
        };
  }

  @Test
  @DisplayName("that the store does not answer ends as unknown, and one that it throttles as busy")
  void unanswered() {
    records.wire = (before, record, request) -> new Answer.Lost(new IllegalStateException());
    assertThrows(
        OutcomeUnknownException.class,
        () -> orders.run("1", "request", Receipt.class, this::charge));
    records.wire = (before, record, request) -> new Answer.Busy(new IllegalStateException());
    assertThrows(
        ContentionException.class, () -> orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("whose work throws leaves the key free, and the exception as it is")
  void free() {
    IllegalStateException error = new IllegalStateException("later");
    assertSame(
        error,
        assertThrows(
            IllegalStateException.class,
            () ->
                orders.run(
                    "1",
                    "request",
                    Receipt.class,
                    steps -> {
                      throw error;
                    })));
    assertEquals(State.RELEASED, only().state());
    assertInstanceOf(
        Execution.Executed.class, orders.run("1", "request", Receipt.class, this::charge));
  }

  @Test
  @DisplayName("that failed for good is replayed as a failure, by its code")
  void failed() {
    Executions strict = builder().storing(IllegalStateException.class, e -> "declined").build();
    Work<Receipt, RuntimeException> declined =
        steps -> {
          acted.add("decline");
          throw new IllegalStateException("card 4711");
        };
    StoredFailure failure = new StoredFailure("declined");
    assertEquals(
        new Execution.Failed<>(failure, false),
        strict.run("1", "request", Receipt.class, declined));
    assertEquals(
        new Execution.Failed<>(failure, true), strict.run("1", "request", Receipt.class, declined));
    assertEquals(List.of("decline"), acted);
    assertFalse(only().toString().contains("4711"));
  }

  @Test
  @DisplayName("does not store a fault of the store as a failure, whatever is stored")
  void transientFaults() {
    Executions strict = builder().storing(Exception.class, e -> "failed").build();
    assertThrows(
        ContentionException.class,
        () ->
            strict.run(
                "1",
                "request",
                Receipt.class,
                steps -> {
                  throw new ContentionException("busy", null, null);
                }));
    assertEquals(State.RELEASED, only().state());
  }

  @Test
  @DisplayName("whose step the store does not take is free again, and its fault is no failure")
  void thrownByStore() {
    Executions strict = builder().storing(RuntimeException.class, e -> "failed").build();
    for (boolean wrapped : new boolean[] {false, true}) {
      records.stored.clear();
      IllegalStateException unreachable = new IllegalStateException("unreachable");
      records.wire =
          (before, record, request) -> {
            boolean begins = record != null && record.points().containsKey("b");
            if (begins) {
              throw unreachable;
            }
            return request.get();
          };
      RuntimeException thrown =
          assertThrows(
              RuntimeException.class,
              () -> strict.run("1", null, Integer.class, steps -> inTwo(steps, wrapped)));
      assertSame(unreachable, wrapped ? thrown.getCause() : thrown);
      assertEquals(State.RELEASED, only().state());
      assertEquals(Set.of("a"), only().points().keySet());
    }
    assertEquals(List.of("a", "a"), acted);
  }

  private int inTwo(Steps steps, boolean wraps) {
    steps.act("a", key -> acted("a"));
    try {
      steps.act("b", key -> acted("b"));
    } catch (IllegalStateException e) {
      throw wraps ? new IllegalArgumentException("the payment failed", e) : e;
    }
    return 1;
  }

  @Test
  @DisplayName("is free again though a write was made that the store's client gave up")
  void givenUp() {
    records.wire =
        (before, record, request) -> {
          Answer answer = request.get();
          if (record != null && record.points().containsKey("a") && acted.add("given up")) {
            records.wire = (b, r, rest) -> rest.get();
            throw new IllegalStateException("timed out");
          }
          return answer;
        };
    assertThrows(
        IllegalStateException.class,
        () -> orders.run("1", null, Integer.class, s -> s.step("a", Integer.class, key -> 1)));
    assertEquals(State.RELEASED, only().state());
    assertEquals(
        Optional.of(2),
        orders.run("1", null, Integer.class, s -> s.step("a", Integer.class, key -> 2)).result());
  }

  @Test
  @DisplayName("throws what its work threw, though its key cannot be released")
  void unreleased() {
    records.wire =
        (before, record, request) -> {
          if (record != null && record.state() == State.RELEASED) {
            throw new IllegalStateException("unreachable");
          }
          return request.get();
        };
    UnsupportedOperationException error = new UnsupportedOperationException();
    assertSame(
        error,
        assertThrows(
            UnsupportedOperationException.class,
            () ->
                orders.run(
                    "1",
                    null,
                    Integer.class,
                    steps -> {
                      throw error;
                    })));
    assertEquals(1, error.getSuppressed().length);
  }

  @Test
  @DisplayName("has steps that act no more once it has ended")
  void escaped() {
    List<Steps> kept = new ArrayList<>();
    orders.run(
        "1",
        null,
        Integer.class,
        steps -> {
          kept.add(steps);
          return 1;
        });
    Steps late = kept.get(0);
    assertThrows(ExecutionStoppedException.class, () -> late.act("late", key -> acted("late")));
    assertThrows(ExecutionStoppedException.class, late::renew);
    assertEquals(Optional.of(1), orders.run("1", null, Integer.class, steps -> 2).result());
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("is not waited for by a thread that is interrupted")
  void interrupted() {
    leave(running(60_000, records.millis[0] + 60_000));
    records.requests = 0;
    Executions patient =
        builder()
            .waitingUpTo(Duration.ofSeconds(5))
            .time(
                () -> elapsed,
                time -> {
                  elapsed += time.toNanos();
                  Thread.currentThread().interrupt();
                })
            .build();
    assertInstanceOf(
        Execution.InProgress.class, patient.run("1", "request", Receipt.class, this::charge));
    assertTrue(Thread.interrupted());
    assertEquals(2, records.requests);
  }

  @Test
  @DisplayName("is forgotten though replies are lost or the store throttles, and not while it runs")
  void forgotten() {
    for (int number = 1; number <= 2; number++) {
      orders.run("1", null, Integer.class, steps -> 1);
      boolean lost = number == 1;
      boolean[] failed = {false};
      records.wire =
          (before, record, request) -> {
            if (failed[0]) {
              return request.get();
            }
            failed[0] = true;
            RuntimeException error = new IllegalStateException();
            return lost && request.get() != null ? new Answer.Lost(error) : new Answer.Busy(error);
          };
      assertTrue(orders.forget("1"));
      assertTrue(records.stored.isEmpty());
      records.wire = (before, record, request) -> request.get();
    }
    assertTrue(orders.forget("1"));
    orders.run("1", null, Boolean.class, steps -> !orders.forget("1"));
    assertEquals(Optional.of(true), orders.run("1", null, Boolean.class, steps -> false).result());
  }

  @Test
  @DisplayName("whose record cannot be written over is corrupt, and is not tried for ever")
  void unwritableRecord() {
    leave(running(60_000, records.millis[0] - 100_000));
    records.wire =
        (before, record, request) -> before == null ? request.get() : new Answer.Refused(only());
    assertThrows(
        CorruptRecordException.class,
        () -> orders.run("1", "request", Receipt.class, this::charge));
    assertThrows(CorruptRecordException.class, () -> orders.forget("1"));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("takes the results of many steps, each of them short")
  void manyResults() {
    String text = "\u20ac".repeat(1_000);
    String all =
        orders
            .run(
                "1",
                null,
                String.class,
                steps -> {
                  StringBuilder results = new StringBuilder();
                  for (int i = 0; i < 12; i++) {
                    results.append(steps.step("s" + i, String.class, key -> text));
                  }
                  return results.toString();
                })
            .result()
            .orElseThrow();
    assertEquals(12_000, all.length());
    assertEquals(Optional.of(all), orders.run("1", null, String.class, s -> "").result());
  }

  @Test
  @DisplayName("that was taken over stops at its next step, and its result is not stored")
  void lost() {
    Execution<Integer> slow =
        orders.run(
            "1",
            "request",
            Integer.class,
            steps -> {
              pass(Duration.ofMinutes(5));
              assertInstanceOf(
                  Execution.Executed.class, orders.run("1", "request", Integer.class, other -> 2));
              return steps.step("charge", Integer.class, key -> acted("late"));
            });
    assertEquals(new Execution.LostOwnership<>(), slow);
    assertEquals(List.of(), acted);
    assertEquals(Optional.of(2), orders.run("1", "request", Integer.class, steps -> 3).result());
  }

  private int acted(String what) {
    acted.add(what);
    return acted.size();
  }

  @Test
  @DisplayName("that was taken over says so, whatever its work returns")
  void lostAtEnd() {
    Execution<Integer> slow =
        orders.run(
            "1",
            "request",
            Integer.class,
            steps -> {
              pass(Duration.ofMinutes(5));
              orders.run("1", "request", Integer.class, other -> 2);
              try {
                steps.renew();
              } catch (ExecutionStoppedException e) {
                acted.add("swallowed");
              }
              return 1;
            });
    assertEquals(new Execution.LostOwnership<>(), slow);
    assertEquals(List.of("swallowed"), acted);
    assertEquals(Optional.of(2), orders.run("1", "request", Integer.class, s -> 3).result());
  }

  @Test
  @DisplayName("is taken over by one alone, and a stale look overwrites no result")
  void staleLook() {
    leave(running(60_000, records.millis[0] - 100_000));
    ExecutionRecords.Answer.Refused[] nothing = {null};
    records.wire =
        (before, record, request) -> {
          if ("r0".equals(before) && nothing[0] == null) {
            nothing[0] = new Answer.Refused(null);
            records.wire = (b, r, rest) -> rest.get();
            orders.run("1", "request", Integer.class, steps -> acted("first"));
          }
          return request.get();
        };
    Execution<Integer> second = orders.run("1", "request", Integer.class, steps -> acted("second"));
    assertEquals(List.of("first"), acted);
    assertEquals(new Execution.Replayed<>(1), second);
  }

  @Test
  @DisplayName("has a fence that rises with every claim, and beyond what is remembered")
  void fences() {
    List<Long> fences = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThrows(
          IllegalStateException.class,
          () ->
              orders.run(
                  "1",
                  "request",
                  Integer.class,
                  steps -> {
                    fences.add(steps.fence());
                    throw new IllegalStateException();
                  }));
    }
    pass(Duration.ofSeconds(1));
    records.stored.clear();
    orders.run(
        "1",
        "request",
        Integer.class,
        steps -> {
          fences.add(steps.fence());
          return 1;
        });
    List<Long> sorted = fences.stream().sorted().distinct().toList();
    assertEquals(sorted, fences);
  }

  @Test
  @DisplayName("skips steps that are done, by their names, and gives back what they returned")
  void steps() {
    Work<String, RuntimeException> first =
        steps -> {
          String a = steps.step("a", String.class, key -> "A" + acted("a"));
          steps.step("b", String.class, key -> "B" + acted("b"));
          steps.renew();
          throw new IllegalStateException(a);
        };
    assertThrows(
        IllegalStateException.class, () -> orders.run("1", "request", String.class, first));
    Work<String, RuntimeException> changed =
        steps -> {
          String c = steps.step("c", String.class, key -> "C" + acted("c"));
          String b = steps.step("b", String.class, key -> "?");
          String a = steps.step("a", String.class, key -> "?");
          return a + b + c;
        };
    assertEquals(Optional.of("A1B2C3"), orders.run("1", "request", String.class, changed).result());
    assertEquals(List.of("a", "b", "c"), acted);
    assertEquals(5 + 4, records.requests);
  }

  @Test
  @DisplayName("waits for a person where a step began and may have acted")
  void inDoubt() {
    Work<Integer, RuntimeException> work =
        steps -> {
          steps.step("reserve", Integer.class, key -> acted("reserve"));
          return steps.step(
              "charge",
              Integer.class,
              key -> {
                acted("charge");
                throw new IllegalStateException("no answer");
              });
        };
    assertThrows(
        IllegalStateException.class, () -> orders.run("1", "request", Integer.class, work));
    Execution<Integer> doubt = new Execution.InDoubt<>(Optional.of("charge"));
    assertEquals(doubt, orders.run("1", "request", Integer.class, work));
    assertEquals(doubt, orders.run("1", "request", Integer.class, work));
    assertEquals(List.of("reserve", "charge"), acted);
    assertEquals(State.PARKED, only().state());
    assertTrue(orders.release("1"));
    assertFalse(orders.release("1"));
    assertEquals(doubt, orders.run("1", "request", Integer.class, work), "no step is done by that");
    assertTrue(orders.forget("1"));
    assertTrue(records.stored.isEmpty());
  }

  @Test
  @DisplayName("asks about a step in doubt, or acts again with the same downstream key")
  void doubts() {
    List<String> keys = new ArrayList<>();
    for (Doubt<Integer> doubt :
        List.of(
            Doubt.<Integer>retry(),
            Doubt.<Integer>ask(key -> Optional.empty()),
            Doubt.<Integer>ask(key -> Optional.of(keys.contains(key) ? 7 : 0)))) {
      keys.clear();
      records.stored.clear();
      boolean[] fails = {true};
      Work<Integer, RuntimeException> work =
          steps ->
              steps.step(
                  "charge",
                  Integer.class,
                  doubt,
                  key -> {
                    keys.add(key);
                    if (fails[0]) {
                      fails[0] = false;
                      throw new IllegalStateException("no answer");
                    }
                    return 7;
                  });
      assertThrows(
          IllegalStateException.class, () -> orders.run("1", "request", Integer.class, work));
      assertEquals(Optional.of(7), orders.run("1", "request", Integer.class, work).result());
      assertEquals(1, keys.stream().distinct().count());
      assertEquals(32, keys.get(0).length());
    }
    assertEquals(1, keys.size(), "what was asked for is not done again");
  }

  @Test
  @DisplayName("refuses the same step twice, and another type than the step was stored as")
  void wrongSteps() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            orders.run(
                "1",
                "request",
                Integer.class,
                steps -> {
                  steps.step("a", Integer.class, key -> 1);
                  steps.renew();
                  return steps.step("a", Integer.class, key -> 2);
                }));
    CorruptRecordException other =
        assertThrows(
            CorruptRecordException.class,
            () ->
                orders.run(
                    "1",
                    "request",
                    Integer.class,
                    steps -> {
                      steps.step("a", String.class, key -> "x");
                      return 1;
                    }));
    assertTrue(String.valueOf(other.getMessage()).contains("step 'a'"), other::toString);
  }

  @Test
  @DisplayName("is parked with its owner gone silent, where executions say so")
  void silent() {
    leave(running(60_000, records.millis[0] - 100_000));
    Executions careful = builder().parkingSilentOwners().build();
    assertEquals(
        new Execution.InDoubt<>(Optional.empty()),
        careful.run("1", "request", Receipt.class, this::charge));
    assertEquals(State.PARKED, only().state());
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("is forgotten when its time is over, though the record is still there")
  void expired() {
    Executions brief = builder().keptFor(Duration.ofHours(1)).build();
    brief.run("1", "request", Receipt.class, this::charge);
    pass(Duration.ofMinutes(59));
    assertTrue(brief.run("1", "request", Receipt.class, this::charge).isDone());
    assertEquals(List.of("charge"), acted);
    pass(Duration.ofMinutes(2));
    assertInstanceOf(
        Execution.Executed.class, brief.run("1", "another", Receipt.class, this::charge));
    assertNotEquals(0, only().expires());
  }

  @Test
  @DisplayName("keeps results that are long, compressed or in parts that outlive it")
  void large() {
    String repeated = "x".repeat(100_000);
    StringBuilder random = new StringBuilder();
    new Random(7).ints(60_000, 'a', 'z').forEach(c -> random.append((char) c));
    assertEquals(
        Optional.of(repeated), orders.run("1", null, String.class, s -> repeated).result());
    assertEquals(Optional.of(repeated), orders.run("1", null, String.class, s -> "").result());
    assertEquals(1, records.stored.size());
    String long60 = random.toString();
    orders.run("2", null, String.class, steps -> steps.step("a", String.class, key -> long60));
    assertEquals(Optional.of(long60), orders.run("2", null, String.class, s -> "").result());
    long expires = Objects.requireNonNull(records.stored.get("/orders/2")).expires();
    records.stored.values().forEach(part -> assertTrue(part.expires() >= expires));
    records.stored.keySet().removeIf(key -> key.endsWith("/1"));
    assertThrows(CorruptRecordException.class, () -> orders.run("2", null, String.class, s -> ""));
  }

  @Test
  @DisplayName("whose request is too large is refused before anything is stored")
  void tooLarge() {
    Flow<String, String> flow =
        orders.flow("long", String.class, String.class, (request, steps) -> request);
    assertThrows(TooLargeException.class, () -> flow.run("1", "x".repeat(20_000)));
    assertTrue(records.stored.isEmpty());
  }

  /** A value that Jackson cannot write. */
  static final class Unwritable {
    /** Fails but for secrets that are none. */
    public String getValue() {
      return Optional.<String>empty().orElseThrow(() -> new IllegalStateException("secret"));
    }
  }

  @Test
  @DisplayName("whose result cannot be written is left to a person, and does not run again")
  void unwritable() {
    IllegalArgumentException fault =
        assertThrows(
            IllegalArgumentException.class,
            () -> orders.run("1", null, Unwritable.class, steps -> new Unwritable()));
    assertFalse(String.valueOf(fault.getCause()).contains("secret"));
    assertEquals(
        new Execution.InDoubt<>(Optional.empty()),
        orders.run("1", null, Unwritable.class, steps -> new Unwritable()));
  }

  @Test
  @DisplayName("whose work gives null is left to a person, and a step that gives null is in doubt")
  @SuppressWarnings("NullAway")
  void nulls() {
    assertThrows(
        NullPointerException.class, () -> orders.run("1", null, Integer.class, steps -> null));
    assertEquals(
        new Execution.InDoubt<>(Optional.empty()),
        orders.run("1", null, Integer.class, steps -> acted("never")));
    assertThrows(
        NullPointerException.class,
        () -> orders.run("2", null, Integer.class, s -> s.step("a", Integer.class, key -> null)));
    assertEquals(
        new Execution.InDoubt<>(Optional.of("a")),
        orders.run("2", null, Integer.class, s -> s.step("a", Integer.class, key -> 1)));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("has steps without results, which act once")
  void plainSteps() {
    Work<Integer, RuntimeException> work =
        steps -> {
          steps.act("mail", key -> acted("mail"));
          steps.renew();
          if (acted.size() == 1) {
            acted("failed");
            throw new IllegalStateException("later");
          }
          return 7;
        };
    assertThrows(IllegalStateException.class, () -> orders.run("1", null, Integer.class, work));
    assertEquals(Optional.of(7), orders.run("1", null, Integer.class, work).result());
    assertEquals(List.of("mail", "failed"), acted);
  }

  @Test
  @DisplayName("reads a result only as the type that it was stored as")
  void otherType() {
    orders.run("1", null, Integer.class, steps -> 1);
    CorruptRecordException fault =
        assertThrows(
            CorruptRecordException.class, () -> orders.run("1", null, Receipt.class, this::charge));
    assertTrue(
        String.valueOf(fault.getMessage()).contains(Receipt.class.getName()), fault::toString);
  }

  @Test
  @DisplayName("shows no values")
  void silentValues() {
    orders.run("1", "request", Receipt.class, this::charge);
    Execution<Receipt> replayed = orders.run("1", "request", Receipt.class, this::charge);
    assertFalse(("" + replayed + only()).contains("c1"));
  }

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

  /** A killed process. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @Test
  @DisplayName("has settings that make sense, and a mapper that lets nothing stored choose a class")
  void settings() {
    assertThrows(IllegalArgumentException.class, () -> Executions.of("", records));
    assertThrows(
        IllegalArgumentException.class, () -> orders.run("", null, Receipt.class, this::charge));
    assertThrows(IllegalArgumentException.class, () -> builder().lease(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder().maxSkew(Duration.ofMillis(-1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> builder().unfinishedFor(LEASE).keptFor(LEASE).build());
    JsonMapper typed =
        JsonMapper.builder()
            .activateDefaultTyping(BasicPolymorphicTypeValidator.builder().build())
            .build();
    assertThrows(IllegalArgumentException.class, () -> builder().mapper(typed).build());
  }

  @Test
  @DisplayName("in doubt names the step that began")
  void doubtful() {
    leave(
        new ExecutionRecord(
            "r0",
            State.PARKED,
            "somebody",
            5,
            0,
            0,
            0,
            new Json(JsonMapper.builder().build()).fingerprint("request"),
            "",
            null,
            Map.of("charge", new Point(false, null)),
            null));
    assertEquals(
        new Execution.InDoubt<>(Optional.of("charge")),
        orders.run("1", "request", Receipt.class, this::charge));
  }
}
