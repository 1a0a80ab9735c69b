package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Logged;
import dev.tidemark.metrics.Ongoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The listener of a relay")
class RelaySendingTest {
  private final RelayScene scene = new RelayScene();
  private final List<String> told = new ArrayList<>();

  /** Notes the beginning and the end of each call of the sender, and of each pass. */
  private final class Notes implements RelayListener {
    @Override
    public void passed(RelayPass pass) {
      told.add("pass " + pass.sent() + " " + pass.storeAnswered());
    }

    @Override
    public Ongoing.Scope sending(RelayPass found) {
      told.add("begin %d/%d %s".formatted(found.sent(), found.pending(), found.elapsed()));
      return () -> told.add("end");
    }
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("follows each call of the sender, whatever becomes of it")
  void follows() {
    scene.publish("a", "a1", "a2");
    scene.records.lookTakes = Duration.ofSeconds(1);
    scene.broker.before = () -> told.add("call");
    Relay relay = scene.builder().listener(new Notes().and(new Notes())).build();
    relay.sweep();
    assertEquals(
        List.of(
            "begin 0/2 PT4S",
            "begin 0/2 PT4S",
            "call",
            "end",
            "end",
            "begin 1/2 PT4S",
            "begin 1/2 PT4S",
            "call",
            "end",
            "end",
            "pass 2 true",
            "pass 2 true"),
        told);
    told.clear();
    scene.publish("a", "a3");
    scene.broker.before =
        () -> {
          throw new AssertionError("broken");
        };
    relay.sweep();
    assertEquals(2, told.stream().filter("end"::equals).count());
  }

  @Test
  @DisplayName("may throw, and changes nothing by it")
  void mayThrow() {
    scene.publish("a", "a1", "a2");
    RelayListener first =
        new RelayListener() {
          @Override
          public void passed(RelayPass pass) {}

          @Override
          public Ongoing.Scope sending(RelayPass found) {
            if (found.sent() == 0) {
              throw new IllegalStateException("at the beginning");
            }
            return () -> {
              throw new IllegalStateException("at the end");
            };
          }
        };
    try (Logged log = Logged.of(RelayListener.class)) {
      RelayPass pass = scene.builder().listener(new Notes().and(first)).build().sweep();
      assertEquals(2, pass.sent());
      assertEquals(2, told.stream().filter("end"::equals).count());
      assertEquals(1, log.said().size());
    }
  }

  @Test
  @DisplayName("may follow nothing, as a mock does, and no message is sent again for it")
  void followsNothing() {
    scene.publish("a", "a1");
    RelayListener mock =
        new RelayListener() {
          @Override
          public void passed(RelayPass pass) {}

          @Override
          @SuppressWarnings("NullAway")
          public Ongoing<RelayPass> passing(String records) {
            return null;
          }

          @Override
          @SuppressWarnings("NullAway")
          public Ongoing.Scope sending(RelayPass found) {
            return null;
          }
        };
    try (Logged log = Logged.of(RelayListener.class)) {
      Relay relay = scene.builder().listener(mock).build();
      relay.sweep();
      relay.sweep();
      assertEquals(1, scene.broker.taken.size());
    }
  }

  @Test
  @DisplayName("knows whether the store or the sender was to blame")
  void answered() {
    scene.publish("a", "a1");
    scene.broker.isDown = true;
    Relay relay = scene.relay();
    assertTrue(relay.sweep().storeAnswered());
    scene.move(Duration.ofMinutes(1));
    scene.records.error = new CorruptRecordException("not a list", EntityKey.key("a"), null);
    assertTrue(relay.sweep().storeAnswered());
    scene.records.error = new IllegalStateException("no store");
    assertFalse(relay.sweep().storeAnswered());
    scene.records.error = null;
    scene.broker.isDown = false;
    scene.records.busy = 1;
    assertFalse(relay.sweep().storeAnswered());
    assertTrue(relay.sweep().storeAnswered());
  }

  @Test
  @DisplayName("does not blame the store for calls that fail as a whole, nor for an interrupt")
  void wholeCall() {
    scene.publish("a", "a1");
    scene.publish("b", "b1");
    Relay[] relay = new Relay[1];
    relay[0] =
        Relay.builder(
                scene.records,
                messages -> {
                  relay[0].stop();
                  throw new IllegalStateException("no broker");
                })
            .time(scene.nanos::get, scene::move)
            .build();
    RelayPass pass = relay[0].sweep();
    assertEquals(0, pass.failed());
    assertTrue(pass.storeAnswered());
    scene.broker.interrupts = true;
    assertTrue(scene.relay().sweep().storeAnswered());
  }
}
