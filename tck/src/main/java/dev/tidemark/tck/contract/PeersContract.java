package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.PEERS)
@DisplayName("Defects of other libraries stay theirs")
final class PeersContract {
  private final Scene scene;
  private final EntityStore<View> store;

  PeersContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  @Test
  @DisplayName("FTGO joins type and id without a separator: here (A, 11) is not (A1, 1)")
  void ftgoJoins() {
    Expect.applied(store.update(Some.event("A", "11", 1), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.event("A1", "1", 1), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("FTGO compares positions as strings: here 10 follows 9")
  void ftgoStrings() {
    Expect.applied(store.update(Some.event(9), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.event(10), scene.key, Scene.counted()));
    Expect.stale(store.update(Some.event(9), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("FTGO answers duplicate, stale and refused by one false: here each has its arm")
  void ftgoFalse() {
    Change refused = Scene.counted().onlyIf(attribute("status").exists());
    Expect.applied(store.update(Some.event(2), scene.key, Scene.counted()));
    Expect.duplicate(store.update(Some.event(2), scene.key, refused));
    Expect.stale(store.update(Some.event(1), scene.key, refused));
    Expect.refused(store.update(Some.event(3), scene.key, refused));
  }

  @Test
  @DisplayName("FTGO's update before its create leaves a partial item: here it leaves nothing")
  void ftgoPartialItem() {
    Expect.missing(store.update(Some.event(2), scene.key, change().set("status", "PAID")));
    scene.assertNothingStored("an update before its create");
  }

  @Test
  @DisplayName("FTGO's or() renders AND: here one true side is enough")
  void ftgoOr() {
    Change either =
        Scene.counted().onlyIf(attribute("total").is(1).or(attribute("status").is("PAID")));
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.event(2), scene.key, either));
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName(
      "Spring Integration stores the key before the handler, so a failure loses the message: not here")
  void springIntegration() {
    UnaryOperator<View> failing =
        view -> {
          throw new IllegalStateException("handler failed");
        };
    MessageId id = Some.id();
    assertThrows(IllegalStateException.class, () -> store.apply(id, scene.key, View::new, failing));
    Expect.applied(store.apply(id, scene.key, View::new, Views::counted));
  }

  @Test
  @DisplayName("Spring Integration adds seconds as milliseconds: here an expiry is days away")
  void springIntegrationUnits() {
    Expect.applied(store.delete(Some.event(1), scene.key));
    Object until = scene.raw().orElseThrow().get("deletedUntil");
    assertEquals(scene.clock.instant().plus(Duration.ofDays(30)).getEpochSecond(), until);
  }

  @Test
  @DisplayName(
      "akka-projection's position row is an unconditional put: here two instances apply once")
  void akkaProjection() {
    EntityStore<View> other = scene.store();
    for (int i = 1; i <= 10; i++) {
      Expect.applied(
          (i % 2 == 0 ? store : other).update(Some.event(i), scene.key, Scene.counted()));
      Expect.duplicate(
          (i % 2 == 0 ? other : store).update(Some.event(i), scene.key, Scene.counted()));
    }
    assertEquals(10, scene.count());
  }

  @Test
  @DisplayName(
      "Rebus leaves the message that creates unprotected: here its redelivery is Duplicate")
  void rebus() {
    MessageId id = Some.id();
    Expect.applied(store.update(id, scene.key, Scene.counted()));
    Expect.duplicate(store.update(id, scene.key, Scene.counted()));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName(
      "Eventuous would raise a duplicate key error for every duplicate: here it is an outcome")
  void eventuous() {
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    for (int i = 0; i < 5; i++) {
      Expect.duplicate(store.update(Some.event(1), scene.key, Scene.counted()));
    }
  }

  @Test
  @DisplayName("Kafka's MongoDB sink stores the offset as a string: here it is a number")
  void kafkaSink() {
    Expect.applied(store.update(Some.event("topic", "0", 77), scene.key, Scene.counted()));
    Object mark = scene.raw().orElseThrow().get("events.topic.0");
    assertEquals(77L, assertInstanceOf(Long.class, mark));
  }

  @Test
  @DisplayName("Camel's lazy mode checks, then acts: here the check is the write's own condition")
  void camel() {
    MessageId id = Some.id();
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    UnaryOperator<View> overtaken =
        view -> {
          scene.store().update(id, scene.key, Scene.counted()).entity();
          return Views.counted(view);
        };
    Expect.duplicate(store.apply(id, scene.key, overtaken));
    assertEquals(2, scene.count());
  }
}
