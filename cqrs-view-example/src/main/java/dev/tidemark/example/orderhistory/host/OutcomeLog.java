package dev.tidemark.example.orderhistory.host;

import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what became of messages, as counts: what is normal, duplicates among it, at debug; what has
 * to come again at info; faults as warnings, since a carrier delivers those again too. For any
 * number of threads.
 */
final class OutcomeLog implements StoreListener {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeLog.class);
  private static final Set<String> NORMAL =
      Set.of("Applied", "Recorded", "Duplicate", "Stale", "Deleted", "Fresh", "NotYet");

  @Override
  public void ended(StoreCall call) {
    Level level =
        !call.faults().isEmpty()
            ? Level.WARN
            : NORMAL.containsAll(call.outcomes().keySet()) ? Level.DEBUG : Level.INFO;
    if (call.outcomes().isEmpty() && call.faults().isEmpty()) {
      return;
    }
    LOG.atLevel(level)
        .addKeyValue("store", call.store())
        .addKeyValue("call", call.method().methodName())
        .addKeyValue("took.ms", call.latency().toMillis())
        .log("messages: {}", counts(call));
  }

  private static Map<String, Integer> counts(StoreCall call) {
    Map<String, Integer> counts = new TreeMap<>(call.outcomes());
    counts.putAll(call.faults());
    if (call.heldBack() > 0) {
      counts.put("HeldBack", call.heldBack());
    }
    return counts;
  }
}
