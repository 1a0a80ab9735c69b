package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@Needs(Capability.OUTBOX)
@DisplayName("A relay whose sender cannot send some messages")
final class SendersContract {
  private final IllegalStateException error = new IllegalStateException("not taken");

  private final RelayScene scene;

  /** A call has the messages of the other view before those of this one. */
  private final EntityKey key = OutboxScene.key(OutboxScene.SHARDS - 1);

  private final EntityKey other = OutboxScene.key(0);
  private final EntityKey third = Some.key();

  SendersContract(Backend backend) {
    this.scene = new RelayScene(backend);
  }

  private Relay relay(Sender sender) {
    return Relay.builder(scene.records(), sender).parkAfter(3).build();
  }

  /** Passes with a message of another view that is sent, each behind the longest pause. */
  private void passes(Relay relay, int passes) {
    for (int i = 0; i < passes; i++) {
      String id = "other-" + scene.taken.size();
      scene.outbox.publish(other, id);
      scene.drain(relay);
      assertTrue(scene.taken.contains(id));
      scene.move(Duration.ofMinutes(1));
    }
  }

  private Sent take(OutboxMessage message) {
    scene.taken.add(message.id());
    return Sent.taken();
  }

  @Test
  @DisplayName("parks the message that fails alone, where it throws an error for all of a call")
  void whole() {
    scene.outbox.publish(key, "poison", "behind");
    Relay relay =
        relay(
            messages -> {
              messages.stream().filter(message -> !isPoison(message)).forEach(this::take);
              if (messages.stream().anyMatch(SendersContract::isPoison)) {
                throw new StackOverflowError();
              }
              return messages.stream().map(message -> (Sent) Sent.taken()).toList();
            });
    for (int i = 0; i < 3; i++) {
      assertFalse(scene.outbox.isParked(key));
      scene.outbox.publish(third, "third-" + i);
      passes(relay, 1);
      scene.assertNothingLeft(other);
      scene.assertNothingLeft(third);
    }
    assertTrue(scene.taken.containsAll(Set.of("third-0", "third-1", "third-2", "behind")));
    assertTrue(scene.outbox.isParked(key));
  }

  private static boolean isPoison(OutboxMessage message) {
    return message.id().equals("poison");
  }

  @Test
  @DisplayName("sends the other messages of a call, where a function throws an error for one")
  void each() {
    scene.outbox.publish(key, "poison", "behind");
    Relay relay =
        relay(
            Sender.each(
                message -> {
                  if (isPoison(message)) {
                    throw new StackOverflowError();
                  }
                  take(message);
                }));
    passes(relay, 3);
    assertEquals(List.of("other-0", "other-1", "other-2", "behind"), scene.taken);
    assertTrue(scene.outbox.isParked(key));
  }

  @Test
  @DisplayName("parks nothing that is not to blame, and sends it in order once it can")
  void deferred() {
    boolean[] isAway = {true};
    scene.outbox.publish(key, "a", "b", "c");
    Relay relay =
        relay(
            messages ->
                messages.stream()
                    .map(
                        message ->
                            isAway[0] && !message.id().startsWith("other")
                                ? Sent.deferred(error)
                                : take(message))
                    .toList());
    passes(relay, 35);
    assertEquals(35, scene.taken.size());
    isAway[0] = false;
    scene.drain(relay);
    assertEquals(List.of("a", "b", "c"), scene.taken.subList(35, 38));
    scene.assertNothingLeft(key);
  }

  @Test
  @DisplayName("has patience with a topic that takes nothing, while another one takes all")
  void topics() {
    Expect.applied(
        scene.outbox.store.update(
            Some.id(), key, Scene.counted().publish(OutgoingMessage.to("away", "a").id("a"))));
    Relay relay =
        relay(
            messages ->
                messages.stream()
                    .map(
                        message ->
                            message.message().topic().equals("away")
                                ? Sent.failed(error)
                                : take(message))
                    .toList());
    passes(relay, 29);
    assertTrue(waits(key));
    passes(relay, 1);
    assertFalse(waits(key));
  }

  private boolean waits(EntityKey view) {
    return scene
        .records()
        .due(OutboxScene.shard(view), scene.outbox.clock.millis(), OutboxScene.MANY)
        .stream()
        .flatMap(record -> record.waiting().stream())
        .anyMatch(message -> message.id().equals("a"));
  }
}
