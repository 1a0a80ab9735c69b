package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.Answer;
import dev.tidemark.store.StoredRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution whose store fails")
final class ExecutionFaultsTest extends ExecutionScene {
  /** Loses the reply of the request of that number. */
  private void lose(int number) {
    records.wire =
        (before, record, request) -> {
          Answer<StoredRecord> answer = request.get();
          return records.requests == number
              ? new Answer.Lost<>(new IllegalStateException())
              : answer;
        };
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
          return new Answer.Lost<>(new IllegalStateException("never sent"));
        };
    assertInstanceOf(
        Execution.InProgress.class, orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("whose completion's reply was lost is complete")
  void ownCompletion() {
    lose(2);
    assertInstanceOf(
        Execution.Executed.class, orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(State.DONE, only().state());
  }

  @Test
  @DisplayName("that the store does not answer ends as unknown, and one that it throttles as busy")
  void unanswered() {
    records.wire = (before, record, request) -> new Answer.Lost<>(new IllegalStateException());
    assertThrows(
        OutcomeUnknownException.class,
        () -> orders.run("1", "request", Receipt.class, this::charge));
    records.wire = (before, record, request) -> new Answer.Busy<>(new IllegalStateException());
    assertThrows(
        ContentionException.class, () -> orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("that passes the deadline of the store's client three times ends as unknown")
  void late() {
    records.wire =
        (before, record, request) -> new Answer.Lost<>(new IllegalStateException(), true);
    assertThrows(
        OutcomeUnknownException.class,
        () -> orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(3, records.requests);
    assertEquals(List.of(), acted);
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
  @DisplayName("is free again though a write was made that the store's client gave up")
  void givenUp() {
    records.wire =
        (before, record, request) -> {
          Answer<StoredRecord> answer = request.get();
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
  @DisplayName("whose record cannot be written over is corrupt, and is not tried for ever")
  void unwritableRecord() {
    leave(running(60_000, records.millis[0] - 100_000));
    records.wire =
        (before, record, request) -> {
          assertTrue(records.requests < 1_000, "tried for ever");
          return before == null
              ? request.get()
              : new Answer.Refused<>(MapRecords.plain("1", only()));
        };
    assertThrows(
        CorruptRecordException.class,
        () -> orders.run("1", "request", Receipt.class, this::charge));
    assertThrows(CorruptRecordException.class, () -> orders.forget("1"));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("whose record cannot be read happens anew once it is forgotten, and not before")
  void unreadableRecord() {
    leave(running(60_000, records.millis[0] + 100_000));
    records.spoil("/orders/1");
    assertThrows(
        CorruptRecordException.class,
        () -> orders.run("1", "request", Receipt.class, this::charge));
    records.wire =
        (before, record, request) -> {
          records.stored.put("/orders/1", running(60_000, 0).expiring(0)); // by its owner
          return request.get();
        };
    assertThrows(CorruptRecordException.class, () -> orders.forget("1"));
    assertEquals(1, records.stored.size());
    records.spoil("/orders/1");
    int first = records.requests + 3;
    lose(first);
    assertTrue(orders.forget("1"));
    assertEquals(first + 1, records.requests, "it was asked again");
    assertInstanceOf(
        Execution.Executed.class, orders.run("1", "request", Receipt.class, this::charge));
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("leaves the key free where the code of a failure cannot be told")
  void codeThatThrows() {
    Executions coded =
        builder()
            .storing(
                IllegalStateException.class,
                e -> {
                  throw new IllegalArgumentException("no code");
                })
            .build();
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                coded.run(
                    "1",
                    null,
                    Integer.class,
                    steps -> {
                      throw new IllegalStateException("work");
                    }));
    assertEquals("no code", thrown.getSuppressed()[0].getMessage());
    assertEquals(new Execution.Executed<>(1), coded.run("1", null, Integer.class, steps -> 1));
  }

  @Test
  @DisplayName("is forgotten where the store throttles at first, and stays where it does not stop")
  void forgottenThrottled() {
    orders.run("1", "request", Receipt.class, this::charge);
    records.wire = (before, record, request) -> new Answer.Busy<>(new IllegalStateException());
    assertThrows(ContentionException.class, () -> orders.forget("1"));
    assertEquals(State.DONE, only().state());
    int tried = records.requests;
    records.wire =
        (before, record, request) ->
            records.requests < tried + 4
                ? new Answer.Busy<>(new IllegalStateException())
                : request.get();
    assertTrue(orders.forget("1"));
    assertEquals(Map.of(), records.stored);
  }

  @Test
  @DisplayName("is forgotten where the reply is lost, and whether it was is unknown without any")
  void forgottenUnanswered() {
    orders.run("1", "request", Receipt.class, this::charge);
    records.wire =
        (before, record, request) -> {
          var unused = request.get();
          return new Answer.Lost<>(new IllegalStateException());
        };
    assertThrows(OutcomeUnknownException.class, () -> orders.forget("1"));
    assertEquals(Map.of(), records.stored);
    records.wire = (before, record, request) -> request.get();
    orders.run("1", "request", Receipt.class, this::charge);
    lose(records.requests + 2);
    assertTrue(orders.forget("1"));
    assertEquals(Map.of(), records.stored);
  }

  @Test
  @DisplayName("that came while a removal had no answer is left alone")
  void forgottenAndClaimed() {
    orders.run("1", "request", Receipt.class, this::charge);
    records.wire =
        (before, record, request) -> {
          var unused = request.get();
          records.wire = (b, r, rest) -> rest.get();
          assertThrows(Killed.class, () -> orders.run("1", "request", Receipt.class, this::die));
          records.wire = (b, r, rest) -> rest.get();
          return new Answer.Lost<>(new IllegalStateException());
        };
    assertFalse(orders.forget("1"));
    assertEquals(State.RUNNING, only().state());
  }
}
