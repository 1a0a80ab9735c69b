package dev.tidemark.example.orderhistory.carrier;

import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE;

import dev.tidemark.example.orderhistory.settings.Settings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Gauges of a queue: how many messages wait, and how many are in hand, as SQS estimates them when
 * someone reads the meters. For any number of threads.
 */
record QueueDepth(SqsClient sqs, Settings settings) implements MeterBinder {
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "visible", APPROXIMATE_NUMBER_OF_MESSAGES);
    gauge(registry, "inflight", APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
  }

  private void gauge(MeterRegistry registry, String state, QueueAttributeName attribute) {
    String url = settings.queueUrl();
    Gauge.builder("orderhistory.queue.messages", () -> ask(attribute))
        .description("Messages of the queue, as SQS estimates them")
        .tag("queue", url.substring(url.lastIndexOf('/') + 1))
        .tag("state", state)
        .register(registry);
  }

  private double ask(QueueAttributeName attribute) {
    try {
      var answer =
          sqs.getQueueAttributes(
              get ->
                  get.queueUrl(settings.queueUrl())
                      .attributeNames(attribute)
                      .overrideConfiguration(call -> call.apiCallTimeout(CALL_TIMEOUT)));
      return Double.parseDouble(answer.attributes().getOrDefault(attribute, "NaN"));
    } catch (SdkException e) {
      return Double.NaN; // the log of the carrier tells why
    }
  }
}
