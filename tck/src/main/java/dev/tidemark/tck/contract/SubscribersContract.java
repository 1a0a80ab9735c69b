package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.SUBSCRIBERS)
@DisplayName("Two subscribers of one event on one entity both apply it, each once")
final class SubscribersContract {
  private final Scene scene;

  SubscribersContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  @Test
  @DisplayName("named, unnamed and hostile subscribers apply every message once each")
  void eachOnce() {
    List<Tracking> subscribers = new ArrayList<>(List.of(Tracking.defaults()));
    Hostile.NAMES.forEach(name -> subscribers.add(Tracking.defaults().as(name)));
    List<Message> messages = List.of(Some.id(), Some.event(5), Some.event("search", "1", 1));
    for (Tracking tracking : subscribers) {
      EntityStore<View> store = scene.store(tracking);
      for (Message message : messages) {
        Expect.applied(store.update(message, scene.key, Scene.counted()));
        Expect.duplicate(store.update(message, scene.key, Scene.counted()));
      }
    }
    assertEquals((long) subscribers.size() * messages.size(), scene.count());
  }

  @Test
  @DisplayName("their marks are kept apart, under the names of the storage format")
  void marksApart() {
    EntityStore<View> search = scene.store(Tracking.defaults().as("search"));
    Expect.applied(scene.store().update(Some.event(5), scene.key, Scene.counted()));
    Expect.applied(search.update(Some.event(3), scene.key, Scene.counted()));
    Expect.applied(search.update(Some.id(), scene.key, Scene.counted()));
    Map<String, Object> raw = scene.raw().orElseThrow();
    assertEquals(5L, raw.get("events.Order.4711"));
    assertEquals(3L, raw.get("events@search.Order.4711"));
    assertTrue(raw.containsKey("messageIDs@search") && !raw.containsKey("messageIDs"));
    assertTrue(Names.flat(Tracking.defaults()).owns("messageIDs@search"));
  }

  @Test
  @DisplayName("a tombstone keeps the marks of all subscribers, and functions leave them alone")
  void othersMarksStay() {
    EntityStore<View> search = scene.store(Tracking.defaults().as("search"));
    Message id = Some.id();
    Expect.applied(search.update(id, scene.key, Scene.counted()));
    Expect.applied(scene.store().apply(Some.event(1), scene.key, Views::paid));
    Expect.duplicate(search.update(id, scene.key, Scene.counted()));
    Expect.applied(scene.store().delete(Some.event(2), scene.key));
    Expect.duplicate(search.update(id, scene.key, Scene.counted()));
    Expect.applied(scene.store().update(Some.event(3), scene.key, Scene.counted().recreate()));
    Expect.duplicate(search.update(id, scene.key, Scene.counted()));
  }
}
