package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.StoredExecution.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution and the leases of others")
final class ExecutionLeasesTest extends ExecutionScene {
  /** What somebody else stores who was at work. */
  private void finish() {
    ExecutionRecord found = only();
    Json json = json();
    records.stored.replaceAll(
        (key, any) ->
            orders
                .claims()
                .next(
                    found, State.DONE, Map.of(), json.store(Receipt.class, new Receipt("c9", 9))));
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
  @DisplayName("whose lease has no end is watched by invocations together")
  void watchedByInvocations() {
    leave(running(60_000, 0));
    Supplier<Execution<Receipt>> invocation =
        () -> orders.within(() -> 100_000).run("1", "request", Receipt.class, this::charge);
    assertInstanceOf(Execution.InProgress.class, invocation.get());
    elapsed += LEASE.toNanos() + 1;
    assertInstanceOf(Execution.Executed.class, invocation.get());
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
    boolean[] isTaken = {false};
    records.wire =
        (before, record, request) -> {
          if ("r0".equals(before) && !isTaken[0]) {
            isTaken[0] = true;
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
  @DisplayName("has a fence that rises beyond a forgotten record once clocks differ by less")
  void fencesOfClocks() {
    long[] fences = new long[2];
    for (long passed : new long[] {4_999, 5_001}) {
      records.millis[0] += 5_000; // the first owner's clock is ahead of the second's
      fences[0] = fence();
      records.millis[0] -= 5_000;
      assertTrue(orders.forget("1"));
      pass(Duration.ofMillis(passed));
      fences[1] = fence();
      assertEquals(passed > 5_000, fences[1] > fences[0]);
      assertTrue(orders.forget("1"));
    }
  }

  private long fence() {
    long[] fence = {0};
    orders.run(
        "1",
        "request",
        Integer.class,
        steps -> {
          fence[0] = steps.fence();
          return 1;
        });
    return fence[0];
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
  @DisplayName("whose lease ended does not write over the result of who took it over")
  void lateCompletion() {
    Execution<Receipt> late =
        orders.run(
            "1",
            "request",
            Receipt.class,
            steps -> {
              pass(LEASE.plus(SKEW).plusSeconds(1));
              assertInstanceOf(
                  Execution.Executed.class,
                  orders.run("1", "request", Receipt.class, this::charge));
              return new Receipt("late", 1);
            });
    assertEquals(new Execution.LostOwnership<>(), late);
    assertEquals(
        new Execution.Replayed<>(new Receipt("c1", 25)),
        orders.run("1", "request", Receipt.class, this::charge));
  }
}
