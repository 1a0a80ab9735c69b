package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.TooLargeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay, where a record has no room for the note of a try,")
class FullRecordsTest {
  private final RelayScene scene = new RelayScene();

  @AfterEach
  void close() {
    scene.close();
  }

  private Relay relay() {
    Sender sender =
        messages ->
            scene.broker.send(messages).stream()
                .map(one -> one instanceof Sent.Failed f ? Sent.rejected(f.error()) : one)
                .toList();
    return Relay.builder(scene.records, sender)
        .time(scene.nanos::get, scene::move)
        .parkAfter(3)
        .build();
  }

  private void refuse(String... ids) {
    scene.publish("a", "a1", "a2", "a3", "a4");
    scene.records.room = 40;
    scene.broker.refuses.addAll(List.of(ids));
  }

  private RelayPass later(Relay relay) {
    scene.move(Duration.ofMinutes(1));
    return relay.sweep();
  }

  @Test
  @DisplayName("counts tries itself, tells the error, and parks once later messages have made room")
  void poison() {
    refuse("a1");
    Relay relay = relay();
    for (int i = 0; i < 3; i++) {
      assertInstanceOf(TooLargeException.class, later(relay).error());
      assertEquals(List.of(), scene.broker.taken, "the order holds until the message is given up");
    }
    RelayPass pass = later(relay);
    assertEquals(List.of("a2", "a3", "a4"), scene.broker.taken);
    assertEquals(1, pass.parked());
    assertTrue(pass.storeAnswered());
    assertEquals(List.of("a1"), scene.parked("a"));
  }

  @Test
  @DisplayName("gets past several messages that cannot be sent, one after the other")
  void poisons() {
    refuse("a1", "a2", "a3");
    Relay relay = relay();
    for (int i = 0; i < 10; i++) {
      later(relay);
    }
    assertEquals(List.of("a4"), scene.broker.taken);
    assertEquals(List.of("a1", "a2", "a3"), scene.parked("a"));
    scene.records.room = 100;
    int released = ParkedMessages.of(scene.records).release("a", Set.of("a1"));
    assertEquals(1, released);
    later(relay);
    assertEquals(1, scene.tries("a"), "what is released begins anew");
  }

  @Test
  @DisplayName("begins anew with what is released, though nothing told it of the parking")
  void parkedUnseen() {
    refuse("a1");
    Relay relay = relay();
    for (int i = 0; i < 3; i++) {
      later(relay);
    }
    scene.records.lost = 1;
    later(relay);
    assertReleased(relay);
  }

  @Test
  @DisplayName("begins anew with what is released, though another relay has parked it")
  void parkedByAnother() {
    refuse("a1");
    Relay relay = relay();
    for (int i = 0; i < 3; i++) {
      later(relay);
    }
    OutboxRecord found = Objects.requireNonNull(scene.records.rows.get("a"));
    OutboxChange parks =
        new OutboxChange(found, Set.of("a2"), Set.of("a1"), Set.of(), 0, found.due());
    scene.records.rows.put("a", found.after(parks));
    later(relay);
    assertReleased(relay);
  }

  private void assertReleased(Relay relay) {
    assertEquals(List.of("a1"), scene.parked("a"));
    int released = ParkedMessages.of(scene.records).release("a", Set.of("a1"));
    assertEquals(1, released);
    later(relay);
    assertEquals(1, scene.tries("a"));
    assertEquals(List.of("a1"), scene.waiting("a"));
  }

  @Test
  @DisplayName("hides no interrupt of the sender's, which is told by nothing else")
  void interrupted() {
    InterruptedException interrupt = new InterruptedException();
    Tally tally = new Tally();
    tally.interrupted(interrupt);
    tally.error(new TooLargeException("full", null, null));
    assertSame(interrupt, tally.pass("records", Duration.ZERO).error());
  }

  @Test
  @DisplayName("pauses, counts what waits meanwhile, and goes on in order once it can be sent")
  void pauses() {
    refuse("a1");
    Relay relay = relay();
    relay.sweep();
    int calls = scene.broker.calls.size();
    RelayPass pass = relay.drain(Duration.ofHours(1));
    assertEquals(4, pass.pending());
    assertEquals(calls, scene.broker.calls.size());
    assertTrue(scene.nanos.get() < 2_000_000_000L, "a drain does not wait for it");
    scene.broker.refuses.clear();
    later(relay);
    assertEquals(List.of("a1", "a2", "a3", "a4"), scene.broker.taken);
    assertEquals(Map.of(), scene.records.rows);
  }
}
