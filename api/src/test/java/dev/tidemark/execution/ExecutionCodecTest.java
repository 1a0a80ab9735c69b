package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.kernel.StoredFields;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.StoredRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Executions as plain records")
final class ExecutionCodecTest {
  private static final String FLOW = "/checkout/checkout-v1";

  private static ExecutionRecord execution(State state, String flow) {
    Map<String, Point> points = new LinkedHashMap<>();
    for (String name : List.of("z", "a.b", "$set", "ü%/", "0", "_id", "order", "name")) {
      points.put(name, new Point(true, new Stored("int", "1")));
    }
    points.put("begun", new Point(false, null));
    points.put("!completion", new Point(false, new Stored("java.util.UUID", "\"1f0c9a52\"")));
    points.put("null", new Point(true, new Stored("java.lang.String", "null")));
    return new ExecutionRecord(
        "r1",
        state,
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
  }

  private static Map<String, Object> fields(ExecutionRecord record) {
    return Objects.requireNonNull(
        ConditionalWrite.create("k", ExecutionCodec.CODEC.fields(record)).fields());
  }

  private static ExecutionRecord read(Map<String, Object> fields) {
    return ExecutionCodec.CODEC.record(new StoredFields("a record", fields));
  }

  @Test
  @DisplayName("come back as they were, with steps in their order and of any name")
  void whole() {
    for (State state : State.values()) {
      ExecutionRecord all = execution(state, FLOW);
      ExecutionRecord read = read(fields(all));
      assertEquals(all, read);
      assertEquals(List.copyOf(all.points().keySet()), List.copyOf(read.points().keySet()));
    }
    ExecutionRecord bare =
        new ExecutionRecord("r2", State.RELEASED, "", 0, 0, 0, 0, "", "", null, Map.of(), null);
    assertEquals(bare, read(fields(bare)));
    assertNull(read(fields(bare)).request());
  }

  @Test
  @DisplayName("are in the index while they are unfinished flows, or wait for a person")
  void partitions() {
    Map<State, String> partitions =
        Map.of(State.RUNNING, FLOW, State.RELEASED, FLOW, State.PARKED, ExecutionCodec.PARKED);
    for (State state : State.values()) {
      assertEquals(partitions.get(state), fields(execution(state, FLOW)).get(StoredRecord.PENDING));
      String plain = state == State.PARKED ? ExecutionCodec.PARKED : null;
      assertEquals(plain, fields(execution(state, "")).get(StoredRecord.PENDING));
    }
  }

  @Test
  @DisplayName("are read where fields are missing, as of earlier versions")
  void missing() {
    assertEquals(
        new ExecutionRecord("", State.DONE, "", 0, 0, 0, 0, "", "", null, Map.of(), null),
        read(Map.of("state", "DONE")));
    Map<String, Object> fields = new HashMap<>(Map.of("state", "DONE"));
    fields.put("result", Map.of("json", "1"));
    fields.put("points", Map.of("a", Map.of("json", "1")));
    assertNull(read(fields).result());
    assertEquals(Map.of("a", new Point(false, null)), read(fields).points());
  }

  @Test
  @DisplayName("are corrupt where a field is of another type, which is told without its value")
  void hostile() {
    Map<String, Object> hostile = new LinkedHashMap<>();
    for (String text : List.of("revision", "state", "owner", "fingerprint", "flow", "request")) {
      hostile.put(text, 4711L);
    }
    for (String number : List.of("fence", "leaseMillis", "leaseEnd", "expires", "points")) {
      hostile.put(number, "4711");
    }
    hostile.put("result", List.of("4711"));
    hostile.forEach((name, value) -> assertCorrupt(name, value));
    assertCorrupt("fence", 4711.5);
    assertCorrupt("expires", 4711L);
    assertCorrupt("leaseEnd", Instant.ofEpochSecond(4711));
    assertCorrupt("state", "4711");
    assertCorrupt("state", "");
    assertCorrupt("points", Map.of("a", "4711"));
    assertCorrupt("points", Map.of("a", Map.of("done", "4711")));
    assertCorrupt("points", Map.of("a", Map.<String, Object>of("done", true, "type", 4711L)));
    assertCorrupt("result", Map.of("type", 4711L));
    assertCorrupt("result", Map.<String, Object>of("type", "int", "json", 4711L));
  }

  private static void assertCorrupt(String name, Object value) {
    Map<String, Object> fields = new HashMap<>(fields(execution(State.PARKED, FLOW)));
    fields.put(name, value);
    CorruptRecordException fault =
        assertThrows(CorruptRecordException.class, () -> read(fields), name);
    assertFalse(fault.toString().contains("4711"), fault::toString);
  }
}
