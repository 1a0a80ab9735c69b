package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.NAMES)
@DisplayName("Law 7: names neither collide nor inject")
final class NamesContract {
  private final Scene scene;
  private final EntityStore<View> store;

  NamesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  /** All are applied, and are all duplicates afterwards: none is taken for another. */
  private void assertDistinct(List<SourceEvent> events) {
    EntityUpdate.Rules creating = EntityUpdate.Rules.defaults().createIfMissing();
    EntityUpdate own = scene.backend.counting(creating, null);
    for (EntityUpdate update : List.of(Scene.counted(), own)) {
      EntityKey key = Some.key();
      events.forEach(e -> Expect.applied(store.update(e, key, update)));
      events.forEach(e -> Expect.duplicate(store.update(e, key, update)));
      assertEquals(events.size(), scene.count(key));
    }
  }

  @Test
  @DisplayName("hostile types and ids of sources keep marks of their own on one entity")
  void sources() {
    List<SourceEvent> events = new ArrayList<>();
    Hostile.NAMES.forEach(name -> events.add(Some.event(name, "1", 1)));
    Hostile.NAMES.forEach(name -> events.add(Some.event("Order", name, 1)));
    assertDistinct(events);
  }

  @Test
  @DisplayName("carriers and aggregates of one name are sources of their own")
  void carriers() {
    assertDistinct(
        List.of(
            Some.event("Order", "7", 1),
            SourceEvent.kafka("", "Order", 7, 1),
            SourceEvent.kafka("eu", "Order", 7, 1),
            SourceEvent.sqsFifo("Order", "7", "1"),
            SourceEvent.sqsFifo("arn:aws:sqs:eu-west-1:1:Order", "7", "1"),
            SourceEvent.sqsFifo("arn:aws:sqs:us-east-1:1:Order", "7", "1"),
            SourceEvent.dynamoDbStreams("Order", "7", "1"),
            SourceEvent.kinesis("Order", "7", "1", 0)));
  }

  @Test
  @DisplayName("records that share a Kinesis sequence number are told apart by their sub-sequence")
  void subSequences() {
    for (long sub : List.of(0L, 1L, 9L, 10L)) {
      SourceEvent record = SourceEvent.kinesis("orders", "7", "49546986683135544286", sub);
      Expect.applied(store.update(record, scene.key, Scene.counted()));
      Expect.duplicate(store.update(record, scene.key, Scene.counted()));
    }
    SourceEvent next = SourceEvent.kinesis("orders", "7", "49546986683135544287", 0);
    Expect.applied(store.update(next, scene.key, Scene.counted()));
    assertEquals(5, scene.count());
  }

  @Test
  @DisplayName("type and id do not run into each other: (A, 11) is not (A1, 1)")
  void joins() {
    assertDistinct(
        List.of(
            Some.event("A", "11", 1),
            Some.event("A1", "1", 1),
            Some.event("A.B", "C", 1),
            Some.event("A", "B.C", 1),
            Some.event("A", "1#seen", 1),
            Some.event("A@s", "1", 1)));
  }

  @Test
  @DisplayName("hostile message IDs are remembered apart, those of several fields too")
  void messageIds() {
    List<MessageId> ids = new ArrayList<>();
    Hostile.NAMES.forEach(name -> ids.add(MessageId.of(name)));
    Hostile.NAMES.forEach(name -> ids.add(MessageId.of(name, "")));
    Hostile.NAMES.forEach(name -> ids.add(MessageId.of("", name)));
    for (Tracking tracking : List.of(store.tracking(), compact())) {
      EntityStore<View> views = scene.store(tracking);
      EntityKey key = Some.key();
      ids.forEach(id -> Expect.applied(views.update(id, key, Scene.counted())));
      ids.forEach(id -> Expect.duplicate(views.update(id, key, Scene.counted())));
      assertEquals(ids.size(), scene.count(key));
    }
  }

  private Tracking compact() {
    return Tracking.defaults().messageIds(Tracking.defaults().messageIds().compact());
  }

  @Test
  @DisplayName("hostile keys reach their own entity, or are refused by name before the call")
  void keys() {
    String fresh = Some.name();
    List<EntityKey> written = new ArrayList<>();
    for (String name : Hostile.NAMES) {
      EntityKey key = EntityKey.key(name.length() > 64 ? name + fresh : fresh + name);
      try {
        Expect.applied(
            store.update(Some.event(1), key, change().set("note", name).createIfMissing()));
        written.add(key);
        assertEquals(name, store.find(key).orElseThrow().getNote());
      } catch (IllegalArgumentException e) {
        assertEquals(4_096 + fresh.length(), ((String) key.parts().get(0)).length());
      }
    }
    written.forEach(k -> Expect.duplicate(store.update(Some.event(1), k, Scene.counted())));
  }

  @Test
  @DisplayName("parts of a composite key do not run into each other")
  void compositeKeys() {
    EntityStore<View> views = scene.backend.compositeViews(Tracking.defaults(), scene.clock);
    String fresh = Some.name();
    List<EntityKey> keys =
        List.of(
            EntityKey.key(fresh, "11"),
            EntityKey.key(fresh + "1", "1"),
            EntityKey.key(fresh + ".a", "b"),
            EntityKey.key(fresh, "a.b"),
            EntityKey.key(fresh, "$b"),
            EntityKey.key(fresh, "\0"));
    for (EntityKey key : keys) {
      Expect.applied(views.update(Some.event(1), key, Scene.counted()));
    }
    for (EntityKey key : keys) {
      Expect.duplicate(views.update(Some.event(1), key, Scene.counted()));
      View view = views.find(key).orElseThrow();
      assertEquals(key.parts(), List.of("" + view.getId(), "" + view.getSort()));
    }
  }

  @Test
  @DisplayName("an empty key is refused by name, or is a key like any other")
  void emptyKey() {
    EntityKey key = EntityKey.key("");
    try {
      store.update(Some.id(), key, Scene.counted()).entity();
      store.forget(Some.id(), key).entity();
    } catch (IllegalArgumentException e) {
      assertThrows(IllegalArgumentException.class, () -> store.find(key));
    }
  }

  @Test
  @DisplayName("hostile values come back as they are: none is evaluated, none ends the expression")
  void values() {
    Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    for (String value : Hostile.withEmpty().toList()) {
      Expect.applied(
          store.update(
              Some.id(),
              scene.key,
              change()
                  .set("note", value)
                  .set("address", Map.of("v", value))
                  .set("lines", List.of(value))));
      View view = store.find(scene.key).orElseThrow();
      assertEquals(value, view.getNote());
      assertEquals(Map.of("v", value), view.getAddress());
      assertEquals(List.of(value), view.getLines());
      Expect.applied(
          store.update(
              Some.id(),
              scene.key,
              change().set("status", value).onlyIf(attribute("note").is(value))));
      Expect.refused(
          store.update(
              Some.id(),
              scene.key,
              change().set("status", "no").onlyIf(attribute("note").isNot(value))));
    }
  }

  @Test
  @DisplayName("hostile attribute names are stored as they are, or refused with nothing written")
  void attributeNames() {
    Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    for (String name : Hostile.NAMES) {
      Map<String, Object> before = scene.raw().orElseThrow();
      boolean stored = false;
      try {
        Expect.applied(
            store.update(Some.id(), scene.key, change().set(Path.of(name), "v-" + name.length())));
        stored = true;
      } catch (IllegalArgumentException | InvalidChangeException | TooLargeException e) {
        assertEquals(before, scene.raw().orElseThrow(), "after a refusal of " + name);
      }
      if (stored && !name.equals("status")) {
        assertEquals("v-" + name.length(), scene.raw().orElseThrow().get(name), name);
      }
    }
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("attributes that tracking owns, and the key, cannot be changed")
  void ownAttributes() {
    Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    Map<String, Object> before = scene.raw().orElseThrow();
    List<String> own =
        List.of(
            "_rev",
            "_born",
            "messageIDs",
            "messageIDs#1",
            "messageIDs@x",
            "events",
            "events.Order.1",
            "events@x.Order.1",
            "deletedUntil",
            "id");
    for (String name : own) {
      assertThrows(
          IllegalArgumentException.class,
          () -> store.update(Some.id(), scene.key, change().set(Path.of(name), "v")),
          name);
      assertThrows(
          IllegalArgumentException.class,
          () -> store.update(Some.id(), scene.key, change().set(name, "v")),
          name);
    }
    assertEquals(before, scene.raw().orElseThrow());
  }

  @Test
  @DisplayName("a condition on what tracking owns is refused")
  void ownConditions() {
    Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    for (Path own : List.of(Path.of("_rev"), Path.of("messageIDs"), Path.of("events", "a", "1"))) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              store.update(
                  Some.id(),
                  scene.key,
                  change().onlyIf(attribute("x").exists().or(attribute(own).exists().not()))),
          own::toString);
    }
  }
}
