package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sender of messages at the same time")
class ConcurrentSenderTest {
  private final RelayScene scene = new RelayScene();
  private final Map<String, CompletableFuture<String>> begun = new TreeMap<>();
  private final List<String> order = new ArrayList<>();
  private final Set<String> slow = new TreeSet<>();

  private final Sender sender = Sender.concurrent(this::begin, Duration.ofMillis(5));

  private CompletableFuture<String> begin(OutboxMessage message) {
    CompletableFuture<String> future = new CompletableFuture<>();
    order.add(message.id());
    begun.put(message.id(), future);
    if (message.id().startsWith("bad")) {
      throw new IllegalStateException("bad");
    }
    if (!slow.contains(message.id())) {
      future.complete("taken");
    }
    return future;
  }

  private CompletableFuture<String> of(String id) {
    return Objects.requireNonNull(begun.get(id));
  }

  private Relay relay() {
    return Relay.builder(scene.records, sender)
        .time(scene.nanos::get, scene::move)
        .listener(scene.passes::add)
        .build();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("holds back the entity of a slow one alone, and sends that once")
  void slow() {
    slow.add("a1");
    scene.publish("a", "a1", "a2");
    scene.publish("b", "b1", "b2");
    Relay relay = relay();
    RelayPass pass = relay.sweep();
    assertEquals(List.of("a1", "b1", "b2"), order);
    assertTrue(pass.error() instanceof TimeoutException);
    assertEquals(List.of("a1", "a2"), scene.waiting("a"));
    assertEquals(List.of(), scene.waiting("b"));
    scene.move(Duration.ofMinutes(1));
    relay.sweep();
    of("a1").complete("late");
    scene.move(Duration.ofMinutes(1));
    relay.sweep();
    assertEquals(List.of("a1", "b1", "b2", "a2"), order);
    assertEquals(List.of(), scene.waiting("a"));
  }

  @Test
  @DisplayName("sends again what failed, be it late")
  void failed() {
    slow.add("a1");
    scene.publish("a", "a1");
    scene.publish("b", "bad");
    Relay relay = relay();
    relay.sweep();
    of("a1").completeExceptionally(new IllegalStateException("late"));
    scene.move(Duration.ofMinutes(1));
    slow.clear();
    relay.sweep();
    assertEquals(List.of("a1", "bad", "a1", "bad"), order);
    assertEquals(List.of(), scene.waiting("a"));
    assertEquals(List.of("bad"), scene.waiting("b"));
  }

  @Test
  @DisplayName("waits again for what was on its way when the thread was interrupted")
  void interrupted() throws InterruptedException {
    slow.add("a1");
    scene.publish("a", "a1");
    List<OutboxMessage> messages = Objects.requireNonNull(scene.records.rows.get("a")).waiting();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> sender.send(messages));
    of("a1").complete("taken");
    assertEquals(1, sender.send(messages).size());
    assertEquals(List.of("a1"), order);
  }

  @Test
  @DisplayName("refuses to wait for no time")
  void patience() {
    assertThrows(
        IllegalArgumentException.class, () -> Sender.concurrent(this::begin, Duration.ZERO));
  }
}
