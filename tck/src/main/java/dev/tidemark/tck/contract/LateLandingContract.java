package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.LOST_REPLY)
@Needs(Capability.LOST_REPLIES)
@DisplayName("Law 4: an attempt that lands after a later one was made is the call's own")
final class LateLandingContract {
  /** More than a store and its driver try together. */
  private static final int MOST = 12;

  /** So few that every store tries again. */
  private static final int FEW = 4;

  private static final int MESSAGES = 4;

  private final Scene scene;
  private final EntityStore<View> store;
  private final EntityStore<View> other;

  LateLandingContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
    this.other = scene.store();
  }

  @AfterEach
  void heal() {
    scene.backend.faults().heal();
  }

  private Write<View> counts(Message message, boolean function) {
    return function
        ? Write.apply(message, scene.key, View::new, Views::counted)
        : Write.update(message, scene.key, Scene.counted());
  }

  private List<Write<View>> batch(boolean functions) {
    List<Write<View>> writes = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      writes.add(counts(Some.id(), functions));
    }
    return writes;
  }

  private void write() {
    Expect.applied(other.update(Some.id(), scene.key, Scene.counted()));
  }

  private String word(Supplier<Outcome<View>> call) {
    try {
      return call.get().getClass().getSimpleName();
    } catch (OutcomeUnknownException e) {
      assertTrue(e.key().isPresent(), "an unknown outcome names its entity");
      return "OutcomeUnknownException";
    }
  }

  @Test
  @DisplayName("of one message: Applied or unknown, once, however many attempts are late")
  void single() {
    for (int late = 1; late <= MOST; late++) {
      for (boolean function : List.of(false, true)) {
        Write<View> write = counts(Some.id(), function);
        long before = scene.count();
        scene.backend.faults().delay(late, () -> {}, () -> {});
        String word = word(() -> store.write(write));
        assertTrue(Set.of("Applied", "OutcomeUnknownException").contains(word), word);
        assertDoneOnce(List.of(write), () -> before + 1);
      }
    }
  }

  /** What is left of the late attempts lands before or during the redelivery. */
  private void assertDoneOnce(List<Write<View>> writes, LongSupplier count) {
    store.writeAll(writes);
    scene.backend.faults().heal();
    store.writeAll(writes).forEach(r -> assertEquals("Duplicate", Words.of(r)));
    assertEquals(count.getAsLong(), scene.count());
  }

  private static void assertNeverDuplicate(Set<String> words) {
    words.removeAll(Set.of("Applied", "OutcomeUnknownException"));
    assertEquals(Set.of(), words);
  }

  /** All kinds of results, however many attempts are late. */
  private Set<String> words(Runnable before, Runnable after, int others) {
    Set<String> words = new TreeSet<>();
    for (int late = 1; late <= MOST; late++) {
      for (boolean functions : List.of(false, true)) {
        List<Write<View>> writes = batch(functions);
        long count = scene.count();
        boolean[] landed = {false};
        scene
            .backend
            .faults()
            .delay(
                late,
                before,
                () -> {
                  landed[0] = true;
                  after.run();
                });
        List<Result<View>> results = store.writeAll(writes);
        words.addAll(Words.of(results));
        if (late <= FEW && others == 0) {
          results.forEach(result -> assertEquals("Applied", Words.of(result)));
        }
        assertDoneOnce(writes, () -> count + MESSAGES + (landed[0] ? others : 0));
      }
    }
    return words;
  }

  @Test
  @DisplayName("of a batch: Applied where nobody else wrote, or unknown; never a duplicate")
  void batch() {
    assertNeverDuplicate(words(() -> {}, () -> {}, 0));
  }

  @Test
  @DisplayName("of a batch, before another writer: unknown, never a duplicate")
  void batchBeforeAnother() {
    assertNeverDuplicate(words(() -> {}, this::write, 1));
  }

  @Test
  @DisplayName("of a batch, after another writer who made one of its messages: each once")
  void batchAfterAnother() {
    for (int late = 1; late <= MOST; late++) {
      for (boolean functions : List.of(false, true)) {
        List<Write<View>> writes = batch(functions);
        long count = scene.count();
        Write<View> same = writes.get(late % MESSAGES);
        scene.backend.faults().delay(late, () -> word(() -> other.write(same)), () -> {});
        List<String> words = Words.of(store.writeAll(writes));
        for (int i = 0; i < MESSAGES; i++) {
          String never = i == late % MESSAGES ? "Applied" : "Duplicate";
          assertNotEquals(never, words.get(i), late + " late: " + words);
        }
        assertDoneOnce(writes, () -> count + MESSAGES);
      }
    }
  }
}
