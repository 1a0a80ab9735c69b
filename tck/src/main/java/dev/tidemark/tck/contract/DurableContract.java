package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;

@Contract(Law.DURABLE)
@DisplayName("Law 14: an answer rests on what every node reads from then on")
final class DurableContract {
  private static final int TIMES = 10;

  private final Scene scene;
  private final EntityStore<View> one;
  private final EntityStore<View> other;

  DurableContract(Backend backend) {
    this.scene = new Scene(backend);
    this.one = scene.store();
    this.other = scene.store();
  }

  @RepeatedTest(TIMES)
  @DisplayName("what one node was told Applied, another reads, judges and deletes at once")
  void otherNode() {
    Message id = Some.id();
    Expect.applied(one.update(id, scene.key, Scene.counted()));
    assertEquals(1L, other.find(scene.key).orElseThrow().getTotal());
    Expect.duplicate(other.update(id, scene.key, Scene.counted()));
    assertTrue(other.find(scene.key, NotBefore.notBefore(id)) instanceof Freshness.Fresh);
    Expect.applied(other.apply(Some.event(1), scene.key, Views::counted));
    Expect.applied(one.update(Some.event(2), scene.key, change().add("total", 1)));
    assertEquals(3L, other.find(scene.key).orElseThrow().getTotal());
    Expect.applied(one.delete(Some.event(3), scene.key));
    assertEquals(Optional.empty(), other.find(scene.key));
    Expect.deleted(other.skip(Some.event(4), scene.key));
  }

  @RepeatedTest(TIMES)
  @DisplayName("Missing and NotYet are said only after a read that sees every completed write")
  void decidingReads() {
    EntityKey key = Some.key();
    Message event = Some.event(1);
    Expect.missing(other.skip(event, key));
    Expect.applied(one.apply(event, key, View::new, Views::counted));
    assertTrue(other.find(key, NotBefore.notBefore(event)) instanceof Freshness.Fresh);
    Expect.recorded(other.skip(Some.event(2), key));
    Expect.applied(one.apply(Some.event(3), key, Views::counted));
    assertEquals(2L, other.find(key).orElseThrow().getTotal());
  }
}
