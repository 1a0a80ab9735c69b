package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay")
class RelayTest {
  private final RelayScene scene = new RelayScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("sends what waits in the order of its entity, and leaves nothing")
  void sends() {
    scene.publish("a", "a1", "a2", "a3");
    scene.publish("bb", "b1");
    RelayPass pass = scene.relay().sweep();
    assertEquals(List.of("a1", "b1", "a2", "a3"), scene.broker.taken);
    assertEquals(Set.of(), scene.records.rows.keySet());
    assertEquals(4, pass.sent());
    assertEquals(4, pass.pending());
    assertEquals(4, pass.shards());
    assertNull(pass.error());
    assertEquals(List.of(pass), scene.passes);
  }

  @Test
  @DisplayName("has one ordered message of an entity on its way, and all unordered ones at once")
  void waves() {
    scene.publish("a", "a1", "a2u", "a3", "a4u");
    scene.publish("b", "b1", "b2");
    scene.relay().sweep();
    assertEquals(2, scene.broker.calls.size());
    assertEquals(Set.of("a1", "a2u", "a4u", "b1"), Set.copyOf(scene.broker.calls.get(0)));
    assertEquals(List.of("a3", "b2"), scene.broker.calls.get(1));
  }

  @Test
  @DisplayName("makes one request for each shard where nothing is due, and no other")
  void idle() {
    RelayPass pass = scene.relay().sweep();
    assertEquals(4, scene.records.looks);
    assertEquals(0, scene.records.reads + scene.records.writes.size());
    assertEquals(0, pass.pending());
    assertEquals(Duration.ZERO, pass.oldest());
  }

  @Test
  @DisplayName("goes on with a long queue in parts, behind others that wait")
  void longQueue() {
    List<String> ids = IntStream.range(0, 40).mapToObj(i -> "a" + i).toList();
    scene.publish("a", ids.toArray(String[]::new));
    Relay relay = scene.builder().batch(1).build();
    relay.sweep();
    assertEquals(Outgoing.WAVES, scene.broker.taken.size());
    scene.move(Duration.ofMillis(1));
    scene.publish("b", "b1");
    scene.move(Duration.ofMillis(1));
    relay.sweep();
    relay.sweep();
    relay.sweep();
    assertEquals(Set.of(), scene.records.rows.keySet());
    assertTrue(scene.broker.taken.indexOf("b1") < scene.broker.taken.indexOf("a39"));
    List<String> ofA = new ArrayList<>(scene.broker.taken);
    ofA.remove("b1");
    assertEquals(ids, ofA);
  }

  @Test
  @DisplayName("goes on with as many long queues as a pass takes behind others that wait")
  void longQueues() {
    for (char key = 'a'; key < 'u'; key++) {
      String name = String.valueOf(key);
      scene.publish(name, IntStream.range(0, 80).mapToObj(i -> name + i).toArray(String[]::new));
    }
    scene.publish("z", "z1");
    Relay relay = scene.builder().batch(20).build();
    for (int passes = 0; passes < 3; passes++) {
      scene.move(Duration.ofMillis(1));
      relay.sweep();
    }
    assertTrue(scene.broker.taken.contains("z1"));
  }

  @Test
  @DisplayName("sends on where a listener throws")
  void badListener() {
    scene.publish("a", "a1");
    Relay relay =
        scene
            .builder()
            .listener(
                pass -> {
                  throw new IllegalStateException("listener");
                })
            .build();
    assertEquals(1, relay.sweep().sent());
    scene.publish("a", "a2");
    assertEquals(1, relay.sweep().sent());
  }

  @Test
  @DisplayName("tells an error of the store, and goes on with the next pass")
  void badStore() {
    scene.publish("a", "a1");
    Relay relay = scene.relay();
    scene.records.error = new IllegalStateException("down");
    RelayPass pass = relay.sweep();
    assertEquals(scene.records.error, pass.error());
    assertEquals(0, pass.sent());
    relay.sweep();
    assertEquals(1, scene.log.said().size());
    assertTrue(scene.log.said().get(0).startsWith("WARNING The relay of rows met an error: java."));
    scene.records.error = null;
    assertEquals(1, relay.sweep().sent());
  }

  @Test
  @DisplayName("reads what it is told of, once, and nothing where that is not due")
  void hints() {
    scene.publish("a", "a1");
    scene.publish("bb", "b1");
    scene.broker.refuses.add("b1");
    Relay relay = scene.relay();
    relay.sweep();
    scene.publish("a", "a2");
    scene.broker.before = relay::stop;
    assertTrue(relay.hint(1, "a"));
    assertTrue(relay.hint(1, "a"));
    assertTrue(relay.hint(2, "bb"));
    int looks = scene.records.looks;
    relay.sweep();
    assertEquals(looks + 4, scene.records.looks);
    assertEquals(1, scene.records.reads);
    assertEquals(List.of("a1", "a2"), scene.broker.taken);
  }

  @Test
  @DisplayName("runs until it is stopped, rests for the interval, and wakes for hints")
  void runs() {
    Relay[] relay = new Relay[1];
    List<Duration> rests = new ArrayList<>();
    relay[0] =
        scene
            .builder()
            .interval(Duration.ofSeconds(5))
            .time(
                scene.nanos::get,
                time -> {
                  rests.add(time);
                  if (rests.size() == 1) {
                    scene.publish("a", "a1");
                    relay[0].hint(1, "a");
                    scene.move(Duration.ofSeconds(2));
                  } else if (rests.size() < 4) {
                    scene.move(time);
                  } else {
                    relay[0].stop();
                  }
                })
            .build();
    relay[0].run();
    assertEquals(List.of("a1"), scene.broker.taken);
    assertEquals(Duration.ofSeconds(5), rests.get(0));
    assertEquals(Duration.ofSeconds(3), rests.get(1));
    assertEquals(12, scene.records.looks);
    int passes = scene.passes.size();
    relay[0].run();
    assertEquals(passes, scene.passes.size());
  }

  @Test
  @DisplayName("ends by an interrupt, takes off what was sent, and stays interrupted")
  void interrupted() {
    scene.publish("a", "a1", "a2");
    Relay relay = scene.relay();
    scene.broker.before =
        () -> {
          scene.broker.interrupts = !scene.broker.taken.isEmpty();
        };
    relay.run();
    assertTrue(Thread.interrupted());
    assertEquals(List.of("a2"), scene.waiting("a"));
    assertEquals(0, scene.tries("a"));
    assertFalse(Thread.interrupted());
  }

  @Test
  @DisplayName("finishes what is in hand when it is stopped, and begins nothing more")
  void stopped() {
    scene.publish("a", "a1", "a2");
    Relay[] relay = {scene.relay()};
    scene.broker.before = () -> relay[0].stop();
    relay[0].run();
    assertEquals(List.of("a1"), scene.broker.taken);
    assertEquals(List.of("a2"), scene.waiting("a"));
    assertEquals(0, relay[0].sweep().sent());
  }

  @Test
  @DisplayName("refuses settings that make no sense")
  void settings() {
    RelayBuilder builder = scene.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.batch(0));
    assertThrows(IllegalArgumentException.class, () -> builder.interval(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.parkAfter(0));
    assertThrows(IllegalArgumentException.class, () -> builder.lease(Duration.ofSeconds(-1)));
    Duration second = Duration.ofSeconds(1);
    assertThrows(
        IllegalArgumentException.class, () -> builder.retryAfter(second, Duration.ofMillis(1)));
    assertThrows(
        IllegalArgumentException.class, () -> builder.retryAfter(second, Duration.ofDays(366)));
  }
}
