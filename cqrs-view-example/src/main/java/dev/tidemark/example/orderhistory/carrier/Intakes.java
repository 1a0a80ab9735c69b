package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.intake.Taken;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the intakes of all carriers have in common. For any number of threads. */
final class Intakes {
  private static final Logger LOG = LoggerFactory.getLogger(Intakes.class);

  private final Counter deadLetters;
  private final Counter restarts;

  Intakes(MeterRegistry registry) {
    deadLetters =
        Counter.builder("orderhistory.dead.letters")
            .description("Messages that no attempt would handle, put to the dead letters")
            .register(registry);
    restarts =
        Counter.builder("orderhistory.carrier.restarts")
            .description("How often the carrier ended by itself and was started anew")
            .register(registry);
  }

  void restarted() {
    restarts.increment();
  }

  <M> IntakeBuilder<M> set(IntakeBuilder<M> intake) {
    return intake.reason(Poison::reason).listener(this::taken);
  }

  private void taken(Taken<?> taken) {
    for (Taken.Fate<?> fate : taken.fates()) {
      if (fate.kind() == Taken.Kind.DEAD) {
        deadLetters.increment();
        LOG.error("dead letter: {}", fate.reason());
      }
    }
  }
}
