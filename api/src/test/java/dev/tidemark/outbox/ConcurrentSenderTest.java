package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import java.time.Duration;
import java.time.Instant;
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
    if (message.id().startsWith("error")) {
      throw new StackOverflowError();
    }
    if (message.id().startsWith("null")) {
      return nothing();
    }
    if (!slow.contains(message.id())) {
      future.complete("taken");
    }
    return future;
  }

  @SuppressWarnings("NullAway") // what a function of somebody's may give
  private static CompletableFuture<String> nothing() {
    return null;
  }

  private CompletableFuture<String> of(String id) {
    return Objects.requireNonNull(begun.get(id));
  }

  private Relay relay() {
    return relay(10);
  }

  private Relay relay(int parkAfter) {
    return Relay.builder(scene.records, sender)
        .parkAfter(parkAfter)
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
  @DisplayName("parks nothing while it is on its way")
  void onItsWay() {
    slow.add("a1");
    scene.publish("a", "a1");
    Relay relay = relay(1);
    for (int i = 1; i < ConcurrentSender.WAITS; i++) {
      scene.publish("b", "b" + i);
      relay.sweep();
      assertEquals(0, scene.tries("a"));
      scene.move(Duration.ofMinutes(1));
    }
    of("a1").complete("taken");
    relay.sweep();
    assertEquals(List.of("a1"), order.stream().filter("a1"::equals).toList());
    assertEquals(Map.of(), scene.records.rows);
  }

  @Test
  @DisplayName("gives up what is never told, sends it again, and parks it if that goes on")
  void lost() {
    slow.add("a1");
    scene.publish("a", "a1", "a2");
    Relay relay = relay(2);
    for (int i = 0; i < 2 * ConcurrentSender.WAITS; i++) {
      assertEquals(i / ConcurrentSender.WAITS, scene.tries("a"));
      assertEquals(List.of(), scene.parked("a"));
      scene.publish("b", "b" + i);
      relay.sweep();
      scene.move(Duration.ofMinutes(1));
    }
    assertEquals(2, order.stream().filter("a1"::equals).count());
    assertEquals(List.of("a1"), scene.parked("a"));
    slow.clear();
    ParkedMessages.of(scene.records).release("a", Set.of("a1"));
    relay.sweep();
    assertEquals(List.of("a2", "a1"), order.subList(order.size() - 2, order.size()));
    assertEquals(Map.of(), scene.records.rows);
  }

  @Test
  @DisplayName("holds back no other message for one of which the function throws an error")
  void error() {
    scene.publish("a", "error");
    scene.publish("b", "b1");
    scene.publish("cc", "null");
    relay().sweep();
    assertEquals(List.of(), scene.waiting("b"));
    assertEquals(List.of("error", "b1", "null"), order);
    assertEquals(2, scene.tries("a") + scene.tries("cc"));
  }

  @Test
  @DisplayName("refuses to wait for no time")
  void patience() {
    assertThrows(
        IllegalArgumentException.class, () -> Sender.concurrent(this::begin, Duration.ZERO));
  }

  /** What two tables of one name may publish under one ID. */
  private static OutboxMessage derived(long millis, String origin, OutgoingMessage message) {
    return new OutboxMessage("derived", Instant.ofEpochMilli(millis), message, origin);
  }

  @Test
  @DisplayName("takes no message for one of another table that has the same ID, and loses neither")
  void sharedByTables() throws InterruptedException {
    OutgoingMessage eu = OutgoingMessage.to("orders", "eu");
    OutboxMessage one = derived(0, "", eu);
    for (OutboxMessage other :
        List.of(
            derived(1, "", eu),
            derived(0, "west", eu),
            derived(0, "", OutgoingMessage.to("refunds", "eu")),
            derived(0, "", OutgoingMessage.to("orders", "us")),
            derived(0, "", eu.key("us")),
            derived(0, "", eu.type("us")),
            derived(0, "", eu.header("region", "us")))) {
      List<OutboxMessage> all = new ArrayList<>();
      CompletableFuture<String> slowly = new CompletableFuture<>();
      Sender shared =
          Sender.concurrent(
              message -> {
                all.add(message);
                return all.size() == 1 ? slowly : CompletableFuture.completedFuture("taken");
              },
              Duration.ofMillis(5));
      assertTrue(shared.send(List.of(one)).get(0) instanceof Sent.Failed);
      slowly.complete("late");
      assertEquals(List.of(Sent.taken()), shared.send(List.of(other)));
      assertEquals(List.of(Sent.taken()), shared.send(List.of(one)));
      assertEquals(List.of(one, other), all);
    }
  }
}
