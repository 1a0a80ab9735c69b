package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("Plain records")
final class RecordStoreContract {
  private static final String PARKED = "!parked";

  private final RecordStore records;
  private final String key = Some.name();
  private final String flow = "/" + Some.name();

  RecordStoreContract(Backend backend) {
    this.records = backend.recordStore(new MovableClock());
  }

  /** Fields of a record that the index has; of one that it does not, if the partition is empty. */
  private static Map<String, Object> fields(String revision, String partition, long leaseEnd) {
    Map<String, Object> fields = new HashMap<>();
    fields.put(StoredRecord.REVISION, revision);
    fields.put("state", "of some kind");
    fields.put(StoredRecord.LEASE_END, leaseEnd);
    fields.put(StoredRecord.EXPIRES, Instant.ofEpochSecond(1_900_000_000));
    if (!partition.isEmpty()) {
      fields.put(StoredRecord.PENDING, partition);
    }
    return fields;
  }

  private static Map<String, Object> fields(String revision) {
    return fields(revision, "", 0);
  }

  private StoredRecord stored(Map<String, Object> fields) {
    return new StoredRecord(key, fields);
  }

  private void write(String at, Map<String, Object> fields) {
    assertEquals(new Answer.Written<>(), records.write(ConditionalWrite.create(at, fields)));
  }

  private void write(String at, String before, Map<String, Object> fields) {
    assertEquals(
        new Answer.Written<>(), records.write(ConditionalWrite.replace(at, before, fields)));
  }

  private static Object refusal(Answer<StoredRecord> answer) {
    return Optional.ofNullable(assertInstanceOf(Answer.Refused.class, answer).found());
  }

  @Test
  @DisplayName("are written where there is none, and what is there is told")
  void absent() {
    StoredRecord first = stored(fields("r1", flow, 5));
    write(key, first.fields());
    assertEquals(
        Optional.of(first),
        refusal(records.write(ConditionalWrite.create(key, fields("r2", flow, 6)))));
    assertEquals(Optional.of(first), records.read(key));
    assertEquals(Optional.empty(), records.read(key + "x"));
  }

  @Test
  @DisplayName("are replaced under the revision that is there, as a whole, and under no other")
  void replaced() {
    StoredRecord second = stored(fields("r2"));
    assertEquals(
        Optional.empty(),
        refusal(records.write(ConditionalWrite.replace(key, "r1", second.fields()))));
    assertEquals(
        Optional.empty(),
        refusal(records.write(ConditionalWrite.replace(key, null, second.fields()))));
    write(key, fields("r1", flow, 5));
    write(key, "r1", second.fields());
    for (String other : new String[] {"r1", "", null}) {
      assertEquals(
          Optional.of(second),
          refusal(records.write(ConditionalWrite.replace(key, other, fields("r3")))));
    }
    assertEquals(Optional.of(second), records.read(key));
  }

  @Test
  @DisplayName("are removed under the revision that is there, and under no other")
  void removed() {
    StoredRecord first = stored(fields("r1"));
    assertEquals(Optional.empty(), refusal(records.write(ConditionalWrite.remove(key, "r1"))));
    write(key, first.fields());
    for (String other : new String[] {"r2", "", null}) {
      assertEquals(Optional.of(first), refusal(records.write(ConditionalWrite.remove(key, other))));
    }
    assertEquals(new Answer.Written<>(), records.write(ConditionalWrite.remove(key, "r1")));
    assertEquals(Optional.empty(), records.read(key));
  }

  @Test
  @DisplayName("come back as they were, with maps in their order and under any names")
  void whole() {
    Map<String, Object> points = new LinkedHashMap<>();
    for (String name : List.of("z", "a.b", "$set", " ", "ü%/", "0", "_id", "order", "name")) {
      points.put(name, Map.<String, Object>of("done", true, "type", "int", "json", "1"));
    }
    points.put("begun", Map.of("done", false));
    points.put("none", Map.of());
    for (String partition : List.of(flow, PARKED, "", "0", "//", "3!x")) {
      Map<String, Object> all = fields("r" + partition, partition, Long.MAX_VALUE - 1);
      all.put("fence", Long.MAX_VALUE);
      all.put("least", Long.MIN_VALUE);
      all.put("flag", true);
      all.put("request", "{\"$a\": \"$b\", \"n\": 1.0}");
      all.put("fingerprint", "");
      all.put("points", points);
      all.put(
          "result",
          Map.<String, Object>of("type", "declined", "order", 7L, "name", "", "done", false));
      all.put(StoredRecord.EXPIRES, Instant.ofEpochSecond(104_925_491_201L));
      StoredRecord found = records.read(key).orElse(null);
      Answer<StoredRecord> unused =
          records.write(
              found == null
                  ? ConditionalWrite.create(key, all)
                  : ConditionalWrite.replace(key, found.revision(), all));
      StoredRecord read = records.read(key).orElseThrow();
      assertEquals(stored(all), read);
      Map<?, ?> steps = assertInstanceOf(Map.class, read.fields().get("points"));
      assertEquals(List.copyOf(points.keySet()), List.copyOf(steps.keySet()));
    }
    Map<String, Object> bare = Map.of(StoredRecord.REVISION, "bare");
    write(key, "r3!x", bare);
    assertEquals(Optional.of(stored(bare)), records.read(key));
  }

  @Test
  @DisplayName("of a partition are found once their order has come, until they are in another one")
  void due() {
    write(key, fields("r1", flow, 1_000));
    assertEquals(List.of(), due(1_000, 10));
    assertEquals(List.of(key), due(1_001, 10));
    assertEquals(List.of(), records.due(flow + "x", Long.MIN_VALUE, 1_001, 10));
    write(key, "r1", fields("r2", flow, 0));
    assertEquals(List.of(key), due(1_001, 10));
    write(key, "r2", fields("r3", PARKED, 0));
    assertEquals(List.of(), due(1_001, 10));
    write(key, "r3", fields("r4"));
    assertEquals(List.of(), due(1_001, 10));
  }

  private List<String> due(long before, int most) {
    return records.due(flow, Long.MIN_VALUE, before, most);
  }

  @Test
  @DisplayName("of a partition are found from an order on, and before another one")
  void range() {
    write(key, fields("r1", flow, 1_000));
    write(key + "x", fields("r2", flow, Long.MAX_VALUE - 1));
    assertEquals(List.of(key + "x"), records.due(flow, 1_001, Long.MAX_VALUE, 10));
    assertEquals(1, records.due(flow, 1_000, Long.MAX_VALUE, 1).size());
    assertEquals(Set.of(key, key + "x"), Set.copyOf(records.due(flow, 1_000, Long.MAX_VALUE, 10)));
    assertEquals(List.of(key), records.due(flow, 1_000, 1_001, 10));
    for (long before : new long[] {Long.MIN_VALUE, 999, 1_000}) {
      assertEquals(List.of(), records.due(flow, 1_000, before, 10));
    }
  }

  @Test
  @DisplayName("of a partition are found as many as are asked for")
  void most() {
    IntStream.range(0, 12).forEach(i -> write(key + i, fields("r" + i, flow, 1_000)));
    assertEquals(5, due(2_000, 5).size());
    assertEquals(12, due(2_000, 100).size());
  }

  @Test
  @DisplayName("of a partition are found by what their keys start with, until they are in no more")
  void pending() {
    write(key + "/a", fields("r1", PARKED, 0));
    write(key + "/b", fields("r2", PARKED, 0));
    write(key + "/c", fields("r3", flow, 5));
    write(key + "x/d", fields("r4", PARKED, 0));
    assertEquals(Set.of(key + "/a", key + "/b"), Set.copyOf(pending(100)));
    assertEquals(1, pending(1).size());
    write(key + "/a", "r1", fields("r5", flow, 0));
    assertEquals(List.of(key + "/b"), pending(100));
    assertEquals(new Answer.Written<>(), records.write(ConditionalWrite.remove(key + "/b", "r2")));
    assertEquals(List.of(), pending(100));
  }

  private List<String> pending(int most) {
    return records.pending(PARKED, key + "/", most);
  }

  @Test
  @DisplayName("are listed by what their keys start with, each once, in parts of any size")
  void listed() {
    Set<String> keys = new TreeSet<>();
    IntStream.range(0, 7).forEach(i -> keys.add(key + "/" + i + "\uD83D\uDE00"));
    keys.forEach(one -> write(one, fields("r")));
    write(key + "0", fields("r"));
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
    Map<String, Object> large = fields("r1");
    String json = "\"" + "x".repeat(records.mostBytes() - 1_000) + "\"";
    large.put("result", Map.of("type", "java.lang.String", "json", json));
    write(key, large);
    assertEquals(Optional.of(stored(large)), records.read(key));
  }
}
