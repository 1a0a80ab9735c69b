package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.COMPARISON)
@DisplayName("Law 6: what tracking keeps beside its marks has its own type, or is corrupt")
final class BookkeepingContract {
  private static final String SECRET = "SECRET-4711";
  private static final List<Object> FOREIGN =
      List.of("3-" + SECRET, 77L, true, List.of(SECRET), Map.of("x", SECRET));

  private static final List<Object> NO_NUMBERS =
      FOREIGN.stream().filter(value -> !(value instanceof Long)).toList();

  private final Scene scene;
  private final EntityStore<View> store;

  BookkeepingContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  /** One call of every kind. */
  private Map<String, Runnable> calls() {
    EntityKey key = scene.key;
    Map<String, Runnable> calls = new LinkedHashMap<>();
    for (Message message : List.of(Some.id(), Some.event(7))) {
      String by = " by " + message.getClass().getSimpleName();
      calls.put("update" + by, () -> use(store.update(message, key, change().add("total", 1))));
      calls.put("create" + by, () -> use(store.update(message, key, Scene.counted())));
      calls.put("recreate" + by, () -> use(store.update(message, key, Scene.counted().recreate())));
      calls.put("return" + by, () -> use(store.update(message, key, Scene.counted().returning())));
      calls.put(
          "condition" + by,
          () ->
              use(store.update(message, key, Scene.counted().onlyIf(attribute("status").is("X")))));
      calls.put("skip" + by, () -> use(store.skip(message, key)));
      calls.put("apply" + by, () -> use(store.apply(message, key, Views::counted)));
      calls.put(
          "apply, creating" + by, () -> use(store.apply(message, key, View::new, Views::counted)));
      calls.put("delete" + by, () -> use(store.delete(message, key)));
      calls.put("delete existing" + by, () -> use(store.deleteExisting(message, key)));
      calls.put("forget" + by, () -> use(store.forget(message, key)));
      calls.put("find" + by, () -> use(store.find(key, notBefore(message))));
    }
    return calls;
  }

  private static void use(Object outcome) {
    assertTrue(outcome.toString().length() > 0);
  }

  private void store(String name, Object value) {
    scene.backend.putRaw(scene.key, Map.of("status", "NEW", name, value));
  }

  private void assertCorrupt(String name, String when, Runnable call) {
    Map<String, Object> before = scene.raw().orElseThrow();
    Backend.Cost cost =
        scene.backend.measure(
            () -> assertNames(name, assertThrows(CorruptRecordException.class, call::run, when)));
    assertTrue(cost.reads() + cost.writes() <= 4, () -> when + " took " + cost);
    assertEquals(before, scene.raw().orElseThrow(), when);
  }

  private void assertNames(String name, Throwable fault) {
    CorruptRecordException corrupt = assertInstanceOf(CorruptRecordException.class, fault);
    String message = String.valueOf(corrupt.getMessage());
    assertTrue(message.contains("'" + name + "'"), message);
    assertFalse(message.contains(SECRET), message);
    assertEquals(scene.key, corrupt.key().orElseThrow());
  }

  private void assertCorruptEverywhere(String name, List<Object> foreign) {
    for (Object value : foreign) {
      store(name, value);
      String when = name + " is a " + value.getClass().getSimpleName();
      calls().forEach((call, action) -> assertCorrupt(name, call + ", " + when, action));
      assertCorruptInBatch(name, Write.update(Some.id(), scene.key, Scene.counted()));
      assertCorruptInBatch(name, Write.update(Some.event(8), scene.key, Scene.counted()));
      assertCorruptInBatch(name, Write.apply(Some.event(8), scene.key, View::new, Views::counted));
    }
  }

  /** A batch in which another entity goes on. */
  private void assertCorruptInBatch(String name, Write<View> write) {
    Map<String, Object> before = scene.raw().orElseThrow();
    Write<View> another = Write.update(Some.id(), scene.key, Scene.counted());
    Write<View> elsewhere = Write.update(Some.id(), Some.key(), Scene.counted());
    List<Result<View>> results = store.writeAll(List.of(write, another, elsewhere));
    for (Result<View> result : results.subList(0, 2)) {
      Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, result, write::toString);
      assertNames(name, failed.fault());
    }
    assertTrue(results.get(2).isDone());
    assertEquals(before, scene.raw().orElseThrow());
  }

  @Test
  @DisplayName("a revision of another type is CorruptRecordException in every call, soon")
  void revision() {
    assertCorruptEverywhere("_rev", FOREIGN);
  }

  @Test
  @DisplayName("an expiry of another type is CorruptRecordException in every call, soon")
  void tombstone() {
    assertCorruptEverywhere("deletedUntil", NO_NUMBERS);
  }

  @Test
  @DisplayName("the time of the open slot in another type is CorruptRecordException")
  void since() {
    for (Object value : NO_NUMBERS) {
      store("messageIDs#since", value);
      String when = "since is a " + value.getClass().getSimpleName();
      assertCorrupt(
          "messageIDs#since",
          "update, " + when,
          () -> use(store.update(Some.id(), scene.key, Scene.counted())));
      assertCorrupt(
          "messageIDs#since",
          "apply, " + when,
          () -> use(store.apply(Some.id(), scene.key, Views::counted)));
    }
  }

  @Test
  @DisplayName("a birth of another type is nobody's, and changes no outcome")
  void birth() {
    for (Object value : FOREIGN) {
      store("_born", value);
      assertFalse(
          Expect.applied(store.update(Some.id(), scene.key, Scene.counted())).created(),
          () -> "update where _born is a " + value.getClass().getSimpleName());
      assertFalse(
          Expect.applied(store.apply(Some.event(1), scene.key, Views::counted)).created(),
          () -> "apply where _born is a " + value.getClass().getSimpleName());
    }
  }

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("a revision that is null is none: every call goes on, and writes its own")
  void nothing() {
    Map<String, Runnable> calls = calls();
    calls.keySet().removeIf(call -> call.startsWith("find") || call.startsWith("condition"));
    calls.forEach(
        (call, action) -> {
          scene.backend.putJson(String.format(nullRevision(), scene.key.parts().get(0)));
          Backend.Cost cost = scene.backend.measure(action);
          assertTrue(cost.reads() + cost.writes() <= 4, () -> call + " took " + cost);
          Map<String, Object> after = scene.raw().orElse(new HashMap<>(Map.of("_rev", "gone")));
          assertTrue(after.get("_rev") != null, () -> call + " left no revision");
        });
  }

  private String nullRevision() {
    return scene.backend.format().equals("dynamodb")
        ? "{\"id\": {\"S\": \"%s\"}, \"status\": {\"S\": \"NEW\"}, \"_rev\": {\"NULL\": true}}"
        : "{\"_id\": \"%s\", \"status\": \"NEW\", \"_rev\": null}";
  }
}
