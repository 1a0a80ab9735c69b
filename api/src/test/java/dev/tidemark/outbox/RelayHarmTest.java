package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.kernel.Uninterrupted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay that is harmed")
class RelayHarmTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final RelayScene scene = new RelayScene();

  @AfterEach
  void close() {
    assertFalse(Thread.interrupted(), "no interrupt is left to the next test");
    scene.close();
  }

  @Test
  @DisplayName("by an interrupt while it sends, sends nothing more and takes off what it has sent")
  void interruptedWave() {
    scene.publish("a", "a1", "a2", "a3");
    scene.publish("bb", "b1", "b2");
    scene.broker.after = () -> Thread.currentThread().interrupt();
    RelayPass pass = scene.relay().sweep();
    assertTrue(Thread.interrupted());
    assertEquals(2, pass.sent());
    assertEquals(List.of("a1", "b1"), scene.broker.taken);
    assertEquals(List.of("a2", "a3"), scene.waiting("a"));
    assertEquals(List.of("b2"), scene.waiting("bb"));
    assertNull(pass.error());
  }

  @Test
  @DisplayName("by an interrupt in a drain, ends it in the same way")
  void interruptedDrain() {
    scene.publish("a", "a1", "a2", "a3");
    scene.broker.after = () -> Thread.currentThread().interrupt();
    RelayPass pass = scene.relay().drain(HOUR);
    assertTrue(Thread.interrupted());
    assertEquals(1, pass.sent());
    assertEquals(List.of("a2", "a3"), scene.waiting("a"));
  }

  @Test
  @DisplayName("by an interrupt while it takes off, stops and takes off at the end")
  void interruptedClearing() {
    String[] ids = new String[60];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = "a" + i + "u";
    }
    scene.publish("a", ids);
    scene.publish("bb", "b1", "b2", "b3");
    scene.records.beforeWrite =
        () -> {
          scene.records.beforeWrite = () -> {};
          Thread.currentThread().interrupt();
        };
    RelayPass pass = scene.relay().sweep();
    assertTrue(Thread.interrupted());
    assertEquals(61, pass.sent());
    assertEquals(List.of(), scene.waiting("a"));
    assertEquals(List.of("b2", "b3"), scene.waiting("bb"));
  }

  @Test
  @DisplayName("by an interrupt while it takes off at the end, takes off all the same")
  void interruptedEnd() {
    endInterrupted();
  }

  @Test
  @DisplayName("by such an interrupt, which an unsure answer tells, takes off all the same")
  void interruptedEndUnsure() {
    scene.records.isUnsure = true;
    endInterrupted();
  }

  private void endInterrupted() {
    scene.publish("a", "a1");
    scene.publish("bb", "b1");
    scene.broker.after = () -> Thread.currentThread().interrupt();
    scene.records.beforeWrite =
        () -> {
          scene.records.beforeWrite = () -> {};
          Thread.currentThread().interrupt();
        };
    scene.relay().run();
    assertTrue(Thread.interrupted());
    assertEquals(List.of("a1", "b1"), scene.broker.taken);
    assertEquals(List.of(), scene.waiting("a"));
    assertEquals(List.of(), scene.waiting("bb"));
    assertNull(scene.passes.get(0).error());
  }

  @Test
  @DisplayName("by an interrupt in a drain, tells of it though a pass before has met another error")
  void interruptedAfterAnError() {
    scene.publish("a", "a1");
    scene.publish("aaaaa", "c1");
    scene.broker.refuses.add("a1");
    scene.broker.after = () -> scene.broker.interrupts = true;
    RelayPass pass = scene.builder().batch(1).build().drain(HOUR);
    assertEquals(2, scene.passes.size());
    assertEquals(1, pass.failed());
    assertInstanceOf(InterruptedException.class, pass.error());
  }

  @Test
  @DisplayName("by an InterruptedException of one message alone, tells of what came first")
  void messageInterrupted() {
    Exception first = new IllegalStateException("refused");
    Sender sender =
        messages ->
            messages.stream()
                .map(m -> m.id().equals("a1") ? first : new InterruptedException())
                .<Sent>map(Sent::failed)
                .toList();
    for (int batch : new int[] {1, 10}) {
      scene.publish("a", "a1");
      scene.publish("aaaaa", "c1");
      RelayBuilder builder = Relay.builder(scene.records, sender).batch(batch);
      RelayPass pass = builder.time(scene.nanos::get, scene::move).build().drain(HOUR);
      assertEquals(2, pass.failed());
      assertSame(first, pass.error());
      scene.records.rows.clear();
    }
  }

  @Test
  @DisplayName("by an interrupt before it begins, makes no pass of a drain and sends nothing")
  void interruptedBefore() {
    scene.publish("a", "a1");
    Thread.currentThread().interrupt();
    RelayPass pass = scene.relay().drain(HOUR);
    assertTrue(Thread.interrupted());
    assertEquals(0, pass.sent());
    assertEquals(List.of(), scene.broker.taken);
  }

  @Test
  @DisplayName("by an interrupt before it begins, tells by an error that a drain has made no pass")
  void interruptedBeforeTold() {
    scene.publish("a", "a1");
    Thread.currentThread().interrupt();
    RelayPass pass = scene.relay().drain(HOUR);
    assertTrue(Thread.interrupted());
    assertInstanceOf(InterruptedException.class, pass.error());
    assertEquals(0, scene.records.looks);
    assertEquals(1, scene.relay().drain(HOUR).sent());
  }

  @Test
  @DisplayName("by an interrupt before a pass, tells by an error that it has sent nothing")
  void interruptedBeforeSending() {
    scene.publish("a", "a1");
    AtomicInteger calls = new AtomicInteger();
    scene.records.afterLook =
        () -> {
          if (calls.incrementAndGet() == 4) { // the last one, so that the store answers each
            Thread.currentThread().interrupt();
          }
        };
    RelayPass pass = scene.relay().sweep();
    assertTrue(Thread.interrupted());
    assertInstanceOf(InterruptedException.class, pass.error());
    assertEquals(List.of(), scene.broker.taken);
  }

  @Test
  @DisplayName("by a sender's InterruptedException, ends a call that tells it, and no later one")
  void senderInterrupted() {
    scene.publish("a", "a1", "a2");
    scene.publish("bb", "b1");
    for (Function<Relay, RelayPass> call :
        List.<Function<Relay, RelayPass>>of(Relay::sweep, relay -> relay.drain(HOUR))) {
      scene.broker.interrupts = true;
      RelayPass pass = call.apply(scene.relay());
      assertFalse(Thread.interrupted(), "nobody has interrupted the thread");
      assertInstanceOf(InterruptedException.class, pass.error());
      assertEquals(0, pass.sent() + pass.failed());
      assertEquals(0, scene.tries("a") + scene.tries("bb"));
    }
    assertEquals(2, scene.passes.size());
    scene.broker.interrupts = false;
    assertEquals(3, scene.relay().drain(HOUR).sent());
  }

  @Test
  @DisplayName("by a sender that was told of the thread's own interrupt, leaves it interrupted")
  void senderToldOfInterrupt() {
    scene.publish("a", "a1");
    Sender sender =
        messages -> {
          Thread.currentThread().interrupt();
          throw Uninterrupted.told("interrupted while it was sent", null);
        };
    Relay relay = Relay.builder(scene.records, sender).build();
    RelayPass pass = relay.drain(HOUR);
    assertTrue(Thread.interrupted());
    assertInstanceOf(InterruptedException.class, pass.error());
    Sender concurrent =
        Sender.concurrent(
            message -> {
              Thread.currentThread().interrupt();
              return new CompletableFuture<>();
            },
            HOUR);
    assertEquals(0, Relay.builder(scene.records, concurrent).build().drain(HOUR).sent());
    assertTrue(Thread.interrupted());
  }

  @Test
  @DisplayName("by an Error of the store, goes on, and sends nothing twice")
  void error() {
    Error error = new LinkageError("a class of the driver is not there");
    Relay relay = scene.relay();
    scene.publish("a", "a1", "a2");
    scene.records.fatal = error;
    assertSame(error, relay.sweep().error());
    scene.records.fatal = null;
    scene.records.beforeWrite = () -> scene.records.fatal = error;
    RelayPass pass = relay.sweep();
    assertSame(error, pass.error());
    assertEquals(2, pass.sent());
    scene.records.fatal = null;
    scene.records.beforeWrite = () -> {};
    assertEquals(2, relay.sweep().prevented());
    assertEquals(List.of(), scene.waiting("a"));
    assertEquals(List.of("a1", "a2"), scene.broker.taken);
  }

  @Test
  @DisplayName("by a writer's clock that is ahead, sends at the next look ahead, and tells of it")
  void ahead() {
    Relay relay = scene.relay();
    scene.move(HOUR);
    scene.publish("a", "a1", "a2");
    scene.move(HOUR.negated());
    scene.move(Duration.ofMinutes(1).minusMillis(1));
    assertEquals(0, relay.sweep().sent());
    scene.move(Duration.ofMillis(1));
    RelayPass pass = relay.sweep();
    assertEquals(2, pass.sent());
    assertEquals(2, pass.ahead());
    assertEquals(List.of(), scene.waiting("a"));
  }

  @Test
  @DisplayName("by a writer's clock that is ahead, sends in a drain, and for a hint")
  void aheadAtOnce() {
    scene.move(HOUR);
    scene.publish("a", "a1");
    scene.move(HOUR.negated());
    assertEquals(1, scene.relay().drain(HOUR).ahead());
    scene.move(HOUR);
    scene.publish("a", "a2");
    scene.move(HOUR.negated());
    Relay relay = scene.relay();
    assertTrue(relay.hint(1, "a"));
    assertEquals(1, relay.sweep().ahead());
    assertEquals(List.of("a1", "a2"), scene.broker.taken);
  }

  @Test
  @DisplayName("by hints of what it has put off itself, whose writer is ahead, waits nonetheless")
  void hintedAgain() {
    scene.move(HOUR);
    scene.publish("a", "a1");
    scene.move(HOUR.negated());
    List<Integer> calls = new ArrayList<>();
    Sender away =
        messages -> {
          calls.add(messages.size());
          return List.of(Sent.deferred(new IllegalStateException("away")));
        };
    Relay relay = Relay.builder(scene.records, away).time(scene.nanos::get, scene::move).build();
    for (int second = 0; second < 2; second++) {
      for (int write = 0; write < 20; write++) { // each is heard of at once
        assertTrue(relay.hint(1, "a"));
        relay.sweep();
      }
      scene.move(Duration.ofSeconds(1)); // the first pause
    }
    assertEquals(List.of(1, 1), calls);
  }

  @Test
  @DisplayName("by messages that are large, looks at few shards in a pass, and at all in turn")
  void large() {
    for (String key : new String[] {"a", "bb", "ccc", "dddd"}) {
      scene.publish(key, key + "x".repeat(1_000), key + 2);
    }
    scene.broker.isDown = true;
    Relay relay = scene.builder().size(1_500).build();
    List<List<String>> first = scene.broker.calls;
    for (int pass = 0; pass < 2; pass++) {
      assertEquals(4, relay.sweep().shards());
      assertEquals(2, first.get(pass).size());
    }
    assertEquals(4, first.stream().flatMap(List::stream).distinct().count());
    scene.broker.isDown = false;
    scene.move(Duration.ofMinutes(1));
    assertEquals(8, relay.drain(HOUR).sent());
  }

  @Test
  @DisplayName("by a broker that is away, keeps to its pauses, and takes no clock for one ahead")
  void deferred() {
    scene.publish("a", "a1");
    Sender away =
        messages ->
            messages.stream()
                .<Sent>map(message -> Sent.deferred(new IllegalStateException("away")))
                .toList();
    Relay relay = Relay.builder(scene.records, away).time(scene.nanos::get, scene::move).build();
    for (int tries = 0; tries < 8; tries++) {
      assertEquals(1, relay.sweep().failed());
      assertTrue(relay.hint(1, "a"));
      RelayPass pass = relay.sweep();
      assertEquals(0, pass.failed(), "a pause is kept");
      assertEquals(0, pass.ahead());
      scene.move(Duration.ofMinutes(1));
    }
  }

  @Test
  @DisplayName("by a clock that is ahead, still leaves what it has put off to its pause")
  void putOff() {
    scene.publish("a", "a1");
    scene.broker.refuses.add("a1");
    Relay relay = scene.relay();
    for (int tries = 0; tries < 8; tries++) {
      assertEquals(1, relay.sweep().failed());
      assertTrue(relay.hint(1, "a"));
      assertEquals(0, relay.drain(HOUR).failed(), "a pause is kept");
      scene.move(Duration.ofMinutes(1));
    }
  }
}
