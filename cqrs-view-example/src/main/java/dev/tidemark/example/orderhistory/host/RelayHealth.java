package dev.tidemark.example.orderhistory.host;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether the relay works: not if it has ended, or if the store has not answered it for a minute. A
 * broker that is away is told by what waits, and is no reason to take the service out of use.
 */
@Component("relay")
final class RelayHealth implements HealthIndicator {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final RelayService relay;
  private final Clock clock;

  RelayHealth(RelayService relay, Clock clock) {
    this.relay = relay;
    this.clock = clock;
  }

  @Override
  public Health health() {
    if (!relay.any()) {
      return Health.up().withDetail("relay", "none").build();
    }
    boolean answered =
        relay.seen().values().stream()
            .noneMatch(seen -> seen.good().plus(LONG).isBefore(clock.instant()));
    Health.Builder health = relay.isRunning() && answered ? Health.up() : Health.down();
    relay.seen().forEach((records, seen) -> health.withDetail(records, details(seen)));
    return health.build();
  }

  private static Map<String, Object> details(RelayService.Seen seen) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("shards", seen.pass().shards());
    details.put("pending", seen.pass().pending());
    details.put("oldest", seen.pass().oldest().toString());
    details.put("answered", seen.good().toString());
    Throwable error = seen.pass().error();
    if (error != null) { // its text may quote values
      details.put("lastFault", error.getClass().getSimpleName());
    }
    return details;
  }
}
