package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Freshness;
import dev.tidemark.Logged;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.metrics.MarkCost;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a listener is told of a call")
class ObservationTest {
  private final List<StoreCall> calls = new ArrayList<>();
  private final StoreObserver observer = new StoreObserver(calls::add, "orders");

  private StoreCall ended(Object result) {
    observer.start(StoreCall.Method.WRITE_ALL).ended(result);
    return calls.get(calls.size() - 1);
  }

  private StoreCall failed(Throwable fault) {
    observer.start(StoreCall.Method.UPDATE).failed(fault);
    return calls.get(calls.size() - 1);
  }

  @Test
  @DisplayName("the arm of an outcome, or of a freshness; nothing of an entity that was read")
  void arms() {
    assertEquals(Map.of("Deleted", 1), ended(new Outcome.Deleted<>()).outcomes());
    assertEquals(Map.of("NotYet", 1), ended(new Freshness.NotYet<>(null)).outcomes());
    assertEquals(Map.of(), ended(Optional.of("a customer")).outcomes());
    assertFalse(calls.get(2).toString().contains("customer"));
  }

  @Test
  @DisplayName("how often a batch had each arm and fault, and how many were held back")
  void batch() {
    MessageId behind = MessageId.of("m-1");
    Outcome<String> applied = new Outcome.Applied<>("a customer", false, null);
    StoreCall call =
        ended(
            List.of(
                new Result.Judged<>(applied),
                new Result.Judged<>(applied),
                new Result.Judged<>(new Outcome.Duplicate<>(null, null)),
                new Result.Failed<>(new IllegalStateException("a secret")),
                new Result.HeldBack<>(behind)));
    assertEquals(Map.of("Applied", 2, "Duplicate", 1), call.outcomes());
    assertEquals(Map.of("IllegalStateException", 1), call.faults());
    assertEquals(1, call.heldBack());
    assertFalse(call.toString().matches("(?s).*(customer|secret|m-1).*"));
  }

  @Test
  @DisplayName("the class of a fault, of an anonymous one what it extends")
  void faults() {
    assertEquals(Map.of("IllegalStateException", 1), failed(new IllegalStateException()).faults());
    RuntimeException anonymous = new IllegalArgumentException("a secret") {};
    assertEquals(Map.of("IllegalArgumentException", 1), failed(anonymous).faults());
  }

  @Test
  @DisplayName("requests, repeats and units; no units where the store says nothing of them")
  void requests() {
    Observation some = observer.start(StoreCall.Method.APPLY);
    some.read();
    some.write();
    some.write();
    some.repeated(3);
    some.writeUnits(1.5);
    some.writeUnits(2);
    some.ended(new Outcome.Missing<>());
    assertEquals(
        new StoreCall.Requests(1, 2, 6, OptionalDouble.empty(), OptionalDouble.of(3.5)),
        calls.get(0).requests());
  }

  @Test
  @DisplayName("the last size of each entity; none of one that is gone")
  void sizes() {
    StoreCall.Size small = new StoreCall.Size(1, 9, MarkCost.stored(1));
    StoreCall.Size large = new StoreCall.Size(2, 9, MarkCost.stored(1));
    Observation some = observer.start(StoreCall.Method.APPLY);
    some.size("a", small);
    some.size("a", large);
    some.size("b", small);
    some.size("b", null);
    some.ended(new Outcome.Missing<>());
    assertEquals(List.of(large), calls.get(0).sizes());
  }

  @Test
  @DisplayName("and what it throws is logged, once for a store")
  void throwing() {
    try (Logged log = Logged.of(StoreListener.class)) {
      StoreObserver broken =
          new StoreObserver(
              call -> {
                throw new AssertionError("on purpose");
              },
              "orders");
      broken.start(StoreCall.Method.FIND).ended(Optional.empty());
      broken.start(StoreCall.Method.FIND).failed(new IllegalStateException());
      assertEquals(1, log.said().size());
      assertTrue(log.said().get(0).startsWith("WARNING The listener of orders failed"));
    }
  }

  @Test
  @DisplayName("goes to both of two listeners, whatever the first throws")
  void both() {
    StoreListener first =
        call -> {
          throw new IllegalStateException("on purpose");
        };
    StoreListener two = first.and(calls::add);
    assertThrows(IllegalStateException.class, () -> two.ended(ended(new Outcome.Missing<>())));
    assertEquals(2, calls.size());
  }

  @Test
  @DisplayName("and is told of its beginning, and where it is worked on")
  void beginning() {
    List<String> told = new ArrayList<>();
    StoreListener follows = following("one", told).and(following("two", told));
    Observation observation = new StoreObserver(follows, "orders").start(StoreCall.Method.FIND);
    try (Ongoing.Scope unused = observation.enter()) {
      observation.ended(Optional.empty());
    }
    assertEquals(
        List.of(
            "one find orders",
            "two find orders",
            "one enters",
            "two enters",
            "one notes",
            "two notes",
            "two leaves",
            "one leaves"),
        told);
  }

  private static StoreListener following(String name, List<String> told) {
    return new StoreListener() {
      @Override
      public void ended(StoreCall call) {
        throw new AssertionError("told of the end beside what it follows");
      }

      @Override
      public Ongoing<StoreCall> calling(StoreCall.Method method, String store) {
        told.add(name + " " + method.methodName() + " " + store);
        return new Ongoing<>() {
          @Override
          public void note(StoreCall call) {
            told.add(name + " notes");
          }

          @Override
          public Scope enter() {
            told.add(name + " enters");
            return () -> told.add(name + " leaves");
          }
        };
      }
    };
  }

  @Test
  @DisplayName("and what it throws at the beginning keeps nothing from the other listener")
  void throwingFirst() {
    StoreListener first =
        new StoreListener() {
          @Override
          public void ended(StoreCall call) {}

          @Override
          public Ongoing<StoreCall> calling(StoreCall.Method method, String store) {
            throw new AssertionError("on purpose");
          }
        };
    try (Logged log = Logged.of(StoreListener.class)) {
      StoreObserver alone = new StoreObserver(first, "alone");
      Observation lost = alone.start(StoreCall.Method.FIND);
      try (Ongoing.Scope unused = lost.enter()) {
        lost.ended(Optional.empty());
      }
      Observation both =
          new StoreObserver(first.and(calls::add), "orders").start(StoreCall.Method.FIND);
      try (Ongoing.Scope unused = both.enter()) {
        both.ended(Optional.empty());
      }
      assertEquals(1, calls.size());
      assertEquals(2, log.said().size());
    }
  }
}
