package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.TidemarkException;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.StoredExecution.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A key whose class moved, or that a person ends,")
final class HandedInTest extends CompletionScene {
  /** Where a receipt was before. */
  record Moved(String charge, int amount) {}

  private static final String BEFORE = Receipt.class.getName();

  private final Executions moved = builder().storedAs(Moved.class, BEFORE).build();

  private Moved chargeAgain(Steps steps) {
    acted.add("charged again");
    return new Moved("c2", 0);
  }

  @Test
  @DisplayName("is read under the name that the class had, and the version before reads it too")
  void aliases() {
    orders.run("1", null, Receipt.class, this::charge);
    assertEquals(
        new Execution.Replayed<>(new Moved("c1", 25)),
        moved.run("1", null, Moved.class, this::chargeAgain));
    moved.run("2", null, Moved.class, steps -> new Moved("c3", 1));
    assertEquals(
        new Execution.Replayed<>(new Receipt("c3", 1)),
        orders.run("2", null, Receipt.class, this::charge));
    Executions named = builder().storedAs(Moved.class, "receipt", "x", BEFORE).build();
    assertTrue(named.run("1", null, Moved.class, this::chargeAgain).isDone());
    named.run("3", null, Moved.class, steps -> new Moved("c4", 1));
    ExecutionRecord third = Objects.requireNonNull(records.stored.get("/orders/3"));
    assertEquals("receipt", Objects.requireNonNull(third.result()).type());
    builder().build().run("4", null, Moved.class, steps -> new Moved("c5", 1));
    assertTrue(named.run("4", null, Moved.class, this::chargeAgain).isDone());
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("has one class for a name")
  void names() {
    for (ExecutionsBuilder wrong :
        List.of(
            builder().storedAs(Moved.class, ""),
            builder().storedAs(Moved.class, "a", "a"),
            builder().storedAs(Moved.class, "a").storedAs(Receipt.class, "b", "a"))) {
      assertThrows(IllegalArgumentException.class, wrong::build);
    }
  }

  @Test
  @DisplayName("goes on with steps that are stored under the name of before, or are handed in")
  void steps() {
    Flow<String, Integer> before =
        orders.flow(
            "pay",
            String.class,
            Integer.class,
            (request, steps) -> {
              steps.step("charge", Receipt.class, any -> charge(steps));
              throw new IllegalStateException("later");
            });
    for (String key : List.of("1", "2")) {
      assertThrows(IllegalStateException.class, () -> before.run(key, "r"));
    }
    Flow<String, Integer> unnamed =
        orders.flow("pay", String.class, Integer.class, (r, s) -> amount(s));
    assertThrows(CorruptRecordException.class, () -> unnamed.run("1", "r"));
    assertThrows(CorruptRecordException.class, () -> unnamed.run("2", "r"));
    assertEquals(2, StoredExecutions.of("orders", records).parked(9).size());
    assertThrows(
        IllegalArgumentException.class,
        () -> orders.release("1", "charge", Receipt.class, new Receipt("c9", 1)));
    assertTrue(orders.release("1", "charge", Moved.class, new Moved("c9", 7)));
    assertEquals(new Execution.Executed<>(7), unnamed.run("1", "r"));
    assertTrue(moved.release(seen("2")));
    Flow<String, Integer> named =
        moved.flow("pay", String.class, Integer.class, (r, s) -> amount(s));
    assertEquals(new Execution.Executed<>(25), named.run("2", "r"));
    assertEquals(List.of("charge", "charge"), acted);
  }

  private int amount(Steps steps) {
    return steps.step("charge", Moved.class, any -> chargeAgain(steps)).amount();
  }

  @Test
  @DisplayName("is completed with a result, whatever left it unfinished, and never runs again")
  void completed() {
    Flow<String, Moved> flow =
        orders.flow("pay", String.class, Moved.class, (request, steps) -> chargeAgain(steps));
    assertFalse(orders.complete("1", Moved.class, new Moved("c", 1)));
    orders.run("1", "r", Receipt.class, this::charge); // done, as another class
    ExecutionRecord done = only();
    records.stored.clear();
    for (State state : List.of(State.DONE, State.PARKED, State.RELEASED, State.RUNNING)) {
      boolean hasResult = state == State.DONE;
      records.stored.put(
          "/orders/1",
          new ExecutionRecord(
              "r" + state,
              state,
              done.owner(),
              done.fence(),
              1_000,
              records.millis[0] - 60_000,
              done.expires(),
              done.fingerprint(),
              "/orders/pay",
              hasResult ? null : "not even JSON",
              Map.of(),
              hasResult ? done.result() : null));
      assertTrue(orders.complete("1", Moved.class, new Moved("c9", 9)), state::toString);
      assertFalse(orders.complete("1", Moved.class, new Moved("c8", 8)), state::toString);
      assertEquals(new Execution.Replayed<>(new Moved("c9", 9)), flow.run("1", "r"));
      assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(9));
    }
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("is not completed over a result, a failure, or somebody's work, nor with nothing")
  @SuppressWarnings("NullAway")
  void kept() {
    Executions storing = builder().storing(IllegalStateException.class, e -> "declined").build();
    orders.run("1", null, Receipt.class, this::charge);
    storing.run(
        "2",
        null,
        Receipt.class,
        steps -> {
          throw new IllegalStateException();
        });
    for (String key : List.of("1", "2")) {
      assertFalse(orders.complete(key, Receipt.class, new Receipt("c9", 9)));
    }
    orders.run(
        "3",
        null,
        Boolean.class,
        steps -> {
          assertFalse(orders.complete("3", Boolean.class, true));
          return false;
        });
    int requests = records.requests;
    assertThrows(IllegalArgumentException.class, () -> orders.complete("1", Receipt.class, null));
    assertThrows(
        IllegalArgumentException.class, () -> orders.complete("1", Object.class, new Object()));
    assertEquals(requests, records.requests);
  }

  @Test
  @DisplayName("is told where its request cannot be read, so that a person can complete it")
  void faults() {
    Flow<String, Integer> dying =
        orders.flow(
            "pay",
            String.class,
            Integer.class,
            (request, steps) -> {
              throw new IllegalStateException("later");
            });
    assertThrows(IllegalStateException.class, () -> dying.run("a/b", "x"));
    pass(LEASE.plus(SKEW).multipliedBy(2));
    Flow<Moved, Integer> other =
        orders.flow("pay", Moved.class, Integer.class, (request, steps) -> request.amount());
    List<RuntimeException> faults = other.resume(9).faults();
    assertEquals(1, faults.size());
    assertEquals(Optional.of(EntityKey.key("a/b")), ((TidemarkException) faults.get(0)).key());
    assertTrue(orders.complete("a/b", Integer.class, 5));
    assertEquals(new Flow.Resumed(0, 0, List.of()), other.resume(9));
  }

  @Test
  @DisplayName("is told by each fault of the library, be that of an entity which the work writes")
  void faultsOfEntities() {
    EntityKey entity = EntityKey.key("entity");
    for (TidemarkException fault :
        List.of(
            new CorruptRecordException("no", entity, null),
            new TooLargeException("no", entity, null),
            new InvalidChangeException("no", entity, null),
            new ContentionException("no", entity, null),
            new OutcomeUnknownException("no", entity, null),
            new OutcomeUnknownException("no", null, null))) {
      fault.addSuppressed(new IllegalStateException("another"));
      Flow<String, Integer> flow =
          orders.flow(
              "pay",
              String.class,
              Integer.class,
              (request, steps) -> {
                throw fault;
              });
      assertThrows(fault.getClass(), () -> flow.run("a/b", "x"));
      pass(Duration.ofMinutes(5));
      TidemarkException told = (TidemarkException) flow.resume(9).faults().get(0);
      assertEquals(Optional.of(EntityKey.key("a/b")), told.key());
      assertEquals(fault.getClass(), told.getClass());
      assertEquals(List.of(fault.getSuppressed()), List.of(told.getSuppressed()));
    }
  }
}
