package dev.tidemark.example.orderhistory.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.carrier.Carrier;
import dev.tidemark.example.orderhistory.host.OpenCarrier.PausedLane;
import dev.tidemark.example.orderhistory.local.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

@DisplayName("The supervisor of the carrier")
class SupervisorTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Supervisor supervisor(Supplier<OpenCarrier> open) {
    return new Supervisor(new Carriers("test", open), registry, Clock.systemUTC());
  }

  /** Runs until it is stopped, and then until it is allowed to end. */
  private static final class Working implements Carrier {
    final CountDownLatch stopped = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);
    final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public void run() {
      try {
        stopped.await();
        mayEnd.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void stop() {
      stopped.countDown();
    }

    @Override
    public long deadLetters() {
      return 2;
    }

    OpenCarrier opened() {
      return new OpenCarrier(
          this,
          () ->
              List.of(
                  new PausedLane("orders-0", "Gap", Instant.EPOCH),
                  new PausedLane("orders-1", "Gap", Instant.now(Clock.systemUTC()))),
          () -> closed.set(true));
    }
  }

  private static OpenCarrier failing(Throwable fault) {
    Carrier carrier =
        new Carrier() {
          @Override
          public void run() {
            if (fault instanceof Error error) {
              throw error;
            }
            throw (RuntimeException) fault;
          }

          @Override
          public void stop() {}

          @Override
          public long deadLetters() {
            return 3;
          }
        };
    return new OpenCarrier(carrier, List::of, () -> {});
  }

  @Test
  @DisplayName(
      "opens one anew that throws, be it an error; counts that, and the dead letters of all")
  void restarts() {
    Working working = new Working();
    OpenCarrier last = working.opened();
    AtomicInteger opened = new AtomicInteger();
    Supervisor supervisor =
        supervisor(
            () ->
                switch (opened.getAndIncrement()) {
                  case 0 -> failing(new IllegalStateException());
                  case 1 -> failing(new AssertionError());
                  default -> last;
                });
    supervisor.start();
    Await.until("the third one runs", () -> last.equals(supervisor.carrier()));
    assertEquals(Supervisor.Phase.RUNNING, supervisor.state().phase());
    assertEquals("AssertionError", supervisor.state().lastFault());
    assertEquals(2, registry.get("orderhistory.carrier.restarts").counter().count());
    assertEquals(3 + 3 + 2, registry.get("orderhistory.dead.letters").functionCounter().count());
    working.mayEnd.countDown();
    supervisor.stop();
    assertFalse(supervisor.isRunning());
    assertEquals(3 + 3 + 2, registry.get("orderhistory.dead.letters").functionCounter().count());
  }

  @Test
  @DisplayName("waits for the batch in hand when it is told to stop, and closes the connections")
  void stops() throws InterruptedException {
    Working working = new Working();
    Supervisor supervisor = supervisor(working::opened);
    supervisor.start();
    Await.until("it runs", () -> supervisor.carrier() != null);
    CountDownLatch ended = new CountDownLatch(1);
    supervisor.stop(ended::countDown);
    working.stopped.await();
    assertEquals(1, ended.getCount(), "the batch is still in hand");
    assertFalse(working.closed.get());
    working.mayEnd.countDown();
    ended.await();
    assertTrue(working.closed.get());
    assertEquals(Supervisor.Phase.STOPPED, supervisor.state().phase());
    assertEquals(0, registry.get("orderhistory.carrier.restarts").counter().count());
  }

  @Test
  @DisplayName("says by health that a carrier does not live that keeps ending by itself")
  void dead() {
    Supervisor supervisor = supervisor(() -> failing(new IllegalStateException()));
    CarrierHealth health = new CarrierHealth(supervisor, Clock.systemUTC());
    supervisor.start();
    Await.until("it has failed three times", () -> supervisor.state().failures() >= 3);
    Health seen = health.health();
    assertEquals(Status.DOWN, seen.getStatus());
    assertEquals("IllegalStateException", seen.getDetails().get("lastFault"));
    supervisor.stop();
  }

  @Test
  @DisplayName("tells by health of lanes that have waited for long, and stays up")
  void paused() {
    Working working = new Working();
    Supervisor supervisor = supervisor(working::opened);
    supervisor.start();
    Await.until("it runs", () -> supervisor.carrier() != null);
    Health seen = new CarrierHealth(supervisor, Clock.systemUTC()).health();
    assertEquals(Status.UP, seen.getStatus());
    assertEquals(
        List.of(new PausedLane("orders-0", "Gap", Instant.EPOCH)),
        seen.getDetails().get("pausedForLong"));
    working.mayEnd.countDown();
    supervisor.stop();
  }
}
