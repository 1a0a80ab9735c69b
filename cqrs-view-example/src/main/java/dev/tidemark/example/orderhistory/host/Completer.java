package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.checkout.Checkouts;
import dev.tidemark.execution.Flow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Looks every second for checkouts whose process died, and ends them, though nobody may ever ask
 * for them again. Every instance of the service has one.
 */
@Component
@ConditionalOnExpression("!environment.getProperty('PAYMENTS_URL', '').isEmpty()")
record Completer(Checkouts checkouts) {
  private static final Logger LOG = LoggerFactory.getLogger(Completer.class);
  private static final int MOST = 100;

  @Scheduled(fixedDelay = 1_000, initialDelay = 1_000)
  void look() {
    Flow.Resumed resumed = checkouts.resume(MOST);
    if (resumed.ended() > 0) {
      LOG.info("ended {} checkouts that were left", resumed.ended());
    }
    for (RuntimeException fault : resumed.faults()) {
      LOG.atWarn()
          .addKeyValue("fault", fault.getClass().getSimpleName())
          .log("a checkout that was left cannot be ended yet");
    }
  }
}
