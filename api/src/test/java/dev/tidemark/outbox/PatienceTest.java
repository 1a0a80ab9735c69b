package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay, where a part of the world is away,")
class PatienceTest {
  private final IllegalStateException error = new IllegalStateException("not taken");

  private final RelayScene scene = new RelayScene();
  private final List<String> taken = new ArrayList<>();

  /** What is answered in place of taking a message, by what its ID begins with. */
  private final Map<String, Sent> answers = new HashMap<>();

  @AfterEach
  void close() {
    scene.close();
  }

  private Sender sender(Map<String, Sent> answers) {
    return messages -> {
      List<Sent> all = new ArrayList<>();
      for (OutboxMessage message : messages) {
        Sent answer = answers.getOrDefault(message.id().substring(0, 1), Sent.taken());
        if (answer instanceof Sent.Taken) {
          taken.add(message.id());
        }
        all.add(answer);
      }
      return all;
    };
  }

  private Relay relay(Sender sender) {
    return Relay.builder(scene.records, sender)
        .time(scene.nanos::get, scene::move)
        .parkAfter(3)
        .build();
  }

  private Relay relay() {
    return relay(sender(answers));
  }

  /** Passes, before each of which another entity publishes to a topic, and a minute apart. */
  private void passes(Relay relay, int passes, String topic) {
    for (int i = 0; i < passes; i++) {
      String id = "o" + scene.nanos.get();
      scene.publishTo(topic, id, id);
      relay.sweep();
      assertTrue(taken.contains(id));
      scene.move(Duration.ofMinutes(1));
    }
  }

  @Test
  @DisplayName("counts no try for which a sender's executor has no room, or its thread ends")
  void executors() {
    scene.publishTo("t", "a", "a1");
    answers.put("a", Sent.failed(new CompletionException(new RejectedExecutionException("full"))));
    passes(relay(), 20, "t");
    Sender throwing =
        messages -> {
          if (messages.get(0).id().startsWith("a")) {
            throw new IllegalStateException("a client's own", new InterruptedException());
          }
          return sender(answers).send(messages);
        };
    passes(relay(throwing), 20, "t");
    assertEquals(List.of("a1"), scene.waiting("a"));
    assertEquals(0, scene.tries("a"));
  }

  @Test
  @DisplayName("parks nothing that is not to blame, however long, and sends all of it in order")
  void deferred() {
    scene.publishTo("t", "a", "a1", "a2", "a3");
    answers.put("a", Sent.deferred(error));
    Relay relay = relay();
    passes(relay, 100, "t");
    assertEquals(List.of("a1", "a2", "a3"), scene.waiting("a"));
    assertEquals(List.of(), scene.parked("a"));
    assertEquals(0, scene.tries("a"));
    answers.clear();
    scene.move(Duration.ofMinutes(1));
    relay.sweep();
    assertEquals(List.of("a1", "a2", "a3"), taken.subList(100, 103));
    assertEquals(Map.of(), scene.records.rows);
  }

  @Test
  @DisplayName("keeps the tries in mind that a record has no room for, whatever is deferred")
  void keptInMind() {
    Patience patience = new Patience(Retries.DEFAULT, () -> 0);
    OutboxMessage message = new OutboxMessage("a", Instant.EPOCH, OutgoingMessage.to("t", "x"));
    long tries = new Tries(2, 2).stored();
    patience.unnoted(Map.of("a", tries));
    Sent.Failed deferred = Sent.deferred(error);
    assertEquals(tries, patience.judge(message, deferred, 0).tries());
  }

  @Test
  @DisplayName("tries what is not to blame behind growing pauses, counted as waiting meanwhile")
  void pauses() {
    scene.publish("a", "a1", "a2");
    answers.put("a", Sent.deferred(error));
    Relay relay = relay();
    assertEquals(1, relay.sweep().failed());
    for (int seconds : new int[] {1, 2, 4, 8}) {
      scene.move(Duration.ofSeconds(seconds).minusMillis(1));
      RelayPass rests = relay.sweep();
      assertEquals(0, rests.failed());
      assertEquals(2, rests.pending());
      scene.move(Duration.ofMillis(1));
      assertEquals(1, relay.sweep().failed());
    }
  }

  @Test
  @DisplayName("counts the tries of a message beside those that it is not to blame for")
  void both() {
    scene.publish("a", "a1", "a2");
    Relay relay = relay();
    for (int i = 1; i <= 2; i++) {
      answers.put("a", Sent.failed(error));
      passes(relay, 1, "t");
      assertEquals(i, scene.tries("a"));
      answers.put("a", Sent.deferred(error));
      passes(relay, 5, "t");
      assertEquals(i, scene.tries("a"));
    }
    answers.put("a", Sent.failed(error));
    passes(relay, 1, "t");
    assertEquals(List.of("a1"), scene.parked("a"));
  }

  @Test
  @DisplayName("has patience with the messages of one topic while others go to another")
  void topics() {
    scene.publishTo("away", "a", "a1", "a2");
    answers.put("a", Sent.failed(error));
    Relay relay = relay();
    passes(relay, 3 * Retries.PATIENCE - 1, "t");
    assertEquals(List.of(), scene.parked("a"));
    passes(relay, 1, "t");
    assertEquals(List.of("a1"), scene.parked("a"));
  }

  @Test
  @DisplayName("has patience by the destinations that the sender names, not by topics")
  void named() {
    scene.publishTo("t", "a", "a1");
    scene.publishTo("u", "b", "b1");
    answers.put("a", Sent.failed(error).at("queue-1"));
    answers.put("b", Sent.failed(error).at("queue-2"));
    answers.put("o", Sent.taken().at("queue-2", "queue-3"));
    Relay relay = relay();
    passes(relay, 6, "t");
    assertEquals(List.of(), scene.parked("a"));
    assertEquals(List.of("b1"), scene.parked("b"));
  }

  @Test
  @DisplayName("parks what fails without a destination's name, while others of its topic have one")
  void unnamed() {
    scene.publishTo("t", "a", "a1");
    scene.publishTo("u", "b", "b1");
    answers.put("a", Sent.failed(error));
    answers.put("b", Sent.failed(error));
    answers.put("o", Sent.taken().at("queue"));
    Relay relay = relay(Sender.all(List.of(sender(answers), messages -> taken(messages))));
    passes(relay, 3, "t");
    assertEquals(List.of("a1"), scene.parked("a"));
    assertEquals(List.of(), scene.parked("b"));
  }

  private static List<Sent> taken(List<OutboxMessage> messages) {
    return messages.stream().map(message -> (Sent) Sent.taken().at("other")).toList();
  }

  @Test
  @DisplayName("has patience with what one of several senders cannot send to a part of its world")
  void several() {
    Map<String, Sent> second = new HashMap<>();
    second.put("a", Sent.failed(error).at("queue-1"));
    second.put("b", Sent.failed(error).at("queue-2"));
    second.put("c", Sent.deferred(error));
    second.put("o", Sent.taken().at("queue-2"));
    answers.put("c", Sent.failed(error));
    answers.put("d", Sent.failed(error));
    for (String key : List.of("a", "b", "c", "d")) {
      scene.publish(key, key + 1);
    }
    Relay relay = relay(Sender.all(List.of(sender(answers), sender(second))));
    passes(relay, 6, "t");
    assertEquals(List.of(), scene.parked("a"));
    assertEquals(List.of("b1"), scene.parked("b"));
    assertEquals(List.of(), scene.parked("c"));
    assertEquals(List.of("d1"), scene.parked("d"));
  }

  @Test
  @DisplayName("parks a rejected message, though nothing else is sent")
  void rejected() {
    scene.publish("a", "a1", "a2");
    answers.put("a", Sent.rejected(error));
    Relay relay = relay();
    for (int i = 0; i < 3; i++) {
      assertEquals(List.of(), scene.parked("a"));
      relay.sweep();
      scene.move(Duration.ofMinutes(1));
    }
    assertEquals(List.of("a1"), scene.parked("a"));
  }

  @Test
  @DisplayName("parks nothing once a topic is back for tries that were made while it was away")
  void flapping() {
    List<String> keys = IntStream.range(0, 20).mapToObj(i -> "a" + i).toList();
    keys.forEach(key -> scene.publishTo("t", key, key));
    answers.put("a", Sent.failed(error));
    Relay relay = relay();
    for (int i = 0; i < 10; i++) {
      relay.sweep();
      scene.move(Duration.ofMinutes(1));
    }
    passes(relay, 2, "t"); // it takes others, but not these
    keys.forEach(key -> assertEquals(List.of(), scene.parked(key)));
    passes(relay, 1, "t");
    keys.forEach(key -> assertEquals(List.of(key), scene.parked(key)));
  }

  @Test
  @DisplayName("counts no try of an outage behind it, though each pass is a relay's of its own")
  void outageOfFunctions() {
    scene.publishTo("t", "a", "a1", "a2");
    answers.put("a", Sent.failed(error));
    for (int i = 2; i < 3 * Retries.PATIENCE; i++) {
      relay().sweep();
      scene.move(Duration.ofMinutes(1));
    }
    passes(relay(), 1, "t");
    passes(relay(), 1, "t");
    relay().sweep(); // and nothing else, which does not count
    scene.move(Duration.ofMinutes(1));
    assertEquals(List.of(), scene.parked("a"));
    passes(relay(), 1, "t");
    assertEquals(List.of("a1"), scene.parked("a"));
    assertEquals(0, scene.tries("a"));
  }

  @Test
  @DisplayName("sends what goes elsewhere, whatever waits, and all of it in the end")
  void progress() {
    for (int i = 0; i < 300; i++) {
      scene.publishTo("away", "a" + i, "a" + i);
    }
    answers.put("a", Sent.deferred(error));
    Relay relay = relay();
    for (int i = 0; i < 10; i++) {
      scene.publish("o" + i, "o" + i);
      for (int sweeps = 0; sweeps < 3; sweeps++) {
        relay.sweep();
      }
      assertEquals(i + 1, taken.size());
      scene.move(Duration.ofMinutes(1));
    }
    answers.clear();
    for (int i = 0; i < 5; i++) {
      scene.move(Duration.ofMinutes(1));
      relay.sweep();
    }
    assertEquals(310, taken.size());
    assertEquals(Map.of(), scene.records.rows);
  }
}
