package dev.tidemark.tck.contract;

import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Freshness;
import dev.tidemark.Freshness.Fresh;
import dev.tidemark.Freshness.NotYet;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.NotBefore;
import dev.tidemark.Position;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.FRESHNESS)
@DisplayName("A read can ask to be no older than a message")
final class FreshnessContract {
  private final Scene scene;
  private final EntityStore<View> store;

  FreshnessContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  private View fresh(Message message) {
    if (store.find(scene.key, notBefore(message)) instanceof Fresh<View> seen) {
      return seen.entity().orElseThrow();
    }
    throw new AssertionError("expected Fresh");
  }

  private NotYet<View> notYet(EntityStore<View> views, NotBefore notBefore) {
    if (views.find(scene.key, notBefore) instanceof NotYet<View> seen) {
      return seen;
    }
    throw new AssertionError("expected NotYet");
  }

  @Test
  @DisplayName("what was applied is Fresh, with the entity; so is everything below the mark")
  void applied() {
    MessageId id = Some.id();
    Expect.applied(store.update(id, scene.key, Scene.counted()));
    Expect.applied(store.update(at(5), scene.key, Scene.counted()));
    assertEquals(2L, fresh(id).getTotal());
    assertEquals(2L, fresh(at(5)).getTotal());
    assertEquals(2L, fresh(at(3)).getTotal());
  }

  private static Message at(long position) {
    return Some.event(position);
  }

  @Test
  @DisplayName("what was not applied is NotYet, with how far the source is")
  void notApplied() {
    assertEquals(true, notYet(store, notBefore(at(1))).mark().isEmpty());
    Expect.applied(store.update(at(5), scene.key, Scene.counted()));
    NotYet<View> seen = notYet(store, notBefore(at(6)));
    assertEquals(Position.of(5), seen.mark().orElseThrow().highest());
    assertEquals(true, notYet(store, notBefore(Some.id())).mark().isEmpty());
  }

  @Test
  @DisplayName("a position behind a gap is NotYet, one that can no longer be told is Fresh")
  void gapAndHorizon() {
    EntityStore<View> dense = scene.store(Tracking.defaults().events(EventPolicy.contiguous()));
    Expect.applied(dense.update(at(1), scene.key, Scene.counted()));
    assertEquals(Position.of(1), notYet(dense, notBefore(at(9))).mark().orElseThrow().highest());
    Duration month = Duration.ofDays(31);
    MessageId old = Some.id().sentAt(scene.clock.instant().minus(month));
    assertInstanceOf(Freshness.Fresh.class, store.find(scene.key, notBefore(old)));
  }

  @Test
  @DisplayName("a wait ends at its timeout, by real time")
  void timeout() {
    NotBefore soon = notBefore(at(1)).within(Duration.ofMillis(40));
    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> notYet(store, soon));
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("a wait ends once another node has applied the message")
  void waiting() {
    NotBefore patient = notBefore(at(1)).within(Duration.ofSeconds(30));
    CompletableFuture<Freshness<View>> reader =
        CompletableFuture.supplyAsync(() -> store.find(scene.key, patient));
    Expect.applied(scene.store().update(at(1), scene.key, Scene.counted()));
    assertInstanceOf(Freshness.Fresh.class, reader.join());
  }
}
