package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@DisplayName("What a batch publishes beyond what may wait")
final class PublishingBatchesContract {
  private static final int MOST = 3;

  private final Scene scene;
  private final EntityStore<View> few;

  PublishingBatchesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.few = scene.store(Tracking.defaults().outbox(MOST, 4));
  }

  private static OutgoingMessage[] messages(int count) {
    OutgoingMessage[] messages = new OutgoingMessage[count];
    Arrays.fill(messages, OutgoingMessage.to("t", "p"));
    return messages;
  }

  private static Write<View> function(EntityKey key, int count) {
    return Write.decide(
        Some.id(), key, View::new, view -> Decision.to(Views.counted(view), messages(count)));
  }

  private Map<String, Supplier<Write<View>>> writes(EntityKey key) {
    Change update = Scene.counted().publish("t", "p").publish("t", "p");
    return Map.of(
        "function", () -> function(key, 2),
        "update", () -> Write.update(Some.id(), key, update),
        "native", () -> Write.update(Some.id(), key, scene.backend.counting(update.rules(), null)));
  }

  @Test
  @DisplayName("is refused as what comes too early, never as too large, by any kind of write")
  void bound() {
    for (String kind : List.of("function", "update", "native")) {
      EntityKey key = Some.key();
      Supplier<Write<View>> write = Objects.requireNonNull(writes(key).get(kind));
      List<Write<View>> batch = new ArrayList<>();
      for (int i = 0; i < 2 * MOST; i++) {
        batch.add(write.get());
      }
      List<Result<View>> results = few.writeAll(batch);
      assertTrue(results.get(0) instanceof Result.Judged, kind);
      for (Result<View> result : results.subList(1, results.size())) {
        assertTrue(
            result instanceof Result.Failed<View> failed
                && failed.fault() instanceof ContentionException,
            () -> kind + ": " + result);
      }
    }
  }

  @Test
  @DisplayName("by one function alone is too large, and holds back no other")
  void alone() {
    EntityKey key = Some.key();
    List<Result<View>> results =
        few.writeAll(List.of(function(key, 1), function(key, MOST + 1), function(key, 1)));
    assertTrue(results.get(0) instanceof Result.Judged);
    assertEquals(
        TooLargeException.class, ((Result.Failed<View>) results.get(1)).fault().getClass());
    assertTrue(results.get(2) instanceof Result.Judged);
  }
}
