package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A relay on a thread of its own")
@Timeout(60)
class RelayThreadTest {
  private final RelayScene scene = new RelayScene();
  private final BlockingQueue<RelayPass> passes = new LinkedBlockingQueue<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Relay relay =
      Relay.builder(scene.records, scene.broker)
          .interval(Duration.ofDays(1))
          .listener(passes::add)
          .build();

  @AfterEach
  void close() {
    thread.shutdownNow();
    scene.close();
  }

  @Test
  @DisplayName("rests, wakes for a hint, and ends by stop")
  void hint() throws Exception {
    Future<?> run = thread.submit(relay::run);
    assertEquals(0, passes.take().sent());
    scene.publish("a", "a1");
    assertTrue(relay.hint(1, "a"));
    int sent = 0;
    while (sent == 0) {
      sent = passes.take().sent();
    }
    assertEquals(1, sent);
    assertThrows(IllegalStateException.class, relay::run);
    relay.stop();
    run.get();
    assertEquals(4, scene.records.looks);
  }

  @Test
  @DisplayName("goes on with what an entity publishes while its messages are sent, without a hint")
  void publishedMeanwhile() throws Exception {
    Future<?> run = thread.submit(relay::run);
    assertEquals(0, passes.take().sent());
    scene.broker.before =
        () -> {
          scene.broker.before = () -> {};
          scene.publish("a", "a2");
        };
    scene.publish("a", "a1");
    assertTrue(relay.hint(1, "a"));
    int sent = 0;
    while (sent < 2) {
      sent += passes.take().sent();
    }
    relay.stop();
    run.get();
    assertEquals(List.of("a1", "a2"), scene.broker.taken);
    assertEquals(4, scene.records.looks);
  }

  @Test
  @DisplayName("ends by an interrupt while it rests")
  void interrupt() throws Exception {
    thread.execute(relay::run);
    assertEquals(0, passes.take().sent());
    thread.shutdownNow();
    assertTrue(thread.awaitTermination(60, TimeUnit.SECONDS));
  }

  @Test
  @DisplayName("does nothing more where it was stopped before")
  void stopped() throws Exception {
    relay.stop();
    thread.submit(relay::run).get();
    assertEquals(0, passes.size());
  }
}
