package dev.tidemark.example.orderhistory.host;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.example.orderhistory.Generations;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether the store answers: a read of the order history's table, within the limit of reads. */
@Component("store")
record StoreHealth(Generations generations, @Qualifier("healthReads") StoreReads reads)
    implements HealthIndicator {
  @Override
  public Health health() {
    try {
      int serving =
          reads.read(
              () -> {
                var unused = generations.current().orders().find(key("health"));
                return generations.serving();
              });
      return Health.up().withDetail("generation", serving).build();
    } catch (StoreUnavailable e) {
      Throwable cause = e.getCause();
      return Health.down()
          .withDetail("fault", (cause == null ? e : cause).getClass().getSimpleName())
          .build();
    }
  }
}
