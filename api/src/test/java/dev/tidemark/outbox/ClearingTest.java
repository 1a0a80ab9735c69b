package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A relay that takes off what it sent")
class ClearingTest {
  private final RelayScene scene = new RelayScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("takes off what many records sent in one call, after it was sent")
  void clears() {
    IntStream.range(0, 50).forEach(i -> scene.publish("k" + i, "m" + i));
    scene.broker.before = () -> assertEquals(50, scene.records.rows.size());
    scene.relay().sweep();
    assertEquals(List.of(50), scene.records.writes);
  }

  @ParameterizedTest(name = "of {0} entities sends again at most {1}")
  @CsvSource({"1, 16", "7, 21", "19, 38", "30, 30", "600, 500"})
  @DisplayName("that dies behind any call of its sender")
  void killed(int entities, int most) {
    for (int i = 0; i < entities; i++) {
      String name = "k" + i;
      scene.publish(
          name, IntStream.range(0, 16).mapToObj(m -> name + "/" + m).toArray(String[]::new));
    }
    List<Integer> again = new ArrayList<>();
    scene.broker.after =
        () -> {
          Set<String> taken = new HashSet<>(scene.broker.taken);
          for (OutboxRecord row : scene.records.rows.values()) {
            taken.removeAll(RelayScene.ids(row.waiting()));
          }
          again.add(scene.broker.taken.size() - taken.size());
        };
    RelayPass pass = scene.builder().batch(600).build().sweep();
    assertEquals(16 * entities, pass.sent());
    assertEquals(most, Collections.max(again));
    assertEquals(Set.of(), scene.records.rows.keySet());
    assertTrue(scene.records.writes.size() <= 1 + pass.sent() / 20);
  }

  @Test
  @DisplayName("goes on where it cannot take off meanwhile, and sends nothing twice")
  void unclearMeanwhile() {
    for (int i = 0; i < 25; i++) {
      scene.publish("k" + i, "k" + i + "/1", "k" + i + "/2");
    }
    scene.records.lost = 5;
    scene.records.beforeWrite =
        () -> {
          scene.records.beforeWrite = () -> {};
          scene.records.rows.remove("k7"); // another relay has sent all of it
          scene.publish("k8", "k8/3");
        };
    Relay relay = scene.relay();
    RelayPass pass = relay.sweep();
    assertEquals(49, pass.sent());
    assertEquals(List.of("k8/3"), scene.waiting("k8"));
    assertEquals(Set.of("k8"), scene.records.rows.keySet());
    assertEquals(1, relay.sweep().sent());
    assertEquals(50, scene.broker.taken.size());
    assertEquals(50, Set.copyOf(scene.broker.taken).size());
  }

  @Test
  @DisplayName("sends nothing twice that it could not take off, and takes it off later")
  void unclear() {
    scene.publish("a", "a1", "a2");
    Relay relay = scene.relay();
    scene.records.beforeWrite =
        () -> {
          throw new IllegalStateException("down");
        };
    RelayPass pass = relay.sweep();
    assertEquals(2, pass.sent());
    assertInstanceOf(IllegalStateException.class, pass.error());
    scene.publish("a", "a3");
    scene.records.beforeWrite = () -> {};
    pass = relay.sweep();
    assertEquals(1, pass.sent());
    assertEquals(2, pass.prevented());
    assertEquals(List.of("a1", "a2", "a3"), scene.broker.taken);
    assertEquals(List.of(), scene.waiting("a"));
  }

  @Test
  @DisplayName("sends nothing twice where the reply of taking it off is lost")
  void lostReply() {
    scene.publish("a", "a1");
    scene.records.lost = 1;
    Relay relay = scene.relay();
    assertEquals(1, relay.sweep().sent());
    scene.publish("a", "a2");
    RelayPass pass = relay.sweep();
    assertEquals(List.of("a1", "a2"), scene.broker.taken);
    assertEquals(0, pass.prevented());
    assertEquals(Set.of(), scene.records.rows.keySet());
  }

  @Test
  @DisplayName("keeps what is published while it sends")
  void publishedMeanwhile() {
    scene.publish("a", "a1");
    scene.records.beforeWrite =
        () -> {
          scene.records.beforeWrite = () -> {};
          scene.publish("a", "a2");
        };
    Relay relay = scene.relay();
    RelayPass pass = relay.sweep();
    assertEquals(1, pass.refused());
    assertEquals(List.of("a2"), scene.waiting("a"));
    relay.sweep();
    assertEquals(List.of("a1", "a2"), scene.broker.taken);
  }

  @Test
  @DisplayName("leaves alone what another relay has taken, parked or put off meanwhile")
  void anotherRelay() {
    scene.publish("a", "a1", "a2");
    scene.broker.refuses.add("a2");
    scene.records.beforeWrite =
        () -> {
          scene.records.beforeWrite = () -> {};
          scene.records.rows.remove("a");
        };
    RelayPass pass = scene.relay().sweep();
    assertEquals(1, pass.refused());
    assertEquals(Set.of(), scene.records.rows.keySet());
  }
}
