package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.checkout.Checkouts;
import dev.tidemark.execution.Flow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Looks every second for checkouts whose process died, and ends them, though nobody may ever ask
 * for them again. Every instance of the service has one.
 */
final class Completer {
  private static final Logger LOG = LoggerFactory.getLogger(Completer.class);
  private static final int MOST = 100;

  private final Checkouts checkouts;

  Completer(Checkouts checkouts) {
    this.checkouts = checkouts;
  }

  @Scheduled(fixedDelay = 1_000, initialDelay = 1_000)
  void look() {
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
}
