package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.Answer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An execution by a thread that is interrupted")
final class InterruptsTest extends ExecutionScene {
  /** How often an interrupt comes while a request is on its way, from now on. */
  private int interrupts;

  private boolean isCarriedOut = true;

  /**
   * As the clients of stores do: a thread that is interrupted sends nothing, and awaits nothing.
   */
  private void requireGoing() {
    if (Thread.currentThread().isInterrupted()) {
      throw new OutcomeUnknownException("interrupted", null, null);
    }
  }

  InterruptsTest() {
    records.wire = (before, record, request) -> broken(request);
  }

  private <A> A broken(Supplier<A> request) {
    requireGoing();
    boolean interrupts = this.interrupts-- > 0;
    if (interrupts && !isCarriedOut) {
      Thread.currentThread().interrupt();
      requireGoing();
    }
    A answer = request.get();
    if (interrupts) {
      Thread.currentThread().interrupt();
    }
    requireGoing();
    return answer;
  }

  /** The thread stays interrupted; what comes behind a test is not. */
  private void assertInterrupted() {
    assertTrue(Thread.interrupted());
  }

  @AfterEach
  void end() {
    assertFalse(Thread.interrupted());
  }

  private Execution<Integer> run() {
    return orders.run(
        "1",
        "request",
        Integer.class,
        steps -> {
          Thread.currentThread().interrupt();
          return acted("work");
        });
  }

  @Test
  @DisplayName("during its work stores the result, and does not run again")
  void result() {
    assertEquals(new Execution.Executed<>(1), run());
    assertInterrupted();
    assertEquals(new Execution.Replayed<>(1), run());
    assertEquals(List.of("work"), acted);
  }

  @Test
  @DisplayName("while it claims its key leaves that free, whether the claim had arrived or not")
  void claim() {
    for (boolean carriedOut : new boolean[] {true, false}) {
      records.stored.clear();
      isCarriedOut = carriedOut;
      interrupts = 1;
      assertThrows(OutcomeUnknownException.class, this::run);
      assertRunsNext();
    }
  }

  @Test
  @DisplayName("while it claims or renews its key asks a store that is silent then once more")
  void silent() {
    for (boolean renews : new boolean[] {false, true}) {
      records.stored.clear();
      elapsed = 0;
      int before = records.requests;
      records.wire =
          (b, r, request) -> {
            int sent = records.requests - before;
            if (renews && sent == 1) {
              elapsed += LEASE.toNanos();
              return request.get();
            }
            if (sent == (renews ? 2 : 1)) {
              Thread.currentThread().interrupt();
              requireGoing();
            }
            return new Answer.Lost<>(new OutcomeUnknownException("silent", null, null));
          };
      assertThrows(OutcomeUnknownException.class, this::run);
      assertInterrupted();
      assertEquals(renews ? 3 : 2, records.requests - before);
    }
  }

  @Test
  @DisplayName("while it renews a claim that is always answered late asks a silent store once")
  void silentAfterLate() {
    records.wire =
        (before, record, request) -> {
          elapsed += LEASE.toNanos();
          if (records.requests == 4) { // the last renewal
            Thread.currentThread().interrupt();
          }
          return records.requests <= 4
              ? request.get()
              : new Answer.Lost<>(new OutcomeUnknownException("silent", null, null));
        };
    assertThrows(ContentionException.class, this::run);
    assertInterrupted();
    assertEquals(5, records.requests);
  }

  @Test
  @DisplayName("while it claims its key throws that, and what giving it up met behind it")
  void behind() {
    for (Throwable another : List.of(new Killed(), new IllegalStateException("away"))) {
      records.stored.clear();
      int before = records.requests;
      records.wire =
          (b, r, request) -> {
            if (records.requests - before == 1) {
              Thread.currentThread().interrupt();
              requireGoing();
            }
            if (another instanceof Error error) {
              throw error;
            }
            throw (RuntimeException) another;
          };
      var e = assertThrows(OutcomeUnknownException.class, this::run);
      assertInterrupted();
      assertEquals(List.of(another), List.of(e.getSuppressed()));
    }
  }

  @Test
  @DisplayName("while it renews a claim that was answered late leaves its key free")
  void renewal() {
    records.wire =
        (before, record, request) -> {
          records.wire = (b, r, next) -> broken(next);
          interrupts = 1;
          pass(LEASE);
          return request.get();
        };
    assertThrows(OutcomeUnknownException.class, this::run);
    assertRunsNext();
  }

  private void assertRunsNext() {
    assertInterrupted();
    assertEquals(List.of(), acted);
    assertEquals(new Execution.Executed<>(1), run());
    assertInterrupted();
    acted.clear();
  }

  @Test
  @DisplayName("while the result is stored stores it, whether it had arrived or not")
  void meanwhile() {
    for (boolean carriedOut : new boolean[] {true, false}) {
      records.stored.clear();
      isCarriedOut = carriedOut;
      Execution<Integer> execution =
          orders.run(
              "1",
              "request",
              Integer.class,
              steps -> {
                interrupts = 3;
                return 7;
              });
      assertEquals(new Execution.Executed<>(7), execution);
      assertInterrupted();
      assertEquals(State.DONE, only().state());
      interrupts = 0;
    }
  }

  @Test
  @DisplayName("stores a result in records of its own")
  void parts() {
    String text = random(60_000);
    Execution<String> execution =
        orders.run(
            "1",
            "request",
            String.class,
            steps -> {
              Thread.currentThread().interrupt();
              return text;
            });
    assertEquals(new Execution.Executed<>(text), execution);
    assertInterrupted();
    assertTrue(records.stored.size() > 2, "in parts");
    Execution<String> again = orders.run("1", "request", String.class, steps -> "");
    assertTrue(again.result().orElse("").equals(text), "another text");
  }

  @Test
  @DisplayName("during a step stores a long result of it, and has it not in doubt")
  void longStep() {
    String text = random(60_000);
    assertThrows(
        IllegalStateException.class,
        () ->
            orders.run(
                "1",
                "request",
                Integer.class,
                steps -> {
                  steps.step("charge", String.class, key -> interrupting(text));
                  throw new IllegalStateException("stopped");
                }));
    assertInterrupted();
    Execution<String> again =
        orders.run(
            "1",
            "request",
            String.class,
            steps -> steps.step("charge", String.class, key -> interrupting("again")));
    assertTrue(again.result().orElse("").equals(text), "another text");
  }

  private static String interrupting(String result) {
    Thread.currentThread().interrupt();
    return result;
  }

  @Test
  @DisplayName("leaves the key free where its work threw, and its steps done")
  void released() {
    assertThrows(
        IllegalStateException.class,
        () ->
            orders.run(
                "1",
                "request",
                Integer.class,
                steps -> {
                  steps.act("charge", key -> acted("charge"));
                  Thread.currentThread().interrupt();
                  throw new IllegalStateException("interrupted");
                }));
    assertInterrupted();
    assertEquals(State.RELEASED, only().state());
    Execution<Integer> again =
        orders.run(
            "1",
            "request",
            Integer.class,
            steps -> {
              steps.act("charge", key -> acted("charge"));
              return 1;
            });
    assertEquals(new Execution.Executed<>(1), again);
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("begins no step, and leaves none in doubt")
  void step() {
    assertThrows(
        OutcomeUnknownException.class,
        () ->
            orders.run(
                "1",
                "request",
                Integer.class,
                steps -> {
                  Thread.currentThread().interrupt();
                  return steps.step("charge", Integer.class, key -> acted("charge"));
                }));
    assertInterrupted();
    assertEquals(State.RELEASED, only().state());
    assertEquals(List.of(), List.copyOf(only().points().keySet()));
    assertEquals(List.of(), acted);
  }

  @Test
  @DisplayName("stores a failure that is final")
  void failure() {
    Executions storing = builder().storing(IllegalArgumentException.class, e -> "declined").build();
    Execution<Integer> execution =
        storing.run(
            "1",
            "request",
            Integer.class,
            steps -> {
              Thread.currentThread().interrupt();
              throw new IllegalArgumentException("declined");
            });
    assertEquals(new Execution.Failed<>(new StoredFailure("declined"), false), execution);
    assertInterrupted();
    assertEquals(State.FAILED, only().state());
  }

  @Test
  @DisplayName("stores no failure of a channel or a socket, which it may have closed")
  void channels() throws Exception {
    Executions storing = builder().storing(Exception.class, e -> "late").build();
    for (IOException thrown :
        List.of(
            new ClosedByInterruptException(),
            new InterruptedIOException("interrupted"),
            new SocketException("Closed by interrupt"))) {
      Work<Integer, RuntimeException> work =
          steps -> {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(thrown);
          };
      assertThrows(UncheckedIOException.class, () -> storing.run("1", null, Integer.class, work));
      assertInterrupted();
      assertEquals(State.RELEASED, only().state());
    }
    Work<Integer, IOException> late =
        steps -> {
          throw new InterruptedIOException("timeout"); // as clients of HTTP say, too
        };
    assertEquals(
        new Execution.Failed<>(new StoredFailure("late"), false),
        storing.run("1", null, Integer.class, late));
  }

  @Test
  @DisplayName("leaves the key to a person where it has to")
  void parked() {
    assertThrows(
        IllegalStateException.class,
        () ->
            orders.run(
                "1",
                "request",
                Integer.class,
                steps -> {
                  Thread.currentThread().interrupt();
                  return nothing();
                }));
    assertInterrupted();
    assertEquals(State.PARKED, only().state());
  }

  @SuppressWarnings("NullAway") // as work does that is written wrong
  private static Integer nothing() {
    return null;
  }

  /** A last write that is broken off like those of records. */
  private final class Listed implements Completion<String, Integer> {
    private final List<MessageId> made = new ArrayList<>();

    @Override
    public Optional<Integer> find(MessageId message) {
      return broken(() -> made.contains(message) ? Optional.of(1) : Optional.empty());
    }

    @Override
    public Optional<Made<Integer>> make(MessageId message, String prepared) {
      return broken(
          () -> {
            boolean before = made.contains(message);
            if (!before) {
              made.add(message);
            }
            return Optional.of(new Made<>(1, before));
          });
    }
  }

  @Test
  @DisplayName("makes its last write, also where it has to renew its claim before")
  void completion() {
    for (Duration work : List.of(Duration.ZERO, LEASE.dividedBy(2).plusMillis(1))) {
      Listed listed = new Listed();
      Execution<Integer> execution =
          orders.run(
              "after-" + work,
              "request",
              Integer.class,
              listed,
              steps -> {
                pass(work);
                Thread.currentThread().interrupt();
                return "prepared";
              });
      assertEquals(new Execution.Executed<>(1), execution);
      assertInterrupted();
      assertEquals(1, listed.made.size());
    }
  }
}
