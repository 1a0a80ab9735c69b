package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.EntityStore;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BATCHES)
@DisplayName("A batch of more message IDs than the open slot of their entity takes")
final class BatchIdsContract {
  private static final Duration HORIZON = Duration.ofHours(10);
  private static final int MANY = 45;

  private final Backend backend;

  BatchIdsContract(Backend backend) {
    this.backend = backend;
  }

  private static EntityStore<View> store(Scene scene, IdPolicy policy) {
    return scene.store(Tracking.defaults().messageIds(policy));
  }

  private static Write<View> write(Scene scene, String message, boolean function) {
    MessageId id = MessageId.of(message);
    return function
        ? Write.apply(id, scene.key, View::new, Views::counted)
        : Write.update(id, scene.key, Scene.counted());
  }

  /** Applies every third message alone, and then all in one batch. */
  private static void assertOnceEach(
      Scene scene, EntityStore<View> store, String name, boolean functions) {
    long before = scene.count();
    IntPredicate known = i -> i % 3 == 0;
    IntStream.range(0, MANY)
        .filter(known)
        .mapToObj(i -> MessageId.of(name + i))
        .forEach(id -> Expect.applied(store.update(id, scene.key, Scene.counted())));
    List<Write<View>> writes = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      writes.add(write(scene, name + i, functions));
      expected.add(known.test(i) ? "Duplicate" : "Applied");
    }
    assertEquals(expected, Words.of(store.writeAll(writes)), name);
    assertEquals(before + MANY, scene.count(), name);
    assertAllKnown(store, writes, name);
  }

  private static void assertAllKnown(
      EntityStore<View> store, List<Write<View>> writes, String name) {
    List<String> known = writes.stream().map(write -> "Duplicate").toList();
    assertEquals(known, Words.of(store.writeAll(writes)), name + " again");
  }

  @Test
  @DisplayName("applies each once, those among them that were there before not at all")
  void someKnown() {
    for (IdPolicy policy :
        List.of(
            IdPolicy.keptFor(HORIZON),
            IdPolicy.last(2 * MANY),
            IdPolicy.last(MANY).compact(),
            IdPolicy.forEver())) {
      for (boolean functions : new boolean[] {false, true}) {
        Scene scene = new Scene(backend);
        assertOnceEach(scene, store(scene, policy), policy + " " + functions, functions);
      }
    }
  }

  @Test
  @DisplayName("forgets none of the ids that were there, where it closes the slot they are in")
  void closes() {
    Scene scene = new Scene(backend);
    EntityStore<View> store = store(scene, IdPolicy.keptFor(HORIZON));
    List<Write<View>> all = new ArrayList<>();
    for (int turn = 0; turn < 4; turn++) {
      scene.clock.move(HORIZON.dividedBy(5));
      assertOnceEach(scene, store, "turn" + turn + "-", turn % 2 == 0);
      for (int i = 0; i < MANY; i++) {
        all.add(write(scene, "turn" + turn + "-" + i, false));
      }
    }
    assertAllKnown(store, all, "all");
    assertEquals(4 * MANY, scene.count());
  }
}
