package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
  @DisplayName("counts one try for a pass, though it takes off several times")
  void triesOfAPass() {
    scene.publish("pp", "a-u");
    scene.broker.refuses.add("a-u");
    Relay relay = scene.builder().parkAfter(3).build();
    for (int tries = 1; tries <= 3; tries++) {
      for (int i = 0; i < 25; i++) {
        scene.publish("k" + i, i + "/" + tries + "/1", i + "/" + tries + "/2");
      }
      scene.publish("pp", "p1/" + tries, "p2/" + tries);
      assertEquals(tries == 3 ? 1 : 0, relay.sweep().parked());
      assertEquals(tries == 3 ? List.of() : List.of("a-u"), scene.waiting("pp"));
      assertEquals(tries % 3, scene.tries("pp"));
      assertEquals(tries == 3 ? 0 : 1, relay.sweep().pending());
      scene.move(Duration.ofMinutes(1));
    }
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
  @DisplayName("puts off an entity whose message fails, behind growing pauses, and no other one")
  void backoff() {
    scene.publish("a", "a1", "a2");
    scene.publish("b", "b1");
    scene.broker.refuses.add("a1");
    Relay relay = scene.builder().retryAfter(Duration.ofSeconds(1), Duration.ofSeconds(3)).build();
    RelayPass pass = relay.sweep();
    assertEquals(List.of("b1"), scene.broker.taken);
    assertEquals(1, pass.failed());
    assertInstanceOf(IllegalStateException.class, pass.error());
    for (int seconds : new int[] {1, 2, 3, 3}) {
      int calls = scene.broker.calls.size();
      scene.move(Duration.ofSeconds(seconds).minusMillis(1));
      RelayPass rests = relay.sweep();
      assertEquals(calls, scene.broker.calls.size());
      assertEquals(2, rests.pending());
      assertTrue(rests.oldest().compareTo(Duration.ZERO) > 0);
      scene.move(Duration.ofMillis(1));
      relay.sweep();
      assertEquals(calls + 1, scene.broker.calls.size());
    }
    scene.broker.refuses.clear();
    scene.move(Duration.ofSeconds(3));
    relay.sweep();
    assertEquals(List.of("b1", "a1", "a2"), scene.broker.taken);
    assertEquals(0, relay.sweep().pending());
  }

  @Test
  @DisplayName("parks what fails so often while others go, and sends the later ones")
  void parks() {
    scene.publish("a", "a1", "a2", "a3");
    scene.broker.refuses.add("a1");
    Relay relay = scene.builder().parkAfter(3).build();
    for (int i = 0; i < 3; i++) {
      assertEquals(List.of(), scene.parked("a"));
      scene.publish("b" + i, "b" + i);
      RelayPass pass = relay.sweep();
      assertEquals(i == 2 ? 1 : 0, pass.parked());
      scene.move(Duration.ofMinutes(1));
    }
    assertEquals(List.of("a1"), scene.parked("a"));
    assertEquals(List.of("a2", "a3"), scene.waiting("a"));
    relay.sweep();
    assertEquals(List.of("a2", "a3"), scene.broker.taken.subList(3, 5));
    assertEquals(List.of(), scene.waiting("a"));
    assertEquals(List.of("a1"), scene.parked("a"));
  }

  @Test
  @DisplayName("parks nothing for long while nothing can be sent, and then what still fails")
  void outage() {
    scene.publish("a", "a1", "a2");
    scene.publish("b", "b1");
    scene.broker.isDown = true;
    Relay relay = scene.builder().parkAfter(2).build();
    for (int i = 1; i < 2 * Retries.PATIENCE; i++) {
      assertEquals(0, relay.sweep().parked());
      scene.move(Duration.ofMinutes(1));
    }
    RelayPass pass = relay.sweep();
    assertEquals(2, pass.parked());
    assertEquals(List.of("a1"), scene.parked("a"));
    scene.broker.isDown = false;
    relay.sweep();
    assertEquals(List.of("a2"), scene.broker.taken);
  }

  @Test
  @DisplayName("counts tries of the first message alone")
  void tries() {
    scene.publish("a", "a1", "a2");
    scene.publish("b", "b1");
    scene.broker.refuses.addAll(Set.of("a1", "a2"));
    Relay relay = scene.builder().parkAfter(2).build();
    relay.sweep();
    assertEquals(1, scene.tries("a"));
    scene.broker.refuses.remove("a1");
    scene.move(Duration.ofMinutes(1));
    assertEquals(0, relay.sweep().parked());
    assertEquals(List.of("a2"), scene.waiting("a"));
    assertEquals(1, scene.tries("a"));
    scene.move(Duration.ofSeconds(1));
    assertEquals(1, relay.sweep().parked());
  }

  @Test
  @DisplayName("counts a sender that throws, or tells of too few, as all failed, and says so")
  void badSenders() {
    scene.publish("a", "a1");
    Sender throwing =
        messages -> {
          throw new AssertionError("broken");
        };
    RelayPass pass = Relay.builder(scene.records, throwing).build().sweep();
    assertEquals(1, pass.failed());
    assertInstanceOf(AssertionError.class, pass.error());
    scene.move(Duration.ofMinutes(1));
    pass = Relay.builder(scene.records, messages -> List.of()).build().sweep();
    assertEquals(1, pass.failed());
    assertTrue(String.valueOf(pass.error()).contains("each of 1 messages"));
    assertEquals(List.of("a1"), scene.waiting("a"));
    assertEquals(2, scene.tries("a"));
    scene.move(Duration.ofMinutes(1));
    Sender nulls = messages -> Arrays.asList(new Sent[messages.size()]);
    pass = Relay.builder(scene.records, nulls).build().sweep();
    assertEquals(1, pass.failed());
    assertTrue(String.valueOf(pass.error()).contains("null"));
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
  }
}
