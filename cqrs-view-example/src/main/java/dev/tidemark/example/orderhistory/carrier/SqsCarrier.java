package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.spring.SqsIntakeListener;
import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.config.SqsBootstrapConfiguration;
import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import io.awspring.cloud.sqs.listener.MessageListenerContainerRegistry;
import io.awspring.cloud.sqs.listener.QueueNotFoundStrategy;
import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.Message;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Brings events from an SQS queue, standard or FIFO, to the views, where {@code CARRIER} is {@code
 * sqs}. Poison goes to the queue of dead letters.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "CARRIER", havingValue = "sqs")
@Import({SqsBootstrapConfiguration.class, Intakes.class, QueueDepth.class})
class SqsCarrier {
  private static final int WORKERS = 4;
  private static final int BATCH = 10;
  private static final Duration POLL = Duration.ofSeconds(2);

  private final SqsIntakeListener<String> events;

  SqsCarrier(
      Settings settings,
      Function<List<Delivery>, BatchOutcome<?>> handler,
      SqsClient client,
      Intakes intakes) {
    SqsDeadLetters letters = SqsDeadLetters.of(client, settings.deadLetterQueueUrl());
    var intake =
        SqsIntakeListener.<String>builder(
                message -> EventJson.decode(message.getPayload()).delivery(), handler)
            .deadLetters(SqsIntakeListener.deadLetters(letters));
    events = SqsIntakeListener.of(intakes.set(intake).build());
  }

  @SqsListener(id = "sqs", queueNames = "${QUEUE_URL}", acknowledgementMode = "MANUAL")
  void take(List<Message<String>> messages, BatchAcknowledgement<String> acknowledgement) {
    events.take(messages, acknowledgement);
  }

  @Bean
  static HealthIndicator carrier(MessageListenerContainerRegistry listeners) {
    return () ->
        (listeners.getListenerContainers().stream().allMatch(Lifecycle::isRunning)
                ? Health.up()
                : Health.down())
            .build();
  }

  /**
   * Ends within a short poll, deletes what is done at once, and asks for the timeout for which
   * messages stay hidden.
   */
  @Bean
  @ConditionalOnMissingBean
  static SqsMessageListenerContainerFactory<Object> defaultSqsListenerContainerFactory(
      SqsAsyncClient client) {
    return SqsMessageListenerContainerFactory.builder()
        .sqsAsyncClient(client)
        .configure(
            options ->
                options
                    .pollTimeout(POLL)
                    .maxMessagesPerPoll(BATCH)
                    .maxConcurrentMessages(WORKERS * BATCH)
                    .acknowledgementInterval(Duration.ZERO)
                    .acknowledgementThreshold(0)
                    .queueNotFoundStrategy(QueueNotFoundStrategy.FAIL)
                    .queueAttributeNames(List.of(QueueAttributeName.VISIBILITY_TIMEOUT)))
        .build();
  }

  @Bean
  @ConditionalOnMissingBean
  static SqsAsyncClient sqsAsyncClient() {
    return SqsAsyncClient.create();
  }

  @Bean
  @ConditionalOnMissingBean
  static SqsClient sqsClient() {
    return SqsClient.create();
  }
}
