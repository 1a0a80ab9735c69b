package dev.tidemark.spring;

import dev.tidemark.outbox.RelayPass;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down while a relay does not run, while the store has not answered one for too long, or while an
 * {@link OutboxSource} has not said for as long which relays there are. A broker that is away or
 * slow is told by what waits: calls of the sender do not count. Details name tables, numbers and
 * classes of errors, no keys.
 */
final class RelaysHealth extends AbstractHealthIndicator {
  private final Relays relays;
  private final Duration staleAfter;
  private final Clock clock;

  RelaysHealth(Relays relays, Duration staleAfter, Clock clock) {
    super("Tidemark's relays cannot be asked");
    this.relays = relays;
    this.staleAfter = staleAfter;
    this.clock = clock;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    List<RunningRelay> running = relays.running();
    boolean good =
        relays.isRunning()
            && isFresh(relays.lastNamed())
            && running.stream().allMatch(relay -> relay.isAlive() && isFresh(relay.lastGood()));
    Health.Builder told = good ? health.up() : health.down();
    Throwable unnamed = relays.unnamed();
    if (unnamed != null) {
      told.withDetail("sources", unnamed.getClass().getName());
    }
    running.forEach(relay -> told.withDetail(relay.records(), details(relay)));
  }

  private boolean isFresh(Instant last) {
    return Duration.between(last, clock.instant()).compareTo(staleAfter) <= 0;
  }

  private static Map<String, Object> details(RunningRelay relay) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("running", relay.isAlive());
    details.put("lastGoodPass", relay.lastGood().toString());
    RelayPass last = relay.last();
    if (last != null) {
      details.put("shards", last.shards());
      details.put("pending", last.pending());
      details.put("oldest", last.oldest().toString());
      details.put("failed", last.failed());
      Throwable error = last.error();
      if (error != null) {
        details.put("error", error.getClass().getName());
      }
    }
    return details;
  }
}
