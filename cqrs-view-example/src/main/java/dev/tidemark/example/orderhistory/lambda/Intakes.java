package dev.tidemark.example.orderhistory.lambda;

import com.mongodb.MongoException;
import dev.tidemark.example.orderhistory.carrier.Poison;
import dev.tidemark.intake.DeadLetters;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.intake.Taken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/** What the functions have in common, whatever brings their events. */
final class Intakes {
  private static final Logger LOG = LoggerFactory.getLogger(Intakes.class);

  private Intakes() {}

  /** Containers come and go with their counts, so the first failure is enough among successes. */
  static <M> void set(IntakeBuilder<M> intake, DeadLetters<M> deadLetters) {
    var unused =
        intake
            .deadLetters(deadLetters)
            .reason(Poison::reason)
            .outage(SdkException.class)
            .outage(MongoException.class)
            .parkAfter(1)
            .listener(Intakes::log);
  }

  private static void log(Taken<?> taken) {
    taken.fates().stream()
        .filter(fate -> fate.kind() == Taken.Kind.DEAD)
        .forEach(letter -> LOG.error("dead letter: {}", letter.reason()));
    taken.fates().stream()
        .filter(fate -> fate.kind() == Taken.Kind.AGAIN)
        .findFirst()
        .ifPresent(
            first ->
                LOG.warn(
                    "{} messages are not done and come again, the first: {}",
                    taken.toRetry().size(),
                    first.reason()));
  }
}
