package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A flow")
final class FlowTest extends ExecutionScene {
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

  @Test
  @DisplayName("that fails again and again does not keep others from being resumed")
  void failing() {
    List<String> ran = new ArrayList<>();
    Flow<String, Integer> flow =
        orders.flow(
            "pay",
            String.class,
            Integer.class,
            (request, steps) -> {
              ran.add(request);
              throw new IllegalStateException("no");
            });
    for (String key : List.of("a", "b", "c")) {
      pass(Duration.ofSeconds(1));
      assertThrows(IllegalStateException.class, () -> flow.run(key, key));
    }
    ran.clear();
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofSeconds(1));
      assertEquals(1, flow.resume(1).faults().size());
    }
    assertEquals(List.of("a", "b", "c"), ran);
  }

  /** A request of an earlier version. */
  record Old(String cart) {}

  /** A request of this version. */
  record New(int cents) {}

  private <Q> void leave(String key, Class<Q> type, Q request) {
    records.wire =
        (before, record, write) -> {
          if (record != null && record.state() == State.RELEASED) {
            throw new Killed();
          }
          return write.get();
        };
    Flow<Q, Integer> dying =
        orders.flow(
            "pay",
            type,
            Integer.class,
            (q, steps) -> {
              throw new Killed();
            });
    assertThrows(Killed.class, () -> dying.run(key, request));
    records.wire = (before, record, write) -> write.get();
    pass(Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("is resumed though requests that nobody can read have waited for longer")
  void unreadable() {
    leave("a", Old.class, new Old("c1"));
    leave("b", Old.class, new Old("c2"));
    leave("c", New.class, new New(25));
    long expires = Objects.requireNonNull(records.stored.get("/orders/a")).expires();
    List<New> ran = new ArrayList<>();
    Flow<New, Integer> flow =
        orders.flow(
            "pay",
            New.class,
            Integer.class,
            (request, steps) -> {
              ran.add(request);
              return request.cents();
            });
    pass(Duration.ofMinutes(5));
    assertEquals(2, flow.resume(2).faults().size());
    assertEquals(1, flow.resume(2).ended());
    assertEquals(List.of(new New(25)), ran);
    assertEquals(expires, Objects.requireNonNull(records.stored.get("/orders/a")).expires());
    assertEquals(2, flow.resume(2).faults().size());
  }

  @Test
  @DisplayName("is resumed though what has expired before is not collected yet, and removes that")
  void expired() {
    leave("a", Integer.class, 1);
    leave("b", Integer.class, 2);
    pass(Duration.ofDays(31));
    leave("c", Integer.class, 3);
    pass(Duration.ofMinutes(5));
    List<Integer> ran = new ArrayList<>();
    Flow<Integer, Integer> flow =
        orders.flow(
            "pay",
            Integer.class,
            Integer.class,
            (request, steps) -> {
              ran.add(request);
              return request;
            });
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(2));
    assertEquals(new Flow.Resumed(1, 0, List.of()), flow.resume(2));
    assertEquals(List.of(3), ran);
  }

  @Test
  @DisplayName("is resumed though a version without it has taken its key over, and failed as well")
  void takenOver() {
    leave("a", Integer.class, 1);
    pass(Duration.ofMinutes(5));
    assertThrows(
        IllegalStateException.class,
        () ->
            orders.run(
                "a",
                1,
                Integer.class,
                steps -> {
                  steps.act("charge", key -> acted("charge"));
                  throw new IllegalStateException("no");
                }));
    pass(Duration.ofMinutes(5));
    Flow<Integer, Integer> flow =
        orders.flow(
            "pay",
            Integer.class,
            Integer.class,
            (request, steps) -> {
              steps.act("charge", key -> acted("charge"));
              return request;
            });
    assertEquals(new Flow.Resumed(1, 0, List.of()), flow.resume(10));
    assertEquals(List.of("charge"), acted);
  }

  @Test
  @DisplayName("is kept for as long as its own version has said, though another has taken it over")
  void takenOverForLess() {
    leave("a", Integer.class, 1);
    pass(Duration.ofMinutes(5));
    Executions brief =
        builder().keptFor(Duration.ofDays(1)).unfinishedFor(Duration.ofDays(1)).build();
    assertThrows(
        IllegalStateException.class,
        () ->
            brief.run(
                "a",
                1,
                Integer.class,
                steps -> {
                  throw new IllegalStateException("no");
                }));
    pass(Duration.ofDays(28));
    Flow<Integer, Integer> flow =
        orders.flow("pay", Integer.class, Integer.class, (request, steps) -> request);
    assertEquals(new Flow.Resumed(1, 0, List.of()), flow.resume(10));
  }

  /** As a version of the library behind this one might store it, before it is taken back. */
  private void makeUnreadable(String key) {
    String at = "/orders/" + key;
    Map<String, Object> fields =
        new LinkedHashMap<>(Objects.requireNonNull(records.plain.get(at)).fields());
    fields.put("state", "SUSPENDED");
    records.plain.put(at, new StoredRecord(at, fields));
  }

  private Flow<Integer, Integer> noting(List<Integer> ran) {
    return orders.flow(
        "pay",
        Integer.class,
        Integer.class,
        (request, steps) -> {
          ran.add(request);
          return request;
        });
  }

  @Test
  @DisplayName("is resumed in the same call though records that nobody can read come before it")
  void unreadableRecords() {
    for (int i = 0; i < 250; i++) {
      leave("k" + i, Integer.class, i);
    }
    leave("y", Integer.class, 1_000);
    leave("z", Integer.class, 1_001);
    for (int i = 0; i < 250; i++) {
      makeUnreadable("k" + i);
    }
    pass(Duration.ofMinutes(5));
    List<Integer> ran = new ArrayList<>();
    Flow.Resumed resumed = noting(ran).resume(1);
    assertEquals(List.of(1_000), ran);
    assertEquals(1, resumed.ended());
    assertEquals(250, resumed.faults().size());
    CorruptRecordException first =
        assertInstanceOf(CorruptRecordException.class, resumed.faults().get(0));
    assertEquals(Optional.of(EntityKey.key("k0")), first.key());
  }

  /** The index is away for one of the looks to come. */
  private void refuseLook(int which) {
    int at = records.looks + which;
    records.onLook =
        () -> {
          if (records.looks == at) {
            throw new ContentionException("throttling", null, null);
          }
        };
  }

  @Test
  @DisplayName(
      "tells what it resumed though one of its looks was refused, and throws where it found"
          + " nothing")
  void refusedLooks() {
    leave("a", Integer.class, 1);
    leave("b", Integer.class, 2);
    leave("c", Integer.class, 3);
    makeUnreadable("a");
    pass(Duration.ofMinutes(5));
    List<Integer> ran = new ArrayList<>();
    refuseLook(3); // beyond what cannot be read
    Flow.Resumed behind = noting(ran).resume(2);
    refuseLook(1); // ahead
    Flow.Resumed ahead = noting(ran).resume(2);
    assertEquals(List.of(2, 3), ran);
    assertEquals(List.of(1, 1), List.of(behind.ended(), ahead.ended()));
    assertEquals(List.of(2, 2), List.of(behind.faults().size(), ahead.faults().size()));
    records.plain.clear();
    refuseLook(1);
    assertThrows(ContentionException.class, () -> noting(ran).resume(2));
  }

  @Test
  @DisplayName("throws what the index threw where it found nothing, and then looks ahead again")
  void refusedAhead() {
    Flow<Integer, Integer> flow = noting(new ArrayList<>());
    int before = records.looks;
    Killed ahead = new Killed();
    IllegalStateException another = new IllegalStateException("away");
    records.onLook =
        () -> {
          if (records.looks == before + 1) {
            throw ahead;
          }
          throw another;
        };
    assertSame(ahead, assertThrows(Killed.class, () -> flow.resume(1)));
    assertEquals(List.of(another), List.of(ahead.getSuppressed()));
    records.onLook = () -> {};
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(1));
    assertEquals(before + 4, records.looks);
  }

  @Test
  @DisplayName("looks at so many records that nobody can read, and at no more")
  void tooManyUnreadableRecords() {
    leave("k", Integer.class, 1);
    makeUnreadable("k");
    StoredRecord one = Objects.requireNonNull(records.plain.get("/orders/k"));
    for (int i = 0; i < 3_000; i++) {
      records.plain.put("/orders/" + i, new StoredRecord("/orders/" + i, one.fields()));
    }
    pass(Duration.ofMinutes(5));
    Flow.Resumed resumed = noting(new ArrayList<>()).resume(10);
    assertEquals(1_010, resumed.faults().size());
  }

  @Test
  @DisplayName("asks a store that is away for no more than it was told to go on with")
  void away() {
    for (int i = 0; i < 9; i++) {
      leave("k" + i, Integer.class, i);
    }
    pass(Duration.ofMinutes(5));
    Flow<Integer, Integer> flow = noting(new ArrayList<>());
    records.onTheWay =
        () -> {
          throw new ContentionException("throttling", null, null);
        };
    assertEquals(2, flow.resume(2).faults().size());
  }

  @Test
  @DisplayName("is resumed though its owner's clock was ahead, once its lease was watched")
  void ahead() {
    long right = records.millis[0];
    records.millis[0] = right + Duration.ofDays(365).toMillis();
    leave("a", Integer.class, 1);
    records.millis[0] = right;
    List<Integer> ran = new ArrayList<>();
    Flow<Integer, Integer> flow = noting(ran);
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(1), "it may be at work");
    pass(LEASE.dividedBy(2));
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(1), "it may be at work still");
    pass(LEASE);
    assertEquals(new Flow.Resumed(1, 0, List.of()), flow.resume(1));
    assertEquals(List.of(1), ran);
  }

  @Test
  @DisplayName("is resumed though its owner's clock was ahead, beside many keys that are replayed")
  void aheadBesideReplays() {
    orders.run("k", null, Integer.class, (Steps steps) -> 7);
    StoredRecord done = Objects.requireNonNull(records.plain.get("/orders/k"));
    long right = records.millis[0];
    records.millis[0] = right + Duration.ofDays(365).toMillis();
    leave("a", Integer.class, 1);
    records.millis[0] = right;
    List<Integer> ran = new ArrayList<>();
    Flow<Integer, Integer> flow = noting(ran);
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(1), "it may be at work");
    for (int i = 0; i < 10_000; i++) {
      String key = "k" + i;
      records.plain.put("/orders/" + key, new StoredRecord("/orders/" + key, done.fields()));
      orders.run(key, null, Integer.class, (Steps steps) -> 8);
    }
    pass(LEASE.plus(SKEW));
    assertEquals(new Flow.Resumed(1, 0, List.of()), flow.resume(1));
  }

  @Test
  @DisplayName("reads nothing of executions at work in functions, whose leases are long")
  void longLeases() {
    Executions function = orders.within(() -> Duration.ofMinutes(15).toMillis());
    Flow<Integer, Integer> flow = noting(new ArrayList<>());
    Execution<Integer> execution =
        function
            .flow(
                "pay",
                Integer.class,
                Integer.class,
                (request, steps) -> {
                  int before = records.requests;
                  assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(5));
                  return records.requests - before;
                })
            .run("a", 1);
    assertEquals(new Execution.Executed<>(0), execution);
  }

  @Test
  @DisplayName("is resumed at once where it was let go under a clock that was ahead")
  void releasedAhead() {
    long right = records.millis[0];
    records.millis[0] = right + Duration.ofDays(365).toMillis();
    Flow<Integer, Integer> failing =
        orders.flow(
            "pay",
            Integer.class,
            Integer.class,
            (request, steps) -> {
              throw new IllegalStateException("no");
            });
    assertThrows(IllegalStateException.class, () -> failing.run("a", 1));
    records.millis[0] = right;
    List<Integer> ran = new ArrayList<>();
    assertEquals(new Flow.Resumed(1, 0, List.of()), noting(ran).resume(1));
    assertEquals(List.of(1), ran);
  }

  @Test
  @DisplayName("is resumed beside owners at work whose clocks are ahead, who take nobody's place")
  void besideAhead() {
    leave("a", Integer.class, 1);
    long right = records.millis[0];
    records.millis[0] = right + Duration.ofDays(365).toMillis();
    leave("b", Integer.class, 2);
    records.millis[0] = right + LEASE.plus(SKEW).toMillis() + 1;
    List<Integer> ran = new ArrayList<>();
    assertEquals(new Flow.Resumed(1, 0, List.of()), noting(ran).resume(1));
    assertEquals(List.of(1), ran);
  }

  @Test
  @DisplayName("looks ahead once in a lease, and not at each call")
  void looksAhead() {
    Flow<Integer, Integer> flow = noting(new ArrayList<>());
    assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(0), "no look at all");
    int[] looks = new int[3];
    for (int i = 0; i < 3; i++) {
      int before = records.looks;
      assertEquals(new Flow.Resumed(0, 0, List.of()), flow.resume(5));
      looks[i] = records.looks - before;
      pass(i == 0 ? Duration.ofSeconds(1) : LEASE.plus(SKEW));
    }
    assertArrayEquals(new int[] {2, 1, 2}, looks);
  }

  @Test
  @DisplayName("is not resumed where no more are wanted, and not by less than none")
  void none() {
    leave("a", Integer.class, 1);
    pass(Duration.ofMinutes(5));
    List<Integer> ran = new ArrayList<>();
    assertEquals(new Flow.Resumed(0, 0, List.of()), noting(ran).resume(0));
    assertThrows(IllegalArgumentException.class, () -> noting(ran).resume(-1));
    assertEquals(List.of(), ran);
    assertEquals(new Flow.Resumed(1, 0, List.of()), noting(ran).resume(Integer.MAX_VALUE));
  }

  @Test
  @DisplayName("has a name that every store takes, or there is no flow")
  void names() {
    String longest = "x".repeat(2_046 - "/orders/".length());
    for (String name : List.of("", longest + "x")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> orders.flow(name, String.class, Integer.class, (request, steps) -> 1));
    }
    Flow<String, Integer> flow =
        orders.flow(longest, String.class, Integer.class, (request, steps) -> 1);
    assertEquals(new Execution.Executed<>(1), flow.run("1", "a"));
  }
}
