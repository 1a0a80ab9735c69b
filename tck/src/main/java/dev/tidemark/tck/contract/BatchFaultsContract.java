package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Message;
import dev.tidemark.Position;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BATCHES)
@DisplayName("In a batch a fault, a bound or another entity is no other message's")
final class BatchFaultsContract {
  private final Scene scene;
  private final EntityStore<View> store;

  BatchFaultsContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store =
        scene.store(
            Tracking.defaults()
                .events("Dense", EventPolicy.contiguous())
                .events("Window", EventPolicy.denseWindow(5))
                .events("Sparse", EventPolicy.sparseWindow(5)));
  }

  private void assertWords(List<String> expected, List<Write<View>> writes) {
    assertEquals(expected, Words.of(store.writeAll(writes)));
  }

  @Test
  @DisplayName("with bad input: that fails before anything of it is written, the others go on")
  void badInput() {
    List<Result<View>> results =
        store.writeAll(
            List.of(
                scene.counts(Some.id()),
                Write.update(Some.id(), scene.key, change().set("id", "other")),
                scene.counts(SourceEvent.of(Source.of("Dense", "1"), Position.ofText("abc"))),
                scene.counts(Some.id())));
    assertEquals(
        List.of("Applied", "IllegalArgumentException", "IllegalArgumentException", "Applied"),
        Words.of(results));
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("with a function that throws an Error: that is its message's fault, others go on")
  void errors() {
    for (Error error :
        List.of(new AssertionError(), new StackOverflowError(), new NoClassDefFoundError())) {
      EntityKey other = Some.key();
      Message poison = Some.id();
      Write<View> bad = Write.apply(poison, scene.key, View::new, view -> thrown(error));
      List<Result<View>> results =
          store.writeAll(
              List.of(
                  Write.apply(Some.id(), scene.key, View::new, Views::counted),
                  bad,
                  Write.apply(Some.id(), scene.key, View::new, Views::counted),
                  Write.apply(Some.id(), other, View::new, Views::counted)));
      assertEquals(
          List.of("Applied", "UndeclaredThrowableException", "Applied", "Applied"),
          Words.of(results));
      assertSame(error, ((Result.Failed<View>) results.get(1)).fault().getCause());
      assertEquals("UndeclaredThrowableException", Words.of(Batch.alone(store, bad)));
      Expect.applied(store.update(poison, scene.key, Scene.counted()));
    }
    assertEquals(9, scene.count());
  }

  @Test
  @DisplayName("that meets a failure of the JVM ends with it")
  void failureOfTheMachine() {
    Write<View> bad =
        Write.apply(Some.id(), scene.key, View::new, view -> thrown(new OutOfMemoryError()));
    assertThrows(OutOfMemoryError.class, () -> store.writeAll(List.of(bad)));
    assertThrows(OutOfMemoryError.class, () -> store.write(bad));
  }

  private static View thrown(Error error) {
    throw error;
  }

  @Test
  @DisplayName("of many entities: none waits for another's fault")
  void entities() {
    List<Write<View>> writes = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      EntityKey key = Some.key();
      boolean wrong = i % 50 == 7;
      writes.add(Write.update(Some.event("E", "" + i, 1), key, Scene.counted()));
      Change change = wrong ? change().add("status.x", 1) : change().add("total", 1);
      writes.add(Write.update(Some.event("E", "" + i, 2), key, change));
      writes.add(Write.apply(Some.event("E", "" + i, 3), key, Views::counted));
    }
    List<Result<View>> results = store.writeAll(writes);
    for (int i = 0; i < 250; i++) {
      boolean wrong = i % 50 == 7;
      assertEquals("Applied", Words.of(results.get(3 * i)));
      assertEquals(wrong ? "HeldBack" : "Applied", Words.of(results.get(3 * i + 2)), "entity " + i);
      assertEquals(wrong ? 1 : 3, scene.count(writes.get(3 * i).key()), "entity " + i);
      assertTrue(!wrong || results.get(3 * i + 1) instanceof Result.Failed<View>, "entity " + i);
    }
  }

  @Test
  @DisplayName("prunes ids as single messages do")
  void prunes() {
    EntityStore<View> few = scene.store(Tracking.defaults().messageIds(IdPolicy.last(30)));
    List<Write<View>> writes = new ArrayList<>();
    for (int batch = 0; batch < 40; batch++) {
      writes.clear();
      for (int i = 0; i < 9; i++) {
        writes.add(scene.counts(Some.id()));
      }
      few.writeAll(writes).forEach(result -> assertEquals("Applied", Words.of(result)));
      few.writeAll(writes).forEach(result -> assertEquals("Duplicate", Words.of(result)));
    }
    assertEquals(360, scene.count());
    assertTrue(idsKept() <= 30 + 40, idsKept() + " ids kept");
  }

  private int idsKept() {
    return scene.raw().orElseThrow().entrySet().stream()
        .filter(e -> e.getKey().startsWith("messageIDs") && !e.getKey().endsWith("#closed"))
        .mapToInt(e -> e.getValue() instanceof Collection<?> ids ? ids.size() : 0)
        .sum();
  }

  @Test
  @DisplayName("names a message whose marks cannot be read, and goes on with the others")
  void corrupt() {
    scene.backend.putRaw(scene.key, Map.of("total", 1L, "events.Order.4711", true));
    assertWords(
        List.of("Applied", "CorruptRecordException", "Applied"),
        List.of(
            scene.counts(Some.id()),
            scene.counts(Some.event(1)),
            scene.counts(Some.event("Other", "1", 1))));
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("of many entities, of which one cannot be read: that one fails alone")
  void unreadable() {
    EntityKey bad = Some.key();
    scene.backend.putRaw(bad, Map.of("total", 1L, "messageIDs", "no set"));
    EntityKey old = Some.key();
    Message seen = Some.id();
    Expect.applied(store.update(seen, old, Scene.counted()));
    List<Write<View>> writes = new ArrayList<>();
    writes.add(Write.update(seen, old, Scene.counted()));
    writes.add(Write.update(Some.id(), bad, Scene.counted()));
    for (int i = 0; i < 3; i++) {
      writes.add(Write.update(Some.id(), Some.key(), Scene.counted()));
      writes.add(Write.apply(Some.id(), Some.key(), View::new, Views::counted));
    }
    List<String> expected = new ArrayList<>(List.of("Duplicate", "CorruptRecordException"));
    expected.addAll(Collections.nCopies(6, "Applied"));
    assertWords(expected, writes);
    writes.subList(2, 8).forEach(write -> assertEquals(1, scene.count(write.key())));
  }

  @Test
  @DisplayName("keeps to the bound of sources")
  void sources() {
    EntityStore<View> few = scene.store(Tracking.defaults().maxSources(3));
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Message event = Some.event("Source", "" + i, 1);
      words.addAll(
          Words.of(
              few.writeAll(List.of(Write.apply(event, scene.key, View::new, Views::counted)))));
    }
    assertEquals(
        List.of(
            "Applied",
            "Applied",
            "Applied",
            "TooLargeException",
            "TooLargeException",
            "TooLargeException"),
        words);
  }

  @Test
  @DisplayName("that is refused for one fault is split, and says the fault that one call would")
  void sameFault() {
    store.writeAll(List.of(scene.counts(Some.id())));
    Change wrong = change().append("status", "x");
    Write<View> bad = Write.update(Some.id(), scene.key, change().set("status", "A"));
    store.writeAll(List.of(bad));
    Result<View> failed =
        store
            .writeAll(List.of(scene.counts(Some.id()), Write.update(Some.id(), scene.key, wrong)))
            .get(1);
    RuntimeException fault = ((Result.Failed<View>) failed).fault();
    assertTrue(
        fault instanceof InvalidChangeException || fault instanceof IllegalArgumentException,
        "" + fault);
    assertEquals(2, scene.count());
  }
}
