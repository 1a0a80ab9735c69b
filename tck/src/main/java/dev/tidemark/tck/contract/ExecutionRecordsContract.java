package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.execution.ExecutionRecords.Answer;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("Records of executions")
final class ExecutionRecordsContract {
  private final ExecutionRecords records;
  private final String key = Some.name();
  private final String flow = Some.name();

  ExecutionRecordsContract(Backend backend) {
    this.records = backend.executionRecords(new MovableClock());
  }

  private ExecutionRecord record(String revision, State state, long leaseEnd) {
    return new ExecutionRecord(
        revision,
        state,
        "owner",
        3,
        60_000,
        leaseEnd,
        1_900_000_000,
        "f",
        flow,
        null,
        Map.of(),
        null);
  }

  private static Object refusal(Answer answer) {
    return Optional.ofNullable(assertInstanceOf(Answer.Refused.class, answer).found());
  }

  @Test
  @DisplayName("are written where there is none, and what is there is told")
  void absent() {
    ExecutionRecord first = record("r1", State.RUNNING, 5);
    assertEquals(new Answer.Written(), records.write(key, null, first));
    assertEquals(
        Optional.of(first), refusal(records.write(key, null, record("r2", State.RUNNING, 6))));
    assertEquals(Optional.of(first), records.read(key));
    assertEquals(Optional.empty(), records.read(key + "x"));
  }

  @Test
  @DisplayName("are replaced under the revision that is there, as a whole, and under no other")
  void replaced() {
    ExecutionRecord second = record("r2", State.DONE, 0);
    assertEquals(Optional.empty(), refusal(records.write(key, "r1", second)));
    records.write(key, null, record("r1", State.RUNNING, 5));
    assertEquals(new Answer.Written(), records.write(key, "r1", second));
    assertEquals(
        Optional.of(second), refusal(records.write(key, "r1", record("r3", State.DONE, 0))));
    assertEquals(Optional.of(second), records.read(key));
  }

  @Test
  @DisplayName("are removed under the revision that is there, and under no other")
  void removed() {
    ExecutionRecord first = record("r1", State.RUNNING, 5);
    assertEquals(Optional.empty(), refusal(records.remove(key, "r1")));
    records.write(key, null, first);
    assertEquals(Optional.of(first), refusal(records.remove(key, "r2")));
    assertEquals(new Answer.Written(), records.remove(key, "r1"));
    assertEquals(Optional.empty(), records.read(key));
  }

  @Test
  @DisplayName("come back as they were, with steps in their order and of any name")
  void whole() {
    Map<String, Point> points = new LinkedHashMap<>();
    for (String name : List.of("z", "a.b", "$set", "", "ü%/", "0", "_id")) {
      points.put(name.isEmpty() ? " " : name, new Point(true, new Stored("int", "1")));
    }
    points.put("begun", new Point(false, null));
    points.put("!completion", new Point(false, new Stored("java.util.UUID", "\"1f0c9a52\"")));
    points.put("null", new Point(true, new Stored("java.lang.String", "null")));
    ExecutionRecord all =
        new ExecutionRecord(
            "r1",
            State.FAILED,
            "o",
            Long.MAX_VALUE,
            1,
            Long.MAX_VALUE - 1,
            1_900_000_000,
            "f",
            flow,
            "{\"$a\": \"$b\"}",
            points,
            new Stored("declined", null));
    records.write(key, null, all);
    ExecutionRecord read = records.read(key).orElseThrow();
    assertEquals(all, read);
    assertEquals(List.copyOf(points.keySet()), List.copyOf(read.points().keySet()));
    ExecutionRecord bare =
        new ExecutionRecord("r2", State.RELEASED, "", 0, 0, 0, 0, "", "", null, Map.of(), null);
    records.write(key, "r1", bare);
    assertEquals(Optional.of(bare), records.read(key));
    assertNull(records.read(key).orElseThrow().request());
  }

  @Test
  @DisplayName("of a flow are found once their lease has ended, until they are finished")
  void stale() {
    records.write(key, null, record("r1", State.RUNNING, 1_000));
    assertEquals(List.of(), records.stale(flow, 1_000, 10));
    assertEquals(List.of(key), records.stale(flow, 1_001, 10));
    assertEquals(List.of(), records.stale(flow + "x", 1_001, 10));
    records.write(key, "r1", record("r2", State.RELEASED, 0));
    assertEquals(List.of(key), records.stale(flow, 1_001, 10));
    records.write(key, "r2", record("r3", State.PARKED, 0));
    assertEquals(List.of(), records.stale(flow, 1_001, 10));
    records.write(key, "r3", record("r4", State.DONE, 0));
    assertEquals(List.of(), records.stale(flow, 1_001, 10));
  }

  @Test
  @DisplayName("of a flow are found as many as are asked for")
  void most() {
    for (int i = 0; i < 12; i++) {
      records.write(key + i, null, record("r" + i, State.RUNNING, 1_000));
    }
    assertEquals(5, records.stale(flow, 2_000, 5).size());
    assertEquals(12, records.stale(flow, 2_000, 100).size());
  }

  @Test
  @DisplayName("that wait for a person are found by what their keys start with, until they do not")
  void parked() {
    records.write(key + "/a", null, record("r1", State.PARKED, 0));
    records.write(key + "/b", null, record("r2", State.PARKED, 0));
    records.write(key + "/c", null, record("r3", State.RUNNING, 5));
    records.write(key + "x/d", null, record("r4", State.PARKED, 0));
    assertEquals(Set.of(key + "/a", key + "/b"), Set.copyOf(records.parked(key + "/", 100)));
    assertEquals(1, records.parked(key + "/", 1).size());
    records.write(key + "/a", "r1", record("r5", State.RELEASED, 0));
    assertEquals(List.of(key + "/b"), records.parked(key + "/", 100));
    records.remove(key + "/b", "r2");
    assertEquals(List.of(), records.parked(key + "/", 100));
  }

  @Test
  @DisplayName("are listed by what their keys start with, each once, in parts of any size")
  void listed() {
    Set<String> keys = new TreeSet<>();
    for (int i = 0; i < 7; i++) {
      keys.add(key + "/" + i + "\uD83D\uDE00");
    }
    keys.forEach(one -> records.write(one, null, record("r", State.DONE, 0)));
    records.write(key + "0", null, record("r", State.DONE, 0));
    for (int most : new int[] {1, 3, 7, 8}) {
      List<String> found = new ArrayList<>();
      List<String> part = records.list(key + "/", null, most);
      while (!part.isEmpty()) {
        assertTrue(part.size() <= most);
        found.addAll(part);
        part = records.list(key + "/", part.get(part.size() - 1), most);
      }
      assertEquals(7, found.size());
      assertEquals(keys, new TreeSet<>(found));
    }
  }

  @Test
  @DisplayName("hold as many bytes as they say")
  void large() {
    assertTrue(records.mostBytes() >= 10_000);
    String json = "\"" + "x".repeat(records.mostBytes() - 1_000) + "\"";
    ExecutionRecord large =
        new ExecutionRecord(
            "r1",
            State.DONE,
            "o",
            1,
            0,
            0,
            1_900_000_000,
            "f",
            "",
            null,
            Map.of(),
            new Stored("java.lang.String", json));
    records.write(key, null, large);
    assertEquals(Optional.of(large), records.read(key));
  }
}
