package dev.tidemark.example.orderhistory.lambda;

import dev.tidemark.example.orderhistory.carrier.Poison;
import dev.tidemark.intake.DeadLetters;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.intake.Taken;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.Message;

/** What the functions have in common, whatever brings their events. */
final class Intakes {
  private static final Logger LOG = LoggerFactory.getLogger(Intakes.class);

  private static final int MOST_BYTES = 200_000;

  private Intakes() {}

  /** Containers come and go with their counts, so the first failure is enough among successes. */
  static <M> void set(IntakeBuilder<M> intake, DeadLetters<M> deadLetters) {
    var unused =
        intake.deadLetters(deadLetters).reason(Poison::reason).parkAfter(1).listener(Intakes::log);
  }

  /**
   * A letter of what did not come from a queue: its text if a queue takes it, else where it is.
   *
   * @param text what it said; characters that SQS refuses become question marks
   * @param otherwise where to look it up
   */
  static Message.Builder letter(@Nullable String text, String otherwise) {
    int bytes = text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    return Message.builder()
        .body(
            text == null || bytes == 0 || bytes > MOST_BYTES
                ? otherwise
                : text.replaceAll(
                    "[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?"));
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
