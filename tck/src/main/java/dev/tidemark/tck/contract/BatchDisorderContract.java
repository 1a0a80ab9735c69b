package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Position;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BATCHES)
@DisplayName("Disorder inside a batch costs nothing, loses nothing, and ends")
final class BatchDisorderContract {
  private static final List<String> TYPES = List.of("Late", "Dense", "Window", "Sparse", "Giving");

  private final Scene scene;
  private final EntityStore<View> store;

  BatchDisorderContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store =
        scene.store(
            Tracking.defaults()
                .events("Dense", EventPolicy.contiguous())
                .events("Window", EventPolicy.denseWindow(3))
                .events("Sparse", EventPolicy.sparseWindow(3))
                .events("Giving", EventPolicy.denseWindow(3).givingUpHoles()));
  }

  private Write<View> counts(String type, long position) {
    return scene.counts(Some.event(type, "1", position));
  }

  /** Is refused until the view is paid. */
  private Write<View> refused(String type, long position) {
    return Write.update(
        Some.event(type, "1", position),
        scene.key,
        Scene.counted().onlyIf(attribute("status").is("PAID")));
  }

  private void pay() {
    Expect.applied(store.update(Some.id(), scene.key, change().set("status", "PAID")));
  }

  private void assertWords(List<String> expected, List<Write<View>> writes) {
    assertEquals(expected, Words.of(store.writeAll(writes)));
  }

  @Test
  @DisplayName("a generation comes after the lower ones; positions of two kinds keep their places")
  void generations() {
    Source source = Source.of("Late", "1");
    SourceEvent second = SourceEvent.of(source.generation(1), Position.of(1));
    assertWords(
        List.of("Applied", "Applied", "Stale"),
        List.of(
            scene.counts(second),
            counts("Late", 7),
            scene.counts(Some.event("Late", "1", 6)).inLane("other")));
    assertWords(
        List.of("Applied", "CorruptRecordException", "HeldBack"),
        List.of(
            scene.counts(Some.event("Late", "2", 3)),
            scene.counts(SourceEvent.of(Source.of("Late", "2"), Position.ofText("01"))),
            scene.counts(Some.event("Late", "2", 4))));
  }

  @Test
  @DisplayName("in a window what is refused or fails holds back nothing, and is taken later")
  void windows() {
    for (String type : List.of("Window", "Sparse", "Giving")) {
      List<Write<View>> writes =
          List.of(refused(type, 2), counts(type, 1), counts(type, 4), counts(type, 3));
      assertWords(List.of("Refused", "Applied", "Applied", "Applied"), writes);
    }
    pay();
    for (String type : List.of("Window", "Sparse", "Giving")) {
      assertWords(List.of("Applied", "Duplicate"), List.of(refused(type, 2), counts(type, 3)));
    }
    assertEquals(12, scene.count());
  }

  @Test
  @DisplayName("a window that forgets or gives up what is older does not lose what is not done")
  void withinReach() {
    for (String type : List.of("Sparse", "Giving")) {
      Expect.applied(store.update(Some.event(type, "1", 1), scene.key, Scene.counted()));
      List<Write<View>> writes = new ArrayList<>(List.of(refused(type, 2)));
      for (int i = 3; i <= 40; i++) {
        writes.add(counts(type, i));
      }
      List<Result<View>> results = store.writeAll(writes);
      assertEquals("HeldBack", Words.of(results.get(38)), type);
      assertEquals(writes.get(0).message(), ((Result.HeldBack<View>) results.get(38)).behind());
      for (int round = 0; round < 3; round++) {
        assertEquals("Refused", Words.of(store.writeAll(writes).get(0)), type);
      }
    }
    pay();
    for (String type : List.of("Sparse", "Giving")) {
      assertWords(List.of("Applied"), List.of(refused(type, 2)));
    }
  }

  @Test
  @DisplayName("where late events are dropped, or come in turn, the undone one is waited for")
  void waits() {
    for (String type : List.of("Late", "Dense")) {
      assertWords(
          List.of("HeldBack", "Refused", "Applied"),
          List.of(counts(type, 3), refused(type, 2), counts(type, 1)));
    }
    pay();
    for (String type : List.of("Late", "Dense")) {
      assertWords(
          List.of("Applied", "Applied", "Duplicate"),
          List.of(counts(type, 3), refused(type, 2), counts(type, 2)));
    }
    assertEquals(6, scene.count());
  }

  @Test
  @DisplayName("a message that is there twice is tried twice, as it would be one by one")
  void twins() {
    assertWords(
        List.of("Gap", "Gap", "Applied", "Duplicate", "HeldBack"),
        List.of(
            counts("Dense", 3),
            counts("Dense", 3),
            counts("Dense", 1),
            counts("Dense", 1),
            counts("Dense", 4)));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("nothing waits for what no redelivery will change")
  void beyondHorizon() {
    for (int position : new int[] {1, 30, 40}) {
      Expect.applied(store.update(Some.event("Giving", "1", position), scene.key, Scene.counted()));
    }
    assertWords(
        List.of("Applied", "BeyondHorizon", "Applied"),
        List.of(counts("Giving", 42), counts("Giving", 2), counts("Giving", 41)));
    assertEquals(5, scene.count());
  }

  @Test
  @DisplayName("the same batches in the same order, again and again, end done, every event once")
  void progress() {
    Random random = new Random(Sizes.seed());
    for (String type : TYPES) {
      for (int size : new int[] {2, 10, 25}) {
        EntityKey key = Some.key();
        List<Write<View>> all = new ArrayList<>();
        for (int position = 1; position <= 40; position++) {
          all.add(Write.update(Some.event(type, "1", position), key, Scene.counted()));
        }
        Collections.shuffle(all.subList(0, 20), random);
        Collections.shuffle(all.subList(20, 40), random);
        end(type, all, size);
        boolean mayDrop = !List.of("Dense", "Window").contains(type);
        long count = scene.count(key);
        assertTrue(mayDrop ? count > 0 && count <= 40 : count == 40, type + ": " + count);
      }
    }
  }

  private void end(String type, List<Write<View>> all, int size) {
    List<Write<View>> left = all;
    List<Message> before = List.of();
    while (!left.isEmpty()) {
      List<Write<View>> undone = new ArrayList<>();
      for (int from = 0; from < left.size(); from += size) {
        List<Write<View>> batch = left.subList(from, Math.min(left.size(), from + size));
        List<Result<View>> results = store.writeAll(batch);
        for (int i = 0; i < results.size(); i++) {
          boolean gone = Words.of(results.get(i)).equals("BeyondHorizon");
          if (!results.get(i).isDone() && !gone) {
            undone.add(batch.get(i));
          }
        }
      }
      List<Message> waiting = undone.stream().map(Write::message).toList();
      assertTrue(
          waiting.isEmpty() || !waiting.equals(before),
          type + " stands still in batches of " + size);
      before = waiting;
      left = undone;
    }
  }
}
