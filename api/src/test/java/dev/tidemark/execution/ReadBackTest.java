package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.management.ThreadMXBean;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.RenamedTest.Legacy;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.Answer;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is stored under a key")
final class ReadBackTest extends CompletionScene {
  /** What JSON cannot tell the class of. */
  interface Animal {
    String name();
  }

  /** One. */
  record Cat(String name) implements Animal {}

  /** Is written, and cannot be read. */
  record Owned(Animal animal) {}

  /** Has a property that no component reads. */
  record Bill(int cents) {
    public boolean isPaid() {
      return cents == 0;
    }
  }

  /** Is read as less than what was written. */
  record Noted(String text, @Nullable @JsonIgnore String aside) {}

  private static final String LONE = "a\uD83Db";

  @Test
  @DisplayName("that cannot be read again is left to a person, and the work never runs again")
  void unreadableResult() {
    CorruptRecordException fault =
        assertThrows(
            CorruptRecordException.class, () -> orders.run("1", null, Owned.class, this::owned));
    assertTrue(String.valueOf(fault.getMessage()).contains("the result"), fault::toString);
    assertTrue(String.valueOf(fault.getMessage()).contains("person"), fault::toString);
    assertEquals(State.PARKED, only().state());
    assertThrows(
        CorruptRecordException.class, () -> orders.run("1", null, Owned.class, this::owned));
    pass(LEASE.multipliedBy(2).plus(SKEW));
    assertThrows(
        CorruptRecordException.class, () -> orders.run("1", null, Owned.class, this::owned));
    assertEquals(List.of("owned"), acted);
    assertEquals(1, StoredExecutions.of("orders", records).parked(9).size());
  }

  private Owned owned(Steps steps) {
    return owned();
  }

  private Owned owned() {
    acted("owned");
    return new Owned(new Cat("Tom"));
  }

  @Test
  @DisplayName("is not thrown away by a release that no step asked for")
  void releasedResult() {
    assertThrows(
        CorruptRecordException.class, () -> orders.run("1", null, Owned.class, this::owned));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> orders.release(seen("1")));
    assertTrue(String.valueOf(refused.getMessage()).contains("forget"), refused::toString);
    assertEquals(State.PARKED, only().state());
    assertTrue(orders.forget("1"));
    assertThrows(
        CorruptRecordException.class, () -> orders.run("1", null, Owned.class, this::owned));
    assertEquals(List.of("owned", "owned"), acted);
  }

  @Test
  @DisplayName("of a step that cannot be read again is left to a person, and never acts again")
  void unreadableStep() {
    for (Doubt<Owned> doubt :
        List.<Doubt<Owned>>of(
            Doubt.park(), Doubt.retry(), Doubt.ask(key -> Optional.of(owned())))) {
      Work<Integer, RuntimeException> work =
          steps -> {
            Owned got = steps.step("a", Owned.class, doubt, key -> owned());
            return got.animal().name().length();
          };
      CorruptRecordException fault =
          assertThrows(
              CorruptRecordException.class, () -> orders.run("1", null, Integer.class, work));
      assertTrue(String.valueOf(fault.getMessage()).contains("step 'a'"), fault::toString);
      assertEquals(State.PARKED, only().state());
      assertInstanceOf(Execution.InDoubt.class, orders.run("1", null, Integer.class, work));
      assertTrue(orders.release(seen("1")));
      assertThrows(CorruptRecordException.class, () -> orders.run("1", null, Integer.class, work));
      assertEquals(State.PARKED, only().state());
      assertEquals(List.of("owned"), acted);
      acted.clear();
      assertTrue(orders.forget("1"));
    }
  }

  @Test
  @DisplayName("that would be read as nothing is not kept, and waits for a person who knows it")
  void lossy() {
    Work<Legacy, RuntimeException> result = steps -> new Legacy("c" + acted("result"));
    assertThrows(CorruptRecordException.class, () -> orders.run("1", null, Legacy.class, result));
    assertEquals(
        new Execution.InDoubt<>(Optional.empty()), orders.run("1", null, Legacy.class, result));
    assertTrue(orders.complete("1", String.class, "c1"));
    assertEquals(
        new Execution.Replayed<>("c1"), orders.run("1", null, String.class, steps -> "c2"));
    Work<Boolean, RuntimeException> step =
        steps ->
            steps.step("a", Legacy.class, Doubt.retry(), key -> new Legacy("c" + acted("step")))
                != null;
    assertThrows(CorruptRecordException.class, () -> orders.run("2", null, Boolean.class, step));
    assertEquals(
        new Execution.InDoubt<>(Optional.of("a")), orders.run("2", null, Boolean.class, step));
    assertTrue(orders.release("2", "a", String.class, "c2"));
    assertEquals(
        new Execution.Executed<>("c2"),
        orders.run("2", null, String.class, s -> s.step("a", String.class, key -> "c3")));
    assertEquals(List.of("result", "step"), acted);
  }

  @Test
  @DisplayName("of a step that cannot be written is left to a person at once")
  void unwritableStep() {
    Work<Integer, RuntimeException> work =
        steps -> {
          steps.step("a", Object.class, Doubt.retry(), key -> acted("a") > 0 ? new Object() : 1);
          return 1;
        };
    assertThrows(IllegalArgumentException.class, () -> orders.run("1", null, Integer.class, work));
    assertEquals(
        new Execution.InDoubt<>(Optional.of("a")), orders.run("1", null, Integer.class, work));
    assertEquals(List.of("a"), acted);
  }

  @Test
  @DisplayName("is told to the first caller as every later one will get it")
  void firstAndLater() {
    same("1", Noted.class, new Noted("x", "y"), new Noted("x", null));
    same("2", List.class, List.of(new Cat("Tom")), List.of(Map.of("name", "Tom")));
    same("3", String.class, LONE, "a?b");
    same("4", Bill.class, new Bill(7), new Bill(7));
  }

  private <R> void same(String key, Class<R> type, R given, R got) {
    assertEquals(new Execution.Executed<>(got), orders.run(key, null, type, steps -> given));
    assertEquals(new Execution.Replayed<>(got), orders.run(key, null, type, steps -> given));
    String steps = key + " steps";
    assertThrows(
        IllegalStateException.class,
        () ->
            orders.run(
                steps,
                null,
                Boolean.class,
                s -> {
                  assertEquals(got, s.step("a", type, any -> given));
                  throw new IllegalStateException("later");
                }));
    assertEquals(
        Optional.of(true),
        orders
            .run(steps, null, Boolean.class, s -> got.equals(s.step("a", type, any -> given)))
            .result());
  }

  @Test
  @DisplayName("as a failure is told to the first caller as to every later one")
  void failures() {
    Executions storing =
        builder().storing(IllegalStateException.class, e -> "" + e.getMessage()).build();
    Work<Integer, RuntimeException> work =
        steps -> {
          acted("failed");
          throw new IllegalStateException(LONE);
        };
    StoredFailure failure = new StoredFailure("a?b");
    assertEquals(
        new Execution.Failed<>(failure, false), storing.run("1", null, Integer.class, work));
    assertEquals(
        new Execution.Failed<>(failure, true), storing.run("1", null, Integer.class, work));
    Work<Integer, RuntimeException> wordy =
        steps -> {
          acted("wordy");
          throw new IllegalStateException("x".repeat(records.mostBytes()));
        };
    TooLargeException fault =
        assertThrows(TooLargeException.class, () -> storing.run("2", null, Integer.class, wordy));
    assertTrue(String.valueOf(fault.getMessage()).contains("code"), fault::toString);
    pass(LEASE.multipliedBy(2).plus(SKEW));
    assertEquals(
        new Execution.InDoubt<>(Optional.empty()), storing.run("2", null, Integer.class, wordy));
    assertEquals(List.of("failed", "wordy"), acted);
  }

  @Test
  @DisplayName("may be as long as what is read, by the mapper's own bound")
  void bound() {
    JsonMapper brief =
        JsonMapper.builder(
                JsonFactory.builder()
                    .streamReadConstraints(
                        StreamReadConstraints.builder().maxStringLength(6_000).build())
                    .build())
            .build();
    Executions bounded = builder().mapper(brief).build();
    String longest = "x".repeat(5_998);
    assertEquals(Optional.of(longest), bounded.run("1", null, String.class, s -> longest).result());
    assertEquals(Optional.of(longest), bounded.run("1", null, String.class, s -> "").result());
    TooLargeException fault =
        assertThrows(
            TooLargeException.class,
            () -> bounded.run("2", null, String.class, s -> acted("x") + longest));
    assertTrue(String.valueOf(fault.getMessage()).contains("6000"), fault::toString);
    assertEquals(
        new Execution.InDoubt<>(Optional.empty()),
        bounded.run("2", null, String.class, s -> acted("x") + longest));
    assertEquals(List.of("x"), acted);
  }

  @Test
  @DisplayName("as another type is left to a person, and is replayed to whoever can read it")
  void otherType() {
    orders.run("1", null, Integer.class, steps -> acted("x"));
    for (int i = 0; i < 2; i++) {
      assertThrows(
          CorruptRecordException.class, () -> orders.run("1", null, Cat.class, s -> new Cat("x")));
      assertEquals(State.PARKED, only().state());
    }
    assertEquals(
        new Execution.Replayed<>(1), orders.run("1", null, Integer.class, steps -> acted("y")));
    assertEquals(State.DONE, only().state());
    assertNotNull(only().result());
    assertEquals(
        new Execution.Replayed<>(1), orders.run("1", null, Integer.class, steps -> acted("y")));
    assertEquals(List.of("x"), acted);
  }

  @Test
  @DisplayName("as another type is kept for as long as before")
  void keptAsLong() {
    toldFor = Optional.of(Duration.ofDays(90));
    for (int i = 0; i < 2; i++) { // noted by the second
      orders.run("1", null, Integer.class, completion, steps -> "w");
    }
    assertThrows(
        CorruptRecordException.class,
        () -> orders.run("1", null, String.class, telling("x"), steps -> "w"));
    pass(Duration.ofDays(89));
    assertEquals(
        new Execution.Replayed<>(0),
        orders.run("1", null, Integer.class, completion, steps -> "w"));
    assertEquals(1, made.size());
  }

  @Test
  @DisplayName("as a flow's request is read back before anything is written")
  void requests() {
    Flow<Owned, Integer> unreadable =
        orders.flow("unreadable", Owned.class, Integer.class, (request, steps) -> acted("x"));
    assertThrows(
        IllegalArgumentException.class, () -> unreadable.run("1", new Owned(new Cat("Tom"))));
    assertEquals(0, records.requests);
    Flow<Noted, Boolean> noted =
        orders.flow(
            "noted", Noted.class, Boolean.class, (request, steps) -> request.aside() == null);
    assertEquals(Optional.of(true), noted.run("1", new Noted("x", "y")).result());
  }

  /** How many bytes this thread has taken from the heap so far. */
  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  @Test
  @DisplayName(
      "as a packed value that unpacks to more than is read is refused, and is not unpacked")
  void bomb() {
    orders.run("1", null, String.class, s -> "x".repeat(9_000));
    ExecutionRecord sound = only();
    byte[] zeros = Base64.getDecoder().decode(Packed.pack("0".repeat(30_000_000)).substring(5));
    ByteArrayOutputStream more = new ByteArrayOutputStream();
    for (int i = 0; i < 10; i++) { // 300 million characters
      more.writeBytes(zeros);
    }
    String bomb = "gzip:" + Base64.getEncoder().encodeToString(more.toByteArray());
    String packed = Objects.requireNonNull(Objects.requireNonNull(sound.result()).json());
    assertTrue(packed.startsWith("gzip:"), packed);
    records.stored.replaceAll(
        (key, any) ->
            new ExecutionRecord(
                "r9",
                State.DONE,
                sound.owner(),
                sound.fence(),
                0,
                0,
                sound.expires(),
                sound.fingerprint(),
                "",
                null,
                Map.of(),
                new Stored("java.lang.String", bomb)));
    long before = allocated();
    CorruptRecordException fault =
        assertThrows(
            CorruptRecordException.class, () -> orders.run("1", null, String.class, s -> "y"));
    long taken = allocated() - before;
    assertTrue(taken < 150_000_000, () -> "took " + taken + " bytes");
    assertTrue(String.valueOf(fault.getMessage()).contains("20000000"), fault::toString);
    assertNull(fault.getCause());
  }

  @Test
  @DisplayName("behind a write is told to the first caller as every later one will get it")
  void completions() {
    Completion<String, Noted> noted = telling(new Noted("x", "y"));
    Noted got = new Noted("x", null);
    assertEquals(
        new Execution.Executed<>(got), orders.run("1", null, Noted.class, noted, steps -> "w"));
    for (int i = 0; i < 2; i++) { // told by the write, and then by the record
      assertEquals(
          new Execution.Replayed<>(got), orders.run("1", null, Noted.class, noted, steps -> "w"));
    }
    assertEquals(1, made.size());
  }

  @Test
  @DisplayName("behind a write is no future, though the write may be made of one")
  void futures() {
    Completion<Future<String>, Boolean> waiting =
        new Completion<>() {
          @Override
          public Optional<Boolean> find(MessageId message) {
            return Optional.empty();
          }

          @Override
          public Optional<Made<Boolean>> make(MessageId message, Future<String> prepared) {
            return Optional.of(new Made<>(prepared.isDone(), false));
          }
        };
    Future<String> done = CompletableFuture.completedFuture("w");
    assertEquals(
        new Execution.Executed<>(true),
        orders.run("1", null, Boolean.class, waiting, steps -> done));
    records.stored.clear();
    Completion<String, Object> begun = telling(done);
    assertThrows(
        IllegalArgumentException.class,
        () -> orders.run("2", null, Object.class, begun, steps -> "w"));
    assertEquals(State.PARKED, only().state());
    assertThrows(IllegalArgumentException.class, () -> orders.complete("2", Object.class, done));
  }

  @Test
  @DisplayName("behind a write that cannot be read again is left to a person, and heals")
  void unreadableCompletion() {
    Completion<String, Owned> owned = telling(new Owned(new Cat("Tom")));
    for (int i = 0; i < 2; i++) {
      assertThrows(
          CorruptRecordException.class,
          () -> orders.run("1", null, Owned.class, owned, steps -> "w"));
      assertEquals(State.PARKED, only().state());
    }
    assertEquals(
        new Execution.Replayed<>("now"),
        orders.run("1", null, String.class, telling("now"), steps -> "w"));
    assertEquals(State.DONE, only().state());
    assertEquals(1, made.size());
  }

  @Test
  @DisplayName("behind a write whose owner was killed, and cannot be read, is left to a person")
  void unreadableLater() {
    Completion<String, Owned> owned = telling(new Owned(new Cat("Tom")));
    Completion<String, Owned> killed =
        new Completion<>() {
          @Override
          public Optional<Owned> find(MessageId message) {
            return owned.find(message);
          }

          @Override
          public Optional<Made<Owned>> make(MessageId message, String prepared) {
            owned.make(message, prepared);
            records.wire = (before, record, request) -> new Answer.Lost<>(new RuntimeException());
            throw new Killed();
          }
        };
    assertThrows(Killed.class, () -> orders.run("1", null, Owned.class, killed, steps -> "w"));
    records.wire = (before, record, request) -> request.get();
    assertThrows(
        CorruptRecordException.class,
        () -> orders.run("1", null, Owned.class, owned, steps -> "w"));
    assertEquals(State.RUNNING, only().state());
    pass(LEASE.plus(SKEW).multipliedBy(2));
    assertThrows(
        CorruptRecordException.class,
        () -> orders.run("1", null, Owned.class, owned, steps -> "w"));
    assertEquals(State.PARKED, only().state());
    assertEquals(1, made.size());
  }

  /** A receipt of an earlier version. */
  record Before(String charge) {}

  /** The same of today. */
  record Now(String charge, @Nullable Integer points) {}

  /** The same of a later version, as many as there are. */
  record Later(List<Inner> receipts) {}

  /** One of them. */
  record Inner(@Nullable String name, int cents) {}

  @Test
  @DisplayName("is read by the version before and by the one behind, unless a property was renamed")
  void otherVersions() {
    Json json = json();
    assertEquals(new Before("c"), json.read("it", Before.class, "{\"charge\":\"c\",\"points\":1}"));
    assertEquals(new Now("c", null), json.read("it", Now.class, "{\"charge\":\"c\"}"));
    for (String other :
        List.of("{\"payment\":\"c\",\"points\":1}", "{\"charge\":\"c\",\"bonus\":1}")) {
      CorruptRecordException fault =
          assertThrows(CorruptRecordException.class, () -> json.read("it", Now.class, other));
      assertTrue(String.valueOf(fault.getMessage()).contains("renamed"), fault::toString);
    }
    assertEquals(
        new Later(List.of(new Inner("a", 1))),
        json.read(
            "it",
            Later.class,
            "{\"receipts\":[{\"name\":\"a\",\"cents\":1,\"more\":{}}],\"x\":[1]}"));
    assertThrows(
        CorruptRecordException.class,
        () ->
            json.read(
                "it", Later.class, "{\"receipts\":[{\"name\":\"a\",\"amount\":{\"of\":1}}]}"));
  }
}
