package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A relay whose sender fails for a call as a whole")
class WholeCallsTest {
  private final RelayScene scene = new RelayScene();

  /** What was delivered, and in calls of how many. */
  private final List<String> delivered = new ArrayList<>();

  private final List<Integer> calls = new ArrayList<>();

  @AfterEach
  void close() {
    scene.close();
  }

  private Relay relay(Sender sender) {
    return Relay.builder(scene.records, sender)
        .time(scene.nanos::get, scene::move)
        .parkAfter(3)
        .build();
  }

  /** How a sender may end a call that has a poisoned message in it. */
  record End(String name, Function<List<Sent>, List<Sent>> answer) {
    @Override
    public String toString() {
      return name;
    }
  }

  @SuppressWarnings("NullAway") // what a sender of somebody's may answer
  static Stream<End> ends() {
    return Stream.of(
        new End(
            "an exception",
            before -> {
              throw new IllegalStateException("broken");
            }),
        new End(
            "an error",
            before -> {
              throw new StackOverflowError();
            }),
        new End(
            "an error of the JVM",
            before -> {
              throw new OutOfMemoryError();
            }),
        new End("nothing", before -> null),
        new End("too few", before -> before),
        new End("too many", before -> Collections.nCopies(before.size() + 9, Sent.taken())),
        new End(
            "a list that cannot be read",
            before ->
                new AbstractList<>() {
                  @Override
                  public Sent get(int index) {
                    throw new IllegalStateException("no answer is here");
                  }

                  @Override
                  public int size() {
                    return 3;
                  }
                }));
  }

  /** Delivers one after the other until a message is poisoned, which ends the call. */
  private Sender ending(End end) {
    return messages -> {
      calls.add(messages.size());
      List<Sent> answers = new ArrayList<>();
      for (OutboxMessage message : messages) {
        if (message.id().startsWith("poison")) {
          return end.answer().apply(answers);
        }
        delivered.add(message.id());
        answers.add(Sent.taken());
      }
      return answers;
    };
  }

  @ParameterizedTest(name = "by {0}")
  @MethodSource("ends")
  @DisplayName("counts a try for the message that fails alone, and sends all others")
  void poisoned(End end) {
    Relay relay = relay(ending(end));
    for (int tries = 1; tries <= 3; tries++) {
      scene.publish("a", "a" + tries);
      scene.publish("c", "c" + tries);
      if (tries == 1) {
        scene.publish("b", "poison", "behind");
      }
      RelayPass pass = relay.sweep();
      assertEquals(2, pass.sent());
      assertEquals(1, pass.failed());
      assertTrue(pass.error() != null);
      assertEquals(List.of(), scene.parked("a"));
      assertEquals(List.of(), scene.parked("c"));
      assertEquals(tries == 3 ? List.of("poison") : List.of(), scene.parked("b"));
      assertEquals(tries == 3 ? 0 : tries, scene.tries("b"));
      scene.move(Duration.ofMinutes(1));
    }
    relay.sweep();
    assertEquals(Set.of("a1", "c1", "a2", "c2", "a3", "c3", "behind"), new HashSet<>(delivered));
    assertEquals(Set.of("b"), scene.records.rows.keySet());
  }

  @Test
  @DisplayName("keeps the order of an entity while it sends one by one")
  void order() {
    scene.publish("a", "a1", "a2", "a3");
    scene.publish("bb", "poison", "b2");
    scene.publish("ccc", "c1u", "c2", "c3");
    Relay relay = relay(ending(new End("nothing", before -> List.of())));
    relay.sweep();
    assertEquals(
        List.of("a1", "a2", "a3"),
        delivered.stream().distinct().filter(id -> id.startsWith("a")).toList());
    assertEquals(
        List.of("c2", "c3"),
        delivered.stream().distinct().filter(id -> id.matches("c[23]")).toList());
    assertEquals(List.of("poison", "b2"), scene.waiting("bb"));
  }

  @Test
  @DisplayName("calls a sender that is broken a few times a pass, and counts no try of the others")
  void broken() {
    boolean[] isBroken = {true};
    Sender sender =
        messages -> {
          calls.add(messages.size());
          if (isBroken[0]) {
            throw new IllegalStateException("the broker is away");
          }
          messages.forEach(message -> delivered.add(message.id()));
          return Collections.nCopies(messages.size(), Sent.taken());
        };
    for (int i = 0; i < 100; i++) {
      scene.publish("k" + i, "1/" + i, "2/" + i);
    }
    Relay relay = relay(sender);
    RelayPass pass = relay.sweep();
    assertEquals(11, calls.size());
    assertEquals(10, pass.failed());
    assertEquals(10, scene.records.rows.values().stream().mapToLong(OutboxRecord::tries).sum());
    scene.move(Duration.ofMillis(1));
    relay.sweep();
    assertEquals(20, scene.records.rows.values().stream().mapToLong(OutboxRecord::tries).sum());
    isBroken[0] = false;
    scene.move(Duration.ofMinutes(1));
    relay.sweep();
    assertEquals(Set.of(), scene.records.rows.keySet());
    assertEquals(200, delivered.size());
    for (int i = 0; i < 100; i++) {
      assertTrue(delivered.indexOf("1/" + i) < delivered.indexOf("2/" + i));
    }
  }

  @Test
  @DisplayName("stands still for no number of poisoned messages, and takes off what it sends")
  void manyPoisoned() {
    for (int i = 0; i < 40; i++) {
      scene.publish("p" + i, "poison" + i);
    }
    for (int i = 0; i < 40; i++) {
      scene.publish("k" + i, "k" + i);
    }
    Relay relay = relay(ending(new End("nothing", before -> List.of())));
    for (int passes = 0; passes < 5; passes++) {
      relay.sweep();
      scene.move(Duration.ofMillis(1));
    }
    assertEquals(40, new HashSet<>(delivered).size());
    assertEquals(40, scene.records.rows.size());
    assertTrue(Collections.max(scene.records.writes) <= 30, () -> "" + scene.records.writes);
  }

  @Test
  @DisplayName("stops between two messages, and leaves the rest untouched")
  void stopped() {
    scene.publish("a", "a1", "a2");
    scene.publish("bb", "b1");
    scene.publish("ccc", "c1");
    Relay[] relay = new Relay[1];
    Sender sender =
        messages -> {
          if (messages.size() > 1) {
            return Arrays.asList();
          }
          delivered.add(messages.get(0).id());
          Objects.requireNonNull(relay[0]).stop();
          return List.of(Sent.taken());
        };
    relay[0] = relay(sender);
    relay[0].sweep();
    assertEquals(1, delivered.size());
    assertEquals(
        3, scene.records.rows.values().stream().mapToInt(row -> row.waiting().size()).sum());
    assertEquals(0, scene.records.rows.values().stream().mapToLong(OutboxRecord::tries).sum());
  }

  @Test
  @DisplayName("ends by an interrupt between two messages, with nothing counted")
  void interrupted() {
    scene.publish("a", "a1");
    scene.publish("bb", "b1");
    Sender sender =
        messages -> {
          if (messages.size() > 1) {
            throw new IllegalStateException("all");
          }
          throw new InterruptedException();
        };
    RelayPass pass = relay(sender).sweep();
    assertFalse(Thread.interrupted(), "nobody has interrupted the thread");
    assertTrue(pass.error() instanceof InterruptedException, "though all of them failed before");
    assertEquals(List.of("a1"), scene.waiting("a"));
    assertEquals(0, scene.tries("a") + scene.tries("bb"));
  }

  @Test
  @DisplayName("has a function that throws an error for one message answer for the others")
  void each() throws InterruptedException {
    scene.publish("a", "a1");
    scene.publish("a", "poison");
    scene.publish("a", "a3");
    Sender sender =
        Sender.each(
            message -> {
              if (message.id().equals("poison")) {
                throw new StackOverflowError();
              }
              delivered.add(message.id());
            });
    List<Sent> answers = sender.send(Objects.requireNonNull(scene.records.rows.get("a")).waiting());
    assertEquals(List.of("a1", "a3"), delivered);
    assertTrue(answers.get(1) instanceof Sent.Failed one && one.error() instanceof Error);
    assertTrue(answers.get(2) instanceof Sent.Taken);
  }
}
