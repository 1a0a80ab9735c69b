package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.ContentionException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Parked messages")
class ParkedMessagesTest {
  private final RelayScene scene = new RelayScene();
  private final ParkedMessages parked = ParkedMessages.of(scene.records);
  private final Relay relay = scene.builder().parkAfter(1).build();

  /** Parks all messages of a record. */
  private void park(String key, String... ids) {
    scene.publish(key, ids);
    scene.broker.refuses.addAll(List.of(ids));
    while (!scene.waiting(key).isEmpty()) {
      scene.publish("zz", "z" + scene.broker.calls.size());
      relay.sweep();
      scene.move(Duration.ofMinutes(1));
    }
    scene.broker.refuses.clear();
    scene.broker.taken.clear();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("are listed by shard, as many as are asked for")
  void listed() {
    park("a", "a1", "a2");
    park("eeeee", "e1");
    park("bb", "b1");
    assertEquals(2, parked.list(1, 10).size());
    assertEquals(1, parked.list(1, 1).size());
    assertEquals(List.of("b1"), RelayScene.ids(parked.list(2, 10).get(0).parked()));
    assertEquals(List.of(), parked.list(0, 10));
    assertThrows(IllegalArgumentException.class, () -> parked.list(1, 0));
    assertThrows(IllegalArgumentException.class, () -> parked.list(1, -1));
    assertThrows(IllegalArgumentException.class, () -> parked.list(-1, 1), "where messages wait");
  }

  @Test
  @DisplayName("wait again once they are released, and are sent")
  void released() {
    park("a", "a1", "a2");
    assertEquals(1, parked.release("a", Set.of("a2", "unknown")));
    relay.sweep();
    assertEquals(List.of("a2"), scene.broker.taken);
    assertEquals(List.of("a1"), scene.parked("a"));
    assertEquals(0, parked.release("a", Set.of("a2")));
    assertEquals(0, parked.release("b", Set.of("b1")));
  }

  @Test
  @DisplayName("are gone once they are dropped; what waits is dropped by nobody")
  void dropped() {
    park("a", "a1", "a2");
    scene.publish("a", "a3");
    assertEquals(1, parked.drop("a", Set.of("a1", "a3")));
    assertEquals(List.of("a2"), scene.parked("a"));
    assertEquals(List.of("a3"), scene.waiting("a"));
    relay.sweep();
    assertEquals(1, parked.drop("a", Set.of("a2")));
    assertEquals(Set.of(), scene.records.rows.keySet());
  }

  @Test
  @DisplayName("are released beside what is put off, which stays put off")
  void beside() {
    park("a", "a1");
    scene.publish("a", "a2");
    scene.broker.isDown = true;
    relay.sweep();
    scene.broker.isDown = false;
    assertEquals(1, parked.release("a", Set.of("a1")));
    relay.sweep();
    assertEquals(List.of(), scene.broker.taken);
    scene.move(Duration.ofMinutes(1));
    relay.sweep();
    assertEquals(List.of("a2", "a1"), scene.broker.taken);
  }

  @Test
  @DisplayName("are changed over what others change meanwhile")
  void contended() {
    park("a", "a1", "a2");
    scene.records.beforeWrite =
        () -> {
          scene.records.beforeWrite = () -> {};
          scene.publish("a", "a3");
        };
    assertEquals(2, parked.drop("a", Set.of("a1", "a2")));
    assertEquals(List.of("a3"), scene.waiting("a"));
  }

  @Test
  @DisplayName("are counted as dropped or released where the reply is lost, too")
  void lostDrops() {
    park("a", "a1", "a2", "a3");
    scene.records.lost = 2;
    assertEquals(1, parked.release("a", Set.of("a1")));
    assertEquals(1, parked.drop("a", Set.of("a2", "unknown")));
    assertEquals(List.of("a1"), scene.waiting("a"));
    relay.sweep();
    scene.records.lost = 1;
    assertEquals(1, parked.drop("a", Set.of("a3")));
    assertEquals(Set.of(), scene.records.rows.keySet());
    park("b", "b1");
    scene.records.busy = 1;
    assertEquals(1, parked.drop("b", Set.of("b1")));
  }

  @Test
  @DisplayName("are a fault where the store turns every change away")
  void unsure() {
    park("a", "a1");
    scene.records.busy = 1_000;
    assertThrows(ContentionException.class, () -> parked.drop("a", Set.of("a1")));
    assertEquals(List.of("a1"), scene.parked("a"));
  }
}
