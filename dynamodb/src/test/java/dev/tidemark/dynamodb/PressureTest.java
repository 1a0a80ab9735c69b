package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The number of entities that a store works on at the same time")
class PressureTest {
  private final Pressure pressure = new Pressure(16, null);

  @Test
  @DisplayName("halves when DynamoDB throttles, once for all that was sent before")
  void halves() {
    int before = pressure.epoch();
    for (int i = 0; i < 10; i++) {
      pressure.saw(before, true);
    }
    assertEquals(8, pressure.limit());
    for (int epoch = 0; epoch < 10; epoch++) {
      pressure.saw(pressure.epoch(), true);
    }
    assertEquals(1, pressure.limit(), "one is always worked on");
  }

  @Test
  @DisplayName("grows by one for each round that goes well, up to the most")
  void grows() {
    pressure.saw(pressure.epoch(), true);
    for (int i = 0; i < 9; i++) {
      pressure.saw(pressure.epoch(), false);
    }
    assertEquals(9, pressure.limit());
    for (int i = 0; i < 200; i++) {
      pressure.saw(pressure.epoch(), false);
    }
    assertEquals(16, pressure.limit());
  }

  @Test
  @DisplayName("lets work wait for room, and starts it in its order when there is some")
  void waits() {
    List<CompletableFuture<Integer>> running = new ArrayList<>();
    List<CompletableFuture<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      results.add(
          pressure.run(
              () -> {
                CompletableFuture<Integer> work = new CompletableFuture<>();
                running.add(work);
                return work;
              }));
    }
    assertEquals(16, running.size());
    running.get(3).complete(3);
    assertEquals(17, running.size());
    assertEquals(3, results.get(3).join());
    pressure.saw(pressure.epoch(), true);
    for (int i = 4; i < 12; i++) {
      running.get(i).completeExceptionally(new IllegalStateException("over"));
    }
    assertEquals(17, running.size(), "eight run, and eight may");
    for (int i = 0; i < 40; i++) {
      running.get(i).complete(i);
    }
    assertTrue(results.stream().allMatch(CompletableFuture::isDone));
  }

  @Test
  @DisplayName("takes ten thousand that end at once without recursion")
  void manyAtOnce() {
    Pressure one = new Pressure(1, null);
    List<CompletableFuture<Integer>> results = new ArrayList<>();
    CompletableFuture<Integer> first = new CompletableFuture<>();
    results.add(one.run(() -> first));
    for (int i = 0; i < 10_000; i++) {
      int number = i;
      results.add(one.run(() -> CompletableFuture.completedFuture(number)));
    }
    first.complete(0);
    assertTrue(results.stream().allMatch(CompletableFuture::isDone));
  }

  @Test
  @DisplayName("is from 1 to 10,000; an executor that refuses work fails that work alone")
  void bounds() {
    Executor full =
        task -> {
          throw new java.util.concurrent.RejectedExecutionException("full");
        };
    assertThrows(IllegalArgumentException.class, () -> new Pressure(0, null));
    assertThrows(IllegalArgumentException.class, () -> new Pressure(10_001, full));
    CompletableFuture<Integer> refused =
        new Pressure(2, full).run(() -> CompletableFuture.completedFuture(1));
    assertTrue(refused.isCompletedExceptionally());
    CompletableFuture<Integer> after =
        new Pressure(2, Runnable::run).run(() -> CompletableFuture.completedFuture(1));
    assertEquals(1, after.join());
  }
}
