package dev.tidemark.example.orderhistory.host;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Keeps the carrier going in a thread of its own: one that throws is opened anew, after pauses that
 * grow to half a minute. It stops before the web server does, and waits for the batch in hand.
 */
final class Supervisor implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration STEADY = Duration.ofMinutes(1);

  private final Carriers carriers;
  private final Counter restarts;
  private final Clock clock;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile State state;
  private volatile @Nullable OpenCarrier carrier;
  private volatile @Nullable Thread thread;
  private long deadLettersBefore;

  Supervisor(Carriers carriers, MeterRegistry registry, Clock clock) {
    this.carriers = carriers;
    this.clock = clock;
    this.state = new State(Phase.STOPPED, clock.instant(), 0, null);
    this.restarts =
        Counter.builder("orderhistory.carrier.restarts")
            .description("How often the carrier ended by itself and was opened anew")
            .register(registry);
    FunctionCounter.builder("orderhistory.dead.letters", this, Supervisor::deadLetters)
        .description("Messages that no attempt would handle, put to the dead letters")
        .register(registry);
  }

  enum Phase {
    RUNNING,
    RESTARTING,
    STOPPED
  }

  /**
   * How the carrier is.
   *
   * @param phase what it does
   * @param since when that began
   * @param failures how often in a row it ended by itself
   * @param lastFault the class of what it last threw
   */
  record State(Phase phase, Instant since, int failures, @Nullable String lastFault) {}

  State state() {
    return state;
  }

  @Nullable OpenCarrier carrier() {
    return carrier;
  }

  /** Whether there is a carrier to keep going. */
  boolean any() {
    return carriers.any();
  }

  String name() {
    return carriers.name();
  }

  @Override
  public void start() {
    if (carriers.any()) {
      Thread carrying = new Thread(this::supervise, "carrier-" + carriers.name());
      thread = carrying;
      carrying.start();
    }
  }

  private void supervise() {
    while (stopping.getCount() > 0) {
      Instant started = clock.instant();
      String fault = carry();
      if (stopping.getCount() > 0) {
        boolean steady = Duration.between(started, clock.instant()).compareTo(STEADY) > 0;
        pause(steady ? 1 : state.failures() + 1, fault);
      }
    }
    enter(Phase.STOPPED, 0, state.lastFault());
    LOG.info("carrier {} stopped", carriers.name());
  }

  /** Returns the class of what the carrier threw. */
  @SuppressWarnings("CatchingUnchecked")
  private String carry() {
    try (OpenCarrier opened = carriers.open()) {
      carrier = opened;
      enter(Phase.RUNNING, state.failures(), state.lastFault());
      LOG.info("carrier {} runs", carriers.name());
      if (stopping.getCount() > 0) { // else stop() may have come before there was a carrier
        opened.carrier().run();
      }
      return "none";
    } catch (Exception | Error e) { // its text may quote values
      return e.getClass().getSimpleName();
    } finally {
      end();
    }
  }

  private synchronized void end() {
    deadLettersBefore = deadLetters();
    carrier = null;
  }

  /** Those of all carriers that there were. */
  private synchronized long deadLetters() {
    OpenCarrier running = carrier;
    return deadLettersBefore + (running == null ? 0 : running.carrier().deadLetters());
  }

  private void pause(int failures, String fault) {
    long millis = Math.min(LONGEST_PAUSE.toMillis(), 250L << Math.min(failures, 10));
    restarts.increment();
    enter(Phase.RESTARTING, failures, fault);
    LOG.atWarn()
        .addKeyValue("fault", fault)
        .addKeyValue("failures", failures)
        .log("carrier {} ended by itself; it is opened anew in {} ms", carriers.name(), millis);
    try {
      boolean unused = stopping.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      stopping.countDown(); // nobody else interrupts this thread
    }
  }

  private void enter(Phase phase, int failures, @Nullable String fault) {
    state = new State(phase, clock.instant(), failures, fault);
  }

  @Override
  public void stop() {
    stopping.countDown();
    OpenCarrier running = carrier;
    if (running != null) {
      running.carrier().stop();
    }
    Thread carrying = thread;
    if (carrying != null) {
      join(carrying);
    }
  }

  private static void join(Thread carrying) {
    try {
      carrying.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits on another thread, so that Spring's limit of a phase holds. */
  @Override
  public void stop(Runnable callback) {
    new Thread(
            () -> {
              stop();
              callback.run();
            },
            "carrier-stop")
        .start();
  }

  @Override
  public boolean isRunning() {
    Thread carrying = thread;
    return carrying != null && carrying.isAlive();
  }
}
