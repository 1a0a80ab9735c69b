package dev.tidemark.example.orderhistory.host;

import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether the batch in hand ends at all; if not, only a new process helps. */
@Component("progress")
record ProgressHealth(BatchWatch watch) implements HealthIndicator {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  @Override
  public Health health() {
    Duration oldest = watch.oldest().orElse(Duration.ZERO);
    return (oldest.compareTo(LONGEST) > 0 ? Health.down() : Health.up())
        .withDetail("batchInHand", oldest.toString())
        .build();
  }
}
