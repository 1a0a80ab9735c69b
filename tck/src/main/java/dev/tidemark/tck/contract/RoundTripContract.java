package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.StoredExecutions;
import dev.tidemark.store.RecordStore;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName(
    "What a key stores is read again, by the version that stored it, before it and behind it")
final class RoundTripContract {
  private static final int ROUNDS = 25;

  /** What JSON, and the encodings of stores, may stumble over. */
  private static final List<String> PIECES =
      List.of(
          "",
          "a",
          "\"",
          "\\",
          "\u0000",
          "\uD83D",
          "\uDE00",
          "\uD83D\uDE00",
          "\u2028",
          "é",
          "gzip:",
          "parts:2:x",
          "null",
          "{",
          " ");

  /** A value of one version. */
  record Plain(String text, long number) {}

  /** The same of the next version. */
  record Wider(@Nullable List<String> more, long number, String text) {}

  private final MovableClock clock = MovableClock.later();
  private final RecordStore records;
  private final Executions before;
  private final Executions behind;
  private final String scope = Some.name();

  RoundTripContract(Backend backend) {
    this.records = backend.recordStore(clock);
    this.before = executions(Plain.class);
    this.behind = executions(Wider.class);
  }

  private Executions executions(Class<?> type) {
    return Executions.builder(scope, records)
        .storedAs(type, "value")
        .storing(IllegalStateException.class, e -> "" + e.getMessage())
        .lease(Duration.ofSeconds(10))
        .build();
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int pieces = random.nextInt(6) == 0 ? 6_000 : random.nextInt(6);
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES.get(random.nextInt(PIECES.size()))).append((char) random.nextInt(0x3000));
    }
    return text.toString();
  }

  @Test
  @DisplayName("as a result and as a step's, and the first caller gets what later ones get")
  void results() {
    Random random = new Random(34);
    for (int i = 0; i < ROUNDS; i++) {
      String key = "k" + i;
      Plain given = new Plain(text(random), random.nextLong());
      List<Plain> steps = new ArrayList<>();
      assertThrows(
          IllegalArgumentException.class,
          () ->
              before.run(
                  key,
                  given,
                  Plain.class,
                  s -> {
                    steps.add(s.step("a", Plain.class, any -> given));
                    throw new IllegalArgumentException("later");
                  }));
      Execution<Plain> first =
          before.run(
              key,
              given,
              Plain.class,
              s -> {
                steps.add(s.step("a", Plain.class, any -> new Plain("again", 0)));
                return given;
              });
      assertInstanceOf(Execution.Executed.class, first);
      Plain got = first.orElseThrow();
      assertEquals(List.of(got, got), steps, "round " + i);
      assertEquals(first.result(), before.run(key, given, Plain.class, s -> given).result());
      Wider wider = new Wider(null, got.number(), got.text());
      assertEquals(
          new Execution.Replayed<>(wider),
          behind.run(key, new Wider(null, given.number(), given.text()), Wider.class, s -> wider),
          "round " + i);
    }
  }

  @Test
  @DisplayName("as a result of the version behind, by the one before")
  void later() {
    Random random = new Random(35);
    for (int i = 0; i < ROUNDS; i++) {
      String key = "l" + i;
      Wider given = new Wider(List.of(text(random)), random.nextLong(), text(random));
      Wider got = behind.run(key, null, Wider.class, s -> given).orElseThrow();
      assertEquals(
          new Execution.Replayed<>(new Plain(got.text(), got.number())),
          before.run(key, null, Plain.class, s -> new Plain("again", 0)),
          "round " + i);
    }
  }

  @Test
  @DisplayName("as a failure's code, and as a request that a flow goes on with")
  void codesAndRequests() {
    Random random = new Random(36);
    for (int i = 0; i < ROUNDS; i++) {
      String text = text(random);
      String key = "f" + i;
      Execution<Plain> failed = fail(key, text);
      if (!(failed instanceof Execution.Failed<Plain> first)) {
        throw new AssertionError("round " + i + " ended as " + failed);
      }
      assertEquals(new Execution.Failed<>(first.failure(), true), fail(key, "other"));
      List<String> requests = new ArrayList<>();
      Flow<String, Boolean> flow =
          before.flow(
              key,
              String.class,
              Boolean.class,
              (request, steps) -> {
                requests.add(request);
                if (requests.size() == 1) {
                  throw new IllegalArgumentException("later");
                }
                return true;
              });
      assertThrows(IllegalArgumentException.class, () -> flow.run("r" + key, text));
      clock.move(Duration.ofMinutes(5));
      assertEquals(1, flow.resume(9).ended());
      assertEquals(List.of(requests.get(0), requests.get(0)), requests, "round " + i);
    }
  }

  private Execution<Plain> fail(String key, String code) {
    return before.run(
        key,
        null,
        Plain.class,
        steps -> {
          throw new IllegalStateException(code);
        });
  }

  @Test
  @DisplayName("or waits for a person, who completes it, or for whoever can read it")
  void unreadable() {
    String key = "u";
    before.run(key, null, Plain.class, s -> new Plain("x", 1));
    before.run(key + "2", null, Plain.class, s -> new Plain("y", 2));
    for (String one : List.of(key, key + "2")) {
      assertThrows(CorruptRecordException.class, () -> before.run(one, null, Long.class, s -> 7L));
    }
    StoredExecutions stored = StoredExecutions.of(scope, records);
    assertEquals(2, stored.parked(9).size());
    assertTrue(before.complete(key, Long.class, 9L));
    assertEquals(new Execution.Replayed<>(9L), before.run(key, null, Long.class, s -> 7L));
    assertEquals(
        new Execution.Replayed<>(new Plain("y", 2)),
        before.run(key + "2", null, Plain.class, s -> new Plain("z", 3)));
    assertEquals(List.of(), stored.parked(9));
    assertEquals(List.of(), stored.find(key).orElseThrow().inDoubt());
  }
}
