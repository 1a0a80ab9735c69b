package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay whose messages fail")
class RetriesTest {
  private final RelayScene scene = new RelayScene();

  @AfterEach
  void close() {
    scene.close();
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
}
