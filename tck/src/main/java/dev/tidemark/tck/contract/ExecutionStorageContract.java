package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.Doubt;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.Steps;
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
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@Contract(Law.STORAGE)
@Needs(Capability.NATIVE_JSON)
@DisplayName("Records of executions are stored as storage-format.md shows, and read so")
final class ExecutionStorageContract {
  private static final String KEY = "4711";
  private static final String AT = "/checkout/4711";
  private static final String REVISION = "1f0c9a52-6a0e-4f0e-9c39-1d2f5a1f8d10";
  private static final String OWNER = "6f9e4b0e-9d0c-4a1f-8f5c-6b7d2e3c1a00";
  private static final String PART =
      "/02ac6c29caa4675397982637e0ffe055/9b2d7c52-0f0b-4d6c-9d0f-5c3e2a1b0f44/0";

  private final Backend backend;
  private final RecordStore records;
  private final Executions checkouts;

  ExecutionStorageContract(Backend backend) {
    this.backend = backend;
    this.records = backend.recordStore(MovableClock.later());
    this.checkouts =
        Executions.builder("checkout", records)
            .storing(UnsupportedOperationException.class, error -> "declined")
            .build();
  }

  @BeforeEach
  void clear() {
    for (String key : new String[] {AT, PART}) {
      records.read(key).ifPresent(this::remove);
    }
  }

  private void remove(StoredRecord record) {
    assertEquals(
        new Answer.Written<>(),
        records.write(ConditionalWrite.remove(record.key(), record.revision())));
  }

  /** Holds what is stored to an example, but for the values that are made up each time. */
  private void stored(String example) {
    Map<String, Object> fields = records.read(AT).orElseThrow().fields();
    String json = Examples.json(backend.format(), example);
    String own =
        json.replace(REVISION, "" + fields.get("revision"))
            .replace(OWNER, "" + fields.get("owner"));
    assertEquals(Optional.empty(), backend.recordBeside(own), example);
    read(example, AT);
    StoredExecution seen = StoredExecutions.of("checkout", records).find(KEY).orElseThrow();
    assertEquals(fields.get("state"), seen.state().name());
  }

  /** Stores an example, reads it, writes what was read, and finds the example again. */
  private void read(String example, String key) {
    String json = Examples.json(backend.format(), example);
    backend.putRecordJson(json);
    StoredRecord record = records.read(key).orElseThrow();
    remove(record);
    assertEquals(
        new Answer.Written<>(), records.write(ConditionalWrite.create(key, record.fields())));
    assertEquals(Optional.empty(), backend.recordBeside(json), example);
  }

  private static String charged(Steps steps) {
    return steps.step("charge", String.class, Doubt.retry(), any -> "ch_1");
  }

  private static String unanswered(Steps steps) {
    charged(steps);
    return steps.step(
        "ship",
        String.class,
        any -> {
          throw new IllegalStateException("no answer");
        });
  }

  @Test
  @DisplayName("example execution-running: two steps of a flow, one done and one begun")
  void running() {
    Flow<String, String> flow =
        checkouts.flow(
            "checkout-v1",
            String.class,
            String.class,
            (request, steps) -> {
              charged(steps);
              return steps.step(
                  "ship",
                  String.class,
                  any -> {
                    stored("execution-running");
                    throw new UnsupportedOperationException();
                  });
            });
    Execution<String> taken = flow.run(KEY, "c3");
    assertInstanceOf(Execution.LostOwnership.class, taken, "the example has taken its place");
  }

  @Test
  @DisplayName("example execution-released: the work threw, and the next call goes on")
  void released() {
    assertThrows(
        IllegalStateException.class,
        () -> checkouts.run(KEY, "c3", String.class, ExecutionStorageContract::unanswered));
    stored("execution-released");
  }

  @Test
  @DisplayName("example execution-completion: its work ends in a write elsewhere")
  void completion() {
    Completion<String, String> elsewhere =
        new Completion<>() {
          @Override
          public Optional<String> find(MessageId message) {
            return Optional.empty();
          }

          @Override
          public Optional<Made<String>> make(MessageId message, String prepared) {
            stored("execution-completion");
            return Optional.of(new Made<>(prepared, false));
          }
        };
    Execution<String> made = checkouts.run(KEY, "c3", String.class, elsewhere, steps -> "ch_1");
    assertEquals(new Execution.Executed<>("ch_1"), made);
  }

  @Test
  @DisplayName("example execution-parked: a step is in doubt")
  void parked() {
    released();
    Execution<String> parked =
        checkouts.run(KEY, "c3", String.class, ExecutionStorageContract::unanswered);
    assertEquals(new Execution.InDoubt<>(Optional.of("ship")), parked);
    stored("execution-parked");
  }

  @Test
  @DisplayName("example execution-done: it has a result")
  void done() {
    Execution<String> done =
        checkouts.run(KEY, "c3", String.class, ExecutionStorageContract::charged);
    assertEquals(new Execution.Executed<>("ch_1"), done);
    stored("execution-done");
    Execution<String> again = checkouts.run(KEY, "c3", String.class, steps -> "");
    assertEquals(new Execution.Replayed<>("ch_1"), again);
  }

  @Test
  @DisplayName("example execution-failed: it failed for good")
  void failed() {
    Execution<String> failed =
        checkouts.run(
            KEY,
            "c3",
            String.class,
            steps -> {
              throw new UnsupportedOperationException();
            });
    assertInstanceOf(Execution.Failed.class, failed);
    stored("execution-failed");
  }

  @Test
  @DisplayName("one that cannot be read is told by its key, and is gone once that is forgotten")
  void unreadable() {
    String sound = Examples.json(backend.format(), "execution-parked");
    StoredExecutions stored = StoredExecutions.of("checkout", records);
    backend.putRecordJson(sound.replace("\"PARKED\"", "\"LOST\""));
    for (Executable look :
        List.<Executable>of(
            () -> stored.find(KEY),
            () -> stored.parked(10_000),
            () -> stored.list(Optional.empty(), 10_000))) {
      CorruptRecordException fault = assertThrows(CorruptRecordException.class, look);
      assertEquals(Optional.of(EntityKey.key(KEY)), fault.key());
    }
    assertTrue(checkouts.forget(KEY));
    assertEquals(Optional.empty(), records.read(AT));
    assertTrue(checkouts.forget(KEY), "nothing is there");
    backend.putRecordJson(sound.replaceAll("\"owner\": [^\n]*", "\"owner\": " + number(sound)));
    assertThrows(CorruptRecordException.class, () -> stored.find(KEY));
    assertTrue(checkouts.forget(KEY));
    assertEquals(Optional.empty(), records.read(AT));
  }

  /** A number in the store's notation, with what follows it on its line. */
  private static String number(String example) {
    return Matcher.quoteReplacement(example.replaceAll("(?s).*\"fence\": ([^\n]*)\n.*", "$1"));
  }

  @Test
  @DisplayName("one whose revision is missing, or no text, is gone once it is forgotten")
  void unguarded() {
    String sound = Examples.json(backend.format(), "execution-parked");
    String revision = "(?m)^ *\"revision\": .*\n";
    for (String other : List.of("", "\"revision\": " + number(sound) + "\n")) {
      String json = sound.replaceAll(revision, other);
      backend.putRecordJson(json);
      StoredRecord found = records.read(AT).orElseThrow();
      for (Object another : List.of("", REVISION, 4711L)) {
        Answer<StoredRecord> answer = records.write(ConditionalWrite.remove(AT, another));
        assertEquals(new Answer.Refused<>(found), answer, other);
      }
      remove(found);
      assertEquals(Optional.empty(), records.read(AT), other);
      backend.putRecordJson(json);
      assertTrue(checkouts.forget(KEY), other);
      assertEquals(Optional.empty(), records.read(AT), other);
    }
    backend.putRecordJson(sound);
    StoredRecord guarded = records.read(AT).orElseThrow();
    Answer<StoredRecord> answer = records.write(ConditionalWrite.remove(AT, null));
    assertEquals(new Answer.Refused<>(guarded), answer);
    remove(guarded);
    Answer<StoredRecord> nothing = records.write(ConditionalWrite.remove(AT, null));
    assertEquals(new Answer.Refused<>(null), nothing);
  }

  @Test
  @DisplayName("example execution-part: a piece of a result that its record cannot hold")
  void part() throws Exception {
    read("execution-part", PART);
    StringBuilder text = new StringBuilder();
    new Random(11).ints(records.mostBytes() * 2L, 'a', 'z').forEach(c -> text.append((char) c));
    Execution<String> done = checkouts.run(KEY, "c3", String.class, steps -> text.toString());
    assertInstanceOf(Execution.Executed.class, done);
    Map<String, Object> whole = records.read(AT).orElseThrow().fields();
    String[] place = text(whole.get("result"), "json").split(":", -1);
    assertEquals("parts 2", place[0] + " " + place[1]);
    byte[] sha = MessageDigest.getInstance("SHA-256").digest(AT.getBytes(StandardCharsets.UTF_8));
    String digest = HexFormat.of().formatHex(sha, 0, 16);
    for (int i = 0; i < 2; i++) {
      String at = MessageId.of(digest, place[2], "" + i).value();
      Map<String, Object> part = records.read(at).orElseThrow().fields();
      Map<String, Object> wanted = new HashMap<>();
      wanted.put("revision", place[2] + "." + i);
      wanted.put("state", "DONE");
      wanted.put("owner", whole.get("owner"));
      wanted.put("fence", whole.get("fence"));
      wanted.put("leaseMillis", 0L);
      wanted.put("leaseEnd", 0L);
      wanted.put("expires", part.get("expires"));
      wanted.put("fingerprint", "");
      wanted.put("result", Map.of("type", "part", "json", text(part.get("result"), "json")));
      assertEquals(wanted, part);
    }
  }

  private static String text(@Nullable Object values, String name) {
    return (String) Objects.requireNonNull(((Map<?, ?>) Objects.requireNonNull(values)).get(name));
  }
}
