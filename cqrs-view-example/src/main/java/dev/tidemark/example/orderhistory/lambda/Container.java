package dev.tidemark.example.orderhistory.lambda;

import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * What a container of a function has for all its invocations: clients and views.
 *
 * <p>A snapshot of it may be taken right after the constructor and restored many times, much later.
 * So the constructor makes the AWS clients, which is most of a cold start, and nothing that could
 * be stale in a copy: they connect, and look for credentials, when they are used; which generation
 * serves is asked with the first batch; no time and no random number is kept.
 */
final class Container implements Function<List<Delivery>, BatchOutcome<?>> {
  private final Settings settings;
  private final OpenedGenerations generations;
  private final SqsDeadLetters deadLetters;

  Container(Settings settings) {
    this.settings = settings;
    String deadLetterUrl =
        Settings.needed(true, "DEAD_LETTER_QUEUE_URL", settings.deadLetterQueueUrl());
    this.generations = new OpenedGenerations(settings);
    this.deadLetters =
        SqsDeadLetters.of(
            SqsClient.builder().httpClientBuilder(OpenedGenerations.http()).build(), deadLetterUrl);
  }

  static Container ofEnvironment() {
    return new Container(Settings.of(System.getenv()));
  }

  Settings settings() {
    return settings;
  }

  SqsDeadLetters deadLetters() {
    return deadLetters;
  }

  @Override
  public BatchOutcome<?> apply(List<Delivery> deliveries) {
    return settings.handler(generations.get()).apply(deliveries);
  }
}
