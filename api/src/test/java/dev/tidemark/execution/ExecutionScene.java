package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.execution.StoredExecution.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Executions over a map, and what tests of them have in common. */
abstract class ExecutionScene {
  static final Duration LEASE = Duration.ofSeconds(60);
  static final Duration SKEW = Duration.ofSeconds(10);

  final MapRecords records = new MapRecords();
  final List<String> acted = new ArrayList<>();

  int acted(String what) {
    acted.add(what);
    return acted.size();
  }

  /** A text that does not get much shorter. */
  static String random(int length) {
    StringBuilder text = new StringBuilder();
    new Random(7).ints(length, 'a', 'z').forEach(c -> text.append((char) c));
    return text.toString();
  }

  long elapsed;

  /** A receipt. */
  record Receipt(String charge, int amount) {}

  ExecutionsBuilder builder() {
    return Executions.builder("orders", records)
        .lease(LEASE)
        .maxSkew(SKEW)
        .time(() -> elapsed, time -> elapsed += time.toNanos());
  }

  final Executions orders = builder().build();

  Receipt charge(Steps steps) {
    acted.add("charge");
    return new Receipt("c1", 25);
  }

  void pass(Duration time) {
    records.millis[0] += time.toMillis();
    elapsed += time.toNanos();
  }

  ExecutionRecord only() {
    assertEquals(1, records.stored.size());
    return records.stored.values().iterator().next();
  }

  /** What a person sees of a key. */
  StoredExecution seen(String key) {
    return StoredExecutions.of("orders", records).find(key).orElseThrow();
  }

  /** A record that somebody left under key "1". */
  void leave(ExecutionRecord record) {
    orders.run("1", "request", Receipt.class, this::charge);
    records.stored.replaceAll((key, any) -> record);
    acted.clear();
  }

  static Json json() {
    return new Json(JsonMapper.builder().build(), new StoredNames(Map.of()));
  }

  ExecutionRecord running(long leaseMillis, long leaseEnd) {
    return new ExecutionRecord(
        "r0",
        State.RUNNING,
        "somebody",
        5,
        leaseMillis,
        leaseEnd,
        0,
        json().fingerprint("request").text(),
        "",
        null,
        Map.of(),
        null);
  }

  /** A killed process. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }
}
