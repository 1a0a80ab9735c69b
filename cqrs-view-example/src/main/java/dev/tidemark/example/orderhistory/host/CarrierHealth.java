package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.host.OpenCarrier.PausedLane;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether the carrier lives: not if it keeps ending by itself. A lane that has not moved on for
 * long is told, but is no reason to take the service out of use: the others go on.
 */
@Component("carrier")
final class CarrierHealth implements HealthIndicator {
  private static final int MANY = 3;
  private static final Duration STEADY = Duration.ofMinutes(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Supervisor supervisor;
  private final Clock clock;

  CarrierHealth(Supervisor supervisor, Clock clock) {
    this.supervisor = supervisor;
    this.clock = clock;
  }

  @Override
  public Health health() {
    if (!supervisor.any()) {
      return Health.up().withDetail("carrier", "none").build();
    }
    Supervisor.State state = supervisor.state();
    boolean steady =
        state.phase() == Supervisor.Phase.RUNNING
            && Duration.between(state.since(), clock.instant()).compareTo(STEADY) > 0;
    boolean lives =
        state.phase() != Supervisor.Phase.STOPPED && (steady || state.failures() < MANY);
    Health.Builder health = lives ? Health.up() : Health.down();
    health
        .withDetail("carrier", supervisor.name())
        .withDetail("phase", state.phase())
        .withDetail("since", state.since().toString())
        .withDetail("failures", state.failures());
    if (state.lastFault() != null) {
      health.withDetail("lastFault", state.lastFault());
    }
    List<PausedLane> stuck = pausedForLong();
    if (!stuck.isEmpty()) {
      health.withDetail("pausedForLong", stuck);
    }
    return health.build();
  }

  private List<PausedLane> pausedForLong() {
    OpenCarrier carrier = supervisor.carrier();
    Instant before = clock.instant().minus(LONG);
    return carrier == null
        ? List.of()
        : carrier.lanes().get().stream().filter(lane -> lane.since().isBefore(before)).toList();
  }
}
