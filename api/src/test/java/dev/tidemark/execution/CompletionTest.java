package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution that ends in a write of its own")
final class CompletionTest extends CompletionScene {
  private Execution<Integer> run(Executions executions) {
    return executions.run("1", null, Integer.class, completion, steps -> "w" + acted("work"));
  }

  @Test
  @DisplayName("is done though its record says that it is in progress, or waits for a person")
  void told() {
    assertEquals(new Execution.Executed<>(0), run(orders));
    assertEquals(new Execution.Replayed<>(0), run(orders));
    Executions parking = builder().parkingSilentOwners().build();
    parking.run("2", null, Integer.class, completion, steps -> "w" + acted("work"));
    pass(Duration.ofHours(1));
    assertEquals(
        new Execution.Replayed<>(1),
        parking.run("2", null, Integer.class, completion, steps -> "w" + acted("work")));
    assertEquals(2, acted.size());
    assertEquals(2, made.size());
  }

  @Test
  @DisplayName(
      "writes under one message at all attempts, and under another one where it is done anew")
  void messages() {
    toldFor = Optional.of(Duration.ofDays(30));
    Execution<Integer> slow =
        orders.run(
            "1",
            null,
            Integer.class,
            completion,
            steps -> {
              pass(Duration.ofHours(1));
              assertEquals(new Execution.Executed<>(0), run(orders));
              return "late";
            });
    assertEquals(new Execution.Replayed<>(0), slow);
    pass(Duration.ofDays(31));
    assertEquals(new Execution.Executed<>(1), run(orders));
    assertEquals(new Execution.Replayed<>(1), run(orders));
    assertEquals(2, acted.size());
    assertEquals(2, made.size());
  }

  @Test
  @DisplayName("knows its message again whatever the user's mapper makes of a UUID")
  void masked() {
    Executions masking = builder().mapper(MapperTest.masking()).build();
    assertEquals(new Execution.Executed<>(0), run(masking));
    assertEquals(new Execution.Replayed<>(0), run(masking));
    assertEquals(1, made.size());
  }

  @Test
  @DisplayName("does not write once it has lost its key")
  void lost() {
    Execution<Integer> execution =
        orders.run(
            "1",
            null,
            Integer.class,
            completion,
            steps -> {
              pass(Duration.ofHours(1));
              orders.forget("1");
              orders.run("1", null, Integer.class, (Steps other) -> 7);
              try {
                steps.renew();
              } catch (ExecutionStoppedException e) {
                acted("went on");
              }
              return "late";
            });
    assertEquals(new Execution.LostOwnership<>(), execution);
    assertEquals(List.of("went on"), acted);
    assertEquals(List.of(), made);
  }

  @Test
  @DisplayName("does not write behind its lease where the key was forgotten and done anew")
  void late() {
    Execution<Integer> execution =
        orders.run(
            "1",
            null,
            Integer.class,
            completion,
            steps -> {
              pass(Duration.ofHours(1));
              assertTrue(orders.forget("1"));
              assertEquals(new Execution.Executed<>(0), run(orders));
              return "late";
            });
    assertEquals(new Execution.LostOwnership<>(), execution);
    assertEquals(1, made.size());
  }

  @Test
  @DisplayName("has a lease that begins behind the look at the last write")
  void slowLook() {
    assertTrue(run(orders).isDone());
    made.clear(); // as if its owner had died before the write
    pass(Duration.ofHours(1));
    Completion<String, Integer> slow =
        new Completion<>() {
          @Override
          public Optional<Integer> find(MessageId message) {
            pass(Duration.ofSeconds(40));
            return completion.find(message);
          }

          @Override
          public Optional<Made<Integer>> make(MessageId message, String prepared) {
            return completion.make(message, prepared);
          }
        };
    Execution<Integer> execution =
        orders.run(
            "1",
            null,
            Integer.class,
            slow,
            steps -> {
              assertEquals(records.millis[0] + LEASE.toMillis(), only().leaseEnd());
              return "paid";
            });
    assertEquals(new Execution.Executed<>(0), execution);
  }

  @Test
  @DisplayName("does not write once it waits for a person")
  void parked() {
    assertThrows(IllegalStateException.class, () -> charging());
    assertEquals(new Execution.InDoubt<>(Optional.of("charge")), charging());
    assertEquals(List.of(), made);
  }

  private Execution<Integer> charging() {
    return orders.run(
        "1",
        null,
        Integer.class,
        completion,
        steps -> {
          try {
            steps.act(
                "charge",
                key -> {
                  throw new IllegalStateException("no answer");
                });
          } catch (ExecutionStoppedException e) {
            acted("went on");
          }
          return "paid";
        });
  }

  @Test
  @DisplayName("has a step in doubt until the next write, though the step returned")
  void stepBefore() {
    StoredExecutions stored = StoredExecutions.of("orders", records);
    Execution<Integer> execution =
        orders.run(
            "1",
            null,
            Integer.class,
            completion,
            steps -> {
              steps.step("charge", Integer.class, any -> acted("charge"));
              assertEquals(List.of("charge"), stored.find("1").orElseThrow().inDoubt());
              steps.renew();
              assertEquals(List.of(), stored.find("1").orElseThrow().inDoubt());
              return "paid";
            });
    assertEquals(new Execution.Executed<>(0), execution);
  }

  @Test
  @DisplayName("is kept no shorter than its write is told, with all that its record names")
  void keptAsLongAsTold() {
    toldFor = Optional.of(Duration.ofDays(90));
    String text = random(60_000);
    Completion<String, String> telling = telling(text);
    for (boolean noted : new boolean[] {false, true}) {
      String key = noted ? "noted" : "not noted";
      Supplier<Execution<String>> call =
          () ->
              orders.run(
                  key,
                  null,
                  String.class,
                  telling,
                  steps -> {
                    acted("work");
                    steps.step("charge", String.class, any -> noted ? "c1" : text);
                    steps.renew();
                    return key;
                  });
      assertEquals(new Execution.Executed<>(text), call.get());
      if (noted) {
        pass(Duration.ofHours(1));
        assertEquals(new Execution.Replayed<>(text), call.get());
      }
      long expires = Objects.requireNonNull(records.stored.get("/orders/" + key)).expires();
      assertEquals((records.millis[0] + Duration.ofDays(90).toMillis()) / 1000 + 1, expires);
      records.stored.values().forEach(part -> assertTrue(part.expires() >= expires));
      records.stored.clear();
    }
    assertEquals(2, acted.size());
  }

  @Test
  @DisplayName("keeps a failure as long as its write would be told")
  void keptFailure() {
    toldFor = Optional.of(Duration.ofDays(90));
    refuses = true;
    Execution<Integer> failed = run(orders);
    assertEquals(new Execution.Failed<>(new StoredFailure("refused"), false), failed);
    pass(Duration.ofDays(89));
    assertEquals(new Execution.Failed<>(new StoredFailure("refused"), true), run(orders));
  }

  @Test
  @DisplayName("is refused where its write is told for a shorter time than the key is kept")
  void brief() {
    toldFor = Optional.of(Duration.ofDays(30).minusSeconds(1));
    assertThrows(IllegalArgumentException.class, () -> run(orders));
    toldIfDeletedFor = Optional.of(Duration.ofDays(90));
    assertThrows(IllegalArgumentException.class, () -> run(orders));
    toldIfDeletedFor = toldFor;
    toldFor = Optional.of(Duration.ofDays(90));
    assertThrows(IllegalArgumentException.class, () -> run(orders));
    assertEquals(0, records.requests);
    toldIfDeletedFor = Optional.of(Duration.ofDays(30));
    assertEquals(new Execution.Executed<>(0), run(orders));
  }

  @Test
  @DisplayName("stores nothing that its last write throws, and finds the write in the next call")
  void thrownBehind() {
    Executions storing = builder().storing(IllegalStateException.class, e -> "declined").build();
    Completion<String, Integer> breaking =
        new Completion<>() {
          @Override
          public Optional<Integer> find(MessageId message) {
            return completion.find(message);
          }

          @Override
          public Optional<Made<Integer>> make(MessageId message, String prepared) {
            completion.make(message, prepared);
            throw new IllegalStateException("the pool is shut down");
          }
        };
    assertThrows(
        IllegalStateException.class,
        () -> storing.run("1", null, Integer.class, breaking, steps -> "w"));
    assertEquals(StoredExecution.State.RELEASED, only().state());
    assertEquals(new Execution.Replayed<>(0), run(storing));
    assertEquals(1, made.size());
  }

  @Test
  @DisplayName("waits for a person where its work gives null, and writes nothing")
  @SuppressWarnings("NullAway")
  void nothing() {
    assertThrows(
        IllegalStateException.class,
        () -> orders.run("1", null, Integer.class, completion, steps -> null));
    assertEquals(new Execution.InDoubt<>(Optional.empty()), run(orders));
    assertEquals(List.of(), made);
  }

  /** The same, whose write is on its way for longer than the lease, while others do something. */
  private Completion<String, Integer> slow(Runnable meanwhile) {
    return new Completion<>() {
      @Override
      public Optional<Integer> find(MessageId message) {
        return completion.find(message);
      }

      @Override
      public Optional<Made<Integer>> make(MessageId message, String prepared) {
        pass(Duration.ofMinutes(5));
        meanwhile.run();
        return completion.make(message, prepared);
      }
    };
  }

  private Executions storing() {
    return builder().storing(ArithmeticException.class, e -> "declined").build();
  }

  private Execution<Integer> declined() {
    return storing()
        .run(
            "1",
            null,
            Integer.class,
            completion,
            steps -> {
              acted("declined");
              throw new ArithmeticException("declined");
            });
  }

  @Test
  @DisplayName("is done where a slow write lands behind a failure that another owner has stored")
  void landsBehindFailure() {
    Completion<String, Integer> slow =
        slow(
            () -> {
              assertEquals(failed("declined", false), declined());
              assertEquals(failed("declined", true), declined());
            });
    assertEquals(
        new Execution.Executed<>(0), orders.run("1", null, Integer.class, slow, steps -> "paid"));
    assertDone("declined");
  }

  @Test
  @DisplayName("is done where a slow write lands behind a refusal of another owner's write")
  void landsBehindRefusal() {
    Completion<String, Integer> slow =
        slow(
            () -> {
              refuses = true;
              assertEquals(failed("refused", false), run(orders));
              assertEquals(failed("refused", true), run(orders));
              refuses = false;
            });
    assertEquals(
        new Execution.Executed<>(0), orders.run("1", null, Integer.class, slow, steps -> "paid"));
    assertDone("work");
  }

  /** All that come from now on are told so, by the write once, and without a read from then on. */
  private void assertDone(String ran) {
    assertThrows(IllegalStateException.class, this::plain);
    assertEquals(new Execution.Replayed<>(0), run(orders));
    assertEquals(StoredExecution.State.DONE, only().state());
    assertEquals(new Execution.Replayed<>(0), declined());
    assertEquals(new Execution.Replayed<>(0), plain());
    assertEquals(List.of(ran), acted);
    assertEquals(1, made.size());
  }

  private Execution<Integer> plain() {
    return orders.run("1", null, Integer.class, (Steps steps) -> acted("plain"));
  }

  private static Execution<Integer> failed(String code, boolean replayed) {
    return new Execution.Failed<>(new StoredFailure(code), replayed);
  }

  @Test
  @DisplayName("is done where a slow write landed while the work of another owner failed")
  void landsBeforeFailure() {
    Completion<String, Integer> slow =
        slow(
            () -> {
              Execution<Integer> other =
                  storing()
                      .run(
                          "1",
                          null,
                          Integer.class,
                          completion,
                          steps -> {
                            completion.make(written(), "paid");
                            throw new ArithmeticException("it is paid already");
                          });
              assertEquals(new Execution.Replayed<>(0), other);
            });
    assertEquals(
        new Execution.Replayed<>(0), orders.run("1", null, Integer.class, slow, steps -> "paid"));
    assertEquals(new Execution.Replayed<>(0), declined());
    assertEquals(1, made.size());
  }

  private MessageId written() {
    return orders.claims().write("/orders/1", only());
  }

  @Test
  @DisplayName("stores no failure where it cannot be told whether a slow write has landed")
  void unknownBeforeFailure() {
    boolean[] away = {true};
    ArithmeticException declined = new ArithmeticException("declined");
    Completion<String, Integer> torn =
        new Completion<>() {
          @Override
          public Optional<Integer> find(MessageId message) {
            if (away[0]) {
              throw new UncheckedIOException(new IOException("the entity's store is away"));
            }
            return completion.find(message);
          }

          @Override
          public Optional<Made<Integer>> make(MessageId message, String prepared) {
            throw new IllegalStateException("no answer");
          }
        };
    Work<String, RuntimeException> declining =
        steps -> {
          away[0] = true;
          throw declined;
        };
    assertThrows(
        IllegalStateException.class,
        () -> orders.run("1", null, Integer.class, torn, steps -> "paid"));
    away[0] = false;
    UncheckedIOException thrown =
        assertThrows(
            UncheckedIOException.class,
            () -> storing().run("1", null, Integer.class, torn, declining));
    assertEquals(List.of(declined), List.of(thrown.getSuppressed()));
    assertEquals(StoredExecution.State.RELEASED, only().state());
    assertEquals(new Execution.Executed<>(0), run(orders));
  }

  @Test
  @DisplayName("asks nobody for a write where its first work failed before one was tried")
  void untriedFailure() {
    assertEquals(failed("declined", false), declined());
    assertEquals(Map.of(), only().points());
    assertEquals(failed("declined", true), plain());
  }

  @Test
  @DisplayName("waits for a person where a write that landed behind a failure cannot be read")
  void unreadableBehindFailure() {
    refuses = true;
    assertEquals(failed("refused", false), run(orders));
    refuses = false;
    completion.make(written(), "late");
    Completion<String, Object> unreadable = telling(new Object());
    assertThrows(
        IllegalArgumentException.class,
        () -> orders.run("1", null, Object.class, unreadable, steps -> "w"));
    assertEquals(StoredExecution.State.PARKED, only().state());
    assertNull(only().result());
    assertEquals(new Execution.Replayed<>(0), run(orders));
  }

  @Test
  @DisplayName("is resumed once a person has let a failure go on whose late write cannot be read")
  void releasedBehindFailure() {
    refuses = true;
    assertEquals(failed("refused", false), flow(Integer.class, completion).run("1", "25 EUR"));
    refuses = false;
    completion.make(written(), "late");
    Flow<String, Object> unreadable = flow(Object.class, telling(new Object()));
    assertThrows(IllegalArgumentException.class, () -> unreadable.run("1", "25 EUR"));
    assertTrue(orders.release(seen("1")));
    pass(Duration.ofMinutes(5));
    assertEquals(new Flow.Resumed(1, 0, List.of()), flow(Integer.class, completion).resume(10));
    assertNull(only().request());
  }

  private <R> Flow<String, R> flow(Class<R> type, Completion<String, R> completion) {
    return orders.flow("pay", String.class, type, request -> completion, (request, steps) -> "w");
  }
}
