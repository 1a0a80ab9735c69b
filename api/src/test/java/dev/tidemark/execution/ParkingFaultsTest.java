package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.Answer;
import dev.tidemark.store.StoredRecord;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A key that is left to a person")
final class ParkingFaultsTest extends CompletionScene {
  private static final String LARGE = random(11_000);
  private static final Object UNSTORABLE = new Object();
  private static final int CALLS = 3;

  /** What JSON cannot tell the class of. */
  interface Animal {}

  /** Another one. */
  record Cat(String name) implements Animal {}

  /** Is stored, and cannot be read. */
  record Unreadable(Animal animal) {}

  /** Why it is left. */
  enum Why {
    UNSTORABLE_STEP,
    SWALLOWED,
    UNREADABLE_STEP,
    UNSTORABLE_RESULT,
    UNREADABLE_RESULT,
    NULL_RESULT,
    LONG_FAILURE,
    STEP_IN_DOUBT,
    UNREADABLE_COMPLETION
  }

  /** What the store does to a request. */
  private static final List<Function<Supplier<Answer<StoredRecord>>, Answer<StoredRecord>>> FAULTS =
      List.of(
          request -> new Answer.Busy<>(new IllegalStateException("busy")),
          request -> new Answer.Lost<>(new IllegalStateException("lost before")),
          request -> {
            var unused = request.get();
            return new Answer.Lost<>(new IllegalStateException("lost behind"));
          },
          request -> {
            throw new IllegalStateException("cut off before");
          },
          request -> {
            var unused = request.get();
            throw new IllegalStateException("cut off behind");
          });

  private final Executions storing =
      builder().storing(UnsupportedOperationException.class, e -> "much".repeat(5_000)).build();

  private <V> V ship(V result) {
    acted.add("ship");
    return result;
  }

  private <R> R ship(Steps steps, Class<R> type, R result) {
    return steps.step("ship", type, Doubt.retry(), key -> ship(result));
  }

  @SuppressWarnings("NullAway") // a mistake of the work
  private Integer nothing(Steps steps) {
    return ship(null);
  }

  /** Runs work with a large result of a step, and an effect whose end nobody can store. */
  private void run(Why why) {
    switch (why) {
      case UNSTORABLE_STEP -> run(s -> ship(s, Object.class, UNSTORABLE).hashCode());
      case SWALLOWED ->
          run(
              steps -> {
                try {
                  return ship(steps, Object.class, UNSTORABLE).hashCode();
                } catch (RuntimeException e) {
                  if (!acted.contains("ship")) {
                    throw e;
                  }
                  return 7;
                }
              });
      case UNREADABLE_STEP ->
          run(s -> ship(s, Unreadable.class, new Unreadable(new Cat("Tom"))).hashCode());
      case UNSTORABLE_RESULT -> run(Object.class, steps -> ship(UNSTORABLE));
      case UNREADABLE_RESULT ->
          run(Unreadable.class, steps -> ship(new Unreadable(new Cat("Tom"))));
      case NULL_RESULT -> run(Integer.class, this::nothing);
      case LONG_FAILURE ->
          run(
              steps -> {
                throw ship(new UnsupportedOperationException());
              });
      case STEP_IN_DOUBT ->
          run(
              steps -> {
                steps.act(
                    "ship",
                    key -> {
                      throw ship(new IllegalStateException("no answer"));
                    });
                return 7;
              });
      case UNREADABLE_COMPLETION ->
          storing.run(
              "1", null, Unreadable.class, telling(new Unreadable(new Cat("Tom"))), this::render);
    }
  }

  private String render(Steps steps) {
    return steps.step(
        "render",
        String.class,
        key -> {
          acted.add("render");
          return LARGE;
        });
  }

  private void run(Work<Integer, RuntimeException> work) {
    run(Integer.class, work);
  }

  private <R> void run(Class<R> type, Work<R, RuntimeException> work) {
    var unused =
        storing.run(
            "1",
            null,
            type,
            steps -> {
              render(steps);
              return work.run(steps);
            });
  }

  private ExecutionRecord left() {
    return Objects.requireNonNull(records.stored.get("/orders/1"));
  }

  /**
   * Calls again and again, and meets a fault at one request.
   *
   * @param lasting whether the fault goes on until the end of the call
   * @return whether there was such a request
   */
  private boolean isMet(
      Why why,
      int at,
      boolean lasting,
      Function<Supplier<Answer<StoredRecord>>, Answer<StoredRecord>> fault) {
    records.stored.clear();
    records.requests = 0;
    acted.clear();
    made.clear();
    boolean[] isOver = new boolean[1];
    boolean[] isParked = new boolean[1];
    BooleanSupplier fails =
        () -> records.requests == at || (lasting && records.requests > at && !isOver[0]);
    records.onTheWay =
        () -> {
          if (fails.getAsBoolean()) {
            throw new IllegalStateException("cut off");
          }
        };
    records.wire =
        (before, record, request) -> {
          Supplier<Answer<StoredRecord>> noting =
              () -> {
                Answer<StoredRecord> answer = request.get();
                isParked[0] |=
                    answer instanceof Answer.Written
                        && record != null
                        && record.state() == State.PARKED;
                return answer;
              };
          return fails.getAsBoolean() ? fault.apply(noting) : noting.get();
        };
    String how = why + " at " + at + ": ";
    for (int i = 0; i < CALLS; i++) {
      boolean parked = isParked[0];
      List<String> before = List.copyOf(acted);
      try {
        run(why);
      } catch (RuntimeException e) {
        assertNotEquals("", e.toString());
      }
      isOver[0] = records.requests >= at;
      assertTrue(!parked || before.equals(acted), () -> how + acted);
      assertTrue(!isParked[0] || left().state() == State.PARKED, () -> how + left());
      pass(LEASE.multipliedBy(2).plus(SKEW));
    }
    boolean isMet = records.requests >= at;
    records.onTheWay = () -> {};
    assertEquals(State.PARKED, left().state(), how);
    assertTrue(lasting || acted.size() == Set.copyOf(acted).size(), () -> how + acted);
    assertTrue(made.size() < 2, how);
    assertFalse(storing.claims().ledger("1").parts().mayExpire(left()), how);
    return isMet;
  }

  @Test
  @DisplayName("stays so, and nothing acts twice, whatever meets whichever request")
  void stays() {
    for (Why why : Why.values()) {
      FAULTS.forEach(fault -> assertTrue(stays(why, false, fault) > 8, why::name));
      FAULTS.forEach(fault -> assertTrue(stays(why, true, fault) > 8, why::name));
    }
  }

  /** Gives the number of requests that there are. */
  private int stays(
      Why why,
      boolean lasting,
      Function<Supplier<Answer<StoredRecord>>, Answer<StoredRecord>> fault) {
    int at = 1;
    while (isMet(why, at, lasting, fault)) {
      at++;
    }
    return at - 1;
  }
}
