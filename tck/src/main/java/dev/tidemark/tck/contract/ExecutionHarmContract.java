package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.StoredExecution;
import dev.tidemark.execution.StoredExecutions;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Needs;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.STORAGE)
@Needs(Capability.NATIVE_JSON)
@DisplayName("Records of executions that somebody else has changed")
final class ExecutionHarmContract {
  private static final String KEY = "4711";

  private final Backend backend;
  private final RecordStore records;
  private final Executions checkouts;

  ExecutionHarmContract(Backend backend) {
    this.backend = backend;
    this.records = backend.recordStore(MovableClock.later());
    this.checkouts = Executions.of("checkout", records);
  }

  @BeforeEach
  void clear() {
    checkouts.forget(KEY);
  }

  /** The values of a list in the notation of the store. */
  private List<String> of(List<String> dynamoDb, List<String> mongoDb) {
    return Objects.requireNonNull(
        Map.of("dynamodb", dynamoDb, "mongodb", mongoDb).get(backend.format()));
  }

  /** A released execution without a result, with a field instead. */
  private void put(String field, String value) {
    String line = Matcher.quoteReplacement("\"" + field + "\": " + value);
    backend.putRecordJson(
        Examples.json(backend.format(), "execution-failed")
            .replace("\"FAILED\"", "\"RELEASED\"")
            .replaceFirst("\"result\": .*", line));
  }

  private void assertCorrupt(String field, String value) {
    put(field, value);
    StoredExecutions stored = StoredExecutions.of("checkout", records);
    assertThrows(CorruptRecordException.class, () -> stored.find(KEY), value);
    assertThrows(
        CorruptRecordException.class,
        () ->
            checkouts.run(
                KEY,
                "c3",
                String.class,
                steps -> {
                  throw new AssertionError("it has acted in spite of " + value);
                }));
  }

  @Test
  @DisplayName("are corrupt where a step is a null or of another type")
  void steps() {
    String ship = "\"ship\": {\"M\": {\"done\": {\"BOOL\": true}, \"order\": {\"N\": \"1\"}}}";
    for (String points :
        of(
            List.of(
                "{\"M\": {\"charge\": {\"NULL\": true}}}",
                "{\"M\": {\"charge\": {\"NULL\": true}, " + ship + "}}",
                "{\"M\": {" + ship + ", \"charge\": {\"BOOL\": true}}}",
                "{\"M\": {" + ship + ", \"charge\": {\"L\": []}}}",
                "{\"L\": []}"),
            List.of(
                "[null]",
                "[{\"name\": \"ship\", \"done\": true}, null]",
                "[{\"name\": \"ship\", \"done\": true}, true]",
                "[{\"name\": \"ship\", \"done\": true}, []]",
                "[{\"name\": null, \"done\": true}]",
                "[{\"name\": \"ship\", \"done\": true}, {\"name\": \"ship\", \"done\": false}]",
                "true"))) {
      assertCorrupt("points", points);
    }
  }

  @Test
  @DisplayName("are corrupt where steps are in the place of values, or values in that of steps")
  void kinds() {
    for (String points :
        of(
            List.of("{\"M\": {\"done\": {\"BOOL\": true}}}"),
            List.of("{}", "{\"charge\": {\"done\": true}}", "{\"done\": true}"))) {
      assertCorrupt("points", points);
    }
    for (String result :
        of(
            List.of("{\"M\": {\"type\": {\"M\": {}}}}", "{\"L\": []}"),
            List.of("[]", "[{\"name\": \"type\", \"json\": \"1\"}]", "{\"type\": {}}"))) {
      assertCorrupt("result", result);
    }
    for (String points :
        of(
            List.of("{\"M\": {\"charge\": {\"M\": {\"type\": {\"M\": {}}}}}}"),
            List.of("[{\"name\": \"charge\", \"type\": {}}]"))) {
      assertCorrupt("points", points);
    }
  }

  @Test
  @DisplayName("have the values that are there, where others are null")
  void nulls() {
    for (String points :
        of(
            List.of("{\"M\": {\"charge\": {\"M\": {\"done\": {\"NULL\": true}}}}}"),
            List.of("[{\"name\": \"charge\", \"done\": null}]"))) {
      put("points", points);
      assertEquals(
          List.of("charge"),
          StoredExecutions.of("checkout", records).find(KEY).orElseThrow().inDoubt());
    }
  }

  @Test
  @DisplayName("have no revision where it is null, and are removed all the same")
  void revision() {
    String at = "/checkout/4711";
    String none = of(List.of("{\"NULL\": true}"), List.of("null")).get(0);
    String json =
        Examples.json(backend.format(), "execution-failed")
            .replaceFirst("\"revision\": .*", "\"revision\": " + none + ",");
    backend.putRecordJson(json);
    StoredExecution found = StoredExecutions.of("checkout", records).find(KEY).orElseThrow();
    assertEquals("", found.revision());
    StoredRecord stored = records.read(at).orElseThrow();
    for (Object another : List.of("", "r1", 1L)) {
      assertEquals(
          new Answer.Refused<>(stored), records.write(ConditionalWrite.remove(at, another)));
    }
    Object revision = stored.revision();
    assertEquals(new Answer.Written<>(), records.write(ConditionalWrite.remove(at, revision)));
    assertEquals(Optional.empty(), records.read(at));
    backend.putRecordJson(json);
    assertTrue(checkouts.forget(KEY));
    assertEquals(Optional.empty(), records.read(at));
  }
}
