package dev.tidemark.example.orderhistory.checkout;

import dev.tidemark.execution.Flow;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every second for checkouts whose process died, and ends them, though nobody may ever ask
 * for them again. Every instance of the service has one.
 */
public final class Completer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Completer.class);
  private static final int MOST = 100;

  private final Checkouts checkouts;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "completer"));

  /**
   * Starts it.
   *
   * @param checkouts what it completes
   */
  public Completer(Checkouts checkouts) {
    this.checkouts = checkouts;
    var unused = thread.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      Flow.Resumed resumed = checkouts.resume(MOST);
      if (resumed.ended() > 0) {
        LOG.info("ended {} checkouts that were left", resumed.ended());
      }
      resumed
          .faults()
          .forEach(fault -> warn("a checkout that was left cannot be ended yet", fault));
    } catch (RuntimeException e) {
      warn("checkouts that were left cannot be looked for", e);
    }
  }

  private static void warn(String what, RuntimeException fault) {
    LOG.atWarn().addKeyValue("fault", fault.getClass().getSimpleName()).log(what);
  }

  /** Lets what it has in hand end. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
